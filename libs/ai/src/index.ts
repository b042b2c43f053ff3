export { aiErrors } from './ai.errors.js';
export { AiModule, createModels, type AiModuleOptions } from './ai.module.js';
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
export type { LocalModelOptions } from './local/model-folder.js';
export { MODEL_PROVIDERS, type ModelCallOptions, type ModelDecorator, type ModelProvider } from './model-call.js';
export {
  Reranker,
  type RerankDocument,
  type RerankedDocument,
  type RerankerDescriptor,
  type RerankOptions,
} from './reranker.port.js';
