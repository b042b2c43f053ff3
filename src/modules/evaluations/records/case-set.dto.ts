import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsInt, IsOptional, IsUUID, Max, Min } from 'class-validator';
import { Answer, Choice, Flag, IfPresent, Integer, ListQueryDto, PageOf, Text, Uuids } from '#libs/http';
import { DATASETS_MAX } from '../../retrieval/index.js';
import {
  MAX_CASES,
  MAX_EXPECTED_ANSWER,
  MAX_QUERY,
  MAX_RELEVANT,
  MAX_TAG,
  MAX_TAGS,
} from '../cases/evaluation-case.js';
import { CaseSetGeneration } from './generation.dto.js';

export const MAX_NAME = 200;
const ID = { type: String, format: 'uuid' } as const;

/** What should be found. At least one field is required; one result must meet all the fields that are given. */
export class RelevantItemDto {
  /** Identifier of a document, any chunk of which is relevant; for an archive, any chunk of the documents in it. */
  @ApiPropertyOptional(ID)
  document_id?: string;

  /** Identifier of the relevant chunk. */
  @ApiPropertyOptional(ID)
  chunk_id?: string;

  /** Text that a relevant chunk contains, compared without regard to case and kinds of white space. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_QUERY, pattern: '\\S' })
  text?: string;
}

/** A question with the passages or the answer that are expected. */
export class EvaluationCaseDto {
  /**
   * The question, unique within the set.
   * @example "How long is the notice period?"
   */
  @ApiProperty({ type: String, minLength: 1, maxLength: MAX_QUERY, pattern: '\\S' })
  query!: string;

  /** What is relevant. Required unless the case has an `expected_answer` or is not answerable. */
  @ApiPropertyOptional({ type: [RelevantItemDto], maxItems: MAX_RELEVANT, default: [] })
  relevant?: RelevantItemDto[];

  /** The expected answer; null where none is given. */
  @ApiPropertyOptional({ type: String, nullable: true, minLength: 1, maxLength: MAX_EXPECTED_ANSWER, pattern: '\\S' })
  expected_answer?: string | null;

  /** Whether the datasets contain an answer; when false, `relevant` must be empty. */
  @ApiPropertyOptional({ type: Boolean, default: true })
  answerable?: boolean;

  /** Tags of the case; metrics are also computed for the cases of each tag. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: MAX_TAG, pattern: '\\S' },
    maxItems: MAX_TAGS,
    default: [],
  })
  tags?: string[];

  /** Whether the service generated the case. */
  @ApiPropertyOptional({ type: Boolean, default: false })
  generated?: boolean;

  /** Whether evaluations use the case. Default: false for a generated case, otherwise true. */
  @ApiPropertyOptional({ type: Boolean })
  approved?: boolean;

  /**
   * Identifier of the document, in one of the datasets, that the case was generated from; null or left out for other cases. The case is removed when
   * the document is deleted or put into quarantine.
   */
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true })
  source_document_id?: string | null;

  /** Position of the case, as `GET` shows it; ignored in requests, where the order counts. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0 })
  place?: number;

  /**
   * Whether the text of the case is no longer in the document that it was generated from, as `GET` shows it; ignored in requests. Evaluations
   * leave such a case out.
   */
  @ApiPropertyOptional({ type: Boolean })
  outdated?: boolean;
}

/** A new set of cases, given as `cases` or as `csv`. */
export class CreateCaseSetRequest {
  /**
   * Name of the case set.
   * @example "Questions about contracts"
   */
  @Text({ filled: true, max: MAX_NAME, example: 'Questions about contracts' })
  name!: string;

  /** Identifiers of the datasets that the cases are about, 1 to 50. The set is visible only to those who see all of them. */
  @Uuids({ min: 1, max: DATASETS_MAX })
  dataset_ids!: string[];

  /** The cases, 1 to 2,000. */
  @ApiPropertyOptional({ type: [EvaluationCaseDto], minItems: 1, maxItems: MAX_CASES })
  @IfPresent()
  @IsArray()
  cases?: object[];

  /**
   * The cases as CSV with a header row: `query`, and any of `document_id`, `chunk_id`, `text`, `expected_answer`, `answerable`, `tags` (separated
   * by `|`). Rows with the same query are one case; each adds an item to `relevant`.
   * @example "query,document_id,tags\nHow long is the notice period?,01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10,contracts"
   */
  @Text({ optional: true, described: { minLength: 1 } })
  csv?: string;
}

