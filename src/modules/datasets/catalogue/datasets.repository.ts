import { Injectable } from '@nestjs/common';
import type { AccountId, DatasetId, JsonObject, Page } from '#libs/common';
import {
  columnsOf,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type TransactionContext,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { CategoryEntity, DatasetCategoryEntity } from '../record/category.entity.js';
import {
  DatasetEntity,
  type DatasetAcl,
  type DatasetEmbedding,
  type DatasetRow,
  type OnSameName,
} from '../record/dataset.entity.js';
import {
  COUNT_DATASETS,
  DATASET,
  DATASET_COLUMNS,
  LIST_DATASETS,
  narrowingOf,
  type DatasetFilter,
} from './dataset-list.js';
import { visibilityConditionOf, visibilityVariantsOf } from '../access/dataset-visibility.js';
import { datasetErrors } from '../datasets.errors.js';
import { nameKeyOf } from '../record/display-name.js';

/** The part of a dataset that its users write. */
export interface DatasetSettings {
  readonly name: string;
  readonly description: string | null;
  readonly instructions: string | null;
  readonly onSameName: OnSameName;
  readonly acl: DatasetAcl;
  readonly partialMemberList: readonly AccountId[];
  readonly metadata: JsonObject;
}

export interface NewDataset extends DatasetSettings {
  readonly id: DatasetId;
  readonly ownerId: AccountId;
  readonly embeddingSpace: string;
  readonly embedding: DatasetEmbedding;
}

const LOCKS = ['', 'FOR NO KEY UPDATE OF d'] as const;
const FIND_VISIBLE = statementFamily(
  DATASET,
  (visible: string, lock: (typeof LOCKS)[number]) =>
    `SELECT ${DATASET_COLUMNS} FROM datasets d WHERE d.id = $1 AND ${visible} ${lock}`,
  visibilityVariantsOf('d', 2).flatMap((visible) => LOCKS.map((lock) => [visible, lock] as const)),
);
const FIND = statement(DATASET, `SELECT ${DATASET_COLUMNS} FROM datasets d WHERE d.id = $1`);
const INSERT = statement(
  columnsOf(DatasetEntity, 'id'),
  `INSERT INTO datasets (id, tenant_id, name, name_key, description, acl, partial_member_list, owner_id, metadata,
                         embedding_space, embedding, instructions, on_same_name)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
   ON CONFLICT (tenant_id, name_key) WHERE deleted_at IS NULL DO NOTHING RETURNING id`,
);
const UPDATE = statement(
  {},
  `UPDATE datasets SET name = $2, name_key = $3, description = $4, acl = $5, partial_member_list = $6, metadata = $7, instructions = $8,
                       on_same_name = $9, version = version + 1, updated_at = now()
   WHERE id = $1`,
);
const HOLD_CATEGORIES = statement(
  columnsOf(CategoryEntity, 'id'),
  `SELECT id FROM categories WHERE id = ANY ($1::uuid[]) ORDER BY id FOR KEY SHARE`,
);
const ADD_CATEGORIES = statement(
  {},
  `INSERT INTO dataset_categories (tenant_id, dataset_id, category_id) SELECT $1, $2, unnest($3::uuid[])`,
);

@Injectable()
export class DatasetsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The dataset, unless it is absent, deleted or not visible to the caller. `id` must be a UUID. */
  async findVisible(ctx: RequestContext, id: string): Promise<DatasetRow | undefined> {
    return this.selectVisible(ctx, id, '');
  }

  /** As `findVisible`, and no one else changes the row until the transaction ends. */
  async lockVisible(ctx: TransactionContext, id: string): Promise<DatasetRow | undefined> {
    return this.selectVisible(ctx, id, 'FOR NO KEY UPDATE OF d');
  }

  /** The dataset anyone who asks: for what the caller has just written, which a new `acl` may hide from him. */
  async requireWritten(ctx: TransactionContext, id: DatasetId): Promise<DatasetRow> {
    const row = await this.queryOne(ctx, FIND, [id]);
    if (row === undefined) throw datasetErrors.not_found({ id });
    return row;
  }

  async listVisible(ctx: RequestContext, filter: DatasetFilter): Promise<Page<DatasetRow>> {
    const { narrowing, values } = narrowingOf(filter);
    const counted = visibilityConditionOf(ctx.principal, 'd', 1 + values.length);
    const listed = visibilityConditionOf(ctx.principal, 'd', 3 + values.length);
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne(inner, COUNT_DATASETS.of(counted.sql, narrowing), [
        ...values,
        ...counted.parameters,
      ]);
      const items = await this.query(inner, LIST_DATASETS.of(listed.sql, narrowing, filter.orderBy), [
        filter.limit,
        filter.skip,
        ...values,
        ...listed.parameters,
      ]);
      return { items, total: total?.n ?? 0, skip: filter.skip, limit: filter.limit };
    });
  }

  /** @throws `datasets.name_taken`; the transaction stays usable. */
  async insert(ctx: TransactionContext, dataset: NewDataset): Promise<void> {
    const row = await this.queryOne(ctx, INSERT, [
      dataset.id,
      ctx.tenantId,
      dataset.name,
      nameKeyOf(dataset.name),
      dataset.description,
      dataset.acl,
      dataset.partialMemberList,
      dataset.ownerId,
      JSON.stringify(dataset.metadata),
      dataset.embeddingSpace,
      JSON.stringify(dataset.embedding),
      dataset.instructions,
      dataset.onSameName,
    ]);
    if (row === undefined) throw datasetErrors.name_taken({ name: dataset.name });
  }

  /** Writes all settings and counts the version up. @throws `datasets.name_taken`, after which the transaction is lost. */
  async update(ctx: TransactionContext, id: DatasetId, settings: DatasetSettings): Promise<void> {
    try {
      await this.query(ctx, UPDATE, [
        id,
        settings.name,
        nameKeyOf(settings.name),
        settings.description,
        settings.acl,
        settings.partialMemberList,
        JSON.stringify(settings.metadata),
        settings.instructions,
        settings.onSameName,
      ]);
    } catch (error) {
      if (isNameConflict(error)) throw datasetErrors.name_taken({ name: settings.name });
      throw error;
    }
  }

  /** Makes `categoryIds` the dataset's categories. @throws `datasets.category_not_found` for the first that does not exist. */
  async replaceCategories(ctx: TransactionContext, id: DatasetId, categoryIds: readonly string[]): Promise<void> {
    const found = await this.query(ctx, HOLD_CATEGORIES, [categoryIds]);
    const known = new Set<string>(found.map((row) => row.id));
    const missing = categoryIds.find((categoryId) => !known.has(categoryId));
    if (missing !== undefined) throw datasetErrors.category_not_found({ id: missing });
    await this.repository(ctx, DatasetCategoryEntity).delete({ dataset_id: id });
    await this.query(ctx, ADD_CATEGORIES, [ctx.tenantId, id, categoryIds]);
  }

  private async selectVisible(
    ctx: RequestContext,
    id: string,
    lock: (typeof LOCKS)[number],
  ): Promise<DatasetRow | undefined> {
    const visible = visibilityConditionOf(ctx.principal, 'd', 2);
    return this.queryOne(ctx, FIND_VISIBLE.of(visible.sql, lock), [id, ...visible.parameters]);
  }
}

const UNIQUE_VIOLATION = '23505';

function isNameConflict(error: unknown): boolean {
  const { code, driverError } = error as { code?: string; driverError?: { code?: string } };
  return code === UNIQUE_VIOLATION || driverError?.code === UNIQUE_VIOLATION;
}
