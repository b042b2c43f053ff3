/**
 * What packages of other teams may use of the service: `knowledge-base-service/extension`. The list is what stays compatible;
 * docs/extending.md says how each is used.
 */
export { definePlugin, type Plugin } from './plugins/plugin.js';
export {
  ChatModel,
  defineChatModel,
  defineEmbedder,
  defineReranker,
  Embedder,
  Reranker,
  type ChatDelta,
  type ChatFinish,
  type ChatMessage,
  type ChatModelDescriptor,
  type ChatRequest,
  type ChatSource,
  type ChatText,
  type ChatUsage,
  type EmbedderDescriptor,
  type EmbeddingPurpose,
  type ModelCallOptions,
  type RerankDocument,
  type RerankedDocument,
  type RerankerDescriptor,
  type RerankOptions,
} from '#libs/ai';
export { integer, list, oneOf, optionalText, text, url, type Setting } from '#libs/config';
export {
  defineObjectStorage,
  objectKey,
  ObjectStorage,
  parseObjectKey,
  storageErrors,
  type ByteRange,
  type ListedObject,
  type ObjectKey,
  type ObjectStat,
  type PutOptions,
  type StorageCallOptions,
  type StoredObject,
} from '#libs/object-storage';
export {
  defineVectorStore,
  indexRef,
  matchesFilter,
  VectorStore,
  vectorStoreErrors,
  type CallOptions,
  type ChunkMetadata,
  type ChunkSelection,
  type ChunkTerms,
  type Filter,
  type IndexedChunk,
  type IndexRef,
  type IndexSpec,
  type KeywordQuery,
  type ScoredChunkId,
  type StoredChunkId,
  type VectorQuery,
  type VectorStoreCapabilities,
} from '#libs/vector-store';
export {
  CatalogueError,
  defineErrors,
  newId,
  type AccountId,
  type ChunkId,
  type DatasetId,
  type DocumentId,
  type JsonObject,
  type JsonValue,
  type RevisionId,
  type TenantId,
} from '#libs/common';
export {
  rowsOf,
  tenantIsolation,
  TenantRepository,
  UnitOfWork,
  type MigrationQuery,
  type PluginMigration,
  type TransactionContext,
} from '#libs/database';
export { ListQueryDto, RateLimit, Unlimited, WithoutIdempotency } from '#libs/http';
export { Ctx, Permit, Public, type Permission, type Principal, type RequestContext } from '#libs/tenancy';
