import OpenAI, { APIError } from 'openai';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Citation } from '../support/api-client.js';
import { ingest, readFixture } from '../support/fixtures.js';
import { useService } from '../support/service-process.js';

const QUESTION = 'How many vacation days does every employee have?';
const service = useService();
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
  const client = (): OpenAI => new OpenAI({ baseURL: service.process.url, apiKey: keys[kind], maxRetries: 0 });

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

  it('lists models, and every one of them answers', async () => {
    const models = await client().models.list();
    expect(models.data.length).toBeGreaterThan(0);
    for (const { id, object } of models.data) {
      expect(object).toBe('model');
      const answer = await client().chat.completions.create({
        model: id,
        messages: [{ role: 'user', content: QUESTION }],
        ...extra(),
      });
      expect(answer.choices[0]?.message.content).toContain('29');
    }
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
      const client = new OpenAI({ baseURL: service.process.url, apiKey, maxRetries: 0 });
      await expect(client.models.list()).rejects.toMatchObject({ status: 401 });
    },
  );
});
