import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsObject } from 'class-validator';
import { AsSent, Choice, IfPresent, Integer, Nested, Text } from '#libs/http';
import { MAX_CATEGORIES_OF_DATASET, TRANSFERRED_SETTINGS, UpdateDatasetRequest } from '../../datasets/index.js';
import { CATEGORY_PATH_SCHEMA, IsCategoryPath } from './category-paths.js';
import { IngestionPolicySchema } from '../schema/ingestion-policy-schema.dto.js';
import { CONFIG_FORMAT, CONFIG_VERSION } from './dataset-config.dto.js';

/** Origin of the document, for information only. */
export class DatasetConfigImportSource {
  /** Identifier of the exported dataset. */
  @Text({ optional: true, max: 256 })
  dataset_id?: string;

  /** Name of the exported dataset. */
  @Text({ optional: true, max: 256 })
  name?: string;

  /** Time of the export. */
  @Text({ optional: true, max: 256 })
  exported_at?: string;
}

/** Settings to apply; fields that are left out stay unchanged. Metadata and categories replace the present ones. */
export class DatasetConfigImportSettings extends PickType(UpdateDatasetRequest, [
  'name',
  ...TRANSFERRED_SETTINGS,
] as const) {
  /** Categories of the dataset, each as a list of names from the root down. A category that the tenant does not have is left out with a warning. */
  @ApiPropertyOptional({ type: 'array', items: CATEGORY_PATH_SCHEMA, maxItems: MAX_CATEGORIES_OF_DATASET })
  @AsSent()
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MAX_CATEGORIES_OF_DATASET)
  @IsCategoryPath({ each: true })
  categories?: string[][];
}

/** The embedding model that the configuration was made for. */
export class DatasetConfigImportEmbedding {
  /** Provider of the model. */
  @Text({ max: 256 })
  provider!: string;

  /** Name of the model. */
  @Text({ max: 256 })
  model!: string;

  /** Number of dimensions of the model's vectors. */
  @Integer({ min: 1, max: 65_536 })
  dimensions!: number;
}

/** An exported configuration, complete or reduced to the parts to apply. */
export class DatasetConfigImportRequest {
  /** Name of the document format. */
  @Choice([CONFIG_FORMAT])
  format!: typeof CONFIG_FORMAT;

  /** Version of the document format. */
  @ApiProperty({ type: 'integer', enum: [CONFIG_VERSION] })
  @IsIn([CONFIG_VERSION])
  version!: typeof CONFIG_VERSION;

  /** Origin of the document; has no effect. */
  @Nested(DatasetConfigImportSource, { optional: true })
  source?: DatasetConfigImportSource;

  /** Settings to apply to the dataset. */
  @Nested(DatasetConfigImportSettings, { optional: true })
  dataset?: DatasetConfigImportSettings;

  /** Ingestion policy to add as a new version. */
  @ApiPropertyOptional({ type: IngestionPolicySchema })
  @AsSent()
  @IfPresent()
  @IsObject()
  ingestion_policy?: object;

  /**
   * Embedding model that the configuration was made for. It must be the model of the dataset or the model that the policy in the document
   * names; left out: not checked.
   */
  @Nested(DatasetConfigImportEmbedding, { optional: true })
  embedding?: DatasetConfigImportEmbedding;
}