/** A change of a set of cases. A change of the cases, also an approval, makes a new version. */
export class UpdateCaseSetRequest {
  /** New name of the case set. */
  @Text({ optional: true, filled: true, max: MAX_NAME })
  name?: string;

  /** All cases of the new version. */
  @ApiPropertyOptional({ type: [EvaluationCaseDto], minItems: 1, maxItems: MAX_CASES })
  @IfPresent()
  @IsArray()
  cases?: object[];

  /** All cases of the new version, as CSV. */
  @Text({ optional: true, described: { minLength: 1 } })
  csv?: string;

  /** Cases to append to those of the set, such as `case` of `GET /datasets/{id}/questions`. Cannot be combined with `cases` or `csv`. */
  @ApiPropertyOptional({ type: [EvaluationCaseDto], minItems: 1, maxItems: MAX_CASES })
  @IfPresent()
  @IsArray()
  add?: object[];

  /** Values of `place` of the cases to approve. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer', minimum: 0, maximum: MAX_CASES - 1 },
    minItems: 1,
    maxItems: MAX_CASES,
    uniqueItems: true,
  })
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_CASES)
  @ArrayUnique()
  @IsInt({ each: true })
  @Min(0, { each: true })
  @Max(MAX_CASES - 1, { each: true })
  approve?: number[];

  /** Whether to approve all cases. */
  @Flag({ optional: true, default: false })
  approve_all?: boolean;
}

export const CASE_SET_ORDERS = ['created_at', '-created_at', 'name', '-name'] as const;
export type CaseSetOrder = (typeof CASE_SET_ORDERS)[number];

/** Filter and order of the case sets. */
export class ListCaseSetsQuery extends ListQueryDto {
  /** Only case sets of this dataset. */
  @IsOptional()
  @IsUUID()
  dataset_id?: string;

  /** Order of the rows; a minus sign means descending. Numbers within names count by their value: `Report 2` before `Report 10`. */
  @Choice(CASE_SET_ORDERS, { query: true, default: '-created_at' })
  order_by: CaseSetOrder = '-created_at';
}

/** Which version of a case set. */
export class CaseSetQuery {
  /** Number of an earlier version; the newest 20 are kept. Default: the current version. */
  @Integer({ query: true, min: 1, max: 1_000_000_000 })
  version?: number;
}

/** A set of cases without its cases. */
export class CaseSetHead {
  /** Identifier of the case set. */
  @Answer.Uuid()
  id!: string;

  /** Name of the case set. */
  name!: string;

  /** Identifiers of the datasets that the cases are about. */
  @Answer.Uuids()
  dataset_ids!: string[];

  /** Number of the version; increases with every change of the cases. */
  @Answer.Integer({ min: 1 })
  version!: number;

  /** Number of cases in the set. */
  @Answer.Count()
  case_count!: number;

  /** Number of cases that wait to be approved; evaluations leave them out. */
  @Answer.Count()
  unapproved_count!: number;

  /** Number of cases whose text is no longer in their document; evaluations leave them out. */
  @Answer.Count()
  outdated_count!: number;

  /** How the cases are generated; null for cases that were uploaded. */
  @Answer.Nested(CaseSetGeneration, { nullable: true })
  generation!: CaseSetGeneration | null;

  /** Identifier of the account that created the set; for a set created with an API key, the account of the key. null for the service itself. */
  @Answer.Uuid({ nullable: true })
  created_by!: string | null;

  /** Time at which the set was created. */
  @Answer.Instant()
  created_at!: string;

  /** Time of the last change. */
  @Answer.Instant()
  updated_at!: string;
}

/** A case of a set, with every default filled in. `place` is its position in this version, from 0; other versions may have it at another position. */
export class EvaluationCaseView extends EvaluationCaseDto {}

/** A set of cases. */
export class CaseSet extends CaseSetHead {
  /** The cases. */
  @Answer.NestedList(EvaluationCaseView)
  cases!: EvaluationCaseView[];
}

/** A page of case sets. */
export class CaseSetPage extends PageOf(CaseSetHead, {
  items: 'Case sets of this page.',
  total: 'Number of case sets that match.',
}) {}
