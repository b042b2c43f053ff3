import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IfPresent, ListQueryDto, QueryInteger } from '#libs/http';
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
const COUNT = { type: 'integer', minimum: 0 } as const;
const ID = { type: String, format: 'uuid' } as const;

/** What should be found; all fields that are given must hold of one result, and one must be given. */
export class RelevantItemDto {
  /** Any chunk of this document; the id of an archive means its files. */
  @ApiPropertyOptional(ID)
  document_id?: string;

  /** This chunk. */
  @ApiPropertyOptional(ID)
  chunk_id?: string;

  /** A chunk that holds this text, compared without regard to case and with any white space for any other. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_QUERY, pattern: '\\S' })
  text?: string;
}

/** A question, and what its answer should rest on. */
export class EvaluationCaseDto {
  /**
   * The question; no two cases have the same one.
   * @example "How long is the notice period?"
   */
  @ApiProperty({ type: String, minLength: 1, maxLength: MAX_QUERY, pattern: '\\S' })
  query!: string;

  /** What is relevant. Needed unless there is an `expected_answer` or the case is not answerable. */
  @ApiPropertyOptional({ type: [RelevantItemDto], maxItems: MAX_RELEVANT, default: [] })
  relevant?: RelevantItemDto[];

  /** What an answer should say. */
  @ApiPropertyOptional({ type: String, nullable: true, minLength: 1, maxLength: MAX_EXPECTED_ANSWER, pattern: '\\S' })
  expected_answer?: string | null;

  /** False: the datasets hold no answer; `relevant` must then be empty. */
  @ApiPropertyOptional({ type: Boolean, default: true })
  answerable?: boolean;

  /** Figures are given for the cases of each tag, too. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: MAX_TAG, pattern: '\\S' },
    maxItems: MAX_TAGS,
    default: [],
  })
  tags?: string[];

  /** Whether the service made it. */
  @ApiPropertyOptional({ type: Boolean, default: false })
  generated?: boolean;

  /** Whether jobs use it; false by default for a generated one. */
  @ApiPropertyOptional({ type: Boolean })
  approved?: boolean;

  /** The document that it was made of, in one of the datasets: the case goes when that is deleted or put into quarantine. */
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true })
  source_document_id?: string | null;

  /** As `GET` shows it; ignored in requests, where the order counts. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0 })
  place?: number;

  /** Its text does not stand in the document that it was made of any more, as `GET` shows it; ignored in requests. Jobs leave such a case out. */
  @ApiPropertyOptional({ type: Boolean })
  outdated?: boolean;
}

/** A new set of cases: `cases`, or the same as `csv`. */
export class CreateCaseSetRequest {
  /**
   * What it is called.
   * @example "Questions about contracts"
   */
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_NAME,
    pattern: '\\S',
    example: 'Questions about contracts',
  })
  @IsString()
  @MaxLength(MAX_NAME)
  @Matches(/\S/u, { message: 'name must hold more than white space' })
  name!: string;

  /** The datasets that it was made of, 1 to 50. Whoever does not see all of them does not see the set. */
  @ApiProperty({ type: [String], format: 'uuid', minItems: 1, maxItems: DATASETS_MAX })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(DATASETS_MAX)
  @IsUUID(undefined, { each: true })
  dataset_ids!: string[];

  /** The cases, 1 to 2,000. */
  @ApiPropertyOptional({ type: [EvaluationCaseDto], minItems: 1, maxItems: MAX_CASES })
  @IfPresent()
  @IsArray()
  cases?: object[];

  /**
   * The cases as CSV with a header row: `query`, and any of `document_id`, `chunk_id`, `text`, `expected_answer`, `answerable`, `tags`
   * (parted by `|`). Rows with the same query are one case, each adds what is relevant.
   * @example "query,document_id,tags\nHow long is the notice period?,01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10,contracts"
   */
  @ApiPropertyOptional({ type: String, minLength: 1 })
  @IfPresent()
  @IsString()
  csv?: string;
}

/** A change of a set of cases. Other cases, or an approval, make a new version. */
export class UpdateCaseSetRequest {
  /** Another name. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_NAME, pattern: '\\S' })
  @IfPresent()
  @IsString()
  @MaxLength(MAX_NAME)
  @Matches(/\S/u, { message: 'name must hold more than white space' })
  name?: string;

  /** All cases of the new version. */
  @ApiPropertyOptional({ type: [EvaluationCaseDto], minItems: 1, maxItems: MAX_CASES })
  @IfPresent()
  @IsArray()
  cases?: object[];

  /** The same as CSV. */
  @ApiPropertyOptional({ type: String, minLength: 1 })
  @IfPresent()
  @IsString()
  csv?: string;

  /** Cases behind those that the set has, such as `case` of `GET /datasets/{id}/questions`. Not beside `cases` or `csv`. */
  @ApiPropertyOptional({ type: [EvaluationCaseDto], minItems: 1, maxItems: MAX_CASES })
  @IfPresent()
  @IsArray()
  add?: object[];

  /** Approves cases by their `place`. */
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

  /** Approves all cases. */
  @ApiPropertyOptional({ type: Boolean, default: false })
  @IfPresent()
  @IsBoolean()
  approve_all?: boolean;
}

export const CASE_SET_ORDERS = ['created_at', '-created_at', 'name', '-name'] as const;
export type CaseSetOrder = (typeof CASE_SET_ORDERS)[number];

/** Filter and order of the case sets. */
export class ListCaseSetsQuery extends ListQueryDto {
  /** Only those that were made of this dataset. */
  @IsOptional()
  @IsUUID()
  dataset_id?: string;

  /** Order of the rows; a minus sign means descending. */
  @ApiPropertyOptional({ enum: CASE_SET_ORDERS, default: '-created_at' })
  @IsOptional()
  @IsIn(CASE_SET_ORDERS)
  order_by: CaseSetOrder = '-created_at';
}

/** Which version of a case set. */
export class CaseSetQuery {
  /** A former version; the newest 20 are kept. Default: the present one. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 1_000_000_000 })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(1_000_000_000)
  version?: number;
}

/** A set of cases without its cases. */
export class CaseSetHead {
  /** Its id. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** What it is called. */
  name!: string;

  /** The datasets that it was made of. */
  @ApiProperty({ type: [String], format: 'uuid' })
  dataset_ids!: string[];

  /** Grows with every change of the cases. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  version!: number;

  /** How many cases it has. */
  @ApiProperty(COUNT)
  case_count!: number;

  /** How many of them wait to be approved; jobs leave those out. */
  @ApiProperty(COUNT)
  unapproved_count!: number;

  /** How many of them rest on a text that does not stand in their document any more; jobs leave those out. */
  @ApiProperty(COUNT)
  outdated_count!: number;

  /** Null where somebody brought the cases. */
  @ApiProperty({ type: CaseSetGeneration, nullable: true })
  generation!: CaseSetGeneration | null;

  /** Who made it. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  created_by!: string | null;

  /** When it was made. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** When it was changed last. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

/** A case of a set, with every default filled in. `place` is its number in this version, from 0, whatever went before it. */
export class EvaluationCaseView extends EvaluationCaseDto {}

/** A set of cases. */
export class CaseSet extends CaseSetHead {
  /** The cases. */
  @ApiProperty({ type: [EvaluationCaseView] })
  cases!: EvaluationCaseView[];
}

/** A page of case sets. */
export class CaseSetPage {
  /** The sets of this page. */
  @ApiProperty({ type: [CaseSetHead] })
  items!: CaseSetHead[];

  /** How many match in all. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many there are at most. */
  @ApiProperty(COUNT)
  limit!: number;
}
