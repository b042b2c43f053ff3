import type { AdapterPort } from '#libs/config';
import { builtinChatModel, builtinEmbedder, builtinReranker } from './builtin/builtin.adapter.js';
import type { ChatModel } from './chat-model.port.js';
import { cohereChatModel, cohereEmbedder, cohereReranker } from './cohere/cohere.adapter.js';
import type { ModelContext } from './define-models.js';
import type { Embedder } from './embedder.port.js';
import { localEmbedder, localReranker } from './local/local.adapter.js';
import { MODELS } from './model-settings.js';
import { openAiChatModel, openAiEmbedder, openAiReranker } from './openai/openai.adapter.js';
import type { Reranker } from './reranker.port.js';

/** The embedding models of this product. A new one is a definition beside its adapter and a name here; so it is for the other two. */
export const EMBEDDERS: AdapterPort<Embedder, ModelContext> = {
  setting: 'EMBEDDING_PROVIDER',
  section: MODELS,
  description: 'Provider of the embedding model.',
  fallback: builtinEmbedder.kind,
  adapters: [builtinEmbedder, localEmbedder, cohereEmbedder, openAiEmbedder],
  announced: [],
};

export const RERANKERS: AdapterPort<Reranker, ModelContext> = {
  setting: 'RERANK_PROVIDER',
  section: MODELS,
  description: 'Provider of the reranker, which is used when a request enables it.',
  fallback: builtinReranker.kind,
  adapters: [builtinReranker, localReranker, cohereReranker, openAiReranker],
  announced: [],
};

export const CHAT_MODELS: AdapterPort<ChatModel, ModelContext> = {
  setting: 'CHAT_PROVIDER',
  section: MODELS,
  description: 'Provider of the chat model, which writes answers.',
  fallback: builtinChatModel.kind,
  adapters: [builtinChatModel, cohereChatModel, openAiChatModel],
  announced: [],
};
