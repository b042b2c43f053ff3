import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { useTenant } from '../support/shared-service.js';

const FOLDERS = {
  dify: new URL('../fixtures/dify/', import.meta.url),
  conversations: new URL('../fixtures/conversations/', import.meta.url),
};
const DIFY = JSON.parse(await readFile(new URL('requests.json', FOLDERS.dify), 'utf8')) as {
  readonly documents: readonly { readonly name: string; readonly metadata: object }[];
  readonly query: string;
  readonly conditions: readonly { readonly condition: object; readonly expect: readonly string[] }[];
};
const CONVERSATIONS = JSON.parse(await readFile(new URL('requests.json', FOLDERS.conversations), 'utf8')) as {
  readonly model: string;
  readonly messages: readonly object[];
}[];
const service = useTenant();
type Sent = Answer<Record<string, unknown>>;

const send = (path: string, body: object): Promise<Sent> => service.admin.send('POST', path, body);

describe("OpenAI's chats", () => {
  let model: string;
  const QUESTION_OF_PUMP = { role: 'user', content: 'How much does the Atlas pump weigh?' };
  const ask = (messages: readonly object[]): Promise<Sent> => send('/chat/completions', { model, messages });

  beforeAll(async () => {
    const id = await service.admin.createDataset('Conversations');
    const content = await readFile(new URL('atlas.md', FOLDERS.conversations));
    await ingest(service.admin, id, { name: 'atlas.md', content });
    model = `dataset:${id}`;
  });

  it.each(CONVERSATIONS)('go on with what clients send of earlier turns: $messages', async ({ messages }) => {
    const { status, body } = await ask(messages);
    expect(status, JSON.stringify(body)).toBe(200);
    if (JSON.stringify(messages.at(-1)).includes('grams')) return;
    expect(JSON.stringify(body['choices'])).toContain('42 kg');
  });

  it.each([
    [{ role: 'developer', content: ' ' }],
    [{ role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] }],
    [{ role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }],
    [{ role: 'assistant', content: [] }],
    [{ role: 'function', name: 'clock', content: null }],
    [{ role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: '14:02' }] }],
    [{ role: 'user', content: '' }],
  ])('read over %j', async (message) => {
    const { status, body } = await ask([message, QUESTION_OF_PUMP]);
    expect(status, JSON.stringify(body)).toBe(200);
  });

  it.each([
    [{ type: 'image_url', image_url: { url: 'data:,' } }, 'image_url parts are not supported'],
    [{ type: 'input_audio', input_audio: {} }, 'input_audio parts are not supported'],
    [{ type: 'file', file: {} }, 'file parts are not supported'],
    [{ type: 'text' }, 'a text part must contain text'],
    ['text', 'a part of content must be {type: "text", text}'],
  ])('refuse the part %j by its name', async (part, detail) => {
    const { status, body } = await ask([{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, part] }]);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ pointer: '/messages/0/content', detail }] });
  });

  it.each(['', ' \n', null, undefined, [], [{ type: 'text', text: ' ' }]])(
    'refuse a last message without text: %j',
    async (content) => {
      const { status, body } = await ask([QUESTION_OF_PUMP, { role: 'user', content }]);
      expect(status).toBe(422);
      expect(body).toMatchObject({ errors: [{ pointer: '/messages/1/content' }] });
    },
  );

  it('refuse a conversation that ends with a result of a tool', async () => {
    const { status, body } = await ask([QUESTION_OF_PUMP, { role: 'tool', tool_call_id: 'c', content: '14:02' }]);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ pointer: '/messages/1/role' }] });
  });
});

describe('Dify, over documents with metadata', () => {
  let pumps: string;
  const titles = async (conditions: readonly object[], logical_operator = 'and'): Promise<unknown> => {
    const { status, body } = await send('/integrations/dify/retrieval', {
      knowledge_id: pumps,
      query: DIFY.query,
      retrieval_setting: { top_k: 10, score_threshold: 0 },
      metadata_condition: { logical_operator, conditions },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    return [...new Set((body['records'] as { title: string }[]).map(({ title }) => title))].toSorted();
  };

  beforeAll(async () => {
    pumps = await service.admin.createDataset('Pumps');
    for (const { name, metadata } of DIFY.documents) {
      const file = { name, content: await readFile(new URL(name, FOLDERS.dify)) };
      await ingest(service.admin, pumps, file, { metadata: JSON.stringify({ ...metadata, uses: ['Water', 'Oil'] }) });
    }
  });

  it.each(DIFY.conditions)('compares as Dify does: $condition', async ({ condition, expect: expected }) => {
    expect(await titles([condition])).toEqual(expected);
  });

  it.each([
    [{ name: ['year'], comparison_operator: 'in', value: '2019, 2020' }, ['atlas.md']],
    [{ name: ['year'], comparison_operator: 'not in', value: [2019] }, ['borealis.md']],
    [{ name: ['uses'], comparison_operator: 'start with', value: 'Wat' }, ['atlas.md', 'borealis.md']],
    [{ name: ['uses'], comparison_operator: 'end with', value: 'Wat' }, []],
    [{ name: ['brand'], comparison_operator: 'start with', value: 'hal' }, []],
    [{ name: ['document_name'], comparison_operator: 'end with', value: 's.md' }, ['atlas.md', 'borealis.md']],
  ])('and so does %j', async (condition, expected) => {
    expect(await titles([condition])).toEqual(expected);
  });

  it.each([null, '', []])('a condition whose value is %j is left out', async (value) => {
    const isKestrel = { name: ['brand'], comparison_operator: 'is', value: 'Kestrel' };
    for (const comparison_operator of ['is', 'in', 'start with', 'not contains', '>']) {
      const unset = { name: ['brand'], comparison_operator, value };
      expect(await titles([unset])).toEqual(['atlas.md', 'borealis.md']);
      expect(await titles([unset, isKestrel])).toEqual(['borealis.md']);
      expect(await titles([unset, isKestrel], 'or')).toEqual(['borealis.md']);
    }
    expect(await titles([{ name: ['brand'], comparison_operator: 'empty', value }])).toEqual([]);
    expect(await titles([{ name: ['brand'], comparison_operator: 'not empty', value }])).toHaveLength(2);
  });
});
