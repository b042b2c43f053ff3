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
  type RowOf,
  type TransactionContext,
  NATURAL_ORDER,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { CASE_SET_ORDERS, type CaseSetOrder } from './case-set.dto.js';
import { accountOf } from '../cases/account-of.js';
import { allVisible, allVisibleVariants } from '../cases/all-visible.repository.js';
import { CaseEvidenceRepository } from './case-evidence.repository.js';
import { CaseSetEntity, CaseSetVersionEntity } from './case-set.entity.js';
import { CaseTextsRepository, mergeCases, storedCases, type PlacedCase } from './case-texts.repository.js';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import type { GenerationState } from '../cases/generation-state.js';

/** A set, and how many of its cases were made of documents. */
export type CaseSetRow = RowOf<typeof SET>;

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
  name: `s.name ${NATURAL_ORDER} ASC, s.id ASC`,
  '-name': `s.name ${NATURAL_ORDER} DESC, s.id DESC`,
};
const SET = {
  ...allColumnsOf(CaseSetEntity),
  text_count: result.integer,
  unapproved_text_count: result.integer,
  outdated_count: result.integer,
};
const COLUMNS = `s.*,
  (SELECT count(*)::int FROM evaluation_case_texts t WHERE t.case_set_id = s.id AND t.version = s.version) AS text_count,
  (SELECT count(*)::int FROM evaluation_case_texts t WHERE t.case_set_id = s.id AND t.version = s.version AND NOT t.approved) AS unapproved_text_count,
  (SELECT count(*)::int FROM evaluation_case_texts t WHERE t.case_set_id = s.id AND t.version = s.version AND t.evidence = 'gone') AS outdated_count`;
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
  SET,
  (condition: string, order: CaseSetOrder, limit: number, skip: number) =>
    `SELECT ${COLUMNS} FROM evaluation_case_sets s WHERE ${condition} ORDER BY ${ORDERS[order]} LIMIT ${limit} OFFSET ${skip}`,
  LISTED.flatMap((condition) => CASE_SET_ORDERS.map((order) => [condition, order, 20, 0] as const)),
);
const LOCKS = ['', 'FOR NO KEY UPDATE OF s'] as const;
type Lock = (typeof LOCKS)[number];
const FIND = statementFamily(
  SET,
  (condition: string, lock: Lock) =>
    `SELECT ${COLUMNS} FROM evaluation_case_sets s WHERE s.id = $1 AND ${condition} ${lock}`,
  allVisibleVariants('s.dataset_ids', 2).flatMap((condition) => LOCKS.map((lock) => [condition, lock] as const)),
);
const UPDATE = statement(
  {},
  `UPDATE evaluation_case_sets SET name = $2, version = $3, case_count = $4, unapproved_count = $5, updated_at = now() WHERE id = $1`,
);
const SET_GENERATION = statement(
  columnsOf(CaseSetEntity, 'id'),
  `UPDATE evaluation_case_sets SET generation = generation || $2::jsonb, updated_at = now()
   WHERE id = $1 AND generation ->> 'status' IN ('pending', 'running') RETURNING id`,
);
const SET_TASK = statement({}, `UPDATE evaluation_case_sets SET task_id = $2 WHERE id = $1`);
const REMOVE_OF_DATASET = statement(
  columnsOf(CaseSetEntity, 'id'),
  `DELETE FROM evaluation_case_sets WHERE dataset_ids @> ARRAY[$1::uuid] RETURNING id`,
);

