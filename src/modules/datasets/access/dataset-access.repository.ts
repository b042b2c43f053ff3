import { Injectable } from '@nestjs/common';
import { isUuid, type AccountId, type DatasetId } from '#libs/common';
import {
  columnsOf,
  result,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type RowOf,
  type TransactionContext,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetEntity, type DatasetAcl, type OnSameName } from '../record/dataset.entity.js';
import {
  sightConditionOf,
  sightVariantsOf,
  visibilityConditionOf,
  visibilityVariantsOf,
  type SqlCondition,
} from './dataset-visibility.js';
import { datasetErrors } from '../datasets.errors.js';

/** Properties of a visible dataset that other modules need. */
export interface VisibleDataset {
  readonly id: DatasetId;
  readonly name: string;
  readonly ownerId: AccountId;
  readonly acl: DatasetAcl;
  /** Embedding space of the dataset's vectors. */
  readonly embeddingSpace: string;
  /** Whether similarities of its vectors are calibrated by the scale of their space. */
  readonly isCalibrated: boolean;
  /** Other spaces that may contain chunks that are in no other index. */
  readonly furtherSpaces: readonly string[];
  /** Version of the ingestion policy that new documents use. */
  readonly policyVersion: number;
  /** What an upload without `on_same_name` does if the dataset has a document with the same name but another content. */
  readonly onSameName: OnSameName;
  /** Increases with every change of the visible content; bigint as text. */
  readonly contentSeq: string;
}

/** A dataset for lists of other modules. */
export interface DatasetSummary {
  readonly id: DatasetId;
  readonly name: string;
  readonly ownerId: AccountId;
  readonly createdAt: Date;
}

/** The instructions that chats over a dataset give their model. */
export interface DatasetInstructions {
  readonly name: string;
  readonly instructions: string;
}

const DATASET_LOCKS = ['', 'FOR KEY SHARE OF d', 'FOR NO KEY UPDATE OF d'] as const;
type DatasetLock = (typeof DATASET_LOCKS)[number];

const SUMMARY = columnsOf(DatasetEntity, 'id', 'name', 'owner_id', 'created_at');
const LIST_NEWEST = statementFamily(
  SUMMARY,
  (visible: string) =>
    `SELECT d.id, d.name, d.owner_id, d.created_at FROM datasets d WHERE ${visible} ORDER BY d.created_at DESC, d.id DESC LIMIT $1`,
  visibilityVariantsOf('d', 2).map((visible) => [visible] as const),
);
const FIND_SUMMARY = statementFamily(
  SUMMARY,
  (visible: string) => `SELECT d.id, d.name, d.owner_id, d.created_at FROM datasets d WHERE d.id = $1 AND ${visible}`,
  visibilityVariantsOf('d', 2).map((visible) => [visible] as const),
);
const FIND_VISIBLE = statementFamily(
  {
    ...columnsOf(
      DatasetEntity,
      'id',
      'name',
      'owner_id',
      'acl',
      'embedding_space',
      'policy_version',
      'content_seq',
      'on_same_name',
    ),
    is_calibrated: result.boolean,
    further_spaces: result.texts(),
  },
  (visible: string, lock: DatasetLock) =>
    `SELECT d.id, d.name, d.owner_id, d.acl, d.embedding_space, d.policy_version, d.content_seq, d.on_same_name,
       coalesce(d.embedding ->> 'scale' = 'calibrated', false) AS is_calibrated,
       ARRAY(SELECT e.space FROM dataset_spaces e WHERE e.dataset_id = d.id AND e.searched ORDER BY e.space) AS further_spaces
     FROM datasets d WHERE d.id = ANY ($1::uuid[]) AND ${visible} ${lock}`,
  visibilityVariantsOf('d', 2).flatMap((visible) => DATASET_LOCKS.map((lock) => [visible, lock] as const)),
);
const LIST_INSTRUCTIONS = statementFamily(
  columnsOf(DatasetEntity, 'id', 'name', 'instructions'),
  (visible: string) =>
    `SELECT d.id, d.name, d.instructions FROM datasets d WHERE d.id = ANY ($1::uuid[]) AND d.instructions IS NOT NULL AND ${visible}`,
  visibilityVariantsOf('d', 2).map((visible) => [visible] as const),
);
const FIND_SIGHT = statementFamily(
  { ...columnsOf(DatasetEntity, 'id'), seen: result.boolean },
  (sight: string) => `SELECT d.id, ${sight} AS seen FROM datasets d WHERE d.id = ANY ($1::uuid[])`,
  sightVariantsOf('d', 2).map((sight) => [sight] as const),
);
const ADVANCE_POLICY = statement(
  {},
  `UPDATE datasets SET policy_version = $2, version = version + 1, updated_at = now() WHERE id = $1`,
);

type SummaryRow = RowOf<typeof SUMMARY>;

