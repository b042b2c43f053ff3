import { integer, oneOf, optionalText, text, url } from '#libs/config';

export const MODELS = 'Models';

/** Read by every embedding model that has a name. */
export const EMBEDDING_MODEL = optionalText('EMBEDDING_MODEL', {
  section: MODELS,
  description:
    'Name of the embedding model. For the local provider only what is shown; default: the name of its folder. Built in: meaning-v1 (where its weights are installed, the default) or hashing-v1.',
});

/** Read by every reranking model that has a name. */
export const RERANK_MODEL = optionalText('RERANK_MODEL', {
  section: MODELS,
  description:
    'Name of the reranking model. For the local provider only what is shown; default: the name of its folder.',
});

/** Read by every chat model that has a name. */
export const CHAT_MODEL = optionalText('CHAT_MODEL', { section: MODELS, description: 'Name of the chat model.' });

/** Read by the embedding models that have a limit of tokens. */
export const EMBEDDING_MAX_TOKENS = integer(
  'EMBEDDING_MAX_TOKENS',
  0,
  { min: 0, max: 131072 },
  {
    section: MODELS,
    description:
      'Tokens of a text that an embedding model reads at most; 0: as the files of a local model say, or as is known of a remote one. Another value is another embedding space.',
  },
);

/** Put before texts, by every embedding model of a provider or in a folder. */
export const EMBEDDING_PREFIXES = {
  documentPrefix: text('EMBEDDING_DOCUMENT_PREFIX', '', {
    section: MODELS,
    description:
      'Put before every text of a document that an embedding model of a provider or in a folder reads, for models that ask for it ("passage: "). Where neither is set: what the files of a model in a folder say, else what its family is known to want (E5, BGE, Nomic and others). Another value is another embedding space.',
  }),
  queryPrefix: text('EMBEDDING_QUERY_PREFIX', '', {
    section: MODELS,
    description: 'The same for questions ("query: ").',
  }),
};

/** How every remote embedding model is used. */
export const REMOTE_EMBEDDING_SETTINGS = {
  model: EMBEDDING_MODEL,
  dimensions: integer(
    'EMBEDDING_DIMENSIONS',
    0,
    { min: 1, max: 16_384, orZero: true },
    {
      section: MODELS,
      description:
        'Length of the vectors of a remote embedding model; 0: as is known of the model, else it is asked at the start, which needs the provider to answer within 10 seconds. Another value is another embedding space.',
    },
  ),
  sendsDimensions: oneOf('EMBEDDING_SEND_DIMENSIONS', ['auto', 'true', 'false'], 'auto', {
    section: MODELS,
    description:
      'Whether a remote embedding model is asked for vectors of EMBEDDING_DIMENSIONS; auto: where it is known to be able to and its own length is another.',
  }),
  batchSize: integer(
    'EMBEDDING_BATCH_SIZE',
    32,
    { min: 1, max: 2_048 },
    {
      section: MODELS,
      description: 'The most texts that a remote embedding model is sent at once (Cohere takes 96 at most).',
    },
  ),
  maxTokens: EMBEDDING_MAX_TOKENS,
  ...EMBEDDING_PREFIXES,
};

/** How every remote reranking model is used. */
export const REMOTE_RERANK_SETTINGS = {
  model: RERANK_MODEL,
  batchSize: integer(
    'RERANK_BATCH_SIZE',
    100,
    { min: 1, max: 1_000 },
    {
      section: MODELS,
      description:
        'The most documents that a remote reranking model is sent at once; more are sent in several requests (TEI takes 32 unless it is told otherwise).',
    },
  ),
};

/** How every remote chat model is used. */
export const REMOTE_CHAT_SETTINGS = {
  model: CHAT_MODEL,
  contextTokens: integer(
    'CHAT_CONTEXT_TOKENS',
    0,
    { min: 1_024, max: 10_000_000, orZero: true },
    {
      section: MODELS,
      description:
        'Tokens that a chat model takes together, its answer included; 0: as is known of the model, 16384 for others.',
    },
  ),
  maxOutputTokens: integer(
    'CHAT_MAX_OUTPUT_TOKENS',
    0,
    { min: 1, max: 1_000_000, orZero: true },
    {
      section: MODELS,
      description:
        'The most tokens of one answer; 0: as is known of the model, 4096 for others. A chat without max_tokens gets this many, and at most 4096 with 0; a budget sets them aside while it is answered.',
    },
  ),
};

const PROVIDER_SILENCE_SECONDS = integer(
  'PROVIDER_SILENCE_SECONDS',
  60,
  { min: 1, max: 3_600 },
  {
    section: MODELS,
    description: 'Seconds without anything from a provider of models after which a request is given up.',
  },
);

/** How Cohere is reached. */
export const COHERE_SETTINGS = {
  apiKey: optionalText('COHERE_API_KEY', { section: MODELS, secret: true, description: 'Key for Cohere.' }),
  baseUrl: url('COHERE_BASE_URL', ['http:', 'https:'], { section: MODELS, description: 'Another address for Cohere.' }),
  silenceSeconds: PROVIDER_SILENCE_SECONDS,
};

/** How an OpenAI-compatible service is reached. */
export const OPENAI_SETTINGS = {
  apiKey: optionalText('OPENAI_API_KEY', {
    section: MODELS,
    secret: true,
    description: 'Key for an OpenAI-compatible service; servers of your own may need none.',
  }),
  baseUrl: url('OPENAI_BASE_URL', ['http:', 'https:'], {
    section: MODELS,
    description:
      'Address of an OpenAI-compatible service (Azure, vLLM, Ollama, TEI, LiteLLM), mostly with /v1 at its end; default: OpenAI itself.',
  }),
  apiVersion: optionalText('OPENAI_API_VERSION', {
    section: MODELS,
    description:
      'Version of the interface of Azure OpenAI; OPENAI_BASE_URL is then the address of the resource, and names of models are those of deployments.',
  }),
  silenceSeconds: PROVIDER_SILENCE_SECONDS,
};
