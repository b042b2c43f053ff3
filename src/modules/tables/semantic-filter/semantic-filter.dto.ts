import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { Answer, Choice, Decimal, Integer } from '#libs/http';
import {
  DEFAULT_THRESHOLD,
  ITEMS_DEFAULT,
  ITEMS_MAX,
  MODEL_CALLS_DEFAULT,
  MODEL_CALLS_MAX,
  PREDICATE_MAX,
} from './filter-limits.js';

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

/** A predicate in words over the documents, chunks or rows of a dataset. */
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
  @Choice(FILTER_TARGETS, { name: 'FilterTarget', optional: true, default: 'documents' })
  target?: FilterTarget = 'documents';

  /** Maximum number of items in the response; `stats` covers all items that were examined. */
  @Integer({ optional: true, min: 1, max: ITEMS_MAX, default: ITEMS_DEFAULT })
  limit?: number = ITEMS_DEFAULT;

  /**
   * Minimum certainty of a verdict, 0 to 1: `true` needs a score of at least this value, `false` a score of at most 1 minus this value; a less
   * certain verdict is `unknown`. With 0.5 or less every verdict is kept; with 1 only conditions over metadata and columns decide.
   */
  @Decimal({ optional: true, min: 0, max: 1, default: DEFAULT_THRESHOLD })
  threshold?: number = DEFAULT_THRESHOLD;

  /** Maximum number of calls of the chat model, each about one item that nothing else decided; with 0 the model is not called. */
  @Integer({ optional: true, min: 0, max: MODEL_CALLS_MAX, default: MODEL_CALLS_DEFAULT })
  max_model_calls?: number = MODEL_CALLS_DEFAULT;
}

/** Evidence of a verdict; for an unknown verdict, the nearest evidence. */
export class FilterEvidence {
  /** Kind of the evidence. `text`: a sentence of the document. `metadata`: a value of its metadata. `column`: a value of a column. */
  @Answer.Choice(['text', 'metadata', 'column'], { name: 'FilterEvidenceKind' })
  kind!: 'text' | 'metadata' | 'column';

  /** A sentence of the document, or the value under `key`. */
  @Answer.Text()
  text!: string;

  /** Key of the metadata, or name of the column; null for a sentence. */
  @Answer.Text({ nullable: true })
  key!: string | null;

  /** Identifier of the chunk that contains the sentence; null otherwise. */
  @Answer.Uuid({ nullable: true })
  chunk_id!: string | null;

  /** Start of the sentence in the canonical text of the document, in UTF-16 code units; null where the evidence is not a sentence. */
  @Answer.Count({ nullable: true })
  char_start!: number | null;

  /** End of the sentence in the canonical text of the document, exclusive, in UTF-16 code units; null where the evidence is not a sentence. */
  @Answer.Count({ nullable: true })
  char_end!: number | null;
}

/** A document, chunk or row with its verdict. */
export class FilterItem {
  /** Identifier of the document or the chunk; for a row, name of its table and number, as in `prices/2`. */
  @Answer.Text()
  id!: string;

  /** Identifier of the document; for a chunk or row, of the document that contains it. */
  @Answer.Uuid()
  document_id!: string;

  /** Name of the document. */
  @Answer.Text()
  document_name!: string;

  /** Name of the table of a row; null otherwise. */
  @Answer.Text({ nullable: true })
  table!: string | null;

  /** Number of a row in its document or sheet, from 1; null otherwise. */
  @Answer.Integer({ nullable: true, min: 1 })
  row!: number | null;

  /** Verdict about the item. `unknown`: not decided, for any reason. An undecided item is never `false`. */
  @Answer.Choice(FILTER_VERDICTS, { name: 'FilterVerdict' })
  verdict!: FilterVerdict;

  /** How far the predicate is met, 0 to 1. Near 0.5 for an unknown verdict, and higher where more of the sought content was found. */
  @Answer.Share()
  score!: number;

  /** What decided the verdict; null where nothing did. */
  @Answer.Choice(FILTER_MEANS, { name: 'FilterMeans', nullable: true })
  decided_by!: FilterMeans | null;

  /** Why the verdict is unknown; null where it is known. */
  @Answer.Choice(UNKNOWN_REASONS, { name: 'FilterUnknownReason', nullable: true })
  unknown_because!: UnknownReason | null;

  /** Reason for the verdict in a sentence; where a chat model decided, in the model's own words. */
  @Answer.Text()
  rationale!: string;

  /** Evidence of the verdict; empty where none was found. */
  @Answer.NestedList(FilterEvidence)
  evidence!: FilterEvidence[];
}

