import { defineChatModel, defineEmbedder, defineReranker } from '../define-models.js';
import {
  COHERE_SETTINGS,
  REMOTE_CHAT_SETTINGS,
  REMOTE_EMBEDDING_SETTINGS,
  REMOTE_RERANK_SETTINGS,
} from '../model-settings.js';
import { addressProblems, keyProblems } from '../remote/address-problems.js';

const COMMON = { kind: 'cohere', required: ['apiKey', 'model'], processes: 'many', packages: ['cohere-ai'] } as const;
/** The most texts that Cohere embeds at once. */
const MOST_TEXTS = 96;

interface Access {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
}

function findProblems({ apiKey, baseUrl }: Access, isChosen: boolean): readonly string[] {
  return isChosen ? [...keyProblems('COHERE_API_KEY', apiKey), ...addressProblems('COHERE_BASE_URL', baseUrl)] : [];
}

export const cohereEmbedder = defineEmbedder({
  ...COMMON,
  settings: { ...COHERE_SETTINGS, ...REMOTE_EMBEDDING_SETTINGS },
  findProblems: (values, isChosen) => {
    const problems = findProblems(values, isChosen);
    if (!isChosen || values.batchSize <= MOST_TEXTS) return problems;
    return [...problems, `EMBEDDING_BATCH_SIZE: must be at most ${MOST_TEXTS} with EMBEDDING_PROVIDER=cohere.`];
  },
  modelOf: ({ model }) => model,
  open: async ({ silenceSeconds, documentPrefix, queryPrefix, model = '', ...options }) =>
    (await import('./cohere-embedder.js')).openCohereEmbedder({
      ...options,
      model,
      silenceMs: silenceSeconds * 1_000,
      prefixes: { document: documentPrefix, query: queryPrefix },
    }),
});

export const cohereReranker = defineReranker({
  ...COMMON,
  settings: { ...COHERE_SETTINGS, model: REMOTE_RERANK_SETTINGS.model },
  findProblems,
  modelOf: ({ model }) => model,
  open: async ({ silenceSeconds, model = '', ...options }) => {
    const { CohereReranker } = await import('./cohere-reranker.js');
    return new CohereReranker({ ...options, model, silenceMs: silenceSeconds * 1_000 });
  },
});

export const cohereChatModel = defineChatModel({
  ...COMMON,
  settings: { ...COHERE_SETTINGS, ...REMOTE_CHAT_SETTINGS },
  findProblems,
  modelOf: ({ model }) => model,
  open: async ({ silenceSeconds, model = '', ...options }) => {
    const { CohereChatModel } = await import('./cohere-chat-model.js');
    return new CohereChatModel({ ...options, model, silenceMs: silenceSeconds * 1_000 });
  },
});
