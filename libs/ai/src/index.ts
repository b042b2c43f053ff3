export { aiErrors } from './ai.errors.js';
export { AiModule, createModels, type AiModuleOptions, type ModelChoice } from './ai.module.js';
export {
  ChatModel,
  type ChatDelta,
  type ChatFinish,
  type ChatMessage,
  type ChatModelDescriptor,
  type ChatRequest,
  type ChatSource,
  type ChatText,
  type ChatUsage,
} from './chat-model.port.js';
export { Embedder, type EmbedderDescriptor, type EmbeddingPurpose } from './embedder.port.js';
export {
  defineChatModel,
  defineEmbedder,
  defineReranker,
  type ChatModelAdapter,
  type EmbedderAdapter,
  type ModelContext,
  type RerankerAdapter,
} from './define-models.js';
export { CHAT_MODELS, EMBEDDERS, RERANKERS } from './model-adapters.js';
export type { ModelCallOptions, ModelDecorator } from './model-call.js';
export {
  Reranker,
  type RerankDocument,
  type RerankedDocument,
  type RerankerDescriptor,
  type RerankOptions,
} from './reranker.port.js';