export class FilterStatement {
  /** Kind of the statement. `phrase`: these exact words. `mention`: the text mentions it. `claim`: anything else. */
  @Answer.Choice(STATEMENT_KINDS, { name: 'FilterStatementKind' })
  kind!: (typeof STATEMENT_KINDS)[number];

  /** Words of the predicate that the text has to support. */
  @Answer.Text()
  sought!: string;
}

/** How the predicate was read. */
export class FilterReading {
  /** Name of the table that this reading applies to; null for documents and chunks. */
  @Answer.Text({ nullable: true })
  table!: string | null;

  /** Conditions over metadata, in the form of `filters` of a search; for columns the key is the name of the column. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  filters!: object[];

  /** Statements that are left for texts to decide. */
  @Answer.NestedList(FilterStatement)
  statements!: FilterStatement[];

  /** Whether a part of the predicate is negated: filters and statements are shown without the negations. */
  @Answer.Flag()
  negated!: boolean;
}

export class FilterVerdictCounts {
  /** Number of items that meet the predicate. */
  @Answer.Count()
  true!: number;

  /** Number of items that do not meet the predicate. */
  @Answer.Count()
  false!: number;

  /** Number of undecided items. */
  @Answer.Count()
  unknown!: number;
}

/** Numbers of verdicts by what decided them. */
export class FilterMeansCounts {
  /** Number of verdicts decided by conditions over metadata of documents. */
  @Answer.Count()
  metadata!: number;

  /** Number of verdicts decided by conditions over columns of tables. */
  @Answer.Count()
  columns!: number;

  /** Number of verdicts decided by words of the text. */
  @Answer.Count()
  lexical!: number;

  /** Number of verdicts decided by the chat model. */
  @Answer.Count()
  model!: number;
}

/** Numbers of unknown verdicts by reason. */
export class FilterUnknownCounts {
  /**
   * Number of items that the chat model could not decide: it could not tell, its quotation is not in the text, or it is less certain than
   * `threshold`.
   */
  @Answer.Count()
  undecided!: number;

  /** Number of items left because no chat model is configured that writes text of its own. */
  @Answer.Count()
  no_model!: number;

  /** Number of items left because `max_model_calls`, or the time for calls, was used up. */
  @Answer.Count()
  call_limit!: number;

  /** Number of items left because the tenant's budget is used up. */
  @Answer.Count()
  budget!: number;

  /** Number of items left because the chat model failed. */
  @Answer.Count()
  model_failed!: number;

  /** Number of items whose text was not read, or not to its end. */
  @Answer.Count()
  not_read!: number;
}

/** Numbers of examined items and of verdicts. */
export class FilterStats {
  /** Number of documents, chunks or rows that the dataset shows. */
  @Answer.Count()
  total!: number;

  /** Number of documents, chunks or rows that were examined. */
  @Answer.Count()
  looked_at!: number;

  /** Number of items left out because of the limits of one request. */
  @Answer.Count()
  not_looked_at!: number;

  @Answer.Nested(FilterVerdictCounts)
  verdicts!: FilterVerdictCounts;

  @Answer.Nested(FilterMeansCounts)
  decided_by!: FilterMeansCounts;

  @Answer.Nested(FilterUnknownCounts)
  unknown_because!: FilterUnknownCounts;

  /** Number of calls of the chat model, including failed ones. */
  @Answer.Count()
  model_calls!: number;

  /** Maximum number of calls of the chat model, as in the request. */
  @Answer.Count()
  max_model_calls!: number;

  /** Order in which undecided items were given to the chat model. */
  @Answer.Choice(ORDERS, { name: 'FilterOrder' })
  ordered_by!: (typeof ORDERS)[number];

  /** Time from the request to the result, in milliseconds. */
  @Answer.Count()
  elapsed_ms!: number;
}

export class FilterWarning {
  /** Code of the warning. */
  @Answer.Text({ example: 'no_tables' })
  code!: string;

  /** What the warning is about, in a sentence. */
  @Answer.Text()
  detail!: string;
}

/** Verdicts: true ones first, then unknown, then false ones, each group by descending score. */
export class SemanticFilterResponse {
  /** Items with their verdicts, at most `limit`. */
  @Answer.NestedList(FilterItem)
  items!: FilterItem[];

  /** How the predicate was read: one reading for documents and chunks; for rows, one reading for each table. */
  @Answer.NestedList(FilterReading)
  readings!: FilterReading[];

  @Answer.Nested(FilterStats)
  stats!: FilterStats;

  /** What may make the result incomplete, for example a table that was not read; empty if nothing does. */
  @Answer.NestedList(FilterWarning)
  warnings!: FilterWarning[];
}
