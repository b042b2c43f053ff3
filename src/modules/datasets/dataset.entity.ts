import type { AccountId, CategoryId, DatasetId, JsonObject, TenantId } from '#libs/common';

/** Who sees a dataset: its owner only, everyone in the tenant, or the owner and the listed members. */
export const DATASET_ACLS = ['only_me', 'all_team_members', 'partial_members'] as const;
export type DatasetAcl = (typeof DATASET_ACLS)[number];

/** The embedding model that a dataset's vectors come from, as it was when the dataset was made. */
export interface DatasetEmbedding {
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
}

/** A row of table `datasets` with the ids of its categories in ascending order. */
export interface DatasetRow {
  readonly id: DatasetId;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly description: string | null;
  readonly acl: DatasetAcl;
  readonly partial_member_list: readonly AccountId[];
  readonly owner_id: AccountId;
  readonly metadata: JsonObject;
  readonly policy_version: number;
  readonly embedding_space: string;
  readonly embedding: DatasetEmbedding;
  /** Grows with every change of the visible content; bigint as text. */
  readonly content_seq: string;
  /** Grows with every change of the record; its entity tag. */
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly category_ids: readonly CategoryId[];
}

/** A row of table `categories` with the number of datasets in it that the caller sees. */
export interface CategoryRow {
  readonly id: CategoryId;
  readonly parent_id: CategoryId | null;
  readonly name: string;
  readonly dataset_count: number;
}