/** Sets of cases, shown only to callers that see all their datasets. */
@Injectable()
export class CaseSetsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
    private readonly texts: CaseTextsRepository,
    private readonly evidence: CaseEvidenceRepository,
  ) {
    super(unitOfWork);
  }

  /** Resolves to the id, and the positions of cases whose document is no longer visible in the datasets. */
  async insert(
    ctx: TransactionContext,
    name: string,
    datasetIds: readonly DatasetId[],
    cases: readonly EvaluationCase[],
    generation: GenerationState | null = null,
  ): Promise<{ readonly id: string; readonly closed: readonly number[] }> {
    const id = newId();
    await this.repository(ctx, CaseSetEntity).insert({
      id,
      tenant_id: ctx.tenantId,
      name,
      dataset_ids: [...datasetIds],
      version: 1,
      ...countsOf(cases),
      generation,
      task_id: null,
      created_by: accountOf(ctx),
    });
    return { id, closed: await this.insertVersion(ctx, id, 1, cases, datasetIds) };
  }

  async list(ctx: RequestContext, filter: CaseSetFilter): Promise<Page<CaseSetRow>> {
    const { datasetId, orderBy, skip, limit } = filter;
    const visible = this.access.visibilityCondition(ctx, 'd', datasetId === undefined ? 1 : 2);
    const condition = `${allVisible('s.dataset_ids', visible.sql)}${datasetId === undefined ? '' : OF_DATASET}`;
    const parameters = datasetId === undefined ? visible.parameters : [datasetId, ...visible.parameters];
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne(inner, COUNT.of(condition), parameters);
      const list = LIST.of(condition, orderBy, limit, skip);
      const found = await this.query(inner, list, parameters);
      const ids = found.map(({ id }) => id);
      const items = (await this.evidence.refresh(inner, ids)) ? await this.query(inner, list, parameters) : found;
      return { items, total: total?.n ?? 0, skip, limit };
    });
  }

  /** Undefined when it is absent or not visible; with `lock` no one else changes it until the transaction ends. */
  async find(ctx: RequestContext, id: string, lock = false): Promise<CaseSetRow | undefined> {
    const visible = this.access.visibilityCondition(ctx, 'd', 2);
    const found = FIND.of(allVisible('s.dataset_ids', visible.sql), lock ? 'FOR NO KEY UPDATE OF s' : '');
    return this.queryOne(ctx, found, [id, ...visible.parameters]);
  }

  /** Looks whether the cases of a set that was found to be visible are still in their documents; false when none has changed since. */
  async refreshEvidence(ctx: RequestContext, id: string): Promise<boolean> {
    return this.evidence.refresh(ctx, [id]);
  }

  /** The cases of a version; undefined when it is not kept. The set must have been found to be visible. */
  async findCases(ctx: RequestContext, id: string, version: number): Promise<readonly PlacedCase[] | undefined> {
    const row = await this.withRepository(ctx, CaseSetVersionEntity, (rows) =>
      rows.findOneBy({ case_set_id: id, version }),
    );
    return row === null ? undefined : mergeCases(row.cases, await this.texts.list(ctx, { caseSetId: id, version }));
  }

  /** Gives a locked set another name and, with other cases, another version; answers as `insert`. */
  async update(
    ctx: TransactionContext,
    set: CaseSetRow,
    name: string,
    cases: readonly EvaluationCase[] | undefined,
  ): Promise<readonly number[]> {
    const version = cases === undefined ? set.version : set.version + 1;
    const counts = cases === undefined ? set : countsOf(cases);
    await this.query(ctx, UPDATE, [set.id, name, version, counts.case_count, counts.unapproved_count]);
    if (cases === undefined) return [];
    const closed = await this.insertVersion(ctx, set.id, version, cases, set.dataset_ids);
    await this.texts.forgetBefore(ctx, set.id, version - KEPT_VERSIONS + 1);
    await this.repository(ctx, CaseSetVersionEntity).delete({
      case_set_id: set.id,
      version: LessThan(version - KEPT_VERSIONS + 1),
    });
    return closed;
  }

  /** The task that makes the cases of a set, in the transaction that promises it. */
  async setTask(ctx: TransactionContext, id: string, taskId: string): Promise<void> {
    await this.query(ctx, SET_TASK, [id, taskId]);
  }

  /** Stores the progress of the generation; false when it has ended or the set is gone. */
  async setGeneration(ctx: RequestContext, id: string, change: Partial<GenerationState>): Promise<boolean> {
    return (await this.query(ctx, SET_GENERATION, [id, JSON.stringify(change)])).length > 0;
  }

  async remove(ctx: TransactionContext, id: string): Promise<void> {
    await this.repository(ctx, CaseSetEntity).delete({ id });
  }

  /** Removes the sets of a deleted dataset. */
  async removeOfDataset(ctx: RequestContext, datasetId: string): Promise<number> {
    return (await this.query(ctx, REMOVE_OF_DATASET, [datasetId])).length;
  }

  private async insertVersion(
    ctx: TransactionContext,
    id: string,
    version: number,
    cases: readonly EvaluationCase[],
    datasetIds: readonly string[],
  ): Promise<readonly number[]> {
    await this.repository(ctx, CaseSetVersionEntity).insert({
      tenant_id: ctx.tenantId,
      case_set_id: id,
      version,
      cases: storedCases(cases),
      created_by: accountOf(ctx),
    });
    const placed = cases.map((one, place) => ({ place, one }));
    return this.texts.keep(ctx, { caseSetId: id, version }, placed, datasetIds);
  }
}

/** Of those that are a person's own; the others are counted when they are asked for. */
function countsOf(cases: readonly EvaluationCase[]): Pick<CaseSetRow, 'case_count' | 'unapproved_count'> {
  const own = cases.filter(({ source_document_id: source }) => source === undefined);
  return { case_count: own.length, unapproved_count: own.filter(({ approved }) => !approved).length };
}
