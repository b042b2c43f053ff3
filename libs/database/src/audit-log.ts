import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalJson, type JsonObject, type TenantId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { AuditLogEntity } from './audit-log.entity.js';
import { columnsOf, result, statement } from './statement.js';
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

const GENESIS = '0'.repeat(64);

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

/** The append-only record of a tenant: each row carries the hash of the one before it, so that a removed or changed row shows. */
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
      const previous = last?.hash ?? GENESIS;
      const hash = createHash('sha256').update(previous).update(canonicalJson(row)).digest('hex');
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
