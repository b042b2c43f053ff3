import { Injectable } from '@nestjs/common';
import { newId, type AccountId, type DatasetId, type DocumentId, type Page } from '#libs/common';
import {
  columnsOf,
  result,
  SQL_NOW,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type TransactionContext,
  NATURAL_ORDER,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import {
  QUARANTINE_ORDERS,
  type ListQuarantineQuery,
  type QuarantineCounts,
  type QuarantinedFindings,
  type QuarantineOrder,
} from './quarantine.dto.js';
import { QuarantineEntity } from './quarantine.entity.js';

/** An open quarantine with its document. */
export interface QuarantineRow {
  readonly document_id: string;
  readonly document_name: string;
  readonly dataset_id: string;
  readonly reason: string;
  readonly note: string | null;
  readonly quarantined_by: string | null;
  readonly quarantined_at: Date;
  readonly until: Date | null;
  readonly overdue: boolean;
  readonly findings: QuarantinedFindings[];
  readonly release_asked_by: string | null;
  readonly release_asked_at: Date | null;
}

/** Reason and intended end of a quarantine. */
export interface QuarantineGrounds {
  readonly reason: string;
  readonly note: string | null;
  readonly until: Date | null;
}

/** An open quarantine of a visible document, with the account that requested its release. */
export interface OpenQuarantine {
  readonly id: DocumentId;
  readonly dataset_id: DatasetId;
  readonly asked_by: AccountId | null;
}

const OLDEST_FIRST = 'q.quarantined_at ASC, q.id ASC';
const NEWEST_FIRST = 'q.quarantined_at DESC, q.id DESC';
const ORDERS: Readonly<Record<QuarantineOrder, string>> = {
  quarantined_at: OLDEST_FIRST,
  '-quarantined_at': NEWEST_FIRST,
  created_at: OLDEST_FIRST,
  '-created_at': NEWEST_FIRST,
  document_name: `d.name ${NATURAL_ORDER} ASC, q.id ASC`,
  '-document_name': `d.name ${NATURAL_ORDER} DESC, q.id DESC`,
};

const FROM = `FROM quarantines q JOIN documents d ON d.id = q.document_id JOIN datasets s ON s.id = d.dataset_id
   WHERE q.released_at IS NULL AND d.deleted_at IS NULL AND s.deleted_at IS NULL`;
const IS_OVERDUE = `coalesce(q.until <= ${SQL_NOW}, false)`;
const IS_ASKED = `(q.release_asked_by IS NOT NULL)`;
/** The part of the query that a list and its counts share. */
const MATCHES = `($1::uuid IS NULL OR d.dataset_id = $1) AND ($2::text IS NULL OR strpos(lower(d.name), lower($2)) > 0)
   AND ($3::text IS NULL OR strpos(lower(q.reason), lower($3)) > 0) AND ($4::uuid IS NULL OR q.quarantined_by = $4)`;
const KINDS = `($5::boolean IS NULL OR ${IS_OVERDUE} = $5) AND ($6::boolean IS NULL OR ${IS_ASKED} = $6)`;
const FILTERS = 6;
const VARIANTS = visibilityVariantsOf('s', FILTERS + 1);
const COUNT = statementFamily(
  { n: result.integer, open: result.integer, overdue: result.integer, release_asked: result.integer },
  (visible: string) => `SELECT count(*) FILTER (WHERE ${KINDS})::int AS n, count(*)::int AS open,
     count(*) FILTER (WHERE ${IS_OVERDUE})::int AS overdue, count(*) FILTER (WHERE ${IS_ASKED})::int AS release_asked
   ${FROM} AND ${MATCHES} AND ${visible}`,
  VARIANTS.map((visible) => [visible] as const),
);
/** Findings of the revision that was ingested last. */
const FINDINGS = `coalesce((SELECT jsonb_agg(c ORDER BY c.entity_type, c.action) FROM (
         SELECT f.entity_type, f.action, count(*)::int AS count FROM governance_findings f
         WHERE f.document_id = d.id AND f.revision_id = d.revision_id AND f.rescan_id IS NULL GROUP BY 1, 2) c), '[]')`;
const LIST = statementFamily(
  {
    ...columnsOf(QuarantineEntity, 'document_id', 'reason', 'note', 'quarantined_by', 'quarantined_at', 'until'),
    ...columnsOf(QuarantineEntity, 'release_asked_by', 'release_asked_at'),
    document_name: result.text(),
    dataset_id: result.uuid(),
    overdue: result.present(result.boolean),
    findings: result.present(result.json<QuarantinedFindings[]>()),
  },
  (visible: string, order: QuarantineOrder, limit: number, skip: number) =>
    `SELECT q.document_id, d.name AS document_name, d.dataset_id, q.reason, q.note, q.quarantined_by, q.quarantined_at, q.until,
       ${IS_OVERDUE} AS overdue, q.release_asked_by, q.release_asked_at,
       ${FINDINGS} AS findings
     ${FROM} AND ${MATCHES} AND ${KINDS} AND ${visible} ORDER BY ${ORDERS[order]} LIMIT ${limit} OFFSET ${skip}`,
  VARIANTS.flatMap((visible) => QUARANTINE_ORDERS.map((order) => [visible, order, 20, 0] as const)),
);
const LOCK_OPEN = statementFamily(
  {
    id: result.uuid<DocumentId>(),
    dataset_id: result.uuid<DatasetId>(),
    asked_by: result.orNull(result.uuid<AccountId>()),
  },
  (
    visible: string,
  ) => `SELECT d.id, d.dataset_id, q.release_asked_by AS asked_by ${FROM} AND q.document_id = ANY ($1::uuid[])
     AND ${visible} ORDER BY q.document_id FOR UPDATE OF q`,
  visibilityVariantsOf('s', 2).map((visible) => [visible] as const),
);
const NOTE_ASKED = statement(
  {},
  `UPDATE quarantines SET release_asked_by = $2, release_asked_at = now()
   WHERE document_id = ANY ($1::uuid[]) AND released_at IS NULL`,
);
const OPEN = statement(
  {},
  `INSERT INTO quarantines (id, tenant_id, document_id, reason, note, quarantined_by, until)
       SELECT q.id, $1, q.document_id, $2, $3, $4, $7 FROM unnest($5::uuid[], $6::uuid[]) AS q(id, document_id)`,
);
const CLOSE = statement(
  {},
  `UPDATE quarantines SET released_at = now(), released_by = $2
       WHERE document_id = ANY ($1::uuid[]) AND released_at IS NULL`,
);

/** Present and past quarantines of documents. */
@Injectable()
export class QuarantinesRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** Opens a quarantine for each document, in the transaction that moves them. */
  async open(ctx: TransactionContext, documentIds: readonly string[], grounds: QuarantineGrounds): Promise<void> {
    const ids = documentIds.map(() => newId());
    const { reason, note, until } = grounds;
    await this.query(ctx, OPEN, [ctx.tenantId, reason, note, accountOf(ctx), ids, documentIds, until]);
  }

  /** The open quarantines of visible documents, locked until the transaction ends. */
  async lockOpen(ctx: TransactionContext, documentIds: readonly string[]): Promise<OpenQuarantine[]> {
    const visible = this.access.visibilityCondition(ctx, 's', 2);
    return this.query(ctx, LOCK_OPEN.of(visible.sql), [documentIds, ...visible.parameters]);
  }

  /** Records the account that requests the release of the documents, in place of an earlier one. */
  async noteAsked(ctx: TransactionContext, documentIds: readonly string[], by: AccountId): Promise<void> {
    if (documentIds.length > 0) await this.query(ctx, NOTE_ASKED, [documentIds, by]);
  }

  /** Closes the open quarantines of the documents, in the transaction that moves them. */
  async close(ctx: TransactionContext, documentIds: readonly string[]): Promise<void> {
    await this.query(ctx, CLOSE, [documentIds, accountOf(ctx)]);
  }

  /** Open quarantines of visible documents, with counts. @throws `datasets.not_found` */
  async listVisible(
    ctx: RequestContext,
    query: ListQuarantineQuery,
  ): Promise<Page<QuarantineRow> & { readonly counts: QuarantineCounts }> {
    const { skip, limit, order_by: order } = query;
    if (query.dataset_id !== undefined) await this.access.requireVisible(ctx, query.dataset_id);
    const visible = this.access.visibilityCondition(ctx, 's', FILTERS + 1);
    const filters = [query.dataset_id, query.q, query.reason, query.quarantined_by, query.overdue, query.release_asked];
    const parameters = [...filters.map((value) => value ?? null), ...visible.parameters];
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const counted = await this.queryOne(inner, COUNT.of(visible.sql), parameters);
      const items = await this.query(inner, LIST.of(visible.sql, order, limit, skip), parameters);
      const { n, ...counts } = counted ?? { n: 0, open: 0, overdue: 0, release_asked: 0 };
      return { items, total: n, counts, skip, limit };
    });
  }
}

function accountOf(ctx: RequestContext): string | null {
  return ctx.principal.kind === 'system' ? null : ctx.principal.accountId;
}
