import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '#libs/common';
import {
  Dataset,
  DATASET_ACLS,
  DatasetEmbeddingDto,
  ON_SAME_NAME,
  type DatasetAcl,
  type OnSameName,
} from '../../datasets/index.js';
import { CATEGORY_PATH_SCHEMA } from './category-paths.js';
import type { IngestionPolicy } from '../schema/ingestion-policy.entity.js';
import { IngestionPolicySchema } from '../schema/ingestion-policy-schema.dto.js';

export const CONFIG_FORMAT = 'knowledge-base-dataset-config';
export const CONFIG_VERSION = 1;

/** Where a configuration comes from. */
export class DatasetConfigSource {
  /** The dataset that was exported. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Its name. */
  name!: string;

  /** When it was exported. */
  @ApiProperty({ format: 'date-time' })
  exported_at!: string;
}

/** Settings of the dataset itself. Its name and its list of members are not among them: they belong to one dataset of one tenant. */
export class DatasetConfigSettings {
  /** What it is for. */
  @ApiProperty({ type: String, nullable: true })
  description!: string | null;

  /** What a chat over the dataset tells its model before anything else. */
  @ApiProperty({ type: String, nullable: true })
  instructions!: string | null;

  /** What becomes of a file whose name the dataset holds with another content. */
  @ApiProperty({ enum: ON_SAME_NAME })
  on_same_name!: OnSameName;

  /** Who sees it. */
  @ApiProperty({ enum: DATASET_ACLS })
  acl!: DatasetAcl;

  /** Metadata. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  metadata!: JsonObject;

  /** Categories, each as the names from the root down to it. */
  @ApiProperty({ type: 'array', items: CATEGORY_PATH_SCHEMA })
  categories!: string[][];
}

/** The configuration of a dataset as a document that an import takes. */
export class DatasetConfig {
  /** What kind of document it is. */
  @ApiProperty({ enum: [CONFIG_FORMAT] })
  format!: typeof CONFIG_FORMAT;

  /** Version of that kind. */
  @ApiProperty({ type: 'integer', enum: [CONFIG_VERSION] })
  version!: typeof CONFIG_VERSION;

  /** Where it comes from. */
  @ApiProperty({ type: DatasetConfigSource })
  source!: DatasetConfigSource;

  /** Settings of the dataset. */
  @ApiProperty({ type: DatasetConfigSettings })
  dataset!: DatasetConfigSettings;

  /** The ingestion policy in force. */
  @ApiProperty({ type: IngestionPolicySchema })
  ingestion_policy!: IngestionPolicy;

  /** The embedding model of its vectors. */
  @ApiProperty({ type: DatasetEmbeddingDto })
  embedding!: DatasetEmbeddingDto;
}

/** Something that an import left out. */
export class DatasetConfigWarning {
  /** JSON pointer into the document. */
  pointer!: string;

  /** Stable code, for instance `CATEGORY_UNKNOWN`. */
  code!: string;

  /** What was left out and why. */
  detail!: string;
}

/** What an import did. */
export class DatasetConfigImportResult {
  /** The dataset as it is now. */
  @ApiProperty({ type: Dataset })
  dataset!: Dataset;

  /** Version of the ingestion policy that was appended; null: the document held no policy. */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  ingestion_policy_version!: number | null;

  /** What was left out. */
  @ApiProperty({ type: [DatasetConfigWarning] })
  warnings!: DatasetConfigWarning[];
}
