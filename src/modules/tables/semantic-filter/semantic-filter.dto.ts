import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsNumber, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { IfPresent } from '#libs/http';
import {
  DEFAULT_THRESHOLD,
  ITEMS_DEFAULT,
  ITEMS_MAX,
  MODEL_CALLS_DEFAULT,
  MODEL_CALLS_MAX,
  PREDICATE_MAX,
} from './filter-limits.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const ID = { type: String, format: 'uuid' } as const;
export const FILTER_TARGETS = ['documents', 'chunks', 'rows'] as const;
export type FilterTarget = (typeof FILTER_TARGETS)[number];
export const FILTER_VERDICTS = ['true', 'false', 'unknown'] as const;
export type FilterVerdict = (typeof FILTER_VERDICTS)[number];
export const FILTER_MEANS = ['metadata', 'columns', 'lexical', 'model'] as const;
export type FilterMeans = (typeof FILTER_MEANS)[number];
export const UNKNOWN_REASONS = ['undecided', 'no_model', 'call_limit', 'budget', 'model_failed', 'not_read'] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];
const STATEMENT_KINDS = ['phrase', 'mention', 'claim'] as const;
const ORDERS = ['lexical', 'reranker', 'embedding'] as const;

/** A predicate in words over what a dataset shows. */
export class SemanticFilterRequest {
  /** What must hold, in words: `is an open ticket that mentions a printer`, `was signed after 2023`, `does not mention a penalty`. */
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: PREDICATE_MAX,
    example: 'is a contract that mentions a penalty',
  })
  @IsString()
  @MaxLength(PREDICATE_MAX)
  @Matches(/[\p{L}\p{N}]/u, { message: 'predicate must hold a letter or a digit' })
  predicate!: string;

  /** What is judged: documents, their chunks, or rows of the tables of documents. */
  @ApiPropertyOptional({ enum: FILTER_TARGETS, enumName: 'FilterTarget', default: 'documents' })
  @IfPresent()
  @IsIn(FILTER_TARGETS)
  target?: FilterTarget = 'documents';

  /** Most items of the answer; `stats` count all that were looked at. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: ITEMS_MAX, default: ITEMS_DEFAULT })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(ITEMS_MAX)
  limit?: number = ITEMS_DEFAULT;

  /**
   * How certain a verdict must be, 0 to 1: `true` needs a score of at least this, `false` one of at most 1 minus this; what is less certain
   * is `unknown`. Up to 0.5 every verdict stands; with 1 only conditions over metadata and columns decide.
   */
  @ApiPropertyOptional({ type: 'number', minimum: 0, maximum: 1, default: DEFAULT_THRESHOLD })
  @IfPresent()
  @IsNumber()
  @Min(0)
  @Max(1)
  threshold?: number = DEFAULT_THRESHOLD;

  /** Most calls of the chat model, each about one item that nothing else decided. 0: no call. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MODEL_CALLS_MAX, default: MODEL_CALLS_DEFAULT })
  @IfPresent()
  @IsInt()
  @Min(0)
  @Max(MODEL_CALLS_MAX)
  max_model_calls?: number = MODEL_CALLS_DEFAULT;
}

/** What a verdict rests on, or, of an unknown one, what comes nearest. */
export class FilterEvidence {
  @ApiProperty({ enum: ['text', 'metadata', 'column'], enumName: 'FilterEvidenceKind' })
  kind!: 'text' | 'metadata' | 'column';

  /** A sentence as it stands in the document, or the value under `key`. */
  @ApiProperty({ type: String })
  text!: string;

  /** Key of the metadata, or name of the column; null for a text. */
  @ApiProperty({ type: String, nullable: true })
  key!: string | null;

  /** Chunk in which the text stands; null otherwise. */
  @ApiProperty({ ...ID, nullable: true })
  chunk_id!: string | null;

  /** UTF-16 offset of the text in the canonical text of the document; null where it is no text of it. */
  @ApiProperty({ ...COUNT, nullable: true })
  char_start!: number | null;

  @ApiProperty({ ...COUNT, nullable: true })
  char_end!: number | null;
}

/** A document, chunk or row with its verdict. */
export class FilterItem {
  /** Id of the document or the chunk; of a row the name of its table and its number: `prices/2`. */
  @ApiProperty({ type: String })
  id!: string;

  @ApiProperty(ID)
  document_id!: string;

  @ApiProperty({ type: String })
  document_name!: string;

  /** Table of a row; null otherwise. */
  @ApiProperty({ type: String, nullable: true })
  table!: string | null;

  /** Number of a row in its document or sheet, from 1; null otherwise. */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  row!: number | null;

  /** `unknown`: not decided, for whatever reason; never stands for `false`. */
  @ApiProperty({ enum: FILTER_VERDICTS, enumName: 'FilterVerdict' })
  verdict!: FilterVerdict;

