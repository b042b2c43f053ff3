import OpenAI, { AuthenticationError, RateLimitError } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OpenAiDouble } from '../testing/doubles/openai-double.js';

describe("OpenAI's client and the double of its service", () => {
  const double = new OpenAiDouble();
  let client: OpenAI;
  beforeAll(async () => {
    await double.start();
    client = new OpenAI({ apiKey: 'test', baseURL: double.baseUrl, maxRetries: 0 });
  });
  beforeEach(() => double.reset());
  afterAll(() => double.stop());
  const messages = [{ role: 'user' as const, content: 'Good day' }];

  it('lists models', async () => {
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['double']);
  });

  it('embeds, as numbers and as base64, of the length that is asked for', async () => {
    const asked = { model: 'm', input: ['one', 'two'], dimensions: 16 };
    const [first] = (await client.embeddings.create({ ...asked, encoding_format: 'float' })).data;
    const [same] = (await client.embeddings.create(asked)).data;
    expect(first!.embedding).toHaveLength(16);
    expect([...same!.embedding].map((value) => value.toFixed(4))).toEqual(
      first!.embedding.map((value) => value.toFixed(4)),
    );
    await expect(client.embeddings.create({ model: 'm', input: '' })).rejects.toMatchObject({ status: 400 });
  });

  it('answers whole and streamed alike, with the usage', async () => {
    const whole = await client.chat.completions.create({ model: 'm', messages });
    const stream = await client.chat.completions.create({
      model: 'm',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let [text, usage]: [string, OpenAI.CompletionUsage | null | undefined] = ['', undefined];
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      usage = chunk.usage ?? usage;
    }
    expect(text).toBe('You said: Good day');
    expect(whole.choices[0]).toMatchObject({ message: { content: text }, finish_reason: 'stop' });
    expect(usage).toEqual(whole.usage);
  });

  it('ends at a stop text and at the most tokens', async () => {
    const stopped = await client.chat.completions.create({ model: 'm', messages, stop: ['Good'] });
    expect(stopped.choices[0]).toMatchObject({ message: { content: 'You said: ' }, finish_reason: 'stop' });
    const cut = await client.chat.completions.create({ model: 'm', messages, max_completion_tokens: 2 });
    expect(cut.choices[0]).toMatchObject({ message: { content: 'You said:' }, finish_reason: 'length' });
  });

  it('fails as it is told, in the classes of the client', async () => {
    double.key = 'right';
    await expect(client.models.list()).rejects.toBeInstanceOf(AuthenticationError);
    double.key = undefined;
    double.fail({ kind: 'status', status: 429, retryAfter: '3' });
    const error = await client.models.list().then(undefined, (reason: unknown) => reason as RateLimitError);
    expect(error).toBeInstanceOf(RateLimitError);
    expect((error as RateLimitError).headers.get('retry-after')).toBe('3');
  });

  it('asks for a tool in a way that the client reads', async () => {
    double.fail({ kind: 'tool_call' });
    const { choices } = await client.chat.completions.create({ model: 'm', messages });
    expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: [{ type: 'function' }] } });
  });
});
