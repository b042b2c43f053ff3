import { integer, oneOf, optionalText, text, url } from '#libs/config';

export const MODELS = 'Models';

/** Read by every embedding model that has a name. */
export const EMBEDDING_MODEL = optionalText('EMBEDDING_MODEL', {
  section: MODELS,
  description:
    'Name of the embedding model. With the local provider it is only shown; default: the name of the folder. With the built-in provider: meaning-v1 (the default if its weights are installed) or hashing-v1.',
});

/** Read by every reranking model that has a name. */
export const RERANK_MODEL = optionalText('RERANK_MODEL', {
  section: MODELS,
  description:
    'Name of the reranking model. With the local provider it is only shown; default: the name of the folder.',
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
      'Maximum number of tokens of a text that an embedding model reads. 0: as in the files of a local model, or the known value of a remote model. Another value is another embedding space.',
  },
);

/** Put before texts, by every embedding model of a provider or in a folder. */
export const EMBEDDING_PREFIXES = {
  documentPrefix: text('EMBEDDING_DOCUMENT_PREFIX', '', {
    section: MODELS,
    description:
      'Prefix of every text of a document for a remote or local embedding model that needs one ("passage: "). If neither prefix is set: as in the files of a local model, otherwise the known prefix of the family of the model (E5, BGE, Nomic and others). Another value is another embedding space.',
  }),
  queryPrefix: text('EMBEDDING_QUERY_PREFIX', '', {
    section: MODELS,
    description: 'Prefix of every question, as EMBEDDING_DOCUMENT_PREFIX ("query: ").',
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
        'Number of dimensions of the vectors of a remote embedding model. 0: the known value of the model; if there is none, the model is called at the start, which fails unless the provider answers within 10 seconds. Another value is another embedding space.',
    },
  ),
  sendsDimensions: oneOf('EMBEDDING_SEND_DIMENSIONS', ['auto', 'true', 'false'], 'auto', {
    section: MODELS,
    description:
      'Whether EMBEDDING_DIMENSIONS is sent to a remote embedding model; auto: if the model is known to support it and has another number of dimensions by itself.',
  }),
  batchSize: integer(
    'EMBEDDING_BATCH_SIZE',
    32,
    { min: 1, max: 2_048 },
    {
      section: MODELS,
      description: 'Maximum number of texts in one request to a remote embedding model (Cohere accepts at most 96).',
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
        'Maximum number of documents in one request to a remote reranking model; more are sent in several requests (TEI accepts 32 by default).',
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
        'Size of the context of a chat model in tokens, including its answer. 0: the known value of the model, 16384 for other models.',
    },
  ),
  maxOutputTokens: integer(
    'CHAT_MAX_OUTPUT_TOKENS',
    0,
    { min: 1, max: 1_000_000, orZero: true },
    {
      section: MODELS,
      description:
        'Maximum number of tokens of one answer. 0: the known value of the model, 4096 for other models. It is also the max_tokens of a chat that sends none, with 0 at most 4096; a budget reserves this number while the chat is answered.',
    },
  ),
};

const PROVIDER_SILENCE_SECONDS = integer(
  'PROVIDER_SILENCE_SECONDS',
  60,
  { min: 1, max: 3_600 },
  {
    section: MODELS,
    description: 'Seconds without data from a provider of models after which a request is stopped.',
  },
);

/** How Cohere is reached. */
export const COHERE_SETTINGS = {
  apiKey: optionalText('COHERE_API_KEY', { section: MODELS, secret: true, description: 'Key for Cohere.' }),
  baseUrl: url('COHERE_BASE_URL', ['http:', 'https:'], {
    section: MODELS,
    description: 'Address of Cohere; default: that of Cohere itself.',
  }),
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
      'Address of an OpenAI-compatible service (Azure, vLLM, Ollama, TEI, LiteLLM), which mostly ends with /v1; default: OpenAI itself.',
  }),
  apiVersion: optionalText('OPENAI_API_VERSION', {
    section: MODELS,
    description:
      'Version of the interface of Azure OpenAI; OPENAI_BASE_URL is then the address of the resource, and names of models are those of deployments.',
  }),
  silenceSeconds: PROVIDER_SILENCE_SECONDS,
};
