import type { EmbedderDescriptor, RerankerDescriptor } from '#libs/ai';

/** Models as specs of options see them: described, never called. */
export const EMBEDDER: EmbedderDescriptor = {
  provider: 'builtin',
  model: 'm',
  dimensions: 4,
  space: 's',
  kind: 'hashed',
  maxBatchSize: 1,
  maxInputTokens: 1,
};
export const RERANKER: RerankerDescriptor = {
  provider: 'builtin',
  model: 'r',
  kind: 'lexical',
  maxDocuments: 60,
  maxDocumentChars: 100,
};
