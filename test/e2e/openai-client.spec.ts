import OpenAI, { APIError } from 'openai';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Citation } from '../support/api-client.js';
import { ingest, readFixture } from '../support/fixtures.js';
import { useTenant } from '../support/shared-service.js';

const QUESTION = 'How many vacation days does every employee have?';
const service = useTenant('shipped');
let datasetId: string;
const keys: Record<'access token' | 'API key', string> = { 'access token': '', 'API key': '' };

beforeAll(async () => {
  datasetId = await service.admin.createDataset('Handbook');
  await ingest(service.admin, datasetId, await readFixture('handbook.md'));
  const scopes = ['datasets:read', 'documents:read', 'retrieval:search', 'chat:complete'];
  const { secret } = await service.admin.post<{ secret: string }>('/auth/api-keys', { name: 'OpenAI client', scopes });
  keys['API key'] = secret;
  keys['access token'] = service.admin.headers['Authorization']!.replace('Bearer ', '');
});

/** What the service adds to OpenAI's request: the client sends unknown fields as they are. */
const extra = (): { dataset_ids: string[] } => ({ dataset_ids: [datasetId] });

describe.each(['access token', 'API key'] as const)('the official OpenAI client with an %s', (kind) => {
  const client = (): OpenAI => new OpenAI({ baseURL: service.url, apiKey: keys[kind], maxRetries: 0 });

  it('gets a whole answer with citations', async () => {
    const answer = await client().chat.completions.create({
      model: 'default',
      messages: [{ role: 'user', content: QUESTION }],
      ...extra(),
    });
    expect(answer.choices[0]?.message).toMatchObject({ role: 'assistant', content: expect.stringContaining('29') });
    expect(answer.choices[0]?.finish_reason).toBe('stop');
    expect(answer.usage?.total_tokens).toBeGreaterThan(0);
    const { citations } = answer as unknown as { citations: Citation[] };
    expect(citations[0]).toMatchObject({ document_name: 'handbook.md', verified: true });
  });

  it('gets the same answer as a stream', async () => {
    const request = { model: 'default', messages: [{ role: 'user' as const, content: QUESTION }], ...extra() };
    const whole = await client().chat.completions.create(request);
    const stream = await client().chat.completions.create({ ...request, stream: true });
    let text = '';
    let finish: string | null | undefined;
    for await (const chunk of stream) {
      expect(chunk.object).toBe('chat.completion.chunk');
      text += chunk.choices[0]?.delta.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(finish).toBe('stop');
  });

  it('can use the stream helper and ask for the usage', async () => {
    const stream = client().chat.completions.stream({
      model: 'default',
      messages: [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }],
      stream_options: { include_usage: true },
      ...extra(),
    });
    const answer = await stream.finalChatCompletion();
    expect(answer.choices[0]?.message.content).toContain('29');
    expect(answer.usage?.completion_tokens).toBeGreaterThan(0);
  });

  it('lists models, those for chats first, and every one of these answers', async () => {
    const { data } = await client().models.list();
    const ports = data.map((model) => (model as unknown as { port: string }).port);
    // The embedding model of earlier versions is beside the installation's own.
    const others = ['embedding', 'embedding', 'rerank'];
    expect(ports.filter((port) => port !== 'chat')).toEqual(others);
    expect(ports.slice(-others.length)).toEqual(others);
    const chats = data.slice(0, -others.length);
    expect(chats.map(({ id }) => id)).toEqual(expect.arrayContaining(['default', `dataset:${datasetId}`]));
    for (const listed of chats) {
      expect(listed.object).toBe('model');
      expect(await client().models.retrieve(listed.id)).toEqual(listed);
      const answer = await client().chat.completions.create({
        model: listed.id,
        messages: [{ role: 'user', content: QUESTION }],
        ...extra(),
      });
      expect(answer.choices[0]?.message.content).toContain('29');
      // `default` is a name for whichever chat model is configured; the answer says which one that is.
      expect(answer.model).toBe(listed.id === 'default' ? chats[0]!.id : listed.id);
    }
  });

  it('asks one dataset by its name as a model, without fields that OpenAI does not know', async () => {
    const request = {
      model: `dataset:${datasetId}`,
      messages: [
        { role: 'developer' as const, content: 'Answer briefly.' },
        { role: 'user' as const, content: QUESTION },
      ],
    };
    const answer = await client().chat.completions.create(request);
    expect(answer.choices[0]?.message.content).toContain('29');
    const stream = await client().chat.completions.create({ ...request, stream: true, stop: ['29'] });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).not.toBe('');
    expect(text).not.toContain('29');
  });

  it.each([
    ['an unknown model', 'gpt-5'],
    ['a dataset that does not exist', 'dataset:01900000-0000-7000-8000-000000000000'],
    ['no id of a dataset', 'dataset:handbook'],
    ['a model that answers no chat', 'builtin-hashing'],
  ])('is told that there is no such model: %s', async (_what, model) => {
    const asked = client().chat.completions.create({
      model,
      messages: [{ role: 'user', content: 'x' }],
      ...(model.startsWith('dataset:') ? {} : extra()),
    });
    await expect(asked).rejects.toMatchObject({
      status: 404,
      code: 'chat.model_not_found',
      message: expect.stringMatching(`^404 There is no model "${model}"`),
    });
  });

  it.each<[string, object]>([
    ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['response_format', { response_format: { type: 'json_object' } }],
  ])('is told by name that %s is not supported', async (param, options) => {
    const request = {
      model: 'default',
      messages: [{ role: 'user' as const, content: QUESTION }],
      ...extra(),
      ...options,
    };
    await expect(client().chat.completions.create(request)).rejects.toMatchObject({
      status: 422,
      param,
      message: expect.stringMatching(`^422 ${param} is not supported`),
    });
  });

  it('gets errors as the client knows them', async () => {
    const ask = client().chat.completions.create({ model: 'default', messages: [{ role: 'user', content: QUESTION }] });
    const error = await ask.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({
      message: '422 dataset_ids is missing.',
      status: 422,
      code: 'http.validation_failed',
      param: 'dataset_ids',
      type: 'invalid_request_error',
      requestID: expect.stringMatching(/\S/),
    });
  });
});

describe('the official OpenAI client with a key that is not valid', () => {
  it.each(['kb_00000000-0000-7000-8000-000000000000_secret', 'sk-something', 'a.b.c'])(
    'is refused with 401 for %s',
    async (apiKey) => {
      const client = new OpenAI({ baseURL: service.url, apiKey, maxRetries: 0 });
      await expect(client.models.list()).rejects.toMatchObject({ status: 401 });
    },
  );
});
