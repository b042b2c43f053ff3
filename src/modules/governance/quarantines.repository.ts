import { Injectable } from '@nestjs/common';
import { newId, type Page } from '#libs/common';
import {
  columnsOf,
  result,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type TransactionContext,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../datasets/index.js';
import { QUARANTINE_ORDERS, type QuarantineOrder } from './dto/quarantine.dto.js';
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
}

export interface QuarantineFilter {
  readonly datasetId?: string;
  readonly orderBy: QuarantineOrder;
  readonly skip: number;
  readonly limit: number;
}

const ORDERS: Readonly<Record<QuarantineOrder, string>> = {
  quarantined_at: 'q.quarantined_at ASC, q.id ASC',
  '-quarantined_at': 'q.quarantined_at DESC, q.id DESC',
  document_name: 'lower(d.name) ASC, q.id ASC',
  '-document_name': 'lower(d.name) DESC, q.id DESC',
};

const FROM = `FROM quarantines q JOIN documents d ON d.id = q.document_id JOIN datasets s ON s.id = d.dataset_id
   WHERE q.released_at IS NULL AND d.deleted_at IS NULL AND s.deleted_at IS NULL`;
/** Conditions of lists: of every dataset, and of the one that `$1` names, for each kind of caller. */
const LISTED = [
  ...visibilityVariantsOf('s', 1).map((visible) => `(${visible})`),
  ...visibilityVariantsOf('s', 2).map((visible) => `(${visible}) AND d.dataset_id = $1`),
];
const COUNT = statementFamily(
  { n: result.integer },
  (condition: string) => `SELECT count(*)::int AS n ${FROM} AND ${condition}`,
  LISTED.map((condition) => [condition] as const),
);
const LIST = statementFamily(
  {
    ...columnsOf(QuarantineEntity, 'document_id', 'reason', 'note', 'quarantined_by', 'quarantined_at'),
    document_name: result.text(),
    dataset_id: result.uuid(),
  },
  (condition: string, order: QuarantineOrder, limit: number, skip: number) =>
    `SELECT q.document_id, d.name AS document_name, d.dataset_id, q.reason, q.note, q.quarantined_by, q.quarantined_at ${FROM}
       AND ${condition} ORDER BY ${ORDERS[order]} LIMIT ${limit} OFFSET ${skip}`,
  LISTED.flatMap((condition) => QUARANTINE_ORDERS.map((order) => [condition, order, 20, 0] as const)),
);
const OPEN = statement(
  {},
  `INSERT INTO quarantines (id, tenant_id, document_id, reason, note, quarantined_by)
       SELECT q.id, $1, q.document_id, $2, $3, $4 FROM unnest($5::uuid[], $6::uuid[]) AS q(id, document_id)`,
);
const CLOSE = statement(
  {},
  `UPDATE quarantines SET released_at = now(), released_by = $2
       WHERE document_id = ANY ($1::uuid[]) AND released_at IS NULL`,
);

/** Why documents are or were quarantined, and by whom. */
@Injectable()
export class QuarantinesRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** Opens a quarantine for each document, in the transaction that moves them. */
  async open(
    ctx: TransactionContext,
    documentIds: readonly string[],
    why: { readonly reason: string; readonly note: string | null },
  ): Promise<void> {
    await this.query(ctx, OPEN, [
      ctx.tenantId,
      why.reason,
      why.note,
      accountOf(ctx),
      documentIds.map(() => newId()),
      documentIds,
    ]);
  }

  /** Closes the open quarantines of the documents, in the transaction that moves them. */
  async close(ctx: TransactionContext, documentIds: readonly string[]): Promise<void> {
    await this.query(ctx, CLOSE, [documentIds, accountOf(ctx)]);
  }

  /** Open quarantines of documents that the caller sees. */
  async listVisible(ctx: RequestContext, filter: QuarantineFilter): Promise<Page<QuarantineRow>> {
    const { datasetId, orderBy, skip, limit } = filter;
    const visible = this.access.visibilityCondition(ctx, 's', datasetId === undefined ? 1 : 2);
    const condition = datasetId === undefined ? `(${visible.sql})` : `(${visible.sql}) AND d.dataset_id = $1`;
    const parameters = datasetId === undefined ? visible.parameters : [datasetId, ...visible.parameters];
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne(inner, COUNT.of(condition), parameters);
      const items = await this.query(inner, LIST.of(condition, orderBy, limit, skip), parameters);
      return { items, total: total?.n ?? 0, skip, limit };
    });
  }
}

function accountOf(ctx: RequestContext): string | null {
  return ctx.principal.kind === 'system' ? null : ctx.principal.accountId;
}
