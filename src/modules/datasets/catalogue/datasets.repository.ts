import { Injectable } from '@nestjs/common';
import type { AccountId, DatasetId, Page } from '#libs/common';
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
import { DatasetEntity, type DatasetEmbedding, type DatasetRow } from '../record/dataset.entity.js';
import {
  COUNT_DATASETS,
  DATASET,
  DATASET_COLUMNS,
  LIST_DATASETS,
  narrowingOf,
  type DatasetFilter,
} from './dataset-list.repository.js';
import { visibilityConditionOf, visibilityVariantsOf } from '../access/dataset-visibility.js';
import { datasetErrors } from '../datasets.errors.js';
import { DATASET_SETTINGS, type DatasetSettings } from '../record/dataset-settings.js';
import { nameKeyOf } from '../record/display-name.js';

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
const WRITTEN = ['name_key', ...DATASET_SETTINGS] as const;
/** Values of the columns of settings, in their order. */
const writtenOf = (settings: DatasetSettings): unknown[] => [
  nameKeyOf(settings.name),
  ...DATASET_SETTINGS.map((column) => settings[column]),
];
const INSERT = statement(
  columnsOf(DatasetEntity, 'id'),
  `INSERT INTO datasets (id, tenant_id, owner_id, embedding_space, embedding, ${WRITTEN.join(', ')})
   VALUES ($1, $2, $3, $4, $5, ${WRITTEN.map((_, index) => `$${index + 6}`).join(', ')})
   ON CONFLICT (tenant_id, name_key) WHERE deleted_at IS NULL DO NOTHING RETURNING id`,
);
const UPDATE = statement(
  {},
  `UPDATE datasets SET ${WRITTEN.map((column, index) => `${column} = $${index + 2}`).join(', ')},
                       version = version + 1, updated_at = now()
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

  /** As `findVisible`, and locks the row against other changes until the transaction ends. */
  async lockVisible(ctx: TransactionContext, id: string): Promise<DatasetRow | undefined> {
    return this.selectVisible(ctx, id, 'FOR NO KEY UPDATE OF d');
  }

  /** The dataset regardless of visibility, for rows that the caller has just written, because a new `acl` may hide them. */
  async requireWritten(ctx: TransactionContext, id: DatasetId): Promise<DatasetRow> {
    const row = await this.queryOne(ctx, FIND, [id]);
    if (row === undefined) throw datasetErrors.not_found({ id });
    return row;
  }

  async listVisible(ctx: RequestContext, filter: DatasetFilter): Promise<Page<DatasetRow>> {
    const { narrowing, values } = narrowingOf(filter);
    const { skip, limit } = filter;
    const listed = visibilityConditionOf(ctx.principal, 'd', 3 + values.length);
    const found = await this.query(ctx, LIST_DATASETS.of(listed.sql, narrowing, filter.orderBy), [
      limit,
      skip,
      ...values,
      ...listed.parameters,
    ]);
    if (found.length > 0) return { items: found, total: found[0]!.total, skip, limit };
    const counted = visibilityConditionOf(ctx.principal, 'd', 1 + values.length);
    const all = await this.queryOne(ctx, COUNT_DATASETS.of(counted.sql, narrowing), [...values, ...counted.parameters]);
    return { items: [], total: all?.n ?? 0, skip, limit };
  }

  /** @throws `datasets.name_taken`; the transaction stays usable. */
  async insert(ctx: TransactionContext, dataset: NewDataset): Promise<void> {
    const row = await this.queryOne(ctx, INSERT, [
      dataset.id,
      ctx.tenantId,
      dataset.ownerId,
      dataset.embeddingSpace,
      JSON.stringify(dataset.embedding),
      ...writtenOf(dataset),
    ]);
    if (row === undefined) throw datasetErrors.name_taken({ name: dataset.name });
  }

  /** Writes all settings and increases the version. @throws `datasets.name_taken`, after which the transaction is lost. */
  async update(ctx: TransactionContext, id: DatasetId, settings: DatasetSettings): Promise<void> {
    try {
      await this.query(ctx, UPDATE, [id, ...writtenOf(settings)]);
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
