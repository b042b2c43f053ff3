import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { newId, OneByOne, type AccountId } from '#libs/common';
import { AuditLog, type AuditEntry } from '#libs/database';
import type { Client, RequestContext } from '#libs/tenancy';
import { CredentialsRepository } from '../credentials/credentials.repository.js';

/** Failures of one account and address that have not been written yet. */
interface OpenWindow {
  readonly accountId: AccountId;
  readonly address: string;
  failed: number;
  blocked: number;
  timer: NodeJS.Timeout | undefined;
}

/** Tolerance in the comparison: an entry is a little younger than the window that it began. */
const WRITING_MS = 1_000;
/** Maximum number of pairs of account and address that are counted at the same time. */
const MOST_WINDOWS = 10_000;

/**
 * Records logins in the audit log of the account's default tenant. For failures of an account from an address, at most one entry is written
 * in `windowSeconds`, with their number. Requests do not wait for this, so that the duration does not reveal whether an address has an
 * account. Accounts without a tenant have no audit log.
 */
@Injectable()
export class LoginRecords implements BeforeApplicationShutdown {
  private readonly windows = new Map<string, OpenWindow>();
  private readonly writing = new OneByOne();

  constructor(
    private readonly audit: AuditLog,
    private readonly credentials: CredentialsRepository,
    private readonly logger: PinoLogger,
    private readonly windowSeconds: number,
  ) {}

  /** Records a login of the account. */
  async succeeded(accountId: AccountId, client: Client): Promise<void> {
    const ctx = await this.contextOf(accountId, client.requestId, true);
    if (ctx === null) return;
    const details = { address: client.address };
    await this.audit.append(ctx, { event: 'auth.login_succeeded', subject: `account:${accountId}`, details });
  }

  /** Counts a failure; the first one of a window is written at once. */
  failed(accountId: AccountId, { address, requestId }: Client, outcome: 'failed' | 'blocked'): void {
    const key = `${accountId} ${address}`;
    const open = this.windows.get(key) ?? { accountId, address, failed: 0, blocked: 0, timer: undefined };
    open[outcome] += 1;
    if (this.windows.has(key) || this.windows.size >= MOST_WINDOWS) return;
    this.windows.set(key, open);
    this.write(key, open, requestId);
  }

  /** Writes the failures counted since the last entry of each window. */
  async flush(): Promise<void> {
    for (const [key, open] of this.windows) {
      clearTimeout(open.timer);
      this.endWindow(key, open);
    }
    await this.writing.ended();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
    for (const { timer } of this.windows.values()) clearTimeout(timer);
  }

  private endWindow(key: string, open: OpenWindow): void {
    if (open.failed + open.blocked === 0) this.windows.delete(key);
    else this.write(key, open, newId());
  }

  private write(key: string, open: OpenWindow, requestId: string): void {
    void this.writing.run(async () => {
      try {
        await this.append(open, requestId);
      } catch (error) {
        this.logger.error({ err: error, accountId: open.accountId }, 'audit.login_not_written');
      }
    });
    const ms = this.windowSeconds * 1000 + WRITING_MS;
    open.timer = setTimeout(() => this.endWindow(key, open), ms).unref();
  }

  /** If another process has written an entry within the window, the failures are kept for the next one. */
  private async append(open: OpenWindow, requestId: string): Promise<void> {
    const { accountId, address, failed, blocked } = open;
    if (failed + blocked === 0) return;
    const ctx = await this.contextOf(accountId, requestId, false);
    const entry: AuditEntry = {
      event: 'auth.login_failed',
      subject: `account:${accountId}`,
      details: { address, count: failed + blocked, blocked },
    };
    const isDone = ctx === null || (await this.audit.appendAtMostEvery(ctx, entry, 'address', this.windowSeconds));
    if (!isDone) return;
    open.failed -= failed;
    open.blocked -= blocked;
  }

  /** The context of the default tenant of the account; the account is the principal if it is `known` that it acts. */
  private async contextOf(accountId: AccountId, requestId: string, known: boolean): Promise<RequestContext | null> {
    const tenantId = await this.credentials.findDefaultTenant(accountId);
    if (tenantId === null) return null;
    const permissions = new Set<never>();
    const principal = known
      ? ({ kind: 'account', accountId, role: null, permissions } as const)
      : ({ kind: 'system', permissions } as const);
    return { tenantId, principal, requestId };
  }
}
