import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  MaxLength,
} from 'class-validator';
import { ListQueryDto, QueryFlag, QueryList } from '#libs/http';
import { DOCUMENT_STATUSES, type DocumentStatusName } from './document.entity.js';

export const DOCUMENT_ORDERS = ['created_at', '-created_at', 'name', '-name', 'updated_at', '-updated_at'] as const;
export type DocumentOrder = (typeof DOCUMENT_ORDERS)[number];
const WORD = { type: String, maxLength: 256, pattern: '^[^\\u0000]*$' } as const;
const MAX_CURSOR = 2_000;
const SHA256 = '^[0-9a-fA-F]{64}$';
const MAX_SUMS = 50;

/** Which documents are listed and counted; all conditions must hold. */
export class DocumentFilters {
  /** Only documents of this dataset. */
  @IsOptional()
  @IsUUID()
  dataset_id?: string;

  /** Only files of this archive. */
  @IsOptional()
  @IsUUID()
  archive_id?: string;

  /** Only documents in this state. */
  @IsOptional()
  @IsIn(DOCUMENT_STATUSES)
  status?: DocumentStatusName;

  /** Only documents whose name or path contains this, without regard to case. */
  @ApiPropertyOptional(WORD)
  @IsOptional()
  @IsString()
  @MaxLength(256)
  q?: string;

  /** Only documents that carry this tag. */
  @ApiPropertyOptional({ ...WORD, maxLength: 128 })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  tag?: string;

  /** Only documents of this detected media type, such as `application/pdf`. */
  @ApiPropertyOptional(WORD)
  @IsOptional()
  @IsString()
  @MaxLength(256)
  media_type?: string;

  /** Only documents that a search can find now (`true`), or only the others (`false`). */
  @ApiPropertyOptional({ type: Boolean })
  @IsOptional()
  @QueryFlag()
  @IsBoolean()
  searchable?: boolean;

  /** Only documents whose last attempt failed with this code, such as `PARSE_FAILED`. */
  @ApiPropertyOptional(WORD)
  @IsOptional()
  @IsString()
  @MaxLength(256)
  error_code?: string;

  /** Only documents with a warning of this code, such as `SAME_NAME`. */
  @ApiPropertyOptional(WORD)
  @IsOptional()
  @IsString()
  @MaxLength(256)
  warning_code?: string;

  /** Only documents that wait for this, such as `provider_backoff`. */
  @ApiPropertyOptional(WORD)
  @IsOptional()
  @IsString()
  @MaxLength(256)
  waiting_reason?: string;

  /**
   * Only documents whose shown text another ingestion policy than the one in force has made, which are those of `stale.policy` in
   * `GET /datasets/{id}/health` (`true`), or only the others (`false`). Needs `dataset_id`.
   */
  @ApiPropertyOptional({ type: Boolean })
  @IsOptional()
  @QueryFlag()
  @IsBoolean()
  outdated?: boolean;

  /**
   * Only documents whose present file has this SHA-256, 64 hexadecimal digits; given more than once, one of these. Whoever uploads a folder asks so what is there already.
   */
  @ApiPropertyOptional({ type: String, isArray: true, pattern: SHA256, maxItems: MAX_SUMS })
  @IsOptional()
  @QueryList()
  @IsArray()
  @ArrayMaxSize(MAX_SUMS)
  @Matches(new RegExp(SHA256), { each: true, message: 'must be 64 hexadecimal digits' })
  sha256?: string[];
}

/** Filters, order and place of a page of the document list. */
export class ListDocumentsQuery extends IntersectionType(ListQueryDto, DocumentFilters) {
  /** Order of the rows; a minus sign means descending. */
  @ApiPropertyOptional({ enum: DOCUMENT_ORDERS, default: '-created_at' })
  @IsOptional()
  @IsIn(DOCUMENT_ORDERS)
  order_by: DocumentOrder = '-created_at';

  /**
   * Cursor: the value of `next` of the previous page, with the same `order_by`. Recommended for long lists: no row is skipped or repeated when
   * others are added or removed between two pages. Cannot be combined with `skip`.
   */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_CURSOR, pattern: '^[A-Za-z0-9_-]+$' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_CURSOR)
  after?: string;
}

/** A value and the number of documents that have it. */
export class FacetCount {
  /** The value, as the filter of this name takes it. */
  @ApiProperty({ type: String, example: 'completed' })
  value!: string;

  /** The number of documents. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  count!: number;
}

/** Counts of documents by what their list can be filtered by, the most frequent values first. */
export class DocumentFacets {
  /** The number of documents that meet all conditions. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  total!: number;

  /** By state. */
  @ApiProperty({ type: [FacetCount] })
  status!: FacetCount[];

  /** By whether a search can find them now: `true` or `false`. */
  @ApiProperty({ type: [FacetCount] })
  searchable!: FacetCount[];

  /** By detected media type; the first 100. */
  @ApiProperty({ type: [FacetCount] })
  media_type!: FacetCount[];

  /** By tag; the first 100. A document counts once for each of its tags. */
  @ApiProperty({ type: [FacetCount] })
  tag!: FacetCount[];

  /** By the code of the failure of their last attempt. */
  @ApiProperty({ type: [FacetCount] })
  error_code!: FacetCount[];

  /** By the codes of their warnings. A document counts once for each of them. */
  @ApiProperty({ type: [FacetCount] })
  warning_code!: FacetCount[];

  /** By what they wait for. */
  @ApiProperty({ type: [FacetCount] })
  waiting_reason!: FacetCount[];
}
