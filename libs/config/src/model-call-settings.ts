import { integer, optionalText, type Setting } from './setting.js';
import { prices } from './model-prices.js';

const MODELS = 'Models';

/** Settings of what is around calls of remote models. */
export const MODEL_CALL_SETTINGS = {
  modelsFile: optionalText('MODELS_FILE', {
    section: MODELS,
    description:
      'YAML or JSON file with further models, which datasets and requests choose by their ids: models: [{id, port: embedding|rerank|chat, provider, model, base_url?, api_key_env|api_key_file, dimensions?, prices?}]. The file never contains keys.',
  }),
  modelCallSeconds: integer(
    'MODEL_CALL_SECONDS',
    120,
    { min: 1, max: 3_600 },
    {
      section: MODELS,
      description:
        'Maximum duration of one call of a remote embedding or reranking model, in seconds, including all tries and the time in the queue.',
    },
  ),
  modelPieceSeconds: integer(
    'MODEL_PIECE_SECONDS',
    60,
    { min: 1, max: 3_600 },
    {
      section: MODELS,
      description: 'Maximum time until the next piece of an answer of a remote chat model, in seconds.',
    },
  ),
  modelRetries: integer(
    'MODEL_RETRIES',
    2,
    { min: 0, max: 10 },
    {
      section: MODELS,
      description:
        'Maximum number of retries of one call of a remote model after 408, 409, 429, 5xx, an unusable answer or no answer.',
    },
  ),
  modelRetryPauseMs: integer(
    'MODEL_RETRY_PAUSE_MS',
    5_000,
    { min: 0, max: 60_000 },
    {
      section: MODELS,
      description:
        'Maximum pause between two tries, in milliseconds. A provider that asks for a longer one (Retry-After) is not called again: searches are answered 503, documents wait.',
    },
  ),
  modelCircuitFailures: integer(
    'MODEL_CIRCUIT_FAILURES',
    5,
    { min: 1, max: 1_000 },
    {
      section: MODELS,
      description:
        'Number of consecutive calls without an answer after which a process does not call a remote model for MODEL_CIRCUIT_SECONDS.',
    },
  ),
  modelCircuitSeconds: integer(
    'MODEL_CIRCUIT_SECONDS',
    10,
    { min: 1, max: 600 },
    {
      section: MODELS,
      description:
        'Seconds for which a process does not call a remote model after MODEL_CIRCUIT_FAILURES; then one call is let through and decides whether calls continue.',
    },
  ),
  modelConcurrency: integer(
    'MODEL_CONCURRENCY',
    16,
    { min: 1, max: 1_000, orZero: true },
    {
      section: MODELS,
      description:
        'Maximum number of calls of one remote model at once, over all processes, shared fairly between tenants; 0: no limit.',
    },
  ),
  modelPrices: prices('MODEL_PRICES', {
    section: MODELS,
    description:
      'Prices of models as JSON: {"model": {"input": 0.02, "output": 0.08, "request": 0.002}}. input and output are for a million tokens, request is for one request, all in one currency of your choice; a price under "provider/model" comes before one under "model". A model without a price costs nothing.',
  }),
  embeddingCacheRows: integer(
    'EMBEDDING_CACHE_ROWS',
    100_000,
    { min: 1, max: 100_000_000, orZero: true },
    {
      section: MODELS,
      description:
        'Maximum number of vectors of earlier texts that are kept for each tenant, so that the same text is not embedded twice; the least recently used are removed first. 0: none.',
    },
  ),
} as const satisfies Record<string, Setting<unknown>>;
