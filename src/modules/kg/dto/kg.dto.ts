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

const COUNT = { type: 'integer', minimum: 0 } as const;
export const EXTRACTION_MODES = ['heuristic', 'llm'] as const;
export const GRAPH_STATUSES = ['empty', 'pending', 'running', 'completed', 'failed'] as const;
const MOST_DOCUMENTS = 500;

/** What an extraction may use. */
export class KgBudget {
  /** Most tokens of a chat model. `heuristic` uses none. */
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

  /** `heuristic`: by rules, in every script, without a model and at no cost. `llm` is refused with 422: this version does not have it. */
  @ApiPropertyOptional({ enum: EXTRACTION_MODES, default: 'heuristic' })
  @IfPresent()
  @IsIn(EXTRACTION_MODES)
  mode: (typeof EXTRACTION_MODES)[number] = 'heuristic';

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

  /** Those of them that are not extracted yet in this way. */
  @ApiProperty(COUNT)
  documents_to_extract!: number;

  /** Their chunks. */
  @ApiProperty(COUNT)
  chunks!: number;

  /** Tokens of these chunks. */
  @ApiProperty(COUNT)
  tokens!: number;

  /** Tokens of a chat model that it would use: none by rules. */
  @ApiProperty(COUNT)
  model_tokens!: number;
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

/** Why an extraction failed. */
export class KgError {
  /** Stable code. */
  @ApiProperty({ type: String })
  code!: string;

  /** What happened. */
  @ApiProperty({ type: String })
  message!: string;
}

/** The knowledge graph of a dataset. */
export class KgGraph {
  /** The graph; the dataset where nobody has asked for an extraction yet. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Its dataset. */
  @ApiProperty({ type: String, format: 'uuid' })
  dataset_id!: string;

  /** Of the extraction that was asked for last. `empty`: nobody has asked for one; ingestion may still have filled the graph. */
  @ApiProperty({ enum: GRAPH_STATUSES })
  status!: (typeof GRAPH_STATUSES)[number];

  /** How far it is; null without one. */
  @ApiProperty({ type: () => KgProgress, nullable: true })
  progress!: KgProgress | null;

  /** Kinds of entities that it keeps; null without one. */
  @ApiProperty({ enum: GRAPH_ENTITY_TYPES, isArray: true, nullable: true })
  entity_types!: readonly GraphEntityType[] | null;

  /** What the graph stands on now. */
  @ApiProperty({ type: () => KgDocuments })
  documents!: KgDocuments;

  /** Why it failed; else null. */
  @ApiProperty({ type: () => KgError, nullable: true })
  error!: KgError | null;

  /** When it was asked for. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  triggered_at!: string | null;

  /** When it ended. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at!: string | null;
}
