import { defineChatModel, defineEmbedder, defineReranker } from '../define-models.js';
import {
  OPENAI_SETTINGS,
  REMOTE_CHAT_SETTINGS,
  REMOTE_EMBEDDING_SETTINGS,
  REMOTE_RERANK_SETTINGS,
} from '../model-settings.js';
import { addressProblems, keyProblems } from '../remote/address-problems.js';

const COMMON = { kind: 'openai', required: ['model'], processes: 'many', packages: ['openai'] } as const;

interface Access {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiVersion: string | undefined;
}

function findProblems({ apiKey, baseUrl, apiVersion }: Access, isChosen: boolean): readonly string[] {
  if (!isChosen) return [];
  const problems = [...keyProblems('OPENAI_API_KEY', apiKey), ...addressProblems('OPENAI_BASE_URL', baseUrl)];
  if (apiKey === undefined && baseUrl === undefined) {
    problems.push('OPENAI_API_KEY: required unless OPENAI_BASE_URL names a server that needs none.');
  }
  if (apiVersion !== undefined && baseUrl === undefined) {
    problems.push('OPENAI_API_VERSION: is for Azure and needs OPENAI_BASE_URL, the address of the resource.');
  }
  return problems;
}

/** `POST {base}/embeddings`. */
export const openAiEmbedder = defineEmbedder({
  ...COMMON,
  settings: { ...OPENAI_SETTINGS, ...REMOTE_EMBEDDING_SETTINGS },
  findProblems,
  modelOf: ({ model }) => model,
  open: async ({ silenceSeconds, documentPrefix, queryPrefix, model = '', ...options }) =>
    (await import('./openai-embedder.js')).openOpenAiEmbedder({
      ...options,
      model,
      silenceMs: silenceSeconds * 1_000,
      maxBatchTokens: 300_000,
      prefixes: { document: documentPrefix, query: queryPrefix },
    }),
  openFormer: async (_values, own) => {
    const { RemoteEmbedder } = await import('../remote/remote-embedder.js');
    const former = own instanceof RemoteEmbedder ? own.former() : null;
    return former === null ? [] : [former];
  },
});

/** `POST {base}/rerank`. */
export const openAiReranker = defineReranker({
  ...COMMON,
  settings: { ...OPENAI_SETTINGS, ...REMOTE_RERANK_SETTINGS },
  findProblems,
  modelOf: ({ model }) => model,
  open: async ({ silenceSeconds, model = '', ...options }) => {
    const { OpenAiReranker } = await import('./openai-reranker.js');
    return new OpenAiReranker({ ...options, model, silenceMs: silenceSeconds * 1_000 });
  },
});

/** `POST {base}/chat/completions`. */
export const openAiChatModel = defineChatModel({
  ...COMMON,
  settings: { ...OPENAI_SETTINGS, ...REMOTE_CHAT_SETTINGS },
  findProblems,
  modelOf: ({ model }) => model,
  open: async ({ silenceSeconds, model = '', ...options }) => {
    const { OpenAiChatModel } = await import('./openai-chat-model.js');
    return new OpenAiChatModel({ ...options, model, silenceMs: silenceSeconds * 1_000 });
  },
});
