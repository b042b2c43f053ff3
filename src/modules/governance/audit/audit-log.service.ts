import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { NOWHERE_TENANT, type JsonObject } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { AuditAnchors } from './audit-anchors.service.js';
import { AuditLogRepository, type AuditFilter, type AuditRow } from './audit-log.repository.js';
import type { ActorType, AuditLogEntry, AuditLogPage, AuditLogQuery, AuditLogVerification } from './audit-log.dto.js';
import { governanceErrors } from '../governance.errors.js';

/** Number of entries of an export that are read at a time. */
const BATCH = 500;

/** Reads, exports and verifies the audit log of the caller's tenant. */
@Injectable()
export class AuditLogService {
  constructor(
    private readonly entries: AuditLogRepository,
    private readonly audit: AuditLog,
    private readonly anchors: AuditAnchors,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Empty for a caller who does not belong to the tenant. @throws 422 for a time range that ends before it begins */
  async list(ctx: RequestContext, query: AuditLogQuery): Promise<AuditLogPage> {
    const filter = toFilter(query);
    const { skip, limit, order_by: order } = query;
    if (ctx.tenantId === NOWHERE_TENANT) return { items: [], total: 0, skip, limit };
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.entries.count(inner, filter);
      const rows = await this.entries.list(inner, filter, { order, skip, limit });
      return { items: rows.map(toEntry), total, skip, limit };
    });
  }

  /**
   * All entries that match, one per line, up to the last entry at the beginning of the export. The export is recorded in the log before the
   * first line is sent. Empty if `list` is empty. @throws as `list`
   */
  async export(ctx: RequestContext, query: AuditLogQuery, signal: AbortSignal): Promise<Readable> {
    const filter = toFilter(query);
    if (ctx.tenantId === NOWHERE_TENANT) return Readable.from([]);
    const end = (await this.audit.head(ctx))?.id ?? 0;
    await this.audit.append(ctx, {
      event: 'audit_log.exported',
      subject: `tenant:${ctx.tenantId}`,
      details: { filter: filterOf(query), up_to: end },
    });
    return Readable.from(this.lines(ctx, filter, end, signal), { objectMode: false });
  }

  /** Reads the whole chain of the tenant. @throws `governance.audit_log_not_found` for a caller who does not belong to it */
  async verify(ctx: RequestContext, signal: AbortSignal): Promise<AuditLogVerification> {
    if (ctx.tenantId === NOWHERE_TENANT) throw governanceErrors.audit_log_not_found({});
    const anchors = await this.anchors.list(ctx.tenantId, signal);
    const { entries, head, broken } = await this.audit.verify(ctx, anchors ?? [], signal);
    return { valid: broken === null, entries, anchors: anchors?.length ?? null, head, first_broken: broken };
  }

  private async *lines(
    ctx: RequestContext,
    filter: AuditFilter,
    end: number,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    for (let after = 0; ;) {
      signal.throwIfAborted();
      const rows = await this.entries.listBetween(ctx, filter, after, end, BATCH);
      if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(toEntry(row))}\n`).join('');
      if (rows.length < BATCH) return;
      after = Number(rows.at(-1)!.seq);
    }
  }
}

function toFilter(query: AuditLogQuery): AuditFilter {
  const { from, to, action, actor, subject_type: subjectType, subject_id: subjectId, request_id: requestId } = query;
  if (from !== undefined && to !== undefined && new Date(from) >= new Date(to)) {
    throw validationFailed([{ pointer: '/to', code: 'after_from', detail: 'must be later than from' }]);
  }
  return {
    ...(from === undefined ? {} : { from: new Date(from) }),
    ...(to === undefined ? {} : { to: new Date(to) }),
    ...(action === undefined ? {} : { action }),
    ...(actor === undefined ? {} : { actors: actorsNamed(actor.toLowerCase()) }),
    ...(subjectType === undefined ? {} : { subjectType }),
    ...(subjectId === undefined ? {} : { subjectId }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function actorsNamed(actor: string): string[] {
  return actor === 'system' || actor.includes(':') ? [actor] : [`account:${actor}`, `api_key:${actor}`];
}

/** The requested filter of an export. */
function filterOf({ from, to, action, actor, subject_type, subject_id, request_id }: AuditLogQuery): JsonObject {
  const given = { from, to, action, actor, subject_type, subject_id, request_id };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function toEntry(row: AuditRow): AuditLogEntry {
  return {
    id: Number(row.seq),
    action: row.event,
    actor: { type: partsOf(row.actor).type as ActorType, id: row.actor === 'system' ? null : partsOf(row.actor).id },
    subject: row.subject === null ? null : partsOf(row.subject),
    request_id: row.request_id,
    details: row.details,
    details_withheld: !row.is_whole,
    created_at: timeOf(row.created_at),
    previous_hash: row.previous_hash,
    hash: row.hash,
  };
}

/** `<type>:<id>`. */
function partsOf(name: string): { readonly type: string; readonly id: string } {
  const at = name.indexOf(':');
  return at < 0 ? { type: name, id: '' } : { type: name.slice(0, at), id: name.slice(at + 1) };
}

/** A time that was written by another program may not be valid for `Date`; it is shown all the same. */
function timeOf(value: Date): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
