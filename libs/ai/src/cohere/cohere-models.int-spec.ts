import { CohereClient } from 'cohere-ai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAdapter } from '#libs/config';
import type { ChatModel, ChatRequest } from '../chat-model.port.js';
import type { Embedder } from '../embedder.port.js';
import { CHAT_MODELS, EMBEDDERS, RERANKERS } from '../model-adapters.js';
import type { Reranker } from '../reranker.port.js';
import { ANSWERABLE_REQUEST, describeChatModel } from '../testing/describe-chat-model.js';
import { describeEmbedder } from '../testing/describe-embedder.js';
import {
  describeRemoteChatModel,
  describeRemoteEmbedder,
  describeRemoteReranker,
} from '../testing/describe-remote-models.js';
import { describeReranker } from '../testing/describe-reranker.js';
import { CohereDouble } from '../testing/doubles/cohere-double.js';

const KEY = 'Zx81kQpT55mvAAbbCCdd99';
const double = new CohereDouble();
beforeAll(() => double.start());
beforeEach(() => {
  double.reset();
  double.citations = 'fast';
});
afterAll(() => double.stop());

const values = (more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  COHERE_BASE_URL: double.baseUrl,
  COHERE_API_KEY: KEY,
  EMBEDDING_MODEL: 'double-embed',
  EMBEDDING_DIMENSIONS: 64,
  RERANK_MODEL: 'double-rerank',
  CHAT_MODEL: 'double-chat',
  ...more,
});
const embedder = (more = {}): Promise<Embedder> => openAdapter(EMBEDDERS, 'cohere', values(more), {});
const reranker = (more = {}): Promise<Reranker> => openAdapter(RERANKERS, 'cohere', values(more), {});
const chatModel = (more = {}): Promise<ChatModel> => openAdapter(CHAT_MODELS, 'cohere', values(more), {});
const hasty = { PROVIDER_SILENCE_SECONDS: 1 };

describeEmbedder('the cohere adapter', () => embedder());
describeReranker('the cohere adapter', () => reranker());
describeChatModel('the cohere adapter', () => chatModel());
describeRemoteEmbedder('the cohere embedder', async () => ({
  model: await embedder(hasty),
  provider: double,
  key: KEY,
}));
describeRemoteReranker('the cohere reranker', async () => ({
  model: await reranker(hasty),
  provider: double,
  key: KEY,
}));
describeRemoteChatModel('the cohere chat model', async () => ({
  model: await chatModel(hasty),
  provider: double,
  key: KEY,
}));

const lastBody = (): Readonly<Record<string, unknown>> => double.requests.at(-1)!.body;

describe('the cohere embedder', () => {
  it('tells Cohere whether a text is a question or a passage, and shortens what can be shortened', async () => {
    const model = await embedder({ EMBEDDING_MODEL: 'embed-v4.0', EMBEDDING_DIMENSIONS: 256 });
    await model.embed(['one'], 'query');
    expect(lastBody()).toMatchObject({
      input_type: 'search_query',
      embedding_types: ['float'],
      truncate: 'END',
      output_dimension: 256,
    });
    await model.embed(['one'], 'document');
    expect(lastBody()).toMatchObject({ input_type: 'search_document' });
  });
});

describe('the cohere chat model', () => {
  const ask = async (changes: Partial<ChatRequest> = {}): Promise<string> => {
    let text = '';
    for await (const delta of (await chatModel()).stream({ ...ANSWERABLE_REQUEST, ...changes })) {
      if (delta.kind === 'text') text += delta.text;
    }
    return text;
  };

  it('gives the sources as documents and its citations as markers behind the words', async () => {
    expect(await ask()).toBe('The pump must be serviced every 500 hours by a trained technician. [1]');
    expect(lastBody()).toMatchObject({
      documents: [{ id: '1', data: { title: 'Manual' } }, { id: '2' }],
      citation_options: { mode: 'FAST' },
    });
  });

  it('marks the nearest place for citations that come behind the text', async () => {
    double.citations = 'accurate';
    expect(await ask()).toContain('[1]');
  });

  it('puts the sources into the prompt where a form is asked for', async () => {
    const responseFormat = { kind: 'json_schema', name: 'a', schema: { type: 'object' } } as const;
    await ask({ responseFormat, seed: 7, topP: 1, temperature: 2, stop: ['x'] });
    expect(lastBody()).not.toHaveProperty('documents');
    expect(lastBody()).toMatchObject({
      response_format: { type: 'json_object', json_schema: { type: 'object' } },
      seed: 7,
      p: 0.99,
      temperature: 1,
      stop_sequences: ['x'],
    });
    expect(JSON.stringify(lastBody()['messages'])).toContain('<source-');
  });
});

describe("Cohere's client and the double of its service", () => {
  it('chats whole and streamed, embeds and reranks', async () => {
    const client = new CohereClient({ token: KEY, baseUrl: double.baseUrl, maxRetries: 0 });
    const documents = [{ id: '1', data: { snippet: 'The pump is serviced every 500 hours.' } }];
    const messages = [{ role: 'user' as const, content: 'How often is the pump serviced?' }];
    const whole = await client.v2.chat({ model: 'm', messages, documents });
    expect(whole).toMatchObject({
      finishReason: 'COMPLETE',
      message: { citations: [{ start: 0, sources: [{ id: '1' }] }] },
    });
    const types: string[] = [];
    for await (const event of await client.v2.chatStream({ model: 'm', messages, documents })) types.push(event.type);
    expect([...new Set(types)]).toEqual([
      'message-start',
      'content-start',
      'content-delta',
      'citation-start',
      'citation-end',
      'content-end',
      'message-end',
    ]);
    const asked = { model: 'm', texts: ['one'], inputType: 'search_query', embeddingTypes: ['float'] } as const;
    const embedded = await client.v2.embed({
      ...asked,
      texts: [...asked.texts],
      embeddingTypes: [...asked.embeddingTypes],
    });
    expect(embedded.embeddings.float?.[0]).toHaveLength(64);
    const ranked = await client.v2.rerank({ model: 'm', query: 'pump', documents: ['invoice', 'the pump'] });
    expect(ranked.results[0]).toMatchObject({ index: 1 });
    double.key = 'another';
    await expect(client.v2.rerank({ model: 'm', query: 'a', documents: ['b'] })).rejects.toMatchObject({
      statusCode: 401,
    });
    double.key = undefined;
  });
});
