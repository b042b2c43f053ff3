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
import { MAX_CATEGORIES_OF_DATASET, UpdateDatasetRequest } from '../../datasets/index.js';
import { CATEGORY_PATH_SCHEMA, IsCategoryPath } from './category-paths.js';
import { IngestionPolicySchema } from '../schema/ingestion-policy-schema.dto.js';
import { CONFIG_FORMAT, CONFIG_VERSION } from './dataset-config.dto.js';

const TEXT = { type: String, maxLength: 256 } as const;
const DIMENSIONS = { type: 'integer', minimum: 1, maximum: 65_536 } as const;

/** Where the document comes from; read by people only. */
export class DatasetConfigImportSource {
  /** The dataset that was exported. */
  @ApiPropertyOptional(TEXT)
  @IfPresent()
  @IsString()
  @MaxLength(TEXT.maxLength)
  dataset_id?: string;

  /** Its name. */
  @ApiPropertyOptional(TEXT)
  @IfPresent()
  @IsString()
  @MaxLength(TEXT.maxLength)
  name?: string;

  /** When it was exported. */
  @ApiPropertyOptional(TEXT)
  @IfPresent()
  @IsString()
  @MaxLength(TEXT.maxLength)
  exported_at?: string;
}

/** Settings that are applied; what is left out stays. Metadata and categories take the place of the present ones. */
export class DatasetConfigImportSettings extends PickType(UpdateDatasetRequest, [
  'name',
  'description',
  'instructions',
  'on_same_name',
  'acl',
  'metadata',
] as const) {
  /** Categories, each as the names from the root down to it. One that the tenant does not have is left out with a warning. */
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
  /** Who provides it. */
  @ApiProperty(TEXT)
  @IsString()
  @MaxLength(TEXT.maxLength)
  provider!: string;

  /** Its name. */
  @ApiProperty(TEXT)
  @IsString()
  @MaxLength(TEXT.maxLength)
  model!: string;

  /** Length of its vectors. */
  @ApiProperty(DIMENSIONS)
  @IsInt()
  @Min(DIMENSIONS.minimum)
  @Max(DIMENSIONS.maximum)
  dimensions!: number;
}

/** An exported configuration, as it is or cut down to what is to be applied. */
export class DatasetConfigImportRequest {
  /** What kind of document it is. */
  @ApiProperty({ enum: [CONFIG_FORMAT] })
  @IsIn([CONFIG_FORMAT])
  format!: typeof CONFIG_FORMAT;

  /** Version of that kind. */
  @ApiProperty({ type: 'integer', enum: [CONFIG_VERSION] })
  @IsIn([CONFIG_VERSION])
  version!: typeof CONFIG_VERSION;

  /** Where it comes from; without effect. */
  @ApiPropertyOptional({ type: DatasetConfigImportSource })
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => DatasetConfigImportSource)
  source?: DatasetConfigImportSource;

  /** Settings of the dataset. */
  @ApiPropertyOptional({ type: DatasetConfigImportSettings })
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => DatasetConfigImportSettings)
  dataset?: DatasetConfigImportSettings;

  /** The ingestion policy; appended as a new version. */
  @ApiPropertyOptional({ type: IngestionPolicySchema })
  @AsSent()
  @IfPresent()
  @IsObject()
  ingestion_policy?: object;

  /** When it is given, it must be the one of the dataset, or the one that the policy of the document asks for. */
  @ApiPropertyOptional({ type: DatasetConfigImportEmbedding })
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => DatasetConfigImportEmbedding)
  embedding?: DatasetConfigImportEmbedding;
}
