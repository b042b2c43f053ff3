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

  /** Identifier of the parent category; null or left out: the category is at the root. */
  @Uuid({ optional: true, nullable: true })
  parent_id?: string | null;
}

/** A change to a category; fields that are left out stay unchanged. */
export class UpdateCategoryRequest {
  /** New name. */
  @DisplayName({ optional: true })
  name?: string;

  /** Identifier of the new parent category; null moves the category to the root. */
  @Uuid({ optional: true, nullable: true })
  parent_id?: string | null;
}

/** A category without its child categories. */
export class Category {
  /** Identifier of the category. */
  @Answer.Uuid()
  id!: string;

  /** Name of the category. */
  name!: string;

  /** Identifier of the parent category; null: the category is at the root. */
  @Answer.Uuid({ nullable: true })
  parent_id!: string | null;

  /** Number of datasets that belong to the category itself and that the caller sees. */
  @Answer.Count()
  dataset_count!: number;
}

/** A category with all categories below it. */
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

/** All categories of a dataset, which replace the present ones. */
export class SetDatasetCategoriesRequest extends DatasetCategories {}
