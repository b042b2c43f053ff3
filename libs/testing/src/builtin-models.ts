/**
 * The built-in models for tests that are not about meaning: the embedder is the one without weights, which is quick and starts no thread.
 */
export const BUILTIN_MODELS = {
  embedding: 'builtin',
  rerank: 'builtin',
  chat: 'builtin',
  values: { EMBEDDING_MODEL: 'hashing-v1' },
} as const;
