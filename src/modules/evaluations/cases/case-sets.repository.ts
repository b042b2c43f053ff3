import { Injectable } from '@nestjs/common';
import { newId, type DatasetId, type Page } from '#libs/common';
import {
  allColumnsOf,
  columnsOf,
  LessThan,
  result,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type TransactionContext,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { CASE_SET_ORDERS, type CaseSetOrder } from '../dto/case-set.dto.js';
import { accountOf } from '../account-of.js';
import { allVisible, allVisibleVariants } from '../all-visible.js';
import { CaseSetEntity, CaseSetVersionEntity } from './case-set.entity.js';
import type { EvaluationCase } from './evaluation-case.js';

export type CaseSetRow = CaseSetEntity;

export interface CaseSetFilter {
  readonly datasetId?: string;
  readonly orderBy: CaseSetOrder;
  readonly skip: number;
  readonly limit: number;
}

/** Former versions that stay readable. */
const KEPT_VERSIONS = 20;

const ORDERS: Readonly<Record<CaseSetOrder, string>> = {
  created_at: 's.created_at ASC, s.id ASC',
  '-created_at': 's.created_at DESC, s.id DESC',
  name: 'lower(s.name) ASC, s.id ASC',
  '-name': 'lower(s.name) DESC, s.id DESC',
};
const OF_DATASET = ` AND s.dataset_ids @> ARRAY[$1::uuid]`;
const LISTED = [
  ...allVisibleVariants('s.dataset_ids', 1),
  ...allVisibleVariants('s.dataset_ids', 2).map((visible) => `${visible}${OF_DATASET}`),
];
const COUNT = statementFamily(
  { n: result.integer },
  (condition: string) => `SELECT count(*)::int AS n FROM evaluation_case_sets s WHERE ${condition}`,
  LISTED.map((condition) => [condition] as const),
);
const LIST = statementFamily(
  allColumnsOf(CaseSetEntity),
  (condition: string, order: CaseSetOrder, limit: number, skip: number) =>
    `SELECT s.* FROM evaluation_case_sets s WHERE ${condition} ORDER BY ${ORDERS[order]} LIMIT ${limit} OFFSET ${skip}`,
  LISTED.flatMap((condition) => CASE_SET_ORDERS.map((order) => [condition, order, 20, 0] as const)),
);
const LOCKS = ['', 'FOR NO KEY UPDATE OF s'] as const;
type Lock = (typeof LOCKS)[number];
const FIND = statementFamily(
  allColumnsOf(CaseSetEntity),
  (condition: string, lock: Lock) => `SELECT s.* FROM evaluation_case_sets s WHERE s.id = $1 AND ${condition} ${lock}`,
  allVisibleVariants('s.dataset_ids', 2).flatMap((condition) => LOCKS.map((lock) => [condition, lock] as const)),
);
const UPDATE = statement(
  {},
  `UPDATE evaluation_case_sets SET name = $2, version = $3, case_count = $4, unapproved_count = $5, updated_at = now() WHERE id = $1`,
);
const REMOVE_OF_DATASET = statement(
  columnsOf(CaseSetEntity, 'id'),
  `DELETE FROM evaluation_case_sets WHERE dataset_ids @> ARRAY[$1::uuid] RETURNING id`,
);

/** Sets of cases, shown only to who sees every dataset of theirs. */
@Injectable()
export class CaseSetsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  async insert(
    ctx: TransactionContext,
    name: string,
    datasetIds: readonly DatasetId[],
    cases: readonly EvaluationCase[],
  ): Promise<string> {
    const id = newId();
    await this.repository(ctx, CaseSetEntity).insert({
      id,
      tenant_id: ctx.tenantId,
      name,
      dataset_ids: [...datasetIds],
      version: 1,
      case_count: cases.length,
      unapproved_count: unapproved(cases),
      created_by: accountOf(ctx),
    });
    await this.insertVersion(ctx, id, 1, cases);
    return id;
  }

  async list(ctx: RequestContext, filter: CaseSetFilter): Promise<Page<CaseSetRow>> {
    const { datasetId, orderBy, skip, limit } = filter;
    const visible = this.access.visibilityCondition(ctx, 'd', datasetId === undefined ? 1 : 2);
    const condition = `${allVisible('s.dataset_ids', visible.sql)}${datasetId === undefined ? '' : OF_DATASET}`;
    const parameters = datasetId === undefined ? visible.parameters : [datasetId, ...visible.parameters];
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne(inner, COUNT.of(condition), parameters);
      const items = await this.query(inner, LIST.of(condition, orderBy, limit, skip), parameters);
      return { items, total: total?.n ?? 0, skip, limit };
    });
  }

  /** Undefined when it is absent or not visible; with `lock` nobody else changes it until the transaction ends. */
  async find(ctx: RequestContext, id: string, lock = false): Promise<CaseSetRow | undefined> {
    const visible = this.access.visibilityCondition(ctx, 'd', 2);
    const found = FIND.of(allVisible('s.dataset_ids', visible.sql), lock ? 'FOR NO KEY UPDATE OF s' : '');
    return this.queryOne(ctx, found, [id, ...visible.parameters]);
  }

  /** The cases of a version; undefined when it is not kept. The set must have been found to be visible. */
  async findCases(ctx: RequestContext, id: string, version: number): Promise<readonly EvaluationCase[] | undefined> {
    const row = await this.withRepository(ctx, CaseSetVersionEntity, (rows) =>
      rows.findOneBy({ case_set_id: id, version }),
    );
    return row?.cases;
  }

  /** Gives a locked set another name and, with other cases, another version. */
  async update(
    ctx: TransactionContext,
    set: CaseSetRow,
    name: string,
    cases: readonly EvaluationCase[] | undefined,
  ): Promise<void> {
    const version = cases === undefined ? set.version : set.version + 1;
    const counts = cases === undefined ? [set.case_count, set.unapproved_count] : [cases.length, unapproved(cases)];
    await this.query(ctx, UPDATE, [set.id, name, version, ...counts]);
    if (cases === undefined) return;
    await this.insertVersion(ctx, set.id, version, cases);
    await this.repository(ctx, CaseSetVersionEntity).delete({
      case_set_id: set.id,
      version: LessThan(version - KEPT_VERSIONS + 1),
    });
  }

  async remove(ctx: TransactionContext, id: string): Promise<void> {
    await this.repository(ctx, CaseSetEntity).delete({ id });
  }

  /** Removes what was made of a dataset that is gone. */
  async removeOfDataset(ctx: RequestContext, datasetId: string): Promise<number> {
    return (await this.query(ctx, REMOVE_OF_DATASET, [datasetId])).length;
  }

  private async insertVersion(
    ctx: TransactionContext,
    id: string,
    version: number,
    cases: readonly EvaluationCase[],
  ): Promise<void> {
    await this.repository(ctx, CaseSetVersionEntity).insert({
      tenant_id: ctx.tenantId,
      case_set_id: id,
      version,
      cases,
      created_by: accountOf(ctx),
    });
  }
}

function unapproved(cases: readonly EvaluationCase[]): number {
  return cases.filter(({ approved }) => !approved).length;
}
