import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { AsSent, IfPresent } from '#libs/http';
import { MAX_CATEGORIES_OF_DATASET, TRANSFERRED_SETTINGS, UpdateDatasetRequest } from '../../datasets/index.js';
import { CATEGORY_PATH_SCHEMA, IsCategoryPath } from './category-paths.js';
import { IngestionPolicySchema } from '../schema/ingestion-policy-schema.dto.js';
import { CONFIG_FORMAT, CONFIG_VERSION } from './dataset-config.dto.js';

const TEXT = { type: String, maxLength: 256 } as const;
const DIMENSIONS = { type: 'integer', minimum: 1, maximum: 65_536 } as const;

/** Where the document comes from; read by people only. */
export class DatasetConfigImportSource {
  /** Identifier of the exported dataset. */
  @ApiPropertyOptional(TEXT)
  @IfPresent()
  @IsString()
  @MaxLength(TEXT.maxLength)
  dataset_id?: string;

  /** Name of the exported dataset. */
  @ApiPropertyOptional(TEXT)
  @IfPresent()
  @IsString()
  @MaxLength(TEXT.maxLength)
  name?: string;

  /** Time of the export. */
  @ApiPropertyOptional(TEXT)
  @IfPresent()
  @IsString()
  @MaxLength(TEXT.maxLength)
  exported_at?: string;
}

/** Settings that are applied; what is left out stays. Metadata and categories take the place of the present ones. */
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
  @ApiProperty(TEXT)
  @IsString()
  @MaxLength(TEXT.maxLength)
  provider!: string;

  /** Name of the model. */
  @ApiProperty(TEXT)
  @IsString()
  @MaxLength(TEXT.maxLength)
  model!: string;

  /** Number of dimensions of the model's vectors. */
  @ApiProperty(DIMENSIONS)
  @IsInt()
  @Min(DIMENSIONS.minimum)
  @Max(DIMENSIONS.maximum)
  dimensions!: number;
}

/** An exported configuration, as it is or cut down to what is to be applied. */
export class DatasetConfigImportRequest {
  /** Name of the document format. */
  @ApiProperty({ enum: [CONFIG_FORMAT] })
  @IsIn([CONFIG_FORMAT])
  format!: typeof CONFIG_FORMAT;

  /** Version of the document format. */
  @ApiProperty({ type: 'integer', enum: [CONFIG_VERSION] })
  @IsIn([CONFIG_VERSION])
  version!: typeof CONFIG_VERSION;

  /** Origin of the document; has no effect. */
  @ApiPropertyOptional({ type: DatasetConfigImportSource })
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => DatasetConfigImportSource)
  source?: DatasetConfigImportSource;

  /** Settings to apply to the dataset. */
  @ApiPropertyOptional({ type: DatasetConfigImportSettings })
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => DatasetConfigImportSettings)
  dataset?: DatasetConfigImportSettings;

  /** Ingestion policy to add as a new version. */
  @ApiPropertyOptional({ type: IngestionPolicySchema })
  @AsSent()
  @IfPresent()
  @IsObject()
  ingestion_policy?: object;

  /**
   * Embedding model that the configuration was made for. It must be the model of the dataset or the model that the policy of the document asks
   * for; left out: not checked.
   */
  @ApiPropertyOptional({ type: DatasetConfigImportEmbedding })
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => DatasetConfigImportEmbedding)
  embedding?: DatasetConfigImportEmbedding;
}
