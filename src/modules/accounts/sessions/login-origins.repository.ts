import { Injectable } from '@nestjs/common';
import { columnsOf, result, rowsOf, SQL_NOW, statement, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { LONGEST_DELAY_SECONDS, type DelaySchedule } from './login-delays.js';
import { LoginOriginEntity } from '../record/login-origin.entity.js';
import type { LoginOrigin } from './login-origin.js';
import { SystemRepository } from '../record/system.repository.js';

/** State of an origin before an attempt. */
export interface OriginStanding {
  /** Whether it has logged in within the last 30 days. */
  readonly trusted: boolean;
  /** Number of other networks that have failed with this e-mail address within the last hour, counted up to the requested limit. */
  readonly others: number;
}

/** Time without an attempt after which failures are cleared. */
const FORGET = `interval '24 hours'`;
const TRUSTED_FOR = `interval '30 days'`;
/** Maximum number of trusted networks of one e-mail address; the newest are kept. */
const MOST_TRUSTED = 50;
/** Maximum number of logins of an origin that clear failures within the time of `FORGET`; further logins only remove their own attempt. */
const MOST_RESETS = 10;

/** `delayAfter` of the failures that `failures` gives, with the schedule in $3 and $4 and the longest delay in $5. */
function delaySql(failures: string): string {
  return `make_interval(secs => CASE WHEN ${failures} <= $3::int THEN 0
    ELSE least($5::float8, $4::float8 * 2 ^ least(${failures} - $3::int - 1, 30)) END)`;
}

const STANDING = statement(
  { trusted: result.boolean, others: result.integer },
  `SELECT EXISTS (SELECT 1 FROM login_origins
       WHERE email_key = $1 AND network_key = $2 AND logged_in_at > now() - ${TRUSTED_FOR}) AS trusted,
     (SELECT count(*)::int FROM (SELECT 1 FROM login_origins
       WHERE email_key = $1 AND network_key <> $2 AND failures > 0 AND attempted_at > now() - interval '1 hour'
       LIMIT $3) AS recent) AS others`,
);
const FAILURES = `CASE WHEN o.attempted_at < now() - ${FORGET} THEN 1 ELSE o.failures + 1 END`;
const COUNT_ATTEMPT = statement(
  columnsOf(LoginOriginEntity, 'failures'),
  `INSERT INTO login_origins AS o (email_key, network_key, failures, blocked_until)
   VALUES ($1, $2, 1, now() + ${delaySql('1')})
   ON CONFLICT (email_key, network_key) DO UPDATE
   SET failures = ${FAILURES}, blocked_until = now() + ${delaySql(FAILURES)}, attempted_at = now()
   WHERE o.blocked_until <= ${SQL_NOW} RETURNING o.failures`,
);
const BLOCKED_SECONDS = statement(
  { seconds: result.float },
  `SELECT extract(epoch FROM blocked_until - ${SQL_NOW})::float8 AS seconds
   FROM login_origins WHERE email_key = $1 AND network_key = $2`,
);
const TAKE_BACK = statement(
  {},
  `UPDATE login_origins SET failures = greatest(failures - 1, 0), blocked_until = now()
   WHERE email_key = $1 AND network_key = $2`,
);
/** Condition that a login may clear failures; only a limited number of logins does within the time for which failures are remembered. */
const MAY_RESET = `(o.resets < ${MOST_RESETS} OR o.resets_since < now() - ${FORGET})`;
/** This attempt is counted among the failures; if it is the only one, nothing needs to be cleared. */
const RESETS = `(NOT $3::boolean AND o.failures > 1 AND ${MAY_RESET})`;
const NOTE_LOGIN = statement(
  {},
  `INSERT INTO login_origins AS o (email_key, network_key, logged_in_at) VALUES ($1, $2, now())
   ON CONFLICT (email_key, network_key) DO UPDATE SET
     failures = CASE WHEN $3::boolean THEN o.failures WHEN ${RESETS} THEN 0 ELSE greatest(o.failures - 1, 0) END,
     blocked_until = CASE WHEN $3::boolean THEN o.blocked_until ELSE now() END,
     resets = CASE WHEN NOT ${RESETS} THEN o.resets WHEN o.resets_since < now() - ${FORGET} THEN 1 ELSE o.resets + 1 END,
     resets_since = CASE WHEN ${RESETS} AND o.resets_since < now() - ${FORGET} THEN now() ELSE o.resets_since END,
     attempted_at = now(), logged_in_at = now()`,
);
const FORGET_OLDEST_TRUSTED = statement(
  {},
  `DELETE FROM login_origins WHERE email_key = $1 AND network_key IN (SELECT network_key FROM login_origins
     WHERE email_key = $1 AND logged_in_at IS NOT NULL ORDER BY logged_in_at DESC OFFSET ${MOST_TRUSTED})`,
);
const FORGET_FAILURES = statement(
  {},
  `UPDATE login_origins SET failures = 0, blocked_until = now() WHERE email_key = $1`,
);
const STRANGERS = `(logged_in_at IS NULL OR logged_in_at < now() - ${TRUSTED_FOR})`;
const PRUNE = statement(
  {},
  `DELETE FROM login_origins WHERE ${STRANGERS} AND (attempted_at < now() - ${FORGET} OR (email_key, network_key) IN (
     SELECT email_key, network_key FROM login_origins WHERE ${STRANGERS} ORDER BY attempted_at DESC OFFSET $1))`,
);

/** Rows of `login_origins`: in the database, so that all processes count together and restarts do not clear anything. */
@Injectable()
export class LoginOriginsRepository extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async standing({ emailKey, networkKey }: LoginOrigin, mostOthers: number): Promise<OriginStanding> {
    const [row] = await this.queryBeforeContext(STANDING, [emailKey, networkKey, mostOthers]);
    return row ?? { trusted: false, others: 0 };
  }

  /**
   * Counts an attempt as failed and blocks the origin for the resulting delay. Of simultaneous attempts with a delay, one is counted and
   * the others find the origin blocked. False when it is blocked; then nothing was counted.
   */
  async countAttempt({ emailKey, networkKey }: LoginOrigin, delays: DelaySchedule): Promise<boolean> {
    const counted = await this.queryBeforeContext(COUNT_ATTEMPT, [
      emailKey,
      networkKey,
      delays.free,
      delays.firstSeconds,
      LONGEST_DELAY_SECONDS,
    ]);
    return counted.length > 0;
  }

  /** Seconds until the origin may try again; 0 when it may now. */
  async blockedSeconds({ emailKey, networkKey }: LoginOrigin): Promise<number> {
    const [row] = await this.queryBeforeContext(BLOCKED_SECONDS, [emailKey, networkKey]);
    return Math.max(0, row?.seconds ?? 0);
  }

  /** Removes a counted attempt that could not be checked. */
  async takeBack({ emailKey, networkKey }: LoginOrigin): Promise<void> {
    await this.queryBeforeContext(TAKE_BACK, [emailKey, networkKey]);
  }

  /**
   * Records a success: the origin becomes trusted, and its failures are cleared, unless that has happened too often. With a password that
   * is used for the first time, the attempt stays counted.
   */
  async noteLogin({ emailKey, networkKey }: LoginOrigin, isFirstUse: boolean): Promise<void> {
    await this.unitOfWork.runAsSystem(async (manager) => {
      await rowsOf(manager, NOTE_LOGIN, [emailKey, networkKey, isFirstUse]);
      await rowsOf(manager, FORGET_OLDEST_TRUSTED, [emailKey]);
    });
  }

  /** Ends all delays of an e-mail address in the transaction of `ctx`; trusted origins stay trusted. */
  async forgetFailures(ctx: RequestContext, emailKey: string): Promise<void> {
    await this.query(ctx, FORGET_FAILURES, [emailKey]);
  }

  /** Removes expired rows, and all but the newest `most` of the origins that are not trusted. */
  async prune(most: number): Promise<void> {
    await this.queryBeforeContext(PRUNE, [most]);
  }
}
