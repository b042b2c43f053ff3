import { Injectable } from '@nestjs/common';
import type { AccountId, DatasetId, JsonObject, Page } from '#libs/common';
import { TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { DatasetAcl, DatasetEmbedding, DatasetRow } from './dataset.entity.js';
import { visibilityConditionOf } from './dataset-visibility.js';
import { datasetErrors } from './datasets.errors.js';
import { nameKeyOf } from './display-name.js';
import type { DatasetOrder } from './dto/list-datasets.dto.js';

export interface DatasetFilter {
  readonly categoryId?: string;
  /** Part of the name. */
  readonly q?: string;
  readonly orderBy: DatasetOrder;
  readonly skip: number;
  readonly limit: number;
}

/** The part of a dataset that its users write. */
export interface DatasetSettings {
  readonly name: string;
  readonly description: string | null;
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

const COLUMNS = `d.id, d.tenant_id, d.name, d.description, d.acl, d.partial_member_list, d.owner_id, d.metadata,
  d.policy_version, d.embedding_space, d.embedding, d.content_seq, d.version, d.created_at, d.updated_at,
  ARRAY(SELECT c.category_id FROM dataset_categories c WHERE c.dataset_id = d.id ORDER BY c.category_id) AS category_ids`;

/** Names are ordered by their code points, so that the order is the same on every database. */
const ORDERS: Readonly<Record<DatasetOrder, string>> = {
  created_at: 'd.created_at ASC, d.id ASC',
  '-created_at': 'd.created_at DESC, d.id DESC',
  name: 'd.name_key COLLATE "C" ASC, d.id ASC',
  '-name': 'd.name_key COLLATE "C" DESC, d.id DESC',
  updated_at: 'd.updated_at ASC, d.id ASC',
  '-updated_at': 'd.updated_at DESC, d.id DESC',
};

@Injectable()
export class DatasetsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The dataset, unless it is absent, deleted or not visible to the caller. `id` must be a UUID. */
  async findVisible(ctx: RequestContext, id: string): Promise<DatasetRow | undefined> {
    return this.selectVisible(ctx, id, '');
  }

  /** As `findVisible`, and nobody else changes the row until the transaction ends. */
  async lockVisible(ctx: TransactionContext, id: string): Promise<DatasetRow | undefined> {
    return this.selectVisible(ctx, id, 'FOR NO KEY UPDATE OF d');
  }

  /** The dataset whoever asks: for what the caller has just written, which a new `acl` may hide from him. */
  async requireWritten(ctx: TransactionContext, id: DatasetId): Promise<DatasetRow> {
    const row = await this.queryOne<DatasetRow>(ctx, `SELECT ${COLUMNS} FROM datasets d WHERE d.id = $1`, [id]);
    if (row === undefined) throw datasetErrors.not_found({ id });
    return row;
  }

  async listVisible(ctx: RequestContext, filter: DatasetFilter): Promise<Page<DatasetRow>> {
    const visible = visibilityConditionOf(ctx.principal, 'd', 1);
    const conditions = [visible.sql];
    const parameters = [...visible.parameters];
    if (filter.categoryId !== undefined) {
      parameters.push(filter.categoryId);
      conditions.push(
        `EXISTS (SELECT 1 FROM dataset_categories c WHERE c.dataset_id = d.id AND c.category_id = $${parameters.length})`,
      );
    }
    if (filter.q !== undefined) {
      parameters.push(`%${nameKeyOf(filter.q).replace(/[\\%_]/g, '\\$&')}%`);
      conditions.push(`d.name_key LIKE $${parameters.length}`);
    }
    const from = `FROM datasets d WHERE ${conditions.join(' AND ')}`;
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne<{ n: number }>(inner, `SELECT count(*)::int AS n ${from}`, parameters);
      const items = await this.query<DatasetRow>(
        inner,
        `SELECT ${COLUMNS} ${from} ORDER BY ${ORDERS[filter.orderBy]}
         LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}`,
        [...parameters, filter.limit, filter.skip],
      );
      return { items, total: total?.n ?? 0, skip: filter.skip, limit: filter.limit };
    });
  }

  /** @throws `datasets.name_taken`; the transaction stays usable. */
  async insert(ctx: TransactionContext, dataset: NewDataset): Promise<void> {
    const row = await this.queryOne<{ id: string }>(
      ctx,
      `INSERT INTO datasets (id, tenant_id, name, name_key, description, acl, partial_member_list, owner_id, metadata,
                             embedding_space, embedding)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (tenant_id, name_key) WHERE deleted_at IS NULL DO NOTHING RETURNING id`,
      [
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
      ],
    );
    if (row === undefined) throw datasetErrors.name_taken({ name: dataset.name });
  }

  /** Writes all settings and counts the version up. @throws `datasets.name_taken`, after which the transaction is lost. */
  async update(ctx: TransactionContext, id: DatasetId, settings: DatasetSettings): Promise<void> {
    try {
      await this.query(
        ctx,
        `UPDATE datasets SET name = $2, name_key = $3, description = $4, acl = $5, partial_member_list = $6, metadata = $7,
                             version = version + 1, updated_at = now()
         WHERE id = $1`,
        [
          id,
          settings.name,
          nameKeyOf(settings.name),
          settings.description,
          settings.acl,
          settings.partialMemberList,
          JSON.stringify(settings.metadata),
        ],
      );
    } catch (error) {
      if (isNameConflict(error)) throw datasetErrors.name_taken({ name: settings.name });
      throw error;
    }
  }

  /** Makes `categoryIds` the dataset's categories. @throws `datasets.category_not_found` for the first that does not exist. */
  async replaceCategories(ctx: TransactionContext, id: DatasetId, categoryIds: readonly string[]): Promise<void> {
    const found = await this.query<{ id: string }>(
      ctx,
      `SELECT id FROM categories WHERE id = ANY ($1::uuid[]) ORDER BY id FOR KEY SHARE`,
      [categoryIds],
    );
    const known = new Set(found.map((row) => row.id));
    const missing = categoryIds.find((categoryId) => !known.has(categoryId));
    if (missing !== undefined) throw datasetErrors.category_not_found({ id: missing });
    await this.query(ctx, `DELETE FROM dataset_categories WHERE dataset_id = $1`, [id]);
    await this.query(
      ctx,
      `INSERT INTO dataset_categories (tenant_id, dataset_id, category_id) SELECT $1, $2, unnest($3::uuid[])`,
      [ctx.tenantId, id, categoryIds],
    );
  }

  private async selectVisible(ctx: RequestContext, id: string, lock: string): Promise<DatasetRow | undefined> {
    const visible = visibilityConditionOf(ctx.principal, 'd', 2);
    return this.queryOne<DatasetRow>(
      ctx,
      `SELECT ${COLUMNS} FROM datasets d WHERE d.id = $1 AND ${visible.sql} ${lock}`,
      [id, ...visible.parameters],
    );
  }
}

const UNIQUE_VIOLATION = '23505';

function isNameConflict(error: unknown): boolean {
  const { code, driverError } = error as { code?: string; driverError?: { code?: string } };
  return code === UNIQUE_VIOLATION || driverError?.code === UNIQUE_VIOLATION;
}
