import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openAdapter, openFormerOf } from '#libs/config';
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
import { OpenAiDouble } from '../testing/doubles/openai-double.js';

const KEY = 'sk-proj-Zx81kQpT55mv-AAbb';
const double = new OpenAiDouble();
beforeAll(() => double.start());
beforeEach(() => double.reset());
afterAll(() => double.stop());

const values = (more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  OPENAI_BASE_URL: double.baseUrl,
  OPENAI_API_KEY: KEY,
  EMBEDDING_MODEL: 'double-embed',
  EMBEDDING_DIMENSIONS: 64,
  RERANK_MODEL: 'double-rerank',
  CHAT_MODEL: 'double-chat',
  ...more,
});
const embedder = (more = {}): Promise<Embedder> => openAdapter(EMBEDDERS, 'openai', values(more), {});
const reranker = (more = {}): Promise<Reranker> => openAdapter(RERANKERS, 'openai', values(more), {});
const chatModel = (more = {}): Promise<ChatModel> => openAdapter(CHAT_MODELS, 'openai', values(more), {});
const hasty = { PROVIDER_SILENCE_SECONDS: 1 };

describeEmbedder('the openai adapter', () => embedder());
describeReranker('the openai adapter', () => reranker());
describeChatModel('the openai adapter', () => chatModel());
describeRemoteEmbedder('the openai embedder', async () => ({
  model: await embedder(hasty),
  provider: double,
  key: KEY,
}));
describeRemoteReranker('the openai reranker', async () => ({
  model: await reranker(hasty),
  provider: double,
  key: KEY,
}));
describeRemoteChatModel('the openai chat model', async () => ({
  model: await chatModel(hasty),
  provider: double,
  key: KEY,
}));

const lastBody = (): Readonly<Record<string, unknown>> => double.requests.at(-1)!.body;

it.each([{}, { OPENAI_API_VERSION: '2025-01-01' }])('takes no headers from the environment %o', async (more) => {
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'X-Of-Environment: yes\nAuthorization: Bearer of-somebody-else');
  await (await embedder(more)).embed(['one'], 'document').catch(() => undefined);
  vi.unstubAllEnvs();
  const { headers } = double.requests.at(-1)!;
  expect(headers).not.toHaveProperty('x-of-environment');
  expect(JSON.stringify(headers)).not.toContain('of-somebody-else');
});

