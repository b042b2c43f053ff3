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
  /** Order of the rows; a minus sign means descending. Rows that are equal in it are ordered by id. */
  @ApiPropertyOptional({ enum: TENANT_DATASET_ORDERS, default: '-created_at' })
  @IsOptional()
  @IsIn(TENANT_DATASET_ORDERS)
  order_by: TenantDatasetOrder = '-created_at';
}

/** A dataset of the tenant as who runs the tenant sees it: whose it is and how large, not what is in it. */
export class TenantDataset {
  /** The dataset. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Name; null where the caller does not see the dataset itself. */
  @ApiProperty({ type: String, nullable: true })
  name!: string | null;

  /** Account that owns it. */
  @ApiProperty({ format: 'uuid' })
  owner_id!: string;

  /** Who sees it. */
  @ApiProperty({ enum: DATASET_ACLS })
  acl!: DatasetAcl;

  /** Accounts that see it while `acl` is `partial_members`. */
  @ApiProperty({ type: [String], format: 'uuid' })
  partial_member_list!: string[];

  /** Its documents by state. */
  @ApiProperty({ type: DocumentCountsDto })
  document_counts!: DocumentCountsDto;

  /** Chunks that a search can return. */
  @ApiProperty(COUNT)
  chunk_count!: number;

  /** Bytes of its stored files, former revisions included. */
  @ApiProperty(COUNT)
  size_bytes!: number;

  /** When it was made. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** Last change of its settings. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

/** A page of the datasets of a tenant. */
export class TenantDatasetPage {
  /** The datasets of this page. */
  @ApiProperty({ type: [TenantDataset] })
  items!: TenantDataset[];

  /** How many there are in all. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many there are at most. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  limit!: number;
}
