import { Answer, Choice, ListQueryDto, PageOf } from '#libs/http';
import { DATASET_ACLS, type DatasetAcl } from '../record/dataset.entity.js';
import { DocumentCountsDto } from '../record/dataset.dto.js';

/** There is no order by name: it would reveal something about names that are not shown. */
export const TENANT_DATASET_ORDERS = ['created_at', '-created_at', 'updated_at', '-updated_at'] as const;
export type TenantDatasetOrder = (typeof TENANT_DATASET_ORDERS)[number];

/** Paging and order of the datasets of a tenant. */
export class TenantDatasetsQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. Rows with equal values are ordered by identifier. */
  @Choice(TENANT_DATASET_ORDERS, { query: true, default: '-created_at' })
  order_by: TenantDatasetOrder = '-created_at';
}

/** A dataset as administrators of its tenant see it: its owner and size, not its content. */
export class TenantDataset {
  /** Identifier of the dataset. */
  @Answer.Uuid()
  id!: string;

  /** Name of the dataset; null: the caller does not see the dataset itself. */
  @Answer.Text({ nullable: true })
  name!: string | null;

  /** Identifier of the account that owns the dataset. */
  @Answer.Uuid()
  owner_id!: string;

  /** Who sees the dataset. */
  @Answer.Choice(DATASET_ACLS)
  acl!: DatasetAcl;

  /** Identifiers of the accounts that see the dataset while `acl` is `partial_members`. */
  @Answer.Uuids()
  partial_member_list!: string[];

  /** Number of documents of the dataset, by status. */
  @Answer.Nested(DocumentCountsDto)
  document_counts!: DocumentCountsDto;

  /** Number of chunks that a search can return. */
  @Answer.Count()
  chunk_count!: number;

  /** Size of the originals of the dataset in bytes, former revisions included. */
  @Answer.Count()
  size_bytes!: number;

  /** Time of creation. */
  @Answer.Instant()
  created_at!: string;

  /** Time of the last change of the dataset's settings. */
  @Answer.Instant()
  updated_at!: string;
}

/** A page of the datasets of a tenant. */
export class TenantDatasetPage extends PageOf(TenantDataset, {
  items: 'The datasets of this page.',
  total: 'Total number of datasets of the tenant.',
  least: { limit: 1 },
}) {}
