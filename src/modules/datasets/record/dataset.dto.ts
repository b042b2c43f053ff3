import { Answer, PageOf } from '#libs/http';
import type { JsonObject } from '#libs/common';
import { DATASET_ACLS, ON_SAME_NAME, type DatasetAcl, type OnSameName } from './dataset.entity.js';

/** An embedding model. */
export class DatasetEmbeddingDto {
  /** Provider of the model, for instance `builtin`. */
  provider!: string;

  /** Name of the model. */
  model!: string;

  /** Number of dimensions of the model's vectors. */
  @Answer.Integer({ min: 1 })
  dimensions!: number;
}

/** Number of documents of a dataset by status. */
export class DocumentCountsDto {
  /** Number of documents that wait for ingestion. */
  @Answer.Count()
  pending!: number;

  /** Number of documents that are being ingested. */
  @Answer.Count()
  processing!: number;

  /** Number of documents that have been ingested. */
  @Answer.Count()
  completed!: number;

  /** Number of documents whose ingestion failed. */
  @Answer.Count()
  failed!: number;

  /** Number of documents in quarantine. */
  @Answer.Count()
  quarantined!: number;

  /** Number of documents whose ingestion was cancelled. */
  @Answer.Count()
  cancelled!: number;

  /** Number of documents that a search can find now, whatever their status. */
  @Answer.Count()
  searchable!: number;

  /** Number of completed documents that no search can find because they have no text; `GET /documents/` lists them with `status=completed` and `searchable=false`. */
  @Answer.Count()
  without_text!: number;

  /** Number of all documents. */
  @Answer.Count()
  total!: number;
}

/** A dataset: a collection of documents with one rule of who sees it. */
export class Dataset {
  /** Identifier of the dataset. */
  @Answer.Uuid()
  id!: string;

  /** Name, unique in the tenant without regard to case. */
  name!: string;

  /** Purpose of the dataset; null: none was given. */
  @Answer.Text({ nullable: true })
  description!: string | null;

  /** Instructions that a chat over the dataset gives its model before anything else; null: none. */
  @Answer.Text({ nullable: true })
  instructions!: string | null;

  /**
   * What an upload without `on_same_name` does if the dataset has a document with the same name but other content: `keep_both` adds another
   * document, `new_revision` adds a revision to that document.
   */
  @Answer.Choice(ON_SAME_NAME)
  on_same_name!: OnSameName;

  /** Who sees the dataset: its owner, all members of the tenant, or its owner and the accounts of `partial_member_list`. */
  @Answer.Choice(DATASET_ACLS)
  acl!: DatasetAcl;

  /** Identifiers of the accounts that see the dataset while `acl` is `partial_members`. */
  @Answer.Uuids()
  partial_member_list!: string[];

  /** Identifier of the account that owns the dataset. */
  @Answer.Uuid()
  owner_id!: string;

  /** Identifier of the tenant of the dataset. */
  @Answer.Uuid()
  tenant_id!: string;

  /** Identifiers of the categories of the dataset, in ascending order. */
  @Answer.Uuids()
  category_ids!: string[];

  /** Metadata of the dataset. */
  @Answer.Json()
  metadata!: JsonObject;

  /** Version of the ingestion policy that new documents use. */
  @Answer.Integer({ min: 1 })
  ingestion_policy_version!: number;

  /** Embedding model of the dataset's vectors. */
  @Answer.Nested(DatasetEmbeddingDto)
  embedding!: DatasetEmbeddingDto;

  /**
   * Embedding model that the ingestion policy names, if the dataset's vectors are of another model; `POST /datasets/{id}/reembeddings`
   * makes the change. null: the dataset has this model, or the installation does not have it (the health of the dataset says so).
   */
  @Answer.Nested(DatasetEmbeddingDto, { nullable: true })
  wanted_embedding!: DatasetEmbeddingDto | null;

  /** Number of documents of the dataset, by status. */
  @Answer.Nested(DocumentCountsDto)
  document_counts!: DocumentCountsDto;

  /** Number of chunks that a search can return. */
  @Answer.Count()
  chunk_count!: number;

  /** Permissions of the caller for this dataset. */
  @Answer.Texts()
  effective_permissions!: string[];

  /** Time of creation. */
  @Answer.Instant()
  created_at!: string;

  /** Time of the last change of this record. */
  @Answer.Instant()
  updated_at!: string;
}

/** A page of datasets. */
export class DatasetPage extends PageOf(Dataset, {
  items: 'The datasets of this page.',
  total: 'Total number of datasets that match.',
  least: { limit: 1 },
}) {}

/** Receipt of a deletion: the dataset is no longer visible; its storage is freed in the background. */
export class DatasetDeletion {
  /** Identifier of the deletion. */
  @Answer.Uuid()
  deletion_id!: string;

  /** Identifier of the deleted dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Status of the background work. */
  @Answer.Choice(['pending'])
  status!: 'pending';

  /** Number of documents that the deletion removes. */
  @Answer.Count()
  documents!: number;

  /** Number of chunks that the deletion removes. */
  @Answer.Count()
  chunks!: number;

  /** Number of stored files that the deletion removes. */
  @Answer.Count()
  blobs!: number;

  /** Time of the request. */
  @Answer.Instant()
  created_at!: string;
}
