import type { DatasetId, TenantId } from '#libs/common';

/** Purpose of a call of a model. */
export type ModelPurpose =
  | 'ingestion'
  | 'reembedding'
  | 'search'
  | 'chat'
  | 'enrichment'
  | 'query_expansion'
  | 'semantic_filter'
  | 'table_question'
  | 'embeddings'
  | 'evaluation'
  | 'knowledge_graph'
  | 'warmup';

const INTERACTIVE: ReadonlySet<ModelPurpose> = new Set([
  'search',
  'chat',
  'query_expansion',
  'semantic_filter',
  'table_question',
  'embeddings',
]);

/** Whether a person waits for calls of this purpose. */
export function isInteractive(purpose: ModelPurpose): boolean {
  return INTERACTIVE.has(purpose);
}

/** The party of a call: decides which usage it counts as, which budget pays and when its turn comes. */
export interface ModelCaller {
  readonly tenantId: TenantId;
  readonly datasetIds: readonly DatasetId[];
  readonly purpose: ModelPurpose;
}

/**
 * Options of every call of a model. An adapter of a remote model gives each request a deadline of its own and stops it when `signal` is aborted.
 * It must not be called while a database transaction is open, since a slow provider would hold locks.
 */
export interface ModelCallOptions {
  /** Stops the call; the promise (or the iteration) then rejects with `signal.reason`. */
  readonly signal?: AbortSignal;
  /** Read by decorators only; an adapter sends nothing of it. Absent: the call is not paid by any budget. */
  readonly caller?: ModelCaller;
  /** Read by decorators only: the document of each text, in the order of the texts. Absent: their vectors are not cached. */
  readonly documentIds?: readonly string[];
}

/** Usage of a call. */
export interface ModelUsage {
  readonly inputTokens: number;
  /** 0 where a model writes nothing. */
  readonly outputTokens: number;
  /** Number of requests to the provider; 1 for a call that is computed in this process. */
  readonly requests: number;
  /** Whether tokens were estimated, because the provider reported none. */
  readonly isEstimated: boolean;
}

/**
 * Wraps an adapter in one that does the same and one thing more: retry, cache, batching, circuit breaker, metrics.
 * A decorator keeps the descriptor and must pass the conformance suite of its port; decorators are applied in the module,
 * so that no caller and no adapter knows of them.
 */
export type ModelDecorator<Port> = (inner: Port) => Port;
