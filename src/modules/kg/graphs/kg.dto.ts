import { GRAPH_ENTITY_TYPES, type GraphEntityType } from '../../ingestion-policy/index.js';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsUUID,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { IfPresent } from '#libs/http';
import { EXTRACTION_MODES, EXTRACTION_STATUSES, type ExtractionMode } from './kg-graph.entity.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const TOKENS = { type: 'integer', minimum: 0 } as const;
export const GRAPH_STATUSES = ['empty', ...EXTRACTION_STATUSES] as const;
const MOST_DOCUMENTS = 500;

/** What an extraction may use. */
export class KgBudget {
  /**
   * Maximum number of tokens that the chat model may read and write in this run. Before each call an upper estimate is reserved; when the budget
   * has no room for the next call, the run ends as `incomplete`, and another run continues it. `most_tokens` of a dry run is an amount that
   * suffices. Unused with `heuristic`. If omitted, only the tenant's budgets limit the run.
   */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 1_000_000_000 })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(1_000_000_000)
  max_tokens?: number;
}

/** What is to be extracted. */
export class TriggerKgRequest {
  /** Identifier of the dataset whose graph is built. */
  @ApiProperty({ type: String, format: 'uuid' })
  @IsUUID()
  dataset_id!: string;

  /** Identifiers of the documents of the dataset to extract; default: all. What was extracted from other documents is kept. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', minItems: 1, maxItems: MOST_DOCUMENTS })
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_DOCUMENTS)
  @IsUUID(undefined, { each: true })
  document_ids?: string[];

  /**
   * How to extract. `heuristic`: by rules, for every script, without a model and without cost. `llm`: the configured chat model reads each chunk;
   * 422 where no model is configured that writes text of its own. Text that the model has read before is not read or charged again. The latest
   * extraction of a document replaces earlier ones.
   */
  @ApiPropertyOptional({ enum: EXTRACTION_MODES, default: 'heuristic' })
  @IfPresent()
  @IsIn(EXTRACTION_MODES)
  mode: ExtractionMode = 'heuristic';

  /** Kinds of entities to keep; default: all. */
  @ApiPropertyOptional({ enum: GRAPH_ENTITY_TYPES, isArray: true, minItems: 1 })
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(GRAPH_ENTITY_TYPES.length)
  @IsIn(GRAPH_ENTITY_TYPES, { each: true })
  entity_types?: GraphEntityType[];

  /** Limits of the extraction. */
  @ApiPropertyOptional({ type: () => KgBudget })
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => KgBudget)
  budget?: KgBudget;

  /** Whether to return only the estimate, without starting an extraction. */
  @ApiPropertyOptional({ type: Boolean, default: false })
  @IfPresent()
  @IsBoolean()
  dry_run: boolean = false;
}

/** How much an extraction would have to do. */
export class KgEstimate {
  /** Number of requested documents that searches find now. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Number of those documents that are not extracted yet in this mode, or of which parts were skipped. */
  @ApiProperty(COUNT)
  documents_to_extract!: number;

  /** Number of chunks of the documents to extract. */
  @ApiProperty(COUNT)
  chunks!: number;

  /** Number of tokens of these chunks. */
  @ApiProperty(COUNT)
  tokens!: number;

  /** Estimated number of tokens that the chat model would read and write; 0 with `heuristic`. */
  @ApiProperty(TOKENS)
  model_tokens!: number;

  /** Number of pieces of text (chunks, or parts of long ones) that the model has read before and that cost nothing. */
  @ApiProperty(COUNT)
  cached_chunks!: number;

  /** Number of calls of the model, one for each other piece of text. */
  @ApiProperty(COUNT)
  calls!: number;

  /** Number of tokens that the model would read. */
  @ApiProperty(TOKENS)
  input_tokens!: number;

  /** Rough number of tokens that the model would write; it depends on how much the texts name. */
  @ApiProperty(TOKENS)
  output_tokens!: number;

  /** Value of `budget.max_tokens` with which every call has room at any time; repairs of answers are not included. */
  @ApiProperty(TOKENS)
  most_tokens!: number;

  /** Cost by the configured prices, in their currency; null where the model has no price. */
  @ApiProperty({ type: Number, minimum: 0, nullable: true })
  cost!: number | null;

  /** Provider and name of the model; null with `heuristic`. */
  @ApiProperty({ type: String, nullable: true })
  model!: string | null;
}

/** An extraction that was asked for. */
export class KgTriggered {
  /** Identifier of the graph, for `GET /kg/{id}`; in a dry run for a dataset without a graph, the identifier of the dataset. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** `pending`: the extraction will run. `dry_run`: nothing was started. */
  @ApiProperty({ enum: ['pending', 'dry_run'] })
  status!: 'pending' | 'dry_run';

  /** Estimate of the work. */
  @ApiProperty({ type: () => KgEstimate })
  estimate!: KgEstimate;
}

