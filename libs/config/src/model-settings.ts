import { integer, oneOf, optionalText, type Setting } from './setting.js';

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
  embeddingModel: optionalText('EMBEDDING_MODEL', {
    section: MODELS,
    description:
      'Name of the embedding model. For the local provider only what is shown; default: the name of its folder.',
  }),
  embeddingModelPath: optionalText('EMBEDDING_MODEL_PATH', {
    section: MODELS,
    description:
      'Folder of an ONNX model for EMBEDDING_PROVIDER=local: model.onnx (or onnx/model.onnx), tokenizer.json and config.json; files of sentence-transformers are read when they are there.',
  }),
  embeddingPooling: oneOf('EMBEDDING_POOLING', ['auto', 'mean', 'cls', 'max', 'last'], 'auto', {
    section: MODELS,
    description:
      'How a local model makes one vector of those of its tokens; auto: as 1_Pooling/config.json says, else mean. Another value is another embedding space.',
  }),
  embeddingMaxTokens: integer(
    'EMBEDDING_MAX_TOKENS',
    0,
    { min: 0, max: 131072 },
    {
      section: MODELS,
      description:
        'Tokens of a text that a local model reads at most; 0: as the files of the model say. Another value is another embedding space.',
    },
  ),
  embeddingThreads: integer(
    'EMBEDDING_THREADS',
    1,
    { min: 1, max: 64 },
    { section: MODELS, description: 'Threads that a local embedding model computes with.' },
  ),
  formerVectorsDays: integer(
    'FORMER_VECTORS_DAYS',
    7,
    { min: 0, max: 3650 },
    {
      section: MODELS,
      description:
        'How long the vectors that a dataset had before it was re-embedded are kept for a roll-back, in days; looked at with every reconciliation.',
    },
  ),
  rerankModel: optionalText('RERANK_MODEL', { section: MODELS, description: 'Name of the reranking model.' }),
  chatModel: optionalText('CHAT_MODEL', { section: MODELS, description: 'Name of the chat model.' }),
} as const satisfies Record<string, Setting<unknown>>;
