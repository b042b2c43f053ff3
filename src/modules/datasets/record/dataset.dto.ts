import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '#libs/common';
import { DATASET_ACLS, ON_SAME_NAME, type DatasetAcl, type OnSameName } from './dataset.entity.js';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** An embedding model. */
export class DatasetEmbeddingDto {
  /** Who provides it, for instance `builtin`. */
  provider!: string;

  /** Its name. */
  model!: string;

  /** Length of its vectors. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  dimensions!: number;
}

/** Documents of a dataset by state. */
export class DocumentCountsDto {
  /** Waiting for their turn. */
  @ApiProperty(COUNT)
  pending!: number;

  /** Being processed. */
  @ApiProperty(COUNT)
  processing!: number;

  /** Processed. */
  @ApiProperty(COUNT)
  completed!: number;

  /** Failed. */
  @ApiProperty(COUNT)
  failed!: number;

  /** In quarantine. */
  @ApiProperty(COUNT)
  quarantined!: number;

  /** Cancelled. */
  @ApiProperty(COUNT)
  cancelled!: number;

  /** Sum of the others. */
  @ApiProperty(COUNT)
  total!: number;
}

/** A dataset: a collection of documents with one rule of who sees it. */
export class Dataset {
  /** The dataset. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Name, unique in the tenant without regard to case. */
  name!: string;

  /** What it is for. */
  @ApiProperty({ type: String, nullable: true })
  description!: string | null;

  /** What a chat over the dataset tells its model before anything else; null when there is nothing. */
  @ApiProperty({ type: String, nullable: true })
  instructions!: string | null;

  /** What becomes of a file whose name the dataset holds with another content, where its sender does not say (`on_same_name` of an upload). */
  @ApiProperty({ enum: ON_SAME_NAME })
  on_same_name!: OnSameName;

  /** Who sees it. */
  @ApiProperty({ enum: DATASET_ACLS })
  acl!: DatasetAcl;

  /** Accounts that see it while `acl` is `partial_members`. */
  @ApiProperty({ type: [String], format: 'uuid' })
  partial_member_list!: string[];

  /** Account that owns it. */
  @ApiProperty({ format: 'uuid' })
  owner_id!: string;

  /** Tenant that it belongs to. */
  @ApiProperty({ format: 'uuid' })
  tenant_id!: string;

  /** Categories that it belongs to, in ascending order. */
  @ApiProperty({ type: [String], format: 'uuid' })
  category_ids!: string[];

  /** Metadata. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  metadata!: JsonObject;

  /** Version of the ingestion policy that new documents use. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  ingestion_policy_version!: number;

  /** The embedding model of its vectors. */
  @ApiProperty({ type: DatasetEmbeddingDto })
  embedding!: DatasetEmbeddingDto;

  /**
   * The embedding model that its ingestion policy asks for, where its vectors are of another one: `POST /datasets/{id}/reembeddings` moves
   * all of it. null: they agree, or the installation does not have the model, which health tells.
   */
  @ApiProperty({ type: DatasetEmbeddingDto, nullable: true })
  wanted_embedding!: DatasetEmbeddingDto | null;

  /** Its documents by state. */
  @ApiProperty({ type: DocumentCountsDto })
  document_counts!: DocumentCountsDto;

  /** Chunks that a search can return. */
  @ApiProperty(COUNT)
  chunk_count!: number;

  /** What the caller may do with it. */
  @ApiProperty({ type: [String] })
  effective_permissions!: string[];

  /** When it was made. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** Last change of this record. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

/** A page of datasets. */
export class DatasetPage {
  /** The datasets of this page. */
  @ApiProperty({ type: [Dataset] })
  items!: Dataset[];

  /** How many match in all. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many there are at most. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  limit!: number;
}

/** Receipt of a deletion: the dataset is gone from sight, its storage is cleaned in the background. */
export class DatasetDeletion {
  /** The deletion. */
  @ApiProperty({ format: 'uuid' })
  deletion_id!: string;

  /** The dataset that was deleted. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** State of the background work. */
  @ApiProperty({ enum: ['pending'] })
  status!: 'pending';

  /** Documents that it removes. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Chunks that it removes. */
  @ApiProperty(COUNT)
  chunks!: number;

  /** Stored files that it removes. */
  @ApiProperty(COUNT)
  blobs!: number;

  /** When it was asked for. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}
