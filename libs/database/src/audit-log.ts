import { Injectable } from '@nestjs/common';
import type { JsonObject, TenantId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { ChainCheck, GENESIS_HASH, hashOfEntry, type ChainAnchor, type ChainHead } from './audit-chain.js';
import { AuditLogEntity } from './audit-log.entity.js';
import { allColumnsOf, columnsOf, result, statement } from './statement.js';
import { rowsOf } from './tenant-repository.js';
import { UnitOfWork } from './unit-of-work.js';

export interface AuditEntry {
  readonly event: string;
  /** What the event is about, as `<kind>:<id>`. */
  readonly subject?: string;
  readonly details?: JsonObject;
}

/** An entry that was committed, and who wrote it. */
export interface AppendedEntry {
  readonly tenantId: TenantId;
  /** `account:<id>`, `api_key:<id>` or `system`. */
  readonly actor: string;
  readonly address: string | undefined;
  readonly requestId: string;
  readonly entry: AuditEntry;
}

const LOCK = statement(
  { pg_advisory_xact_lock: result.nothing },
  `SELECT pg_advisory_xact_lock(hashtextextended($1, 1))`,
);
const FIND_LAST = statement(
  columnsOf(AuditLogEntity, 'seq', 'hash'),
  `SELECT seq, hash FROM audit_log ORDER BY seq DESC LIMIT 1`,
);
const APPEND = statement(
  {},
  `INSERT INTO audit_log (tenant_id, seq, event, actor, subject, request_id, details, previous_hash, hash, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
const IS_RECENT = statement(
  { found: result.boolean },
  `SELECT EXISTS (SELECT 1 FROM audit_log WHERE subject = $1 AND event = $2 AND details ->> $3 = $4
     AND created_at > now() - make_interval(secs => $5)) AS found`,
);
/** Entries that are read at a time. */
const BATCH = 500;
const LIST_AFTER = statement(
  allColumnsOf(AuditLogEntity),
  `SELECT tenant_id, seq, event, actor, subject, request_id, details, previous_hash, hash, created_at FROM audit_log
   WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT ${BATCH}`,
);

/** Result of the verification of a tenant's chain. */
export type ChainFindings = ReturnType<ChainCheck['finish']>;

/** The append-only audit log of a tenant: each row contains the hash of the previous one, so that a removed or changed row is detected. */
@Injectable()
export class AuditLog {
  private readonly listeners = new Set<(appended: AppendedEntry) => void>();

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Calls `listener` after the commit of each entry of this process. */
  onAppended(listener: (appended: AppendedEntry) => void): void {
    this.listeners.add(listener);
  }

  /** Appends in the transaction of `ctx`; writers of one tenant wait for each other. */
  async append(ctx: RequestContext, entry: AuditEntry): Promise<void> {
    await this.unitOfWork.run(ctx, async (manager, inner) => {
      await rowsOf(manager, LOCK, [ctx.tenantId]);
      const [last] = await rowsOf(manager, FIND_LAST);
      const row = {
        tenantId: ctx.tenantId,
        seq: last === undefined ? 1 : Number(last.seq) + 1,
        event: entry.event,
        actor: actorOf(ctx),
        subject: entry.subject ?? null,
        requestId: ctx.requestId,
        details: entry.details ?? {},
        createdAt: new Date().toISOString(),
      };
      const previous = last?.hash ?? GENESIS_HASH;
      const hash = hashOfEntry(previous, row);
      await rowsOf(manager, APPEND, [
        row.tenantId,
        row.seq,
        row.event,
        row.actor,
        row.subject,
        row.requestId,
        row.details,
        previous,
        hash,
        row.createdAt,
      ]);
      this.unitOfWork.afterCommit(inner, () => this.notify(inner, entry));
    });
  }

  /**
   * Appends an entry unless one of the last `seconds` has the same event, subject and value of this member of the details, also one of another
   * process. Resolves to whether it was appended.
   */
  async appendAtMostEvery(ctx: RequestContext, entry: AuditEntry, member: string, seconds: number): Promise<boolean> {
    return this.unitOfWork.run(ctx, async (manager, inner) => {
      await rowsOf(manager, LOCK, [ctx.tenantId]);
      const value = entry.details?.[member] ?? null;
      const [row] = await rowsOf(manager, IS_RECENT, [entry.subject ?? null, entry.event, member, value, seconds]);
      if (row?.found === true) return false;
      await this.append(inner, entry);
      return true;
    });
  }

  /** The last entry of the tenant's chain; null when it has none. */
  async head(ctx: RequestContext): Promise<ChainHead | null> {
    return this.unitOfWork.run(ctx, async (manager) => {
      const [last] = await rowsOf(manager, FIND_LAST);
      return last === undefined ? null : { id: Number(last.seq), hash: last.hash };
    });
  }

  /** Reads the tenant's chain to the entry that is the last one now, and compares it with its hashes and with anchors. */
  async verify(ctx: RequestContext, anchors: readonly ChainAnchor[], signal?: AbortSignal): Promise<ChainFindings> {
    const check = new ChainCheck(anchors);
    // Entries that are appended meanwhile are not looked at. An anchor that is kept outside may be newer than this.
    const end = Math.max((await this.head(ctx))?.id ?? 0, ...anchors.map(({ id }) => id));
    for (let after = '-9223372036854775808'; ;) {
      signal?.throwIfAborted();
      const rows = await this.unitOfWork.run(ctx, (manager) => rowsOf(manager, LIST_AFTER, [after, end]));
      for (const row of rows) check.add(row);
      if (rows.length < BATCH) return check.finish();
      after = rows.at(-1)!.seq;
    }
  }

  private notify(ctx: RequestContext, entry: AuditEntry): void {
    const { tenantId, address, requestId } = ctx;
    for (const listener of this.listeners) listener({ tenantId, actor: actorOf(ctx), address, requestId, entry });
  }
}

function actorOf(ctx: RequestContext): string {
  switch (ctx.principal.kind) {
    case 'account':
      return `account:${ctx.principal.accountId}`;
    case 'api_key':
      return `api_key:${ctx.principal.keyId}`;
    case 'system':
      return 'system';
  }
}
