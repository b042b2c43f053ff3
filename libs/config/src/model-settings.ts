import { oneOf, optionalText, type Setting } from './setting.js';

const MODELS = 'Models';

/** Settings of the models: who embeds, reranks and answers. */
export const MODEL_SETTINGS = {
  embeddingProvider: oneOf('EMBEDDING_PROVIDER', ['builtin', 'local', 'cohere', 'openai'], 'builtin', {
    section: MODELS,
    description: 'Who turns text into vectors.',
  }),
  rerankProvider: oneOf('RERANK_PROVIDER', ['builtin', 'local', 'cohere', 'openai'], 'builtin', {
    section: MODELS,
    description: 'Who reranks fragments when a request asks for it.',
  }),
  chatProvider: oneOf('CHAT_PROVIDER', ['builtin', 'local', 'cohere', 'openai'], 'builtin', {
    section: MODELS,
    description: 'Who writes answers.',
  }),
  cohereApiKey: optionalText('COHERE_API_KEY', { section: MODELS, secret: true, description: 'Key for Cohere.' }),
  cohereBaseUrl: optionalText('COHERE_BASE_URL', { section: MODELS, description: 'Another address for Cohere.' }),
  openaiApiKey: optionalText('OPENAI_API_KEY', {
    section: MODELS,
    secret: true,
    description: 'Key for an OpenAI-compatible service.',
  }),
  openaiBaseUrl: optionalText('OPENAI_BASE_URL', {
    section: MODELS,
    description: 'Address of an OpenAI-compatible service.',
  }),
  embeddingModel: optionalText('EMBEDDING_MODEL', { section: MODELS, description: 'Name of the embedding model.' }),
  embeddingModelPath: optionalText('EMBEDDING_MODEL_PATH', {
    section: MODELS,
    description: 'Folder of an ONNX model for the local provider.',
  }),
  rerankModel: optionalText('RERANK_MODEL', { section: MODELS, description: 'Name of the reranking model.' }),
  chatModel: optionalText('CHAT_MODEL', { section: MODELS, description: 'Name of the chat model.' }),
} as const satisfies Record<string, Setting<unknown>>;
