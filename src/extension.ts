/**
 * What packages of other teams may use of the service: `knowledge-base-service/extension`. The list is what stays compatible;
 * docs/extending.md says how each is used.
 */
export { definePlugin, type Plugin } from './plugins/plugin.js';
export {
  describeChatModel,
  describeEmbedder,
  describeObjectStorage,
  describeReranker,
  describeVectorStore,
} from './extension-suites.js';
export {
  ChatModel,
  defineChatModel,
  defineEmbedder,
  defineReranker,
  Embedder,
  ModelFailure,
  Reranker,
  type ChatDelta,
  type ChatFinish,
  type ChatMessage,
  type ChatModelDescriptor,
  type ChatModelSupport,
  type ChatRequest,
  type ChatResponseFormat,
  type ChatSource,
  type ChatText,
  type ChatUsage,
  type EmbeddedTexts,
  type EmbedderDescriptor,
  type EmbeddingPurpose,
  type ModelCaller,
  type ModelCallOptions,
  type ModelFailureFacts,
  type ModelFailureKind,
  type ModelPurpose,
  type ModelUsage,
  type RerankDocument,
  type RerankedDocument,
  type RerankedDocuments,
  type RerankerDescriptor,
  type RerankOptions,
} from '#libs/ai';
export { integer, list, oneOf, optionalText, text, url, type Setting } from '#libs/config';
export { DATASET_DELETED, type DatasetDeleted } from './modules/datasets/index.js';
export {
  DATASET_PURGED,
  DOCUMENT_CANCELLED,
  DOCUMENT_COMPLETED,
  DOCUMENT_COMPLETED_WITH_WARNINGS,
  DOCUMENT_DELETED,
  DOCUMENT_FAILED,
  DOCUMENT_QUARANTINED,
  DOCUMENT_RELEASED,
  DOCUMENT_RENAMED,
  type DatasetPurged,
  type DocumentCancelled,
  type DocumentCompleted,
  type DocumentCompletedWithWarnings,
  type DocumentDeleted,
  type DocumentFailed,
  type DocumentQuarantined,
  type DocumentReleased,
  type DocumentRenamed,
} from './modules/documents/index.js';
export {
  defineEvent,
  DomainEvents,
  OnDomainEvent,
  type DeliveryOptions,
  type DomainEvent,
  type EventDefinition,
} from '#libs/events';
export { EVALUATION_COMPLETED, type EvaluationCompleted } from './modules/evaluations/index.js';
export { KG_COMPLETED, type KgCompleted } from './modules/kg/index.js';
export { POLICY_VERSION_CREATED, type PolicyVersionCreated } from './modules/ingestion-policy/index.js';
export { SCAN_COMPLETED, type ScanCompleted } from './modules/scans/index.js';
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
  isUuid,
  newId,
  type AccountId,
  type ChunkId,
  type DatasetId,
  type DocumentId,
  type JsonObject,
  type JsonValue,
  type Page,
  type RevisionId,
  type TenantId,
} from '#libs/common';
export {
  columnsOf,
  result,
  rowsOf,
  statement,
  statementFamily,
  tenantIsolation,
  TenantRepository,
  UnitOfWork,
  type MigrationQuery,
  type PluginMigration,
  type TransactionContext,
} from '#libs/database';
export {
  IngestionStep,
  StepFailed,
  type ChunkedState,
  type IngestionStepOptions,
  type ParsedState,
  type StepAttempt,
  type StepChunk,
  type StepDocument,
  type StepOutput,
  type StepPosition,
  type StepStates,
} from './modules/content/index.js';
export {
  etagOf,
  ListQueryDto,
  RateLimit,
  requireMatch,
  ShownOnce,
  TakesForm,
  TolerateUnknownFields,
  Unlimited,
  validationFailed,
  WithoutIdempotency,
} from '#libs/http';
export {
  defineFormat,
  ParseError,
  type FormatDefinition,
  type FormatInput,
  type FormatParser,
  type FormatResult,
} from '#libs/parsing';
export {
  defineTask,
  TaskFailed,
  TaskHandler,
  TaskPostponed,
  Tasks,
  TurnEnded,
  withoutPayload,
  type PromiseOptions,
  type RunningTask,
  type TaskDefinition,
  type TaskOptions,
} from '#libs/tasks';
export {
  Ctx,
  OptionalCtx,
  Permit,
  Public,
  ROLE_PERMISSIONS,
  type Permission,
  type Principal,
  type RequestContext,
} from '#libs/tenancy';
export type { Block, TextSegment } from '#libs/text';
export { DatasetAccess, type SqlCondition, type VisibleDataset } from './modules/datasets/index.js';