describe('the openai embedder', () => {
  it('learns the length of its vectors by one call where it is neither set nor known', async () => {
    expect((await embedder({ EMBEDDING_DIMENSIONS: 0 })).descriptor.dimensions).toBe(64);
    expect(double.requests).toHaveLength(1);
  });

  it('asks no one at the start when the length is set or known', async () => {
    await embedder();
    const known = await embedder({ EMBEDDING_DIMENSIONS: 0, EMBEDDING_MODEL: 'text-embedding-3-small' });
    expect(known.descriptor).toMatchObject({ dimensions: 1536, maxInputTokens: 8191 });
    expect(double.requests).toHaveLength(0);
  });

  it('says at the start what to set when the provider does not tell the length', async () => {
    double.fail({ kind: 'silent' });
    const opening = embedder({ EMBEDDING_DIMENSIONS: 0, ...hasty });
    await expect(opening).rejects.toMatchObject({
      code: 'ai.embedding_dimensions_unknown',
      message: expect.stringContaining('Set EMBEDDING_DIMENSIONS'),
    });
  });

  it('asks for shorter vectors of a model that is known to have them, and of any when it is told to', async () => {
    const short = { EMBEDDING_MODEL: 'text-embedding-3-large', EMBEDDING_DIMENSIONS: 256 };
    await (await embedder(short)).embed(['one'], 'document');
    expect(lastBody()).toMatchObject({ dimensions: 256, encoding_format: 'base64' });
    await (await embedder()).embed(['one'], 'document');
    expect(lastBody()).not.toHaveProperty('dimensions');
    const told = await embedder({ EMBEDDING_SEND_DIMENSIONS: 'true', EMBEDDING_DIMENSIONS: 32 });
    const { vectors } = await told.embed(['one'], 'document');
    expect(vectors[0]).toHaveLength(32);
  });

  it('names another space for everything that makes other vectors', async () => {
    const { space } = (await embedder()).descriptor;
    const { space: prefixed } = (await embedder({ EMBEDDING_QUERY_PREFIX: 'query: ' })).descriptor;
    const { space: shorter } = (await embedder({ EMBEDDING_DIMENSIONS: 32 })).descriptor;
    const { space: other } = (await embedder({ EMBEDDING_MODEL: 'double-embeD' })).descriptor;
    expect(new Set([space, prefixed, shorter, other]).size).toBe(4);
    expect((await embedder({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' })).descriptor.space).toBe(space);
  });

  it('puts the prefix of its purpose before a text', async () => {
    const model = await embedder({ EMBEDDING_QUERY_PREFIX: 'query:', EMBEDDING_DOCUMENT_PREFIX: 'passage: ' });
    await model.embed(['one'], 'query');
    expect(lastBody()['input']).toEqual(['query: one']);
    await model.embed(['one'], 'document');
    expect(lastBody()['input']).toEqual(['passage: one']);
  });

  it('puts what the family wants before texts where nothing is set, and has the space without it beside its own', async () => {
    const named = { EMBEDDING_MODEL: 'intfloat/multilingual-e5-small' };
    const model = await embedder(named);
    await model.embed(['one'], 'query');
    expect(lastBody()['input']).toEqual(['query: one']);
    const [former, ...others] = await openFormerOf(EMBEDDERS, 'openai', values(named), model);
    expect(others).toEqual([]);
    expect(former!.descriptor).toMatchObject({ model: 'intfloat/multilingual-e5-small' });
    expect(former!.descriptor.space).not.toBe(model.descriptor.space);
    await former!.embed(['one'], 'query');
    expect(lastBody()['input']).toEqual(['one']);
    const set = await embedder({ ...named, EMBEDDING_QUERY_PREFIX: 'query:' });
    expect(await openFormerOf(EMBEDDERS, 'openai', values(named), set)).toEqual([]);
  });
});

describe('the openai reranker', () => {
  const documents = ['The pump hums.', 'Invoices are paid.'].map((text, at) => ({ id: String(at), text }));

  it('learns that a server wants texts, and asks it rightly from then on', async () => {
    double.rerankShape = 'tei';
    try {
      const model = await reranker();
      expect((await model.rerank('invoices', documents)).documents[0]?.id).toBe('1');
      expect(double.requests).toHaveLength(2);
      await model.rerank('invoices', documents);
      expect(double.requests).toHaveLength(3);
      expect(lastBody()).toMatchObject({ texts: ['The pump hums.', 'Invoices are paid.'], truncate: true });
    } finally {
      double.rerankShape = 'jina';
    }
  });

  it('sends many documents in several requests and ranks them together', async () => {
    const many = Array.from({ length: 7 }, (_, at) => ({
      id: `${at}`,
      text: at === 6 ? 'invoices paid' : `text ${at}`,
    }));
    const { documents: ranked, usage } = await (await reranker({ RERANK_BATCH_SIZE: 3 })).rerank('invoices', many);
    expect(ranked[0]?.id).toBe('6');
    expect(ranked).toHaveLength(7);
    expect(usage.requests).toBe(3);
  });
});

describe('the openai chat model', () => {
  const ask = async (changes: Partial<ChatRequest> = {}, more = {}): Promise<string> => {
    let text = '';
    for await (const delta of (await chatModel(more)).stream({ ...ANSWERABLE_REQUEST, ...changes })) {
      if (delta.kind === 'text') text += delta.text;
    }
    return text;
  };

  it('sends what the request says, streams, asks for the usage and forbids storing', async () => {
    const responseFormat = { kind: 'json_schema', name: 'answer', schema: { type: 'object' }, strict: true } as const;
    await ask({ temperature: 0.2, topP: 0.9, seed: 7, stop: ['a', 'b', 'c', 'd', 'e'], maxTokens: 50, responseFormat });
    expect(lastBody()).toMatchObject({
      model: 'double-chat',
      stream: true,
      stream_options: { include_usage: true },
      store: false,
      temperature: 0.2,
      top_p: 0.9,
      seed: 7,
      stop: ['a', 'b', 'c', 'd'],
      max_tokens: 50,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { type: 'object' }, strict: true },
      },
    });
  });

  it("puts each request's sources between marks of its own", async () => {
    await ask();
    await ask();
    const marks = double.requests.map(({ body }) => /<source-([0-9a-f]{16}) /.exec(JSON.stringify(body))?.[1]);
    expect(marks[0]).toBeDefined();
    expect(new Set(marks).size).toBe(2);
  });

  it("sends no key where there is none, and Azure's way where a version is set", async () => {
    await ask({}, { OPENAI_API_KEY: undefined });
    expect(double.requests.at(-1)!.headers).not.toHaveProperty('authorization');
    await ask({}, { OPENAI_BASE_URL: double.origin, OPENAI_API_VERSION: '2025-01-01' });
    expect(double.requests.at(-1)).toMatchObject({
      path: '/openai/deployments/double-chat/chat/completions',
      headers: { 'api-key': KEY },
    });
    expect(lastBody()).toHaveProperty('max_completion_tokens');
  });

  it("stops the provider's work when the loop is left", async () => {
    double.always({ kind: 'stall', after: 2 });
    for await (const delta of (await chatModel()).stream(ANSWERABLE_REQUEST)) {
      expect(delta.kind).toBe('text');
      break;
    }
    double.always(undefined);
    expect(await ask()).toContain('[1]');
  });

  it.each(['split', 'doubled', 'fenced'] as const)('gives markers as the model writes them: %s', async (variant) => {
    double.fail({ kind: 'markers', variant });
    expect(await ask()).toContain('[1]');
  });

  it('gives what came before a filter and says so', async () => {
    double.fail({ kind: 'content_filter', after: 3 });
    const deltas = [];
    for await (const delta of (await chatModel()).stream(ANSWERABLE_REQUEST)) deltas.push(delta);
    expect(deltas.at(-1)).toMatchObject({ finishReason: 'content_filter' });
    expect(deltas.length).toBe(4);
  });
});
