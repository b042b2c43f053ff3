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
import { GRAPH_ENTITY_TYPES, type GraphEntityType } from '#libs/graph-extraction';
import { IfPresent } from '#libs/http';
import { EXTRACTION_MODES, EXTRACTION_STATUSES, type ExtractionMode } from './kg-graph.entity.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const TOKENS = { type: 'integer', minimum: 0 } as const;
export const GRAPH_STATUSES = ['empty', ...EXTRACTION_STATUSES] as const;
const MOST_DOCUMENTS = 500;

/** What an extraction may use. */
export class KgBudget {
  /**
   * Most tokens that the chat model may read and write in this run. An upper estimate is set aside before each call; where the next call has no
   * room the run ends `incomplete`, and a further one goes on. `most_tokens` of a dry run says how much suffices. `heuristic` uses none. Left out: only the
   * tenant's budgets bound it.
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
  /** The dataset whose graph it is. */
  @ApiProperty({ type: String, format: 'uuid' })
  @IsUUID()
  dataset_id!: string;

  /** Only these documents of it; left out: all. What other documents gave before stays. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', minItems: 1, maxItems: MOST_DOCUMENTS })
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_DOCUMENTS)
  @IsUUID(undefined, { each: true })
  document_ids?: string[];

  /**
   * `heuristic`: by rules, in every script, without a model and at no cost. `llm`: the chat model of the installation reads each chunk; 422 where none
   * is configured that writes text of its own. What it read once of a text is kept and costs nothing again. A document has the part that was made last.
   */
  @ApiPropertyOptional({ enum: EXTRACTION_MODES, default: 'heuristic' })
  @IfPresent()
  @IsIn(EXTRACTION_MODES)
  mode: ExtractionMode = 'heuristic';

  /** Kinds of entities that are kept; left out: all. */
  @ApiPropertyOptional({ enum: GRAPH_ENTITY_TYPES, isArray: true, minItems: 1 })
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(GRAPH_ENTITY_TYPES.length)
  @IsIn(GRAPH_ENTITY_TYPES, { each: true })
  entity_types?: GraphEntityType[];

  /** What it may use at most. */
  @ApiPropertyOptional({ type: () => KgBudget })
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => KgBudget)
  budget?: KgBudget;

  /** True: nothing is started; the answer says how much there would be to do. */
  @ApiPropertyOptional({ type: Boolean, default: false })
  @IfPresent()
  @IsBoolean()
  dry_run: boolean = false;
}

/** How much an extraction would have to do. */
export class KgEstimate {
  /** Documents that are asked for and found by search now. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Those of them that are not extracted yet in this way, or of which parts were skipped. */
  @ApiProperty(COUNT)
  documents_to_extract!: number;

  /** Their chunks. */
  @ApiProperty(COUNT)
  chunks!: number;

  /** Tokens of these chunks. */
  @ApiProperty(COUNT)
  tokens!: number;

  /** Tokens of a chat model that it would use, read and written, as an estimate: none by rules. */
  @ApiProperty(TOKENS)
  model_tokens!: number;

  /** Stretches of text (chunks, or parts of long ones) that the model has read before: they cost nothing. */
  @ApiProperty(COUNT)
  cached_chunks!: number;

  /** Calls of the model, one for each further stretch. */
  @ApiProperty(COUNT)
  calls!: number;

  /** Tokens that the model would read. */
  @ApiProperty(TOKENS)
  input_tokens!: number;

  /** Tokens that the model would write, roughly: how much a text names is not known before. */
  @ApiProperty(TOKENS)
  output_tokens!: number;

  /** What `budget.max_tokens` must be so that every call has room at any moment; repairs of answers come on top. */
  @ApiProperty(TOKENS)
  most_tokens!: number;

  /** By the configured prices, in their currency; null where the model has none. */
  @ApiProperty({ type: Number, minimum: 0, nullable: true })
  cost!: number | null;

  /** Provider and model; null by rules. */
  @ApiProperty({ type: String, nullable: true })
  model!: string | null;
}

/** An extraction that was asked for. */
export class KgTriggered {
  /** The graph, for `GET /kg/{id}`; in a dry run the dataset where it has none yet. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** `dry_run`: nothing was started. */
  @ApiProperty({ enum: ['pending', 'dry_run'] })
  status!: 'pending' | 'dry_run';

  /** How much there is to do. */
  @ApiProperty({ type: () => KgEstimate })
  estimate!: KgEstimate;
}

/** How far the extraction that was asked for last is. */
export class KgProgress {
  /** Documents that were looked at. */
  @ApiProperty(COUNT)
  done!: number;

