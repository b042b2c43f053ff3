import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catalogueErrorOf } from '#libs/common';
import { openAdapter } from '#libs/config';
import { formsOfKey, KEY_SHAPES, KeySearch } from './key-traces.js';
import type { ChatModel } from '../chat-model.port.js';
import { CHAT_MODELS, EMBEDDERS, RERANKERS } from '../model-adapters.js';
import { ModelFailure } from '../model-failure.js';
import { everythingOf } from './describe-remote-failures.js';
import { ANSWERABLE_REQUEST } from './describe-chat-model.js';
import { CohereDouble } from './doubles/cohere-double.js';
import { OpenAiDouble } from './doubles/openai-double.js';
import { keyOf } from './doubles/provider-double.js';

const doubles = { openai: new OpenAiDouble(), cohere: new CohereDouble() };
const MODELS = { EMBEDDING_MODEL: 'e', EMBEDDING_DIMENSIONS: 64, RERANK_MODEL: 'r', CHAT_MODEL: 'c' };
const STATUSES = [400, 401, 429, 500];

beforeAll(async () => {
  await Promise.all([doubles.openai.start(), doubles.cohere.start()]);
});
beforeEach(() => {
  doubles.openai.reset();
  doubles.cohere.reset();
});
afterAll(async () => {
  await Promise.all([doubles.openai.stop(), doubles.cohere.stop()]);
});

async function answerOf(model: ChatModel): Promise<string> {
  let text = '';
  for await (const delta of model.stream(ANSWERABLE_REQUEST)) if (delta.kind === 'text') text += delta.text;
  return text;
}

/** One call of each model of a provider, opened with the key. */
async function callsWith(
  provider: 'openai' | 'cohere',
  key: string,
  settings: object,
): Promise<(() => Promise<unknown>)[]> {
  const values = { ...MODELS, [`${provider.toUpperCase()}_API_KEY`]: key, ...settings };
  const embedder = await openAdapter(EMBEDDERS, provider, values, {});
  const reranker = await openAdapter(RERANKERS, provider, values, {});
  const chatModel = await openAdapter(CHAT_MODELS, provider, values, {});
  return [
    () => embedder.embed(['one'], 'document'),
    () => reranker.rerank('one', [{ id: '1', text: 'one' }]),
    () => answerOf(chatModel),
  ];
}

const PROVIDERS = [
  ['openai', 'openai', () => ({ OPENAI_BASE_URL: doubles.openai.baseUrl })],
  ['Azure', 'openai', () => ({ OPENAI_BASE_URL: doubles.openai.origin, OPENAI_API_VERSION: '2025-01-01' })],
  ['cohere', 'cohere', () => ({ COHERE_BASE_URL: doubles.cohere.baseUrl })],
] as const;

describe.each(Object.entries(KEY_SHAPES))('a key %s', (_shape, key) => {
  const search = new KeySearch([key]);

  /** Where a failure shows the key that the provider's words hold. */
  async function tracesOf(call: () => Promise<unknown>, words: string): Promise<string[]> {
    const failure = await call().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ModelFailure);
    expect((failure as ModelFailure).words).toContain(words);
    const shown = [everythingOf(failure), JSON.stringify(failure), everythingOf(catalogueErrorOf(failure))];
    return shown.flatMap((text) => search.in('a failure', text));
  }

  it.each(PROVIDERS)('is sent to %s and shows in no failure', async (_name, provider, settings) => {
    const double = doubles[provider];
    for (const call of await callsWith(provider, key, settings())) {
      for (const status of STATUSES) {
        double.fail({ kind: 'status', status, echoesKey: true, message: 'The account is closed.' });
        expect(await tracesOf(call, 'The account is closed.'), String(status)).toEqual([]);
        expect(keyOf(double.requests.at(-1)!)).toBe(key);
      }
      for (const [form, bytes] of formsOfKey(key)) {
        double.fail({ kind: 'status', status: 401, message: `No access for "${bytes.toString()}".` });
        expect(await tracesOf(call, 'No access for'), form).toEqual([]);
      }
      await call();
    }
  });

  it.each(PROVIDERS)('shows in no failure in the middle of an answer of %s', async (_name, provider, settings) => {
    const [, , chat] = await callsWith(provider, key, settings());
    for (const [form, bytes] of formsOfKey(key)) {
      doubles[provider].fail({ kind: 'stream_error', after: 1, message: `No more for "${bytes.toString()}".` });
      expect(await tracesOf(chat!, 'No more for'), form).toEqual([]);
    }
  });

  it('is found in every form by the search that these tests rest on', () => {
    for (const [name, form] of formsOfKey(key)) {
      const planted = Buffer.concat([Buffer.from('before'), form, Buffer.from('behind')]);
      expect(search.in('planted', planted), name).not.toEqual([]);
    }
  });
});
