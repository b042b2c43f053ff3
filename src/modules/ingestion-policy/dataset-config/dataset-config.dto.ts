import { ApiProperty, PickType } from '@nestjs/swagger';
import { Answer } from '#libs/http';
import {
  Dataset,
  DATASET_ACLS,
  DatasetEmbeddingDto,
  TRANSFERRED_SETTINGS,
  type DatasetAcl,
} from '../../datasets/index.js';
import { CATEGORY_PATH_SCHEMA } from './category-paths.js';
import type { IngestionPolicy } from '../schema/ingestion-policy.entity.js';
import { IngestionPolicySchema } from '../schema/ingestion-policy-schema.dto.js';

export const CONFIG_FORMAT = 'knowledge-base-dataset-config';
export const CONFIG_VERSION = 1;

/** Where a configuration comes from. */
export class DatasetConfigSource {
  /** Identifier of the exported dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Name of the exported dataset. */
  name!: string;

  /** Time of the export. */
  @Answer.Instant()
  exported_at!: string;
}

/** Settings of the dataset, without its name and its list of members, which belong to one dataset of one tenant. */
export class DatasetConfigSettings extends PickType(Dataset, TRANSFERRED_SETTINGS) {
  /** Who sees the dataset: its owner, all members of the tenant, or its owner and some members. */
  @Answer.Choice(DATASET_ACLS)
  declare acl: DatasetAcl;

  /** Categories of the dataset, each as a list of names from the root down. */
  @ApiProperty({ type: 'array', items: CATEGORY_PATH_SCHEMA })
  categories!: string[][];
}

/** The configuration of a dataset as a document that an import takes. */
export class DatasetConfig {
  /** Name of the document format. */
  @Answer.Choice([CONFIG_FORMAT])
  format!: typeof CONFIG_FORMAT;

  /** Version of the document format. */
  @ApiProperty({ type: 'integer', enum: [CONFIG_VERSION] })
  version!: typeof CONFIG_VERSION;

  /** Origin of the document. */
  @Answer.Nested(DatasetConfigSource)
  source!: DatasetConfigSource;

  /** Settings of the dataset. */
  @Answer.Nested(DatasetConfigSettings)
  dataset!: DatasetConfigSettings;

  /** The ingestion policy in force. */
  @Answer.Nested(IngestionPolicySchema)
  ingestion_policy!: IngestionPolicy;

  /** Embedding model of the dataset's vectors. */
  @Answer.Nested(DatasetEmbeddingDto)
  embedding!: DatasetEmbeddingDto;
}

/** A part of the document that an import left out. */
export class DatasetConfigWarning {
  /** JSON pointer to the part of the document that was left out. */
  pointer!: string;

  /** Code of the warning, for instance `CATEGORY_UNKNOWN`. */
  code!: string;

  /** Explanation of what was left out and why. */
  detail!: string;
}

/** Result of an import. */
export class DatasetConfigImportResult {
  /** The dataset after the import. */
  @Answer.Nested(Dataset)
  dataset!: Dataset;

  /** Number of the policy version that was added; null: the document contains no policy. */
  @Answer.Integer({ nullable: true, min: 1 })
  ingestion_policy_version!: number | null;

  /** Parts of the document that were left out. */
  @Answer.NestedList(DatasetConfigWarning)
  warnings!: DatasetConfigWarning[];
}
