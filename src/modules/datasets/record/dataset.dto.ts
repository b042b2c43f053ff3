import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '#libs/common';
import { DATASET_ACLS, ON_SAME_NAME, type DatasetAcl, type OnSameName } from './dataset.entity.js';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** An embedding model. */
export class DatasetEmbeddingDto {
  /** Provider of the model, for instance `builtin`. */
  provider!: string;

  /** Name of the model. */
  model!: string;

  /** Number of dimensions of the model's vectors. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  dimensions!: number;
}

/** Documents of a dataset by state. */
export class DocumentCountsDto {
  /** Number of documents that wait for ingestion. */
  @ApiProperty(COUNT)
  pending!: number;

  /** Number of documents that are being ingested. */
  @ApiProperty(COUNT)
  processing!: number;

  /** Number of documents that have been ingested. */
  @ApiProperty(COUNT)
  completed!: number;

  /** Number of documents whose ingestion failed. */
  @ApiProperty(COUNT)
  failed!: number;

  /** Number of documents in quarantine. */
  @ApiProperty(COUNT)
  quarantined!: number;

  /** Number of documents whose ingestion was cancelled. */
  @ApiProperty(COUNT)
  cancelled!: number;

  /** Number of documents in all of these states. */
  @ApiProperty(COUNT)
  total!: number;
}

/** A dataset: a collection of documents with one rule of who sees it. */
export class Dataset {
  /** Identifier of the dataset. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Name, unique in the tenant without regard to case. */
  name!: string;

  /** Purpose of the dataset; null: none was given. */
  @ApiProperty({ type: String, nullable: true })
  description!: string | null;

  /** Instructions that a chat over the dataset gives its model before anything else; null: none. */
  @ApiProperty({ type: String, nullable: true })
  instructions!: string | null;

  /**
   * What an upload without `on_same_name` does if the dataset has a document of the same name with other content: `keep_both` adds another
   * document, `new_revision` adds a revision to that document.
   */
  @ApiProperty({ enum: ON_SAME_NAME })
  on_same_name!: OnSameName;

  /** Who sees the dataset: its owner, all members of the tenant, or its owner and the accounts of `partial_member_list`. */
  @ApiProperty({ enum: DATASET_ACLS })
  acl!: DatasetAcl;

  /** Identifiers of the accounts that see the dataset while `acl` is `partial_members`. */
  @ApiProperty({ type: [String], format: 'uuid' })
  partial_member_list!: string[];

  /** Identifier of the account that owns the dataset. */
  @ApiProperty({ format: 'uuid' })
  owner_id!: string;

  /** Identifier of the tenant of the dataset. */
  @ApiProperty({ format: 'uuid' })
  tenant_id!: string;

  /** Identifiers of the categories of the dataset, in ascending order. */
  @ApiProperty({ type: [String], format: 'uuid' })
  category_ids!: string[];

  /** Metadata of the dataset. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  metadata!: JsonObject;

  /** Version of the ingestion policy that new documents use. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  ingestion_policy_version!: number;

  /** Embedding model of the dataset's vectors. */
  @ApiProperty({ type: DatasetEmbeddingDto })
  embedding!: DatasetEmbeddingDto;

  /**
   * Embedding model that the ingestion policy asks for, if the dataset's vectors are of another one; `POST /datasets/{id}/reembeddings` moves
   * the dataset to it. null: they agree, or the installation does not have that model, which the health of the dataset shows.
   */
  @ApiProperty({ type: DatasetEmbeddingDto, nullable: true })
  wanted_embedding!: DatasetEmbeddingDto | null;

  /** Number of documents of the dataset, by status. */
  @ApiProperty({ type: DocumentCountsDto })
  document_counts!: DocumentCountsDto;

  /** Number of chunks that a search can return. */
  @ApiProperty(COUNT)
  chunk_count!: number;

  /** Permissions of the caller for this dataset. */
  @ApiProperty({ type: [String] })
  effective_permissions!: string[];

  /** Time of creation. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** Time of the last change of this record. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

/** A page of datasets. */
export class DatasetPage {
  /** The datasets of this page. */
  @ApiProperty({ type: [Dataset] })
  items!: Dataset[];

  /** Total number of datasets that match. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  limit!: number;
}

/** Receipt of a deletion: the dataset is gone from sight, its storage is cleaned in the background. */
export class DatasetDeletion {
  /** Identifier of the deletion. */
  @ApiProperty({ format: 'uuid' })
  deletion_id!: string;

  /** Identifier of the deleted dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Status of the background work. */
  @ApiProperty({ enum: ['pending'] })
  status!: 'pending';

  /** Number of documents that the deletion removes. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Number of chunks that the deletion removes. */
  @ApiProperty(COUNT)
  chunks!: number;

  /** Number of stored files that the deletion removes. */
  @ApiProperty(COUNT)
  blobs!: number;

  /** Time of the request. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}
