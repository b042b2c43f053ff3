import { optionalText } from '#libs/config';

export const MODELS = 'Models';

/** Read by every embedding model that has a name. */
export const EMBEDDING_MODEL = optionalText('EMBEDDING_MODEL', {
  section: MODELS,
  description:
    'Name of the embedding model. For the local provider only what is shown; default: the name of its folder.',
});

/** Read by every reranking model that has a name. */
export const RERANK_MODEL = optionalText('RERANK_MODEL', {
  section: MODELS,
  description: 'Name of the reranking model.',
});

/** Read by every chat model that has a name. */
export const CHAT_MODEL = optionalText('CHAT_MODEL', { section: MODELS, description: 'Name of the chat model.' });

/** How Cohere is reached. */
export const COHERE_SETTINGS = {
  apiKey: optionalText('COHERE_API_KEY', { section: MODELS, secret: true, description: 'Key for Cohere.' }),
  baseUrl: optionalText('COHERE_BASE_URL', { section: MODELS, description: 'Another address for Cohere.' }),
};

/** How an OpenAI-compatible service is reached. */
export const OPENAI_SETTINGS = {
  apiKey: optionalText('OPENAI_API_KEY', {
    section: MODELS,
    secret: true,
    description: 'Key for an OpenAI-compatible service.',
  }),
  baseUrl: optionalText('OPENAI_BASE_URL', {
    section: MODELS,
    description: 'Address of an OpenAI-compatible service.',
  }),
};
