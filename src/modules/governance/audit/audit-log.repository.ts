import { Injectable } from '@nestjs/common';
import { allColumnsOf, AuditLogEntity, result, statementFamily, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import { AUDIT_LOG_ORDERS, type AuditLogOrder } from './audit-log.dto.js';

/** Filter of entries; null or absent fields are ignored. */
export interface AuditFilter {
  readonly from?: Date;
  /** End of the time range, exclusive. */
  readonly to?: Date;
  readonly action?: string;
  /** Actors as entries name them; one of them must match. */
  readonly actors?: readonly string[];
  readonly subjectType?: string;
  readonly subjectId?: string;
  readonly requestId?: string;
}

/** An entry as the caller may see it. */
export type AuditRow = AuditLogEntity & { readonly is_whole: boolean };

const ORDERS: Readonly<Record<AuditLogOrder, string>> = { created_at: 'ASC', '-created_at': 'DESC' };

/** Fields with texts of people about a dataset; only callers who see the dataset get them. */
const FREE_TEXT = `'{reason,note}'::text[]`;
/** Parameters of the filter. A document also counts as the subject of entries that list it among others. */
const MATCHES = `($1::timestamptz IS NULL OR a.created_at >= $1) AND ($2::timestamptz IS NULL OR a.created_at < $2)
  AND ($3::text IS NULL OR a.event = $3) AND ($4::text[] IS NULL OR a.actor = ANY ($4))
  AND ($5::text IS NULL OR split_part(a.subject, ':', 1) = $5 OR ($5 = 'document' AND a.details ? 'document_ids'))
  AND ($6::text IS NULL OR substr(a.subject, strpos(a.subject, ':') + 1) = $6
    OR (coalesce($5, 'document') = 'document' AND a.details -> 'document_ids' ? $6))
  AND ($7::text IS NULL OR a.request_id = $7)
  AND ($8::text[] IS NULL OR ((a.subject IS NULL OR split_part(a.subject, ':', 1) <> 'dataset' OR split_part(a.subject, ':', 2) = ANY ($8))
    AND (NOT a.details ? 'dataset_id' OR a.details ->> 'dataset_id' = ANY ($8))
    AND (jsonb_typeof(a.details -> 'dataset_ids') IS DISTINCT FROM 'array' OR a.details -> 'dataset_ids' <@ to_jsonb($8::text[]))))`;
const FILTERS = 8;

function select(visible: string): string {
  return `SELECT a.tenant_id, a.seq, a.event, a.actor, a.subject, a.request_id, a.previous_hash, a.hash, a.created_at,
     CASE WHEN w.is_whole THEN a.details ELSE a.details - ${FREE_TEXT} END AS details, w.is_whole
   FROM audit_log a, LATERAL (SELECT NOT a.details ?| ${FREE_TEXT} OR coalesce(a.subject, '') NOT LIKE 'dataset:%' OR EXISTS (
     SELECT 1 FROM datasets s WHERE a.subject = 'dataset:' || s.id AND ${visible}) AS is_whole) w`;
}

const VARIANTS = visibilityVariantsOf('s', FILTERS + 1);
const ROW = { ...allColumnsOf(AuditLogEntity), is_whole: result.present(result.boolean) };
const COUNT = statementFamily(
  { n: result.integer },
  () => `SELECT count(*)::int AS n FROM audit_log a WHERE ${MATCHES}`,
  [[]],
);
const LIST = statementFamily(
  ROW,
  (visible: string, order: AuditLogOrder, limit: number, skip: number) =>
    `${select(visible)} WHERE ${MATCHES} ORDER BY a.seq ${ORDERS[order]} LIMIT ${limit} OFFSET ${skip}`,
  VARIANTS.flatMap((visible) => AUDIT_LOG_ORDERS.map((order) => [visible, order, 20, 0] as const)),
);
const LIST_BETWEEN = statementFamily(
  ROW,
  (visible: string, after: number, end: number, limit: number) =>
    `${select(visible)} WHERE ${MATCHES} AND a.seq > ${after} AND a.seq <= ${end} ORDER BY a.seq LIMIT ${limit}`,
  VARIANTS.map((visible) => [visible, 0, 1, 1] as const),
);

/** Reads entries of the audit log for callers who may read it. */
@Injectable()
export class AuditLogRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  async count(ctx: RequestContext, filter: AuditFilter): Promise<number> {
    const row = await this.queryOne(ctx, COUNT.of(), valuesOf(ctx, filter));
    return row?.n ?? 0;
  }

  async list(
    ctx: RequestContext,
    filter: AuditFilter,
    page: { readonly order: AuditLogOrder; readonly skip: number; readonly limit: number },
  ): Promise<AuditRow[]> {
    const visible = this.access.visibilityCondition(ctx, 's', FILTERS + 1);
    const list = LIST.of(visible.sql, page.order, page.limit, page.skip);
    return this.query(ctx, list, [...valuesOf(ctx, filter), ...visible.parameters]);
  }

  /** The first entries after number `after` and up to `end`, in order. */
  async listBetween(
    ctx: RequestContext,
    filter: AuditFilter,
    after: number,
    end: number,
    limit: number,
  ): Promise<AuditRow[]> {
    const visible = this.access.visibilityCondition(ctx, 's', FILTERS + 1);
    const list = LIST_BETWEEN.of(visible.sql, after, end, limit);
    return this.query(ctx, list, [...valuesOf(ctx, filter), ...visible.parameters]);
  }
}

function valuesOf({ principal }: RequestContext, filter: AuditFilter): unknown[] {
  const { from, to, action, actors, subjectType, subjectId, requestId } = filter;
  const only = principal.kind === 'api_key' ? principal.datasetIds : null;
  return [from, to, action, actors, subjectType, subjectId, requestId, only].map((value) => value ?? null);
}
