import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsUUID, Matches } from 'class-validator';
import { Answer, Choice, Flag, ListQueryDto, QueryList, Text } from '#libs/http';
import { DOCUMENT_STATUSES, type DocumentStatusName } from './document.entity.js';

export const DOCUMENT_ORDERS = ['created_at', '-created_at', 'name', '-name', 'updated_at', '-updated_at'] as const;
export type DocumentOrder = (typeof DOCUMENT_ORDERS)[number];
const MAX_CURSOR = 2_000;
const SHA256 = '^[0-9a-fA-F]{64}$';
const MAX_SUMS = 50;

/** Which documents are listed and counted; all conditions must hold. */
export class DocumentFilters {
  /** Only documents of the dataset with this identifier. */
  @IsOptional()
  @IsUUID()
  dataset_id?: string;

  /** Only files of the archive with this identifier. */
  @IsOptional()
  @IsUUID()
  archive_id?: string;

  /** Only documents with this status. */
  @IsOptional()
  @IsIn(DOCUMENT_STATUSES)
  status?: DocumentStatusName;

  /** Only documents whose name or path contains this text; case is ignored. */
  @Text({ query: true, max: 256, described: { pattern: '^[^\\u0000]*$' } })
  q?: string;

  /** Only documents with this tag. */
  @Text({ query: true, max: 128, described: { pattern: '^[^\\u0000]*$' } })
  tag?: string;

  /** Only documents of this detected media type, such as `application/pdf`. */
  @Text({ query: true, max: 256, described: { pattern: '^[^\\u0000]*$' } })
  media_type?: string;

  /** `true`: only documents that a search can find now; `false`: only the others. */
  @Flag({ query: true })
  searchable?: boolean;

  /** Only documents whose last attempt failed with this `error.code`, such as `ENCRYPTED`. */
  @Text({ query: true, max: 256, described: { pattern: '^[^\\u0000]*$' } })
  error_code?: string;

  /** Only documents with a warning of this code, such as `SAME_NAME`. */
  @Text({ query: true, max: 256, described: { pattern: '^[^\\u0000]*$' } })
  warning_code?: string;

  /** Only documents with this waiting reason, such as `provider_backoff`. */
  @Text({ query: true, max: 256, described: { pattern: '^[^\\u0000]*$' } })
  waiting_reason?: string;

  /**
   * `true`: only documents whose shown text was not made under the present ingestion policy (those that `stale.policy` of `GET
   * /datasets/{id}/health` counts); `false`: only the others. Needs `dataset_id`.
   */
  @Flag({ query: true })
  outdated?: boolean;

  /**
   * Only documents whose present file has one of these SHA-256 checksums, each of 64 hexadecimal digits; send the parameter once for each.
   * Before an upload of a folder, this tells which files the dataset already has.
   */
  @ApiPropertyOptional({ type: String, isArray: true, pattern: SHA256, maxItems: MAX_SUMS })
  @IsOptional()
  @QueryList()
  @IsArray()
  @ArrayMaxSize(MAX_SUMS)
  @Matches(new RegExp(SHA256), { each: true, message: 'must be 64 hexadecimal digits' })
  sha256?: string[];
}

/** Filters, order and paging of the document list. */
export class ListDocumentsQuery extends IntersectionType(ListQueryDto, DocumentFilters) {
  /** Order of the rows; a minus sign means descending. Numbers within names count by their value: `Report 2` before `Report 10`. */
  @Choice(DOCUMENT_ORDERS, { query: true, default: '-created_at' })
  order_by: DocumentOrder = '-created_at';

  /**
   * Cursor: `next` of the previous page, which was read with the same `order_by`. Recommended for long lists: no row is skipped or repeated when
   * others are added or removed between two pages. Cannot be combined with `skip`.
   */
  @Text({ query: true, max: MAX_CURSOR, described: { minLength: 1, pattern: '^[A-Za-z0-9_-]+$' } })
  after?: string;
}

/** A value and the number of documents that have it. */
export class FacetCount {
  /** The value, for the filter of the same name. */
  @Answer.Text({ example: 'completed' })
  value!: string;

  /** Number of documents with this value. */
  @Answer.Integer({ min: 1 })
  count!: number;
}

/** Counts of documents for each filter of their list, the most frequent values first. */
export class DocumentFacets {
  /** Number of documents that meet all conditions. */
  @Answer.Count()
  total!: number;

  /** Number of documents by status. */
  @Answer.NestedList(FacetCount)
  status!: FacetCount[];

  /** Number of documents that a search can find now (`true`) or not (`false`). */
  @Answer.NestedList(FacetCount)
  searchable!: FacetCount[];

  /** Number of documents by detected media type; the 100 most frequent. */
  @Answer.NestedList(FacetCount)
  media_type!: FacetCount[];

  /** Number of documents by tag; the 100 most frequent. A document counts once for each of its tags. */
  @Answer.NestedList(FacetCount)
  tag!: FacetCount[];

  /** Number of documents by the code with which their last attempt failed. */
  @Answer.NestedList(FacetCount)
  error_code!: FacetCount[];

  /** Number of documents by warning code. A document counts once for each of its codes. */
  @Answer.NestedList(FacetCount)
  warning_code!: FacetCount[];

  /** Number of documents by waiting reason. */
  @Answer.NestedList(FacetCount)
  waiting_reason!: FacetCount[];
}
