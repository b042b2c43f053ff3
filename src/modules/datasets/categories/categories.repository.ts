import { Injectable } from '@nestjs/common';
import type { CategoryId } from '#libs/common';
import {
  columnsOf,
  IsNull,
  Not,
  result,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type TransactionContext,
  NATURAL_ORDER,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { CategoryEntity } from '../record/category.entity.js';
import type { CategoryLink } from './category-tree.js';
import type { CategoryRow } from '../record/dataset.entity.js';
import { visibilityConditionOf, visibilityVariantsOf } from '../access/dataset-visibility.js';
import { nameKeyOf } from '../record/display-name.js';

export interface CategoryPlace {
  readonly name: string;
  readonly parentId: CategoryId | null;
}

type CategoryCondition = 'TRUE' | 'k.id = $1';

const SELECT = statementFamily(
  { ...columnsOf(CategoryEntity, 'id', 'parent_id', 'name'), dataset_count: result.integer },
  (condition: CategoryCondition, visible: string) =>
    `SELECT k.id, k.parent_id, k.name, count(d.id)::int AS dataset_count
     FROM categories k
     LEFT JOIN dataset_categories c ON c.category_id = k.id
     LEFT JOIN datasets d ON d.id = c.dataset_id AND ${visible}
     WHERE ${condition} GROUP BY k.id ORDER BY k.name ${NATURAL_ORDER}, k.id`,
  [
    ...visibilityVariantsOf('d', 1).map((visible) => ['TRUE', visible] as const),
    ...visibilityVariantsOf('d', 2).map((visible) => ['k.id = $1', visible] as const),
  ],
);
const LOCK_TREE = statement(
  { pg_advisory_xact_lock: result.nothing },
  `SELECT pg_advisory_xact_lock(hashtextextended('categories:' || $1, 0))`,
);
const TOUCH_DATASETS = statement(
  {},
  `UPDATE datasets SET version = version + 1, updated_at = now()
   WHERE id IN (SELECT dataset_id FROM dataset_categories WHERE category_id = $1)`,
);

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

  /** Locks the tenant's tree, so that writers wait for each other, and returns it. */
  async lockTree(ctx: TransactionContext): Promise<CategoryLink[]> {
    await this.query(ctx, LOCK_TREE, [ctx.tenantId]);
    return this.repository(ctx, CategoryEntity).find({ select: { id: true, parent_id: true } });
  }

  /** Whether another category than `except` has the name under the same parent. */
  async isNameTaken(ctx: TransactionContext, place: CategoryPlace, except: CategoryId | null): Promise<boolean> {
    return this.repository(ctx, CategoryEntity).existsBy({
      name_key: nameKeyOf(place.name),
      parent_id: place.parentId ?? IsNull(),
      ...(except === null ? {} : { id: Not(except) }),
    });
  }

  async insert(ctx: TransactionContext, id: CategoryId, place: CategoryPlace): Promise<void> {
    await this.repository(ctx, CategoryEntity).insert({ id, tenant_id: ctx.tenantId, ...written(place) });
  }

  async update(ctx: TransactionContext, id: CategoryId, place: CategoryPlace): Promise<void> {
    await this.repository(ctx, CategoryEntity).update({ id }, written(place));
  }

  /** Removes the category from its datasets, whose records change, and deletes it. */
  async delete(ctx: TransactionContext, id: CategoryId): Promise<void> {
    await this.query(ctx, TOUCH_DATASETS, [id]);
    await this.repository(ctx, CategoryEntity).delete({ id });
  }

  private async select(
    ctx: RequestContext,
    condition: CategoryCondition,
    parameters: readonly unknown[],
  ): Promise<CategoryRow[]> {
    const visible = visibilityConditionOf(ctx.principal, 'd', parameters.length + 1);
    return this.query(ctx, SELECT.of(condition, visible.sql), [...parameters, ...visible.parameters]);
  }
}

function written(place: CategoryPlace): Pick<CategoryEntity, 'parent_id' | 'name' | 'name_key'> {
  return { parent_id: place.parentId, name: place.name, name_key: nameKeyOf(place.name) };
}
