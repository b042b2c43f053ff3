import { Answer, Uuid, Uuids } from '#libs/http';
import { DisplayName } from '../record/display-name.js';
import { MAX_CATEGORIES_OF_DATASET } from '../record/write-dataset.dto.js';

/** A new category. */
export class CreateCategoryRequest {
  /**
   * Name, unique under its parent without regard to case.
   * @example "Handbooks"
   */
  @DisplayName()
  name!: string;

  /** Identifier of the category above it; null or left out: none, the category is at the root. */
  @Uuid({ optional: true, nullable: true })
  parent_id?: string | null;
}

/** A change to a category: what is left out stays. */
export class UpdateCategoryRequest {
  /** New name. */
  @DisplayName({ optional: true })
  name?: string;

  /** Identifier of the new category above it; null moves the category to the root. */
  @Uuid({ optional: true, nullable: true })
  parent_id?: string | null;
}

/** A category without those below it. */
export class Category {
  /** Identifier of the category. */
  @Answer.Uuid()
  id!: string;

  /** Name of the category. */
  name!: string;

  /** Identifier of the category above it; null: the category is at the root. */
  @Answer.Uuid({ nullable: true })
  parent_id!: string | null;

  /** Number of datasets in the category itself that the caller sees. */
  @Answer.Count()
  dataset_count!: number;
}

/** A category with those below it. */
export class CategoryNode extends Category {
  /** Categories directly below the category, by name. */
  @Answer.NestedList(() => CategoryNode)
  children!: CategoryNode[];
}

/** All categories of the tenant. */
export class CategoryTree {
  /** Categories at the root, by name. */
  @Answer.NestedList(CategoryNode)
  items!: CategoryNode[];

  /** Number of categories at all levels. */
  @Answer.Count()
  total!: number;
}

/** The categories of one dataset, as a set. */
export class DatasetCategories {
  /** Identifiers of the categories; in ascending order in answers. */
  @Uuids({ max: MAX_CATEGORIES_OF_DATASET })
  category_ids!: string[];
}

/** The categories that a dataset is to have, all of them. */
export class SetDatasetCategoriesRequest extends DatasetCategories {}
