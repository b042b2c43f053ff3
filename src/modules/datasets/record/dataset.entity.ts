import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EmbedderDescriptor } from '#libs/ai';
import type { AccountId, CategoryId, DatasetId, JsonObject, TenantId } from '#libs/common';

/** Who sees a dataset: its owner only, everyone in the tenant, or the owner and the listed members. */
export const DATASET_ACLS = ['only_me', 'all_team_members', 'partial_members'] as const;
export type DatasetAcl = (typeof DATASET_ACLS)[number];

/**
 * What an upload does if the dataset has a document with the same name but another content: add another document, or a revision of that
 * one.
 */
export const ON_SAME_NAME = ['keep_both', 'new_revision'] as const;
export type OnSameName = (typeof ON_SAME_NAME)[number];

/** The embedding model of a dataset's vectors, as it was when the dataset was created. */
export interface DatasetEmbedding {
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  /**
   * Scale of similarities: `calibrated`: by the scale of their space; absent: raw cosines, for vectors from before scales existed and for
   * hashed embeddings, which have none.
   */
  readonly scale?: 'calibrated';
}

/** The properties of an embedding model that responses show. */
export function shownEmbedding({ provider, model, dimensions }: DatasetEmbedding): Omit<DatasetEmbedding, 'scale'> {
  return { provider, model, dimensions };
}

/** The record of an embedding model for a dataset whose vectors are made from now on. */
export function recordedEmbedding({
  kind,
  ...descriptor
}: Pick<EmbedderDescriptor, 'provider' | 'model' | 'dimensions' | 'kind'>): DatasetEmbedding {
  return { ...shownEmbedding(descriptor), ...(kind === 'semantic' ? { scale: 'calibrated' } : {}) };
}

/** A row of table `categories` with the number of datasets in it that the caller sees. */
export interface CategoryRow {
  readonly id: CategoryId;
  readonly parent_id: CategoryId | null;
  readonly name: string;
  readonly dataset_count: number;
}

/** A dataset. */
@Entity('datasets')
@Index('datasets_created', { synchronize: false })
@Index('datasets_name', { synchronize: false })
@Check('datasets_on_same_name_check', "on_same_name IN ('keep_both', 'new_revision')")
@Check('datasets_acl_check', "acl IN ('only_me', 'all_team_members', 'partial_members')")
export class DatasetEntity {
  @PrimaryColumn('uuid')
  readonly id!: DatasetId;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('text')
  readonly name!: string;

  @Column('text')
  readonly name_key!: string;

  @Column('text', { nullable: true })
  readonly description!: string | null;

  /** System prompt of chats over the dataset. */
  @Column('text', { nullable: true })
  readonly instructions!: string | null;

  @Column('text')
  readonly acl!: DatasetAcl;

  @Column('uuid', { array: true, default: [] })
  readonly partial_member_list!: readonly AccountId[];

  @Column('uuid')
  readonly owner_id!: AccountId;

  @Column('jsonb', { default: {} })
  readonly metadata!: JsonObject;

  @Column('integer', { default: 1 })
  readonly policy_version!: number;

  @Column('text')
  readonly embedding_space!: string;

  @Column('jsonb')
  readonly embedding!: DatasetEmbedding;

  /** Increases with every change of the visible content; bigint as text. */
  @Column('bigint', { default: 0 })
  readonly content_seq!: string;

  /** Version of the record, for its entity tag; increases with every change. */
  @Column('integer', { default: 1 })
  readonly version!: number;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly updated_at!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly deleted_at!: Date | null;

  @Column('text', { default: 'keep_both' })
  readonly on_same_name!: OnSameName;
}

/** A dataset with the ids of its categories in ascending order. */
export type DatasetRow = Omit<DatasetEntity, 'name_key' | 'deleted_at'> & {
  readonly category_ids: readonly CategoryId[];
};