/** How far the extraction that was asked for last is. */
export class KgProgress {
  /** Number of documents processed. */
  @ApiProperty(COUNT)
  done!: number;

  /** Number of documents to process; null before the work has begun. */
  @ApiProperty({ ...COUNT, nullable: true })
  total!: number | null;
}

/** Documents by whether the graph knows what they say. */
export class KgDocuments {
  /** Number of documents that searches find and that are in the graph. */
  @ApiProperty(COUNT)
  extracted!: number;

  /** Number of documents that searches find and that are not in the graph. */
  @ApiProperty(COUNT)
  not_extracted!: number;
}

/** Why an extraction failed, or ended early. */
export class KgError {
  /** Stable error code. */
  @ApiProperty({ type: String })
  code!: string;

  /** What happened. */
  @ApiProperty({ type: String })
  message!: string;
}

/** What an extraction has taken of a chat model. */
export class KgUsage {
  /** Number of answered requests. */
  @ApiProperty(COUNT)
  calls!: number;

  /** Number of tokens that the model read. */
  @ApiProperty(TOKENS)
  input_tokens!: number;

  /** Number of tokens that the model wrote. */
  @ApiProperty(TOKENS)
  output_tokens!: number;

  /** Cost by the configured prices, in their currency; 0 where there are none. */
  @ApiProperty({ type: Number, minimum: 0 })
  cost!: number;

  /** Number of pieces of text that the model had read before. */
  @ApiProperty(COUNT)
  cached_chunks!: number;
}

/** Something that was left out, and how often. */
export class KgSkipped {
  /** What was left out. `chunk`: a whole piece of text. `entity`, `relation`: an element of a list that the model wrote. */
  @ApiProperty({ enum: ['chunk', 'entity', 'relation'] })
  what!: string;

  /**
   * Why it was left out. `malformed`: not in the requested form, for a chunk twice. `refused`: filtered by the provider. `rejected`: not accepted
   * by the provider. `not_in_text`: not in the text. `wrong_type`, `wrong_relation`: of a kind that was not requested. `unknown_end`: connects
   * something that is no entity.
   */
  @ApiProperty({ type: String })
  reason!: string;

  @ApiProperty(COUNT)
  count!: number;
}

/** What an extraction that ended early has left. */
export class KgRemaining {
  /** Number of documents. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Number of chunks of these documents. */
  @ApiProperty(COUNT)
  chunks!: number;
}

/** The knowledge graph of a dataset. */
export class KgGraph {
  /** Identifier of the graph; without an extraction so far, the identifier of the dataset. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Identifier of the dataset. */
  @ApiProperty({ type: String, format: 'uuid' })
  dataset_id!: string;

  /**
   * State of the latest extraction. `empty`: none was requested; ingestion may have filled the graph all the same. `incomplete`: it ended early
   * because its budget or the tenant's was used up, or because the provider did not answer (`error`); what it read is kept, and another call
   * continues it.
   */
  @ApiProperty({ enum: GRAPH_STATUSES })
  status!: (typeof GRAPH_STATUSES)[number];

  /** How the latest extraction extracts; null without one. */
  @ApiProperty({ enum: EXTRACTION_MODES, nullable: true })
  mode!: ExtractionMode | null;

  /** Provider and name of the model; null with `heuristic`. */
  @ApiProperty({ type: String, nullable: true })
  model!: string | null;

  /** `budget.max_tokens` of the extraction; null where none was given. */
  @ApiProperty({ ...TOKENS, nullable: true })
  max_tokens!: number | null;

  /** Usage of the chat model by the extraction so far. */
  @ApiProperty({ type: () => KgUsage })
  usage!: KgUsage;

  /** What the extraction has left out so far, and why. */
  @ApiProperty({ type: () => [KgSkipped] })
  skipped!: readonly KgSkipped[];

  /** Work left by an `incomplete` extraction; null otherwise. */
  @ApiProperty({ type: () => KgRemaining, nullable: true })
  remaining!: KgRemaining | null;

  /** `provider_backoff` while the extraction waits because the provider asked for a pause; null otherwise. */
  @ApiProperty({ type: String, enum: ['provider_backoff'], nullable: true })
  waiting_reason!: 'provider_backoff' | null;

  /** Progress of the extraction; null without one. */
  @ApiProperty({ type: () => KgProgress, nullable: true })
  progress!: KgProgress | null;

  /** Kinds of entities that the extraction keeps; null without one. */
  @ApiProperty({ enum: GRAPH_ENTITY_TYPES, isArray: true, nullable: true })
  entity_types!: readonly GraphEntityType[] | null;

  /** Documents by whether they are in the graph now. */
  @ApiProperty({ type: () => KgDocuments })
  documents!: KgDocuments;

  /** Why the extraction failed or is incomplete; null otherwise. */
  @ApiProperty({ type: () => KgError, nullable: true })
  error!: KgError | null;

  /** Time at which the extraction was requested; null without one. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  triggered_at!: string | null;

  /** Time at which the extraction ended; null before. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at!: string | null;
}
