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
  /** The condition in words, such as `is an open ticket that mentions a printer`, `was signed after 2023`, `does not mention a penalty`. */
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

  /** What to judge: documents, their chunks, or rows of the tables in documents. */
  @ApiPropertyOptional({ enum: FILTER_TARGETS, enumName: 'FilterTarget', default: 'documents' })
  @IfPresent()
  @IsIn(FILTER_TARGETS)
  target?: FilterTarget = 'documents';

  /** Maximum number of items in the response; `stats` covers all items that were examined. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: ITEMS_MAX, default: ITEMS_DEFAULT })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(ITEMS_MAX)
  limit?: number = ITEMS_DEFAULT;

  /**
   * Certainty that a verdict needs, 0 to 1: `true` needs a score of at least this value, `false` one of at most 1 minus this value; anything less
   * certain is `unknown`. Up to 0.5 every verdict is kept; with 1 only conditions over metadata and columns decide.
   */
  @ApiPropertyOptional({ type: 'number', minimum: 0, maximum: 1, default: DEFAULT_THRESHOLD })
  @IfPresent()
  @IsNumber()
  @Min(0)
  @Max(1)
  threshold?: number = DEFAULT_THRESHOLD;

  /** Maximum number of calls of the chat model, each about one item that nothing else decided; 0 for none. */
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

  /** A sentence of the document, or the value under `key`. */
  @ApiProperty({ type: String })
  text!: string;

  /** Key of the metadata, or name of the column; null for a sentence. */
  @ApiProperty({ type: String, nullable: true })
  key!: string | null;

  /** Identifier of the chunk that contains the sentence; null otherwise. */
  @ApiProperty({ ...ID, nullable: true })
  chunk_id!: string | null;

  /** Start of the sentence in the canonical text of the document, in UTF-16 code units; null where the evidence is no sentence. */
  @ApiProperty({ ...COUNT, nullable: true })
  char_start!: number | null;

  @ApiProperty({ ...COUNT, nullable: true })
  char_end!: number | null;
}

/** A document, chunk or row with its verdict. */
export class FilterItem {
  /** Identifier of the document or the chunk; for a row, name of its table and number, as in `prices/2`. */
  @ApiProperty({ type: String })
  id!: string;

  @ApiProperty(ID)
  document_id!: string;

  @ApiProperty({ type: String })
  document_name!: string;

  /** Name of the table of a row; null otherwise. */
  @ApiProperty({ type: String, nullable: true })
  table!: string | null;

  /** Number of a row in its document or sheet, from 1; null otherwise. */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  row!: number | null;

  /** Verdict about the item. `unknown`: not decided, for any reason; never means `false`. */
  @ApiProperty({ enum: FILTER_VERDICTS, enumName: 'FilterVerdict' })
  verdict!: FilterVerdict;

  /** How far the predicate is met, 0 to 1. Near 0.5 where nothing decided, higher where more of the sought content was found. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1 })
  score!: number;

  /** What decided the verdict; null where nothing did. */
  @ApiProperty({ enum: FILTER_MEANS, enumName: 'FilterMeans', nullable: true })
  decided_by!: FilterMeans | null;

  /** Why the verdict is unknown; null where it is known. */
  @ApiProperty({ enum: UNKNOWN_REASONS, enumName: 'FilterUnknownReason', nullable: true })
  unknown_because!: UnknownReason | null;

  /** Reason of the verdict in a sentence. What a chat model says is given in its own words. */
  @ApiProperty({ type: String })
  rationale!: string;

  @ApiProperty({ type: [FilterEvidence] })
  evidence!: FilterEvidence[];
}

export class FilterStatement {
  /** Kind of the statement. `phrase`: these exact words. `mention`: the text mentions it. `claim`: anything else. */
  @ApiProperty({ enum: STATEMENT_KINDS, enumName: 'FilterStatementKind' })
  kind!: (typeof STATEMENT_KINDS)[number];

  @ApiProperty({ type: String })
  sought!: string;
}

/** How the predicate was read. */
export class FilterReading {
  /** Name of the table that this reading applies to; null for documents and chunks. */
  @ApiProperty({ type: String, nullable: true })
  table!: string | null;

  /** Conditions over metadata, in the form of `filters` of a search; for columns the key is the name of the column. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  filters!: object[];

  /** Statements that are left for texts to decide. */
  @ApiProperty({ type: [FilterStatement] })
  statements!: FilterStatement[];

  /** Whether a part of the predicate is negated: filters and statements are shown without the negations. */
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
  /** Number of verdicts decided by conditions over metadata of documents. */
  @ApiProperty(COUNT)
  metadata!: number;

  /** Number of verdicts decided by conditions over columns of tables. */
  @ApiProperty(COUNT)
  columns!: number;

  /** Number of verdicts decided by words of the text. */
  @ApiProperty(COUNT)
  lexical!: number;

  @ApiProperty(COUNT)
  model!: number;
}

/** Why how many verdicts are unknown. */
export class FilterUnknownCounts {
  /**
   * Number of items that the chat model could not decide: it could not tell, its quotation is not in the text, or it is less certain than
   * `threshold`.
   */
  @ApiProperty(COUNT)
  undecided!: number;

  /** Number of items left because no chat model is configured that writes text of its own. */
  @ApiProperty(COUNT)
  no_model!: number;

  /** Number of items left because `max_model_calls`, or the time for calls, was used up. */
  @ApiProperty(COUNT)
  call_limit!: number;

  /** Number of items left because the tenant's budget is used up. */
  @ApiProperty(COUNT)
  budget!: number;

  /** Number of items left because the chat model failed. */
  @ApiProperty(COUNT)
  model_failed!: number;

  /** Number of items whose text was not read, or not to its end. */
  @ApiProperty(COUNT)
  not_read!: number;
}

/** What was looked at and what decided. */
export class FilterStats {
  /** Number of documents, chunks or rows that the dataset shows. */
  @ApiProperty(COUNT)
  total!: number;

  @ApiProperty(COUNT)
  looked_at!: number;

  /** Number of items left out because of the limits of one request. */
  @ApiProperty(COUNT)
  not_looked_at!: number;

  @ApiProperty({ type: FilterVerdictCounts })
  verdicts!: FilterVerdictCounts;

  @ApiProperty({ type: FilterMeansCounts })
  decided_by!: FilterMeansCounts;

  @ApiProperty({ type: FilterUnknownCounts })
  unknown_because!: FilterUnknownCounts;

  /** Number of calls of the chat model, including failed ones. */
  @ApiProperty(COUNT)
  model_calls!: number;

  @ApiProperty(COUNT)
  max_model_calls!: number;

  /** Order in which undecided items were given to the chat model. */
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

  /** How the predicate was read: one reading for documents and chunks, for rows one for each table. */
  @ApiProperty({ type: [FilterReading] })
  readings!: FilterReading[];

  @ApiProperty({ type: FilterStats })
  stats!: FilterStats;

  @ApiProperty({ type: [FilterWarning] })
  warnings!: FilterWarning[];
}
