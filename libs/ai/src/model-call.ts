import type { DatasetId, TenantId } from '#libs/common';

/** What a model is called for. */
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

/** Whether a person waits for what is called for this purpose. */
export function isInteractive(purpose: ModelPurpose): boolean {
  return INTERACTIVE.has(purpose);
}

/** For whom a call is made: decides what is counted, whose budget pays and whose turn it is. */
export interface ModelCaller {
  readonly tenantId: TenantId;
  readonly datasetIds: readonly DatasetId[];
  readonly purpose: ModelPurpose;
}

/**
 * What every call of a model takes. An adapter that leaves the process gives each request a deadline of its own, stops it
 * when `signal` is aborted, and is never called while a database transaction is open: a slow provider would hold locks.
 */
export interface ModelCallOptions {
  /** Stops the call; the promise (or the iteration) then rejects with `signal.reason`. */
  readonly signal?: AbortSignal;
  /** Read by decorators only; an adapter sends nothing of it. Absent: a call that no one pays for. */
  readonly caller?: ModelCaller;
  /** Read by decorators only: the document that each text is in, in the order of the texts. Absent: nothing of them is kept. */
  readonly documentIds?: readonly string[];
}

/** What a call has cost. */
export interface ModelUsage {
  readonly inputTokens: number;
  /** 0 where a model writes nothing. */
  readonly outputTokens: number;
  /** Requests that the provider was sent; 1 for a call that is computed in this process. */
  readonly requests: number;
  /** True where the provider told nothing and tokens were counted here. */
  readonly isEstimated: boolean;
}

/**
 * Wraps an adapter in one that does the same and one thing more: retry, cache, batching, circuit breaker, metrics.
 * A decorator keeps the descriptor and must pass the conformance suite of its port; decorators are applied in the module,
 * so that no caller and no adapter knows of them.
 */
export type ModelDecorator<Port> = (inner: Port) => Port;
