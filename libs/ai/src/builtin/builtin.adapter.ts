import { defineChatModel, defineEmbedder, defineReranker } from '../define-models.js';

const BUILTIN = { kind: 'builtin', settings: {}, processes: 'many', inProcess: true, packages: [] } as const;

/** Hashed words: no download, no service. */
export const builtinEmbedder = defineEmbedder({
  ...BUILTIN,
  modelOf: () => 'hashing-v1',
  open: async () => new (await import('./hashing-embedder.js')).HashingEmbedder(),
});

/** Shared words. */
export const builtinReranker = defineReranker({
  ...BUILTIN,
  modelOf: () => 'lexical-v1',
  open: async () => new (await import('./lexical-reranker.js')).LexicalReranker(),
});

/** Quotes sentences of the sources. */
export const builtinChatModel = defineChatModel({
  ...BUILTIN,
  modelOf: () => 'extractive-v1',
  open: async () => new (await import('./extractive-chat-model.js')).ExtractiveChatModel(),
});
