import { Answer, Choice, Flag, IfPresent, Integer, Nested, Uuid, Uuids } from '#libs/http';
import { GRAPH_ENTITY_TYPES, type GraphEntityType } from '../../ingestion-policy/index.js';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import { EXTRACTION_MODES, EXTRACTION_STATUSES, type ExtractionMode } from './kg-graph.entity.js';

export const GRAPH_STATUSES = ['empty', ...EXTRACTION_STATUSES] as const;
const MOST_DOCUMENTS = 500;

/** Limits of an extraction. */
export class KgBudget {
  /**
   * Maximum number of tokens that the chat model may read and write in this run. Before each call an upper estimate is reserved; when the budget
   * has no room for the next call, the run ends as `incomplete`, and another run continues it. `most_tokens` of a dry run is a budget that
   * suffices. Has no effect with `heuristic`. If omitted, only the tenant's budgets limit the run.
   */
  @Integer({ optional: true, min: 1, max: 1_000_000_000 })
  max_tokens?: number;
}

/** Request to extract a knowledge graph. */
export class TriggerKgRequest {
  /** Identifier of the dataset whose graph is built. */
  @Uuid()
  dataset_id!: string;

  /** Identifiers of the documents to extract, all of the dataset. Default: all its documents. What was extracted from other documents is kept. */
  @Uuids({ optional: true, min: 1, max: MOST_DOCUMENTS })
  document_ids?: string[];

  /**
   * How to extract. `heuristic`: by rules, for every script, without a model and without cost. `llm`: the configured chat model reads each chunk;
   * 422 where no model is configured that writes text of its own. Text that the model has read before is not read or charged again. The latest
   * extraction of a document replaces earlier ones.
   */
  @Choice(EXTRACTION_MODES, { optional: true, default: 'heuristic' })
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
  @Nested(() => KgBudget, { optional: true })
  budget?: KgBudget;

  /** Whether to return only the estimate, without starting an extraction. */
  @Flag({ optional: true, default: false })
  dry_run: boolean = false;
}

/** Estimate of the work of an extraction. */
export class KgEstimate {
  /** Number of requested documents that searches currently find. */
  @Answer.Count()
  documents!: number;

  /** Number of those documents that are not yet extracted in this mode, or of which parts were omitted. */
  @Answer.Count()
  documents_to_extract!: number;

  /** Number of chunks of the documents to extract. */
  @Answer.Count()
  chunks!: number;

  /** Number of tokens of these chunks. */
  @Answer.Count()
  tokens!: number;

  /** Estimated number of tokens that the chat model would read and write; 0 with `heuristic`. */
  @Answer.Count()
  model_tokens!: number;

  /** Number of pieces of text (chunks, or parts of long chunks) that the model has read before and that cost nothing. */
  @Answer.Count()
  cached_chunks!: number;

  /** Number of calls of the model, one for each piece of text that it has not read before. */
  @Answer.Count()
  calls!: number;

  /** Number of tokens that the model would read. */
  @Answer.Count()
  input_tokens!: number;

  /** Rough number of tokens that the model would write; it depends on how much the texts name. */
  @Answer.Count()
  output_tokens!: number;

  /** Value of `budget.max_tokens` with which no call is refused; repeated calls for answers that cannot be read are not included. */
  @Answer.Count()
  most_tokens!: number;

  /** Cost by the configured prices, in their currency; null where the model has no price. */
  @Answer.Decimal({ nullable: true, min: 0 })
  cost!: number | null;

  /** Provider and name of the model; null with `heuristic`. */
  @Answer.Text({ nullable: true })
  model!: string | null;
}

/** An extraction that was requested. */
export class KgTriggered {
  /** Identifier of the graph, for `GET /kg/{id}`; in a dry run for a dataset without a graph, the identifier of the dataset. */
  @Answer.Uuid()
  id!: string;

  /** `pending`: the extraction will run. `dry_run`: nothing was started. */
  @Answer.Choice(['pending', 'dry_run'])
  status!: 'pending' | 'dry_run';

  /** Estimate of the work. */
  @Answer.Nested(() => KgEstimate)
  estimate!: KgEstimate;
}

/** Progress of the latest extraction. */
export class KgProgress {
  /** Number of documents processed. */
  @Answer.Count()
  done!: number;

  /** Number of documents to process; null before the work has begun. */
  @Answer.Count({ nullable: true })
  total!: number | null;
}

/** Numbers of documents in the graph and not in it. */
export class KgDocuments {
  /** Number of documents that searches find and that are in the graph. */
  @Answer.Count()
  extracted!: number;

