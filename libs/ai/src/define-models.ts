import { anyAdapter, type AdapterDefinition, type AdapterSettings } from '#libs/config';
import type { ChatModel } from './chat-model.port.js';
import type { Embedder } from './embedder.port.js';
import type { Reranker } from './reranker.port.js';

/** Second argument of a model's `open`; empty, because a model needs only its settings. */
export type ModelContext = Readonly<Record<string, never>>;

export type EmbedderAdapter = AdapterDefinition<Embedder, ModelContext>;
export type RerankerAdapter = AdapterDefinition<Reranker, ModelContext>;
export type ChatModelAdapter = AdapterDefinition<ChatModel, ModelContext>;

/** Describes an embedding model for `EMBEDDERS`. What it opens must pass `describeEmbedder`. */
export function defineEmbedder<const S extends AdapterSettings>(
  definition: AdapterDefinition<Embedder, ModelContext, S>,
): EmbedderAdapter {
  return anyAdapter(definition);
}

/** Describes a reranking model for `RERANKERS`. What it opens must pass `describeReranker`. */
export function defineReranker<const S extends AdapterSettings>(
  definition: AdapterDefinition<Reranker, ModelContext, S>,
): RerankerAdapter {
  return anyAdapter(definition);
}

/** Describes a chat model for `CHAT_MODELS`. What it opens must pass `describeChatModel`. */
export function defineChatModel<const S extends AdapterSettings>(
  definition: AdapterDefinition<ChatModel, ModelContext, S>,
): ChatModelAdapter {
  return anyAdapter(definition);
}