  /** Documents that are to be looked at; null before the work has begun. */
  @ApiProperty({ ...COUNT, nullable: true })
  total!: number | null;
}

/** Documents by whether the graph knows what they say. */
export class KgDocuments {
  /** Found by search, and in the graph. */
  @ApiProperty(COUNT)
  extracted!: number;

  /** Found by search, and not in the graph. */
  @ApiProperty(COUNT)
  not_extracted!: number;
}

/** Why an extraction failed, or ended early. */
export class KgError {
  /** Stable code. */
  @ApiProperty({ type: String })
  code!: string;

  /** What happened. */
  @ApiProperty({ type: String })
  message!: string;
}

/** What an extraction has taken of a chat model. */
export class KgUsage {
  /** Requests that were answered. */
  @ApiProperty(COUNT)
  calls!: number;

  /** Tokens that it read. */
  @ApiProperty(TOKENS)
  input_tokens!: number;

  /** Tokens that it wrote. */
  @ApiProperty(TOKENS)
  output_tokens!: number;

  /** By the configured prices, in their currency; 0 where there are none. */
  @ApiProperty({ type: Number, minimum: 0 })
  cost!: number;

  /** Stretches of text that it had read before. */
  @ApiProperty(COUNT)
  cached_chunks!: number;
}

/** Something that was left out, and how often. */
export class KgSkipped {
  /** `chunk`: nothing of a stretch of text. `entity`, `relation`: one of a list that the model wrote. */
  @ApiProperty({ enum: ['chunk', 'entity', 'relation'] })
  what!: string;

  /**
   * `malformed`: not in the form that was asked for, for a chunk twice. `refused`: the provider filters it. `rejected`: the provider does not take it.
   * `not_in_text`: the text does not have it. `wrong_type`, `wrong_relation`: of no kind that was asked for. `unknown_end`: joins what is no entity.
   */
  @ApiProperty({ type: String })
  reason!: string;

  @ApiProperty(COUNT)
  count!: number;
}

/** What an extraction that ended early has left. */
export class KgRemaining {
  /** Documents. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Their chunks. */
  @ApiProperty(COUNT)
  chunks!: number;
}

/** The knowledge graph of a dataset. */
export class KgGraph {
  /** The graph; the dataset where nobody has asked for an extraction yet. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Its dataset. */
  @ApiProperty({ type: String, format: 'uuid' })
  dataset_id!: string;

  /**
   * Of the extraction that was asked for last. `empty`: nobody has asked for one; ingestion may still have filled the graph. `incomplete`: it ended early
   * by its budget, by the tenant's or because the provider gives no answers (`error`); what it read is kept, and a further call goes on.
   */
  @ApiProperty({ enum: GRAPH_STATUSES })
  status!: (typeof GRAPH_STATUSES)[number];

  /** How it was extracted; null without one. */
  @ApiProperty({ enum: EXTRACTION_MODES, nullable: true })
  mode!: ExtractionMode | null;

  /** Provider and model; null by rules. */
  @ApiProperty({ type: String, nullable: true })
  model!: string | null;

  /** `budget.max_tokens` that it was given; null without. */
  @ApiProperty({ ...TOKENS, nullable: true })
  max_tokens!: number | null;

  /** What it has taken so far. */
  @ApiProperty({ type: () => KgUsage })
  usage!: KgUsage;

  /** What it has left out so far, and why. */
  @ApiProperty({ type: () => [KgSkipped] })
  skipped!: readonly KgSkipped[];

  /** What it has left where it is `incomplete`; else null. */
  @ApiProperty({ type: () => KgRemaining, nullable: true })
  remaining!: KgRemaining | null;

  /** `provider_backoff` while the provider asks for time; else null. */
  @ApiProperty({ type: String, enum: ['provider_backoff'], nullable: true })
  waiting_reason!: 'provider_backoff' | null;

  /** How far it is; null without one. */
  @ApiProperty({ type: () => KgProgress, nullable: true })
  progress!: KgProgress | null;

  /** Kinds of entities that it keeps; null without one. */
  @ApiProperty({ enum: GRAPH_ENTITY_TYPES, isArray: true, nullable: true })
  entity_types!: readonly GraphEntityType[] | null;

  /** What the graph stands on now. */
  @ApiProperty({ type: () => KgDocuments })
  documents!: KgDocuments;

  /** Why it failed or is incomplete; else null. */
  @ApiProperty({ type: () => KgError, nullable: true })
  error!: KgError | null;

  /** When it was asked for. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  triggered_at!: string | null;

  /** When it ended. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at!: string | null;
}