  /** Number of documents that searches find and that are not in the graph. */
  @Answer.Count()
  not_extracted!: number;
}

/** Why an extraction failed, or ended early. */
export class KgError {
  /** Stable error code. */
  @Answer.Text()
  code!: string;

  /** What happened. */
  @Answer.Text()
  message!: string;
}

/** Usage of the chat model by an extraction. */
export class KgUsage {
  /** Number of answered requests. */
  @Answer.Count()
  calls!: number;

  /** Number of tokens that the model read. */
  @Answer.Count()
  input_tokens!: number;

  /** Number of tokens that the model wrote. */
  @Answer.Count()
  output_tokens!: number;

  /** Cost by the configured prices, in their currency; 0 where there are none. */
  @Answer.Decimal({ min: 0 })
  cost!: number;

  /** Number of pieces of text that the model had read before. */
  @Answer.Count()
  cached_chunks!: number;
}

/** A kind of omission with its count. */
export class KgSkipped {
  /** Omitted part. `chunk`: a whole piece of text. `entity`, `relation`: an element of a list that the model wrote. */
  @Answer.Choice(['chunk', 'entity', 'relation'])
  what!: string;

  /**
   * Reason for the omission. `malformed`: not in the requested form; a chunk is omitted when this happens twice. `refused`: filtered by the
   * provider. `rejected`: not accepted by the provider. `not_in_text`: not in the text. `wrong_type`, `wrong_relation`: of a kind that was not
   * requested. `unknown_end`: one end of the relation is not an entity.
   */
  @Answer.Text()
  reason!: string;

  /** Number of omissions of this kind and reason. */
  @Answer.Count()
  count!: number;
}

/** Remaining work of an extraction that ended early. */
export class KgRemaining {
  /** Number of documents. */
  @Answer.Count()
  documents!: number;

  /** Number of chunks of these documents. */
  @Answer.Count()
  chunks!: number;
}

/** The knowledge graph of a dataset. */
export class KgGraph {
  /** Identifier of the graph; the identifier of the dataset while no extraction was requested. */
  @Answer.Uuid()
  id!: string;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /**
   * State of the latest extraction. `empty`: none was requested; the graph may still hold what ingestion extracted. `incomplete`: it ended early
   * because its budget or the tenant's was used up, or because the provider did not answer (`error`); what it read is kept, and another call
   * continues it.
   */
  @Answer.Choice(GRAPH_STATUSES)
  status!: (typeof GRAPH_STATUSES)[number];

  /** Mode of the latest extraction; null when there was none. */
  @Answer.Choice(EXTRACTION_MODES, { nullable: true })
  mode!: ExtractionMode | null;

  /** Provider and name of the model; null with `heuristic`. */
  @Answer.Text({ nullable: true })
  model!: string | null;

  /** `budget.max_tokens` of the extraction; null where none was given. */
  @Answer.Count({ nullable: true })
  max_tokens!: number | null;

  /** Usage of the chat model by the extraction so far. */
  @Answer.Nested(() => KgUsage)
  usage!: KgUsage;

  /** What the extraction has omitted so far, and why. */
  @Answer.NestedList(() => KgSkipped)
  skipped!: readonly KgSkipped[];

  /** Work left by an `incomplete` extraction; null otherwise. */
  @Answer.Nested(() => KgRemaining, { nullable: true })
  remaining!: KgRemaining | null;

  /** `provider_backoff` while the extraction waits because the provider asked for a pause; null otherwise. */
  @Answer.Choice(['provider_backoff'], { nullable: true })
  waiting_reason!: 'provider_backoff' | null;

  /** Progress of the extraction; null when there was none. */
  @Answer.Nested(() => KgProgress, { nullable: true })
  progress!: KgProgress | null;

  /** Kinds of entities that the extraction keeps; null when there was none. */
  @Answer.Choices(GRAPH_ENTITY_TYPES, { nullable: true })
  entity_types!: readonly GraphEntityType[] | null;

  /** Numbers of documents that are in the graph and of those that are not. */
  @Answer.Nested(() => KgDocuments)
  documents!: KgDocuments;

  /** Why the extraction failed or is incomplete; null otherwise. */
  @Answer.Nested(() => KgError, { nullable: true })
  error!: KgError | null;

  /** Time at which the extraction was requested; null when there was none. */
  @Answer.Instant({ nullable: true })
  triggered_at!: string | null;

  /** Time at which the extraction ended; null before. */
  @Answer.Instant({ nullable: true })
  ended_at!: string | null;
}
