import { Injectable } from '@nestjs/common';
import type { CategoryId } from '#libs/common';
import { TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { CategoryLink } from './category-tree.js';
import type { CategoryRow } from './dataset.entity.js';
import { visibilityConditionOf } from './dataset-visibility.js';
import { nameKeyOf } from './display-name.js';

export interface CategoryPlace {
  readonly name: string;
  readonly parentId: CategoryId | null;
}

@Injectable()
export class CategoriesRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** All categories of the tenant by name, each with the number of datasets in it that the caller sees. */
  async listAll(ctx: RequestContext): Promise<CategoryRow[]> {
    return this.select(ctx, 'TRUE', []);
  }

  async find(ctx: RequestContext, id: string): Promise<CategoryRow | undefined> {
    const [row] = await this.select(ctx, 'k.id = $1', [id]);
    return row;
  }

  /** Makes writers of the tenant's tree wait for each other and gives the tree as it then is. */
  async lockTree(ctx: TransactionContext): Promise<CategoryLink[]> {
    await this.query(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('categories:' || $1, 0))`, [ctx.tenantId]);
    return this.query<CategoryLink>(ctx, `SELECT id, parent_id FROM categories`);
  }

  /** Whether another category than `except` has the name under the same parent. */
  async isNameTaken(ctx: TransactionContext, place: CategoryPlace, except: CategoryId | null): Promise<boolean> {
    const row = await this.queryOne<{ id: string }>(
      ctx,
      `SELECT id FROM categories
       WHERE name_key = $1 AND parent_id IS NOT DISTINCT FROM $2::uuid AND id IS DISTINCT FROM $3::uuid`,
      [nameKeyOf(place.name), place.parentId, except],
    );
    return row !== undefined;
  }

  async insert(ctx: TransactionContext, id: CategoryId, place: CategoryPlace): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO categories (id, tenant_id, parent_id, name, name_key) VALUES ($1, $2, $3, $4, $5)`,
      [id, ctx.tenantId, place.parentId, place.name, nameKeyOf(place.name)],
    );
  }

  async update(ctx: TransactionContext, id: CategoryId, place: CategoryPlace): Promise<void> {
    await this.query(ctx, `UPDATE categories SET parent_id = $2, name = $3, name_key = $4 WHERE id = $1`, [
      id,
      place.parentId,
      place.name,
      nameKeyOf(place.name),
    ]);
  }

  /** Takes the category from its datasets, whose records change by that, and removes it. */
  async delete(ctx: TransactionContext, id: CategoryId): Promise<void> {
    await this.query(
      ctx,
      `UPDATE datasets SET version = version + 1, updated_at = now()
       WHERE id IN (SELECT dataset_id FROM dataset_categories WHERE category_id = $1)`,
      [id],
    );
    await this.query(ctx, `DELETE FROM categories WHERE id = $1`, [id]);
  }

  private async select(ctx: RequestContext, condition: string, parameters: readonly unknown[]): Promise<CategoryRow[]> {
    const visible = visibilityConditionOf(ctx.principal, 'd', parameters.length + 1);
    return this.query<CategoryRow>(
      ctx,
      `SELECT k.id, k.parent_id, k.name, count(d.id)::int AS dataset_count
       FROM categories k
       LEFT JOIN dataset_categories c ON c.category_id = k.id
       LEFT JOIN datasets d ON d.id = c.dataset_id AND ${visible.sql}
       WHERE ${condition} GROUP BY k.id ORDER BY k.name_key COLLATE "C", k.id`,
      [...parameters, ...visible.parameters],
    );
  }
}