/** The only access to datasets for modules that depend on them: a dataset that the caller does not see is not found. */
@Injectable()
export class DatasetAccess extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The dataset. @throws `datasets.not_found` when it is absent, deleted or invisible, or when `id` is no UUID. */
  async requireVisible(ctx: RequestContext, id: string): Promise<VisibleDataset> {
    const [dataset] = await this.findVisible(ctx, [id], '');
    if (dataset === undefined) throw datasetErrors.not_found({ id });
    return dataset;
  }

  /**
   * As `requireVisible`, and prevents a deletion of the dataset until the transaction of `ctx` ends; waits for a running deletion. For code
   * that adds something to a dataset.
   */
  async holdVisible(ctx: TransactionContext, id: string): Promise<VisibleDataset> {
    const [dataset] = await this.findVisible(ctx, [id], 'FOR KEY SHARE OF d');
    if (dataset === undefined) throw datasetErrors.not_found({ id });
    return dataset;
  }

  /** As `requireVisible`, and locks the dataset against other changes until the transaction of `ctx` ends. */
  async lockVisible(ctx: TransactionContext, id: string): Promise<VisibleDataset> {
    const [dataset] = await this.findVisible(ctx, [id], 'FOR NO KEY UPDATE OF d');
    if (dataset === undefined) throw datasetErrors.not_found({ id });
    return dataset;
  }

  /** Makes this version of the ingestion policy the present one of a dataset that the transaction has locked. */
  async advancePolicy(ctx: TransactionContext, id: DatasetId, version: number): Promise<void> {
    await this.query(ctx, ADVANCE_POLICY, [id, version]);
  }

  /**
   * The datasets in the order of `ids`, each once.
   * @throws `datasets.not_found` naming the first id that is absent, deleted, invisible or no UUID.
   */
  async requireAllVisible(ctx: RequestContext, ids: readonly string[]): Promise<VisibleDataset[]> {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    const found = new Map<string, VisibleDataset>();
    for (const dataset of await this.findVisible(ctx, wanted, '')) found.set(dataset.id, dataset);
    return wanted.map((id) => {
      const dataset = found.get(id);
      if (dataset === undefined) throw datasetErrors.not_found({ id });
      return dataset;
    });
  }

  /** Those of the datasets that are visible to the caller of `ctx`, in no particular order. */
  async listVisible(ctx: RequestContext, ids: readonly string[]): Promise<VisibleDataset[]> {
    return this.findVisible(ctx, ids, '');
  }

  /** The instructions of these datasets for chats, in the order of `ids`; datasets without instructions are left out. */
  async listInstructions(ctx: RequestContext, ids: readonly string[]): Promise<DatasetInstructions[]> {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))].filter(isUuid);
    const visible = visibilityConditionOf(ctx.principal, 'd', 2);
    const rows = await this.query(ctx, LIST_INSTRUCTIONS.of(visible.sql), [wanted, ...visible.parameters]);
    const byId = new Map<string, (typeof rows)[number]>(rows.map((row) => [row.id, row]));
    return wanted.flatMap((id) => {
      const { name, instructions } = byId.get(id) ?? { name: '', instructions: null };
      return instructions === null ? [] : [{ name, instructions }];
    });
  }

  /** The newest datasets that the caller sees, newest first. */
  async listNewest(ctx: RequestContext, limit: number): Promise<DatasetSummary[]> {
    const visible = visibilityConditionOf(ctx.principal, 'd', 2);
    const rows = await this.query(ctx, LIST_NEWEST.of(visible.sql), [limit, ...visible.parameters]);
    return rows.map(toSummary);
  }

  /** The dataset; undefined when it is absent, deleted or invisible, or when `id` is no UUID. */
  async findSummary(ctx: RequestContext, id: string): Promise<DatasetSummary | undefined> {
    if (!isUuid(id)) return undefined;
    const visible = visibilityConditionOf(ctx.principal, 'd', 2);
    const row = await this.queryOne(ctx, FIND_SUMMARY.of(visible.sql), [id, ...visible.parameters]);
    return row === undefined ? undefined : toSummary(row);
  }

  /** SQL condition over an alias of table `datasets` for the visibility rule; its placeholders begin at `$from`. */
  visibilityCondition(ctx: RequestContext, alias: string, from: number): SqlCondition {
    return visibilityConditionOf(ctx.principal, alias, from);
  }

  /**
   * For each dataset, whether the caller sees it or saw it before it was deleted; datasets without a row are left out. Only for reports of
   * deletions; all other code asks for visible datasets.
   */
  async findSight(ctx: RequestContext, ids: readonly DatasetId[]): Promise<ReadonlyMap<DatasetId, boolean>> {
    if (ids.length === 0) return new Map();
    const sight = sightConditionOf(ctx.principal, 'd', 2);
    const rows = await this.query(ctx, FIND_SIGHT.of(sight.sql), [ids, ...sight.parameters]);
    return new Map(rows.map(({ id, seen }) => [id, seen]));
  }

  /** SQL condition like `visibilityCondition` that is also true for datasets in deletion. */
  sightCondition(ctx: RequestContext, alias: string, from: number): SqlCondition {
    return sightConditionOf(ctx.principal, alias, from);
  }

  private async findVisible(ctx: RequestContext, ids: readonly string[], lock: DatasetLock): Promise<VisibleDataset[]> {
    const uuids = ids.filter(isUuid);
    if (uuids.length === 0) return [];
    const visible = visibilityConditionOf(ctx.principal, 'd', 2);
    const rows = await this.query(ctx, FIND_VISIBLE.of(visible.sql, lock), [uuids, ...visible.parameters]);
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      ownerId: row.owner_id,
      acl: row.acl,
      embeddingSpace: row.embedding_space,
      isCalibrated: row.is_calibrated,
      furtherSpaces: row.further_spaces,
      policyVersion: row.policy_version,
      onSameName: row.on_same_name,
      contentSeq: row.content_seq,
    }));
  }
}

function toSummary({ id, name, owner_id: ownerId, created_at: createdAt }: SummaryRow): DatasetSummary {
  return { id, name, ownerId, createdAt };
}
