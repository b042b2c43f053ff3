export { aiErrors } from './ai.errors.js';
export { AiModule, createModels, type AiModuleOptions, type ModelChoice } from './ai.module.js';
export {
  ChatModel,
  type ChatDelta,
  type ChatFinish,
  type ChatMessage,
  type ChatModelDescriptor,
  type ChatModelSupport,
  type ChatQuestionPart,
  type ChatRequest,
  type ChatResponseFormat,
  type ChatSource,
  type ChatText,
  type ChatUsage,
} from './chat-model.port.js';
export {
  decorateChatModel,
  decorateEmbedder,
  decorateReranker,
  type ModelDecorators,
} from './decorators/decorate-models.js';
export { ModelTurns } from './decorators/concurrency.js';
export { EmbeddingCache, type CachedVector } from './embedding-cache.port.js';
export { ModelLedger, type PlannedCall, type ReservedCall } from './model-ledger.port.js';
export { Embedder, type EmbeddedTexts, type EmbedderDescriptor, type EmbeddingPurpose } from './embedder.port.js';
export { EntailmentModel, type EntailmentDescriptor } from './entailment-model.port.js';
export { estimateUsage, mostTokensOf } from './estimate-usage.js';
export {
  defineChatModel,
  defineEmbedder,
  defineReranker,
  type ChatModelAdapter,
  type EmbedderAdapter,
  type ModelContext,
  type RerankerAdapter,
} from './define-models.js';
export { findExternalData, NotAnOnnxFileError } from './local/external-data.js';
export {
  chooseLocalModelFiles,
  isStaticConfig,
  STATIC_MODEL_FILE,
  type ChosenModelFiles,
} from './local/local-model-files.js';
export { LOCAL_MODEL_PATHS } from './local/local.adapter.js';
export { LOCAL_MODEL_USES, proveLocalModel, type LocalModelUse, type ModelProof } from './local/prove-model.js';
export { GROUNDING_METHODS, GROUNDINGS, type GroundingMethod } from './grounding-methods.js';
export { EmbedderList, InstalledModels, ModelList, type NamedModel } from './installed-models.js';
export { CHAT_MODELS, EMBEDDERS, RERANKERS } from './model-adapters.js';
export { isInteractive } from './model-call.js';
export type { ModelCaller, ModelCallOptions, ModelDecorator, ModelPurpose, ModelUsage } from './model-call.js';
export { ModelFailure, type ModelFailureFacts, type ModelFailureKind } from './model-failure.js';
export {
  Reranker,
  type RerankDocument,
  type RerankedDocument,
  type RerankedDocuments,
  type RerankerDescriptor,
  type RerankOptions,
} from './reranker.port.js';
export {
  Calibration,
  CALIBRATION_PARAMETERS,
  trustIn,
  trustOf,
  type EmbeddingScale,
  type PairScale,
} from './scale/embedding-scale.js';
export { KnownTrust, type LanguageTrust } from './scale/known-trust.port.js';
export { embedPairs, measureScale, scaleOf } from './scale/measure-scale.js';
export { Likeness, type MeaningCentre } from './scale/meaning-centre.js';
export type { ProbePair } from './scale/probes/probe-pair.js';
export { PROBES_VERSION } from './scale/probes/probes.js';
export { delimitedBlocks } from './prompt/delimited-blocks.js';
export { escapeSource, escapeTitle } from './prompt/escape-source.js';
export { jsonObjectIn, plainWordsOf } from './prompt/written-json.js';
export { writeRaw, writeText, type WritingTask, type WrittenText } from './write-text.js';