  /** How far the predicate holds, 0 to 1. Near 0.5 where nothing decided: larger where more of what is sought was found. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1 })
  score!: number;

  /** What decided; null where nothing did. */
  @ApiProperty({ enum: FILTER_MEANS, enumName: 'FilterMeans', nullable: true })
  decided_by!: FilterMeans | null;

  /** Why the verdict is unknown; null where it is not. */
  @ApiProperty({ enum: UNKNOWN_REASONS, enumName: 'FilterUnknownReason', nullable: true })
  unknown_because!: UnknownReason | null;

  /** Why the verdict is what it is, in a sentence. What a chat model says is its words. */
  @ApiProperty({ type: String })
  rationale!: string;

  @ApiProperty({ type: [FilterEvidence] })
  evidence!: FilterEvidence[];
}

export class FilterStatement {
  /** `phrase`: these very words. `mention`: the text speaks of it. `claim`: anything else. */
  @ApiProperty({ enum: STATEMENT_KINDS, enumName: 'FilterStatementKind' })
  kind!: (typeof STATEMENT_KINDS)[number];

  @ApiProperty({ type: String })
  sought!: string;
}

/** How the predicate was read. */
export class FilterReading {
  /** Table that it was read for; null for documents and chunks. */
  @ApiProperty({ type: String, nullable: true })
  table!: string | null;

  /** Conditions over metadata, in the form of the `filters` of a search; over columns the key is the column's name. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  filters!: object[];

  /** What is left for texts to decide. */
  @ApiProperty({ type: [FilterStatement] })
  statements!: FilterStatement[];

  /** Whether a part of it is negated: filters and statements are shown without their negations. */
  @ApiProperty({ type: Boolean })
  negated!: boolean;
}

export class FilterVerdictCounts {
  @ApiProperty(COUNT)
  true!: number;

  @ApiProperty(COUNT)
  false!: number;

  @ApiProperty(COUNT)
  unknown!: number;
}

/** How many verdicts each means decided. */
export class FilterMeansCounts {
  /** Conditions over metadata of documents. */
  @ApiProperty(COUNT)
  metadata!: number;

  /** Conditions over columns of tables. */
  @ApiProperty(COUNT)
  columns!: number;

  /** Words of the text. */
  @ApiProperty(COUNT)
  lexical!: number;

  @ApiProperty(COUNT)
  model!: number;
}

/** Why how many verdicts are unknown. */
export class FilterUnknownCounts {
  /** The chat model looked at it and could not tell, its proof is not in the text, or it is less certain than `threshold`. */
  @ApiProperty(COUNT)
  undecided!: number;

  /** No chat model is configured that writes texts of its own. */
  @ApiProperty(COUNT)
  no_model!: number;

  /** `max_model_calls`, or the time for calls, was used up. */
  @ApiProperty(COUNT)
  call_limit!: number;

  /** The tenant's budget is used up. */
  @ApiProperty(COUNT)
  budget!: number;

  /** The chat model failed. */
  @ApiProperty(COUNT)
  model_failed!: number;

  /** The text was not read, or not to its end. */
  @ApiProperty(COUNT)
  not_read!: number;
}

/** What was looked at and what decided. */
export class FilterStats {
  /** Documents, chunks or rows that the dataset shows. */
  @ApiProperty(COUNT)
  total!: number;

  @ApiProperty(COUNT)
  looked_at!: number;

  /** Left out because of the bounds of one request. */
  @ApiProperty(COUNT)
  not_looked_at!: number;

  @ApiProperty({ type: FilterVerdictCounts })
  verdicts!: FilterVerdictCounts;

  @ApiProperty({ type: FilterMeansCounts })
  decided_by!: FilterMeansCounts;

  @ApiProperty({ type: FilterUnknownCounts })
  unknown_because!: FilterUnknownCounts;

  /** Calls of the chat model, those that failed included. */
  @ApiProperty(COUNT)
  model_calls!: number;

  @ApiProperty(COUNT)
  max_model_calls!: number;

  /** By what undecided items were ordered before the chat model was asked. */
  @ApiProperty({ enum: ORDERS, enumName: 'FilterOrder' })
  ordered_by!: (typeof ORDERS)[number];

  @ApiProperty(COUNT)
  elapsed_ms!: number;
}

export class FilterWarning {
  @ApiProperty({ type: String, example: 'no_tables' })
  code!: string;

  @ApiProperty({ type: String })
  detail!: string;
}

/** Verdicts: true ones first, then unknown, then false ones, each by falling score. */
export class SemanticFilterResponse {
  @ApiProperty({ type: [FilterItem] })
  items!: FilterItem[];

  /** One for documents and chunks; of rows one for each table. */
  @ApiProperty({ type: [FilterReading] })
  readings!: FilterReading[];

  @ApiProperty({ type: FilterStats })
  stats!: FilterStats;

  @ApiProperty({ type: [FilterWarning] })
  warnings!: FilterWarning[];
}
