import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { ListQueryDto } from '#libs/http';
import { DATASET_ACLS, type DatasetAcl } from '../record/dataset.entity.js';
import { DocumentCountsDto } from '../record/dataset.dto.js';

/** Not by name: the order would tell something of the names that are not shown. */
export const TENANT_DATASET_ORDERS = ['created_at', '-created_at', 'updated_at', '-updated_at'] as const;
export type TenantDatasetOrder = (typeof TENANT_DATASET_ORDERS)[number];

const COUNT = { type: 'integer', minimum: 0 } as const;

/** Paging and order of the datasets of a tenant. */
export class TenantDatasetsQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. Rows with equal values are ordered by identifier. */
  @ApiPropertyOptional({ enum: TENANT_DATASET_ORDERS, default: '-created_at' })
  @IsOptional()
  @IsIn(TENANT_DATASET_ORDERS)
  order_by: TenantDatasetOrder = '-created_at';
}

/** A dataset of the tenant as who runs the tenant sees it: whose it is and how large, not what is in it. */
export class TenantDataset {
  /** Identifier of the dataset. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Name of the dataset; null: the caller does not see the dataset itself. */
  @ApiProperty({ type: String, nullable: true })
  name!: string | null;

  /** Identifier of the account that owns the dataset. */
  @ApiProperty({ format: 'uuid' })
  owner_id!: string;

  /** Who sees the dataset. */
  @ApiProperty({ enum: DATASET_ACLS })
  acl!: DatasetAcl;

  /** Identifiers of the accounts that see the dataset while `acl` is `partial_members`. */
  @ApiProperty({ type: [String], format: 'uuid' })
  partial_member_list!: string[];

  /** Number of documents of the dataset, by status. */
  @ApiProperty({ type: DocumentCountsDto })
  document_counts!: DocumentCountsDto;

  /** Number of chunks that a search can return. */
  @ApiProperty(COUNT)
  chunk_count!: number;

  /** Size of the originals of the dataset in bytes, former revisions included. */
  @ApiProperty(COUNT)
  size_bytes!: number;

  /** Time of creation. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** Time of the last change of the dataset's settings. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

/** A page of the datasets of a tenant. */
export class TenantDatasetPage {
  /** The datasets of this page. */
  @ApiProperty({ type: [TenantDataset] })
  items!: TenantDataset[];

  /** Total number of datasets of the tenant. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  limit!: number;
}
