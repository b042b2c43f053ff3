import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsOptional, IsUUID, ValidateIf } from 'class-validator';
import { DISPLAY_NAME_SCHEMA as NAME, IsDisplayName } from '../record/display-name.js';
import { MAX_CATEGORIES_OF_DATASET } from '../record/write-dataset.dto.js';

const PARENT = { type: String, format: 'uuid', nullable: true } as const;

/** A new category. */
export class CreateCategoryRequest {
  /**
   * Name, unique under its parent without regard to case.
   * @example "Handbooks"
   */
  @ApiProperty(NAME)
  @IsDisplayName()
  name!: string;

  /** Identifier of the category above it; null or left out: none, the category is at the root. */
  @ApiPropertyOptional(PARENT)
  @IsOptional()
  @IsUUID()
  parent_id?: string | null;
}

/** A change to a category: what is left out stays. */
export class UpdateCategoryRequest {
  /** New name. */
  @ApiPropertyOptional(NAME)
  @ValidateIf((_object, value: unknown) => value !== undefined)
  @IsDisplayName()
  name?: string;

  /** Identifier of the new category above it; null moves the category to the root. */
  @ApiPropertyOptional(PARENT)
  @IsOptional()
  @IsUUID()
  parent_id?: string | null;
}

/** A category without those below it. */
export class Category {
  /** Identifier of the category. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Name of the category. */
  name!: string;

  /** Identifier of the category above it; null: the category is at the root. */
  @ApiProperty(PARENT)
  parent_id!: string | null;

  /** Number of datasets in the category itself that the caller sees. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  dataset_count!: number;
}

/** A category with those below it. */
export class CategoryNode extends Category {
  /** Categories directly below the category, by name. */
  @ApiProperty({ type: () => [CategoryNode] })
  children!: CategoryNode[];
}

/** All categories of the tenant. */
export class CategoryTree {
  /** Categories at the root, by name. */
  @ApiProperty({ type: [CategoryNode] })
  items!: CategoryNode[];

  /** Number of categories at all levels. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  total!: number;
}

/** The categories of one dataset, as a set. */
export class DatasetCategories {
  /** Identifiers of the categories; in ascending order in answers. */
  @ApiProperty({ type: [String], format: 'uuid', maxItems: MAX_CATEGORIES_OF_DATASET })
  @IsArray()
  @ArrayMaxSize(MAX_CATEGORIES_OF_DATASET)
  @IsUUID(undefined, { each: true })
  category_ids!: string[];
}

/** The categories that a dataset is to have, all of them. */
export class SetDatasetCategoriesRequest extends DatasetCategories {}
