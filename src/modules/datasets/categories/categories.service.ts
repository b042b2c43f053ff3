import { Injectable } from '@nestjs/common';
import { isUuid, newId, type CategoryId } from '#libs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { CategoriesRepository, type CategoryPlace } from './categories.repository.js';
import { buildCategoryTree, heightOf, pathToRoot, toCategory, type CategoryLink } from './category-tree.js';
import type { CategoryRow } from '../record/dataset.entity.js';
import { datasetErrors } from '../datasets.errors.js';
import { normaliseName } from '../record/display-name.js';
import type { Category, CategoryTree, CreateCategoryRequest, UpdateCategoryRequest } from './category.dto.js';

/** Maximum number of levels of the tree. */
export const MAX_CATEGORY_DEPTH = 8;
/** Maximum number of categories of a tenant. */
export const MAX_CATEGORIES = 2000;

/** The tenant's tree of categories. */
@Injectable()
export class CategoriesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly categories: CategoriesRepository,
    private readonly audit: AuditLog,
  ) {}

  async tree(ctx: RequestContext): Promise<CategoryTree> {
    const rows = await this.categories.listAll(ctx);
    return { items: buildCategoryTree(rows), total: rows.length };
  }

  /** @throws `datasets.category_not_found` for the parent, `category_name_taken`, `category_too_deep`, `too_many_categories` */
  async create(ctx: RequestContext, request: CreateCategoryRequest): Promise<Category> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const links = await this.categories.lockTree(inner);
      if (links.length >= MAX_CATEGORIES) throw datasetErrors.too_many_categories({ limit: MAX_CATEGORIES });
      const place = { name: normaliseName(request.name), parentId: idOf(request.parent_id ?? null) };
      requireRoom(links, place.parentId, 1);
      await this.requireFreeName(inner, place, null);
      const id = newId<CategoryId>();
      await this.categories.insert(inner, id, place);
      return toCategory(await this.require(inner, id));
    });
  }

  /** @throws as `create`, and `category_cycle` */
  async update(ctx: RequestContext, id: string, patch: UpdateCategoryRequest): Promise<Category> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const links = await this.categories.lockTree(inner);
      const row = await this.require(inner, id);
      const parentId = patch.parent_id === undefined ? row.parent_id : idOf(patch.parent_id);
      if (parentId !== null && pathToRoot(links, parentId).includes(row.id)) throw datasetErrors.category_cycle({});
      if (parentId !== row.parent_id) requireRoom(links, parentId, heightOf(links, row.id));
      const place = { name: patch.name === undefined ? row.name : normaliseName(patch.name), parentId };
      await this.requireFreeName(inner, place, row.id);
      await this.categories.update(inner, row.id, place);
      return toCategory(await this.require(inner, row.id));
    });
  }

  /** Deletes a category without children; its datasets stay. @throws `category_not_found`, `category_has_children` */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      const links = await this.categories.lockTree(inner);
      const row = await this.require(inner, id);
      const children = links.filter((link) => link.parent_id === row.id).length;
      if (children > 0) throw datasetErrors.category_has_children({ children });
      await this.categories.delete(inner, row.id);
      await this.audit.append(inner, { event: 'category.deleted', subject: `category:${row.id}` });
    });
  }

  private async require(ctx: RequestContext, id: string): Promise<CategoryRow> {
    const row = isUuid(id) ? await this.categories.find(ctx, id) : undefined;
    if (row === undefined) throw datasetErrors.category_not_found({ id });
    return row;
  }

  private async requireFreeName(
    ctx: TransactionContext,
    place: CategoryPlace,
    except: CategoryId | null,
  ): Promise<void> {
    const taken = await this.categories.isNameTaken(ctx, place, except);
    if (taken) throw datasetErrors.category_name_taken({ name: place.name });
  }
}

function idOf(id: string | null): CategoryId | null {
  return id === null ? null : (id.toLowerCase() as CategoryId);
}

/** Checks that the parent exists and a subtree of `height` levels fits below it. */
function requireRoom(links: readonly CategoryLink[], parentId: CategoryId | null, height: number): void {
  const depth = parentId === null ? 0 : pathToRoot(links, parentId).length;
  if (parentId !== null && depth === 0) throw datasetErrors.category_not_found({ id: parentId });
  if (depth + height > MAX_CATEGORY_DEPTH) throw datasetErrors.category_too_deep({ limit: MAX_CATEGORY_DEPTH });
}
