import type { ChatModel } from '../chat-model.port.js';
import type { Embedder } from '../embedder.port.js';
import type { EmbeddingCache } from '../embedding-cache.port.js';
import type { ModelLedger } from '../model-ledger.port.js';
import type { Reranker } from '../reranker.port.js';
import { batchEmbedder } from './batching.js';
import { checkEmbedder, checkReranker } from './checked-answers.js';
import { CircuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.js';
import { Concurrency, type ModelTurns } from './concurrency.js';
import { Deadline, type DeadlineOptions, type ModelName } from './deadline.js';
import { cacheEmbeddings } from './embedding-cache.js';
import { guardChatModel, guardEmbedder, guardReranker, type ModelGuard } from './model-guard.js';
import { Retry, type RetryOptions } from './retry.js';
import { meterChatModel, meterEmbedder, meterReranker } from './usage.js';

/** Decorators of models. */
export interface ModelDecorators {
  readonly limits: DeadlineOptions & RetryOptions & CircuitBreakerOptions;
  readonly turns: ModelTurns;
  readonly ledger: ModelLedger;
  /** null: nothing is kept. */
  readonly cache: EmbeddingCache | null;
}

/**
 * From outside to inside: deadline, cache, batching, usage and budget, concurrency, circuit breaker, retry, check of the answer, adapter. What the cache
 * knows costs nothing, so it is before the budget; each batch is counted by itself, so that those
 * that were answered count when a later one fails. A model of this process gets none of it but the check, and the cache
 * where its vectors take longer to make than to look up.
 */
export function decorateEmbedder(adapter: Embedder, isRemote: boolean, decorators: ModelDecorators): Embedder {
  const { cache } = decorators;
  const inner = checkEmbedder(adapter);
  const isKept = cache !== null && inner.descriptor.kind === 'semantic';
  if (!isRemote) return isKept ? cacheEmbeddings(inner, cache) : inner;
  const guarded = tried(inner, guardEmbedder, decorators);
  const batched = batchEmbedder(meterEmbedder(guarded, decorators.ledger));
  const cached = isKept ? cacheEmbeddings(batched, cache) : batched;
  return guardEmbedder(cached, new Deadline(inner.descriptor, decorators.limits));
}

export function decorateReranker(adapter: Reranker, isRemote: boolean, decorators: ModelDecorators): Reranker {
  const inner = checkReranker(adapter);
  if (!isRemote) return inner;
  const metered = meterReranker(tried(inner, guardReranker, decorators), decorators.ledger);
  return guardReranker(metered, new Deadline(inner.descriptor, decorators.limits));
}

export function decorateChatModel(inner: ChatModel, isRemote: boolean, decorators: ModelDecorators): ChatModel {
  if (!isRemote) return inner;
  const metered = meterChatModel(tried(inner, guardChatModel, decorators), decorators.ledger);
  return guardChatModel(metered, new Deadline(inner.descriptor, decorators.limits));
}

function tried<Port extends { readonly descriptor: ModelName }>(
  inner: Port,
  guard: (inner: Port, guard: ModelGuard) => Port,
  { limits, turns }: ModelDecorators,
): Port {
  const { provider, model } = inner.descriptor;
  const retried = guard(inner, new Retry(limits));
  const broken = guard(retried, new CircuitBreaker({ provider, model }, limits));
  return guard(broken, new Concurrency(turns, `${provider}/${model}`));
}
