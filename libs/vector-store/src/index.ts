export {
  FIXED_FILTER_KEYS,
  isKnownFilterKey,
  matchesFilter,
  type ChunkMetadata,
  type ComparisonType,
  type Filter,
  type FilterCondition,
  type FilterGroup,
  type FilterScalar,
  type MetadataScalar,
  type MetadataValue,
} from './filter.js';
export { defineVectorStore, type VectorStoreAdapter, type VectorStoreContext } from './define-vector-store.js';
export { indexRef, type IndexRef } from './index-ref.js';
export { vectorStoreErrors } from './vector-store.errors.js';
export {
  PLACEMENT_LIVES_MS,
  VectorStores,
  type StorePlacement,
  type VectorStoreKind,
} from './switching/vector-stores.js';
export { VECTOR_STORES } from './vector-store-adapters.js';
export { VectorStoreModule, type VectorStoreSettings } from './vector-store.module.js';
export {
  VectorStore,
  type WriteRefusal,
  type CallOptions,
  type ChunkSelection,
  type ChunkTerms,
  type IndexedChunk,
  type IndexSpec,
  type KeywordQuery,
  type ScoredChunkId,
  type StoredChunkId,
  type VectorQuery,
  type VectorStoreCapabilities,
} from './vector-store.port.js';
export { vectorBytes, vectorOf } from './vector-bytes.js';
