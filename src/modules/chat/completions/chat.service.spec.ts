import { beforeEach, describe, expect, it } from 'vitest';
import { aiErrors, createModels } from '#libs/ai';
import type { SseEvent } from '#libs/http';
import { ANSWERED_THRESHOLD, profileQuestion } from '#libs/answering';
import { EVIDENCE_THRESHOLD, TermStatistics } from '#libs/ranking';
import { BUILTIN_MODELS } from '#libs/testing';
import { datasetErrors } from '../../datasets/index.js';
import {
  ChatFixture,
  chunksOf,
  collect,
  contextOf,
  DATASET_ID,
  DOCUMENT_TEXT,
  fragments,
  requestOf,
  textOf,
} from '../testing/chat-fakes.js';
import type { ChatCompletionRequest } from '../turn/chat-completion-request.dto.js';
import type { ChatCompletion } from '../turn/chat-completion.dto.js';

const CTX = contextOf('a1');
const SIGNAL = new AbortController().signal;
const READER = {
  signal: SIGNAL,
  describe: (thrown: unknown): never => {
    throw thrown;
  },
};
const SENTENCE = 'The pump is serviced every 500 hours by a technician.';

describe('ChatService', () => {
  let chat: ChatFixture;
  beforeEach(() => {
    chat = new ChatFixture();
    chat.model.script = ['The pump is serviced', ' every 500 hours', ' by a technician. ', '[1', '] ', '[7', ']'];
  });

  const complete = (changes: Partial<ChatCompletionRequest> = {}): Promise<ChatCompletion> =>
    chat.service.complete(CTX, requestOf(changes), SIGNAL);
  const stream = async (changes: Partial<ChatCompletionRequest> = {}): Promise<SseEvent[]> =>
    collect(await chat.service.stream(CTX, requestOf({ stream: true, ...changes }), undefined, READER));

  it('answers with text, sources, citations verified against the stored text, grounding and usage', async () => {
    const answer = await complete();
    const [message] = answer.choices;
    expect(message).toEqual({
      index: 0,
      message: { role: 'assistant', content: `${SENTENCE} [1]`, refusal: null },
      finish_reason: 'stop',
    });
    expect(answer).toMatchObject({
      object: 'chat.completion',
      model: 'builtin-fake',
      request_id: 'request-of-a1',
      removed_markers: 1,
    });
    expect(answer.usage).toEqual({ prompt_tokens: 40, completion_tokens: 10, total_tokens: 50 });
    expect(answer.grounding).toEqual({
      status: 'supported',
      score: 1,
      answered: expect.closeTo(0.98, 1),
      unsupported_spans: [],
      withheld: 0,
      method: 'lexical',
      threshold: 0.6,
    });
    expect(answer.refusal).toBeNull();
    expect(answer.sources.map(({ number, marker, text }) => [number, marker, text])).toEqual([
      [1, '[1]', SENTENCE],
      [2, '[2]', 'Invoices are paid within thirty days.'],
    ]);
    expect(answer.sources[0]).toMatchObject({
      revision: 3,
      document_created_at: '2026-01-01T00:00:00.000Z',
      path: null,
      heading_path: [],
    });
    const [citation] = answer.citations;
    expect(answer.citations).toHaveLength(1);
    expect(citation).toMatchObject({
      id: 'c1',
      marker: '[1]',
      chunk_id: 'chunk-0',
      revision: 3,
      verified: true,
      support_score: 1,
    });
    expect(DOCUMENT_TEXT.slice(citation!.source_char_start, citation!.source_char_end)).toBe(citation!.cited_text);
    expect(message!.message.content.slice(citation!.answer_start, citation!.answer_end)).toBe(SENTENCE);
  });

  it('does not call a citation verified when the stored text is another one, or shorter', async () => {
    chat.storedText = DOCUMENT_TEXT.replace('500', '600');
    expect((await complete()).citations).toMatchObject([{ verified: false }]);
    chat.storedText = 'The pump';
    expect((await complete()).citations).toMatchObject([{ verified: false }]);
  });

  it.each([
    ['an answer with a marker over several pieces', {}, undefined],
    ['a strict answer', { grounding: 'strict' as const }, undefined],
    ['an unchecked answer', { grounding: 'off' as const }, undefined],
    ['an answer that is cut', {}, ['The pump is ', 'length']],
    ['a refusal of the model', {}, ['refusal']],
    ['a refused ungrounded answer', { grounding: 'strict' as const }, ['Bananas are yellow [1].']],
    ['an answer after white space', {}, ['\n ', 'The pump [1] [9] `a[9]` is', ' serviced [2, 9].']],
  ] as const)('streams %s with the content and details of the JSON answer', async (_name, changes, script) => {
    if (script !== undefined) chat.model.script = [...script];
    const answer = await complete(changes);
    const events = await stream(changes);
    expect(textOf(events)).toBe(answer.choices[0]!.message.content);
    const chunks = chunksOf(events);
    const first = chunks[0]!;
    const last = chunks.at(-1)!;
    expect(first.choices[0]).toEqual({ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null });
    expect(first).toMatchObject({ request_id: 'request-of-a1', sources: answer.sources });
    const { citations, grounding, refusal, usage, request_id, retrieval, removed_markers } = answer;
    expect(last).toMatchObject({ citations, grounding, refusal, usage, request_id, retrieval, removed_markers });
    expect(last.choices[0]).toEqual({ index: 0, delta: {}, finish_reason: answer.choices[0]!.finish_reason });
    expect(events.at(-1)!.data).toBe('[DONE]');
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    const [stem] = events[0]!.id.split('.');
    expect(stem).toMatch(/^[0-9a-f]{32}$/);
    expect(events.map(({ id }) => id)).toEqual(events.map((_event, index) => `${stem}.${index}`));
  });

  describe.each([false, true])('a stop text (streamed: %s)', (streamed) => {
    const textWith = async (changes: Partial<ChatCompletionRequest>): Promise<string> =>
      streamed ? textOf(await stream(changes)) : ((await complete(changes)).choices[0]!.message.content ?? '');

    it.each([
      [[' every'], 'The pump is serviced'],
      [['hours by'], 'The pump is serviced every 500 '],
      [['technician', '500'], 'The pump is serviced every '],
      [['nowhere'], `${SENTENCE} [1]`],
      [['The'], ''],
    ])('%j ends the answer', async (stop, expected) => {
      expect(await textWith({ stop })).toBe(expected);
    });

    it('ends a strict answer, whose shown part is checked', async () => {
      chat.model.script = [`${SENTENCE} [1]`, ' STOP Bananas are yellow.'];
      expect(await textWith({ stop: [' STOP'], grounding: 'strict' })).toBe(`${SENTENCE} [1]`);
    });
  });

  it('stops the model at a stop text and says so as OpenAI does', async () => {
    chat.model.script = ['The pump', ' STOP', new Error('It was asked for more.')];
    const answer = await complete({ stop: ['STOP'] });
    expect(answer.choices[0]).toMatchObject({
      message: { content: 'The pump ', refusal: null },
      finish_reason: 'stop',
    });
    expect(answer.usage.completion_tokens).toBeGreaterThan(0);
    expect(answer.usage.prompt_tokens).toBeGreaterThan(0);
  });

  it('treats a message of the role developer as a system message', async () => {
    const messages = [{ role: 'developer' as const, content: 'Be brief.' }, ...requestOf().messages];
    await complete({ messages });
    expect(chat.model.requests[0]!.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  describe('a dataset as the model', () => {
    const model = `dataset:${DATASET_ID.toUpperCase()}`;

    it('is what is searched, without dataset_ids or with the same id', async () => {
      for (const dataset_ids of [undefined, [DATASET_ID]]) {
        expect((await complete({ model, dataset_ids })).model).toBe(`dataset:${DATASET_ID}`);
      }
      expect(chat.searches.map(({ dataset_ids }) => dataset_ids)).toEqual([[DATASET_ID], [DATASET_ID]]);
    });

    it('is an unknown model when it is not visible or no id', async () => {
      chat.datasetIsVisible = false;
      const unknown = { status: 404, code: 'chat.model_not_found' };
      await expect(complete({ model, dataset_ids: undefined })).rejects.toMatchObject(unknown);
      await expect(complete({ model: 'dataset:', dataset_ids: undefined })).rejects.toMatchObject(unknown);
      expect(chat.searches).toEqual([]);
    });

    it('can be resumed like any other stream', async () => {
      const events = await collect(
        await chat.service.stream(CTX, requestOf({ stream: true, model, dataset_ids: undefined }), undefined, READER),
      );
      const again = await chat.service.stream(CTX, requestOf({ stream: true, model }), events[1]!.id, READER);
      expect(await collect(again)).toEqual(events.slice(2));
    });
  });

  it('ends with a usage chunk without choices, which then has the details, when OpenAI’s option asks for it', async () => {
    const chunks = chunksOf(await stream({ stream_options: { include_usage: true } }));
    expect(chunks.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }] });
    expect(chunks.at(-2)).not.toHaveProperty('citations');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 50 }, citations: [{ verified: true }] });
  });

  it('shows a sentence of a strict stream as soon as it is whole and supported, and leaves out the others', async () => {
    chat.model.script = [
      `${SENTENCE} [1]`,
      ' Bananas are yellow.',
      { wait: true },
      ' Invoices are paid within thirty days. [2]',
    ];
    const events = (
      await chat.service.stream(CTX, requestOf({ stream: true, grounding: 'strict' }), undefined, READER)
    )[Symbol.asyncIterator]();
    await events.next();
    const second = (await events.next()).value as SseEvent;
    expect(textOf([second])).toBe(`${SENTENCE} [1]`);
    chat.model.go();
    const rest = await collect({ [Symbol.asyncIterator]: () => events });
    expect(textOf(rest)).toBe(' Invoices are paid within thirty days. [2]');
    expect(chunksOf(rest).at(-1)).toMatchObject({
      grounding: { status: 'partial', withheld: 1, unsupported_spans: [] },
      citations: [{ marker: '[1]' }, { marker: '[2]' }],
    });
  });

  it('measures by the reranker where that is configured, and names method and threshold', async () => {
    chat = new ChatFixture(undefined, { chatFirstTokenSeconds: 60, groundingMethod: 'reranker' });
    chat.model.script = [`${SENTENCE} [1] Bananas are yellow.`];
    chat.reranker.scoreOf = (query) => (query.includes('pump') ? 0.5 : 0.49);
    expect((await complete()).grounding).toMatchObject({
      status: 'partial',
      method: 'reranker',
      threshold: 0.5,
      unsupported_spans: [{ text: 'Bananas are yellow.' }],
    });
    const strict = await complete({ grounding: 'strict' });
    expect(strict.choices[0]!.message.content.trim()).toBe(`${SENTENCE} [1]`);
    expect(strict.grounding).toMatchObject({ status: 'partial', withheld: 1 });
  });

  it('measures by an entailment model where that is configured, and reads no further than it must', async () => {
    chat = new ChatFixture(undefined, { chatFirstTokenSeconds: 60, groundingMethod: 'nli' });
    chat.model.script = ['A technician looks after it every 500 hours. [1] The pump is serviced by nobody.'];
    chat.entailment.probabilityOf = (statement, text) =>
      statement.includes('technician') && text.includes('technician') ? 0.5 : 0.49;
    expect((await complete()).grounding).toMatchObject({
      status: 'partial',
      method: 'nli',
      threshold: 0.5,
      unsupported_spans: [{ text: 'The pump is serviced by nobody.' }],
    });
    const [pump, invoices] = DOCUMENT_TEXT.trimEnd().split('\n');
    expect(chat.entailment.read).toEqual([pump, pump, invoices]);
    const strict = await complete({ grounding: 'strict' });
    expect(strict.choices[0]!.message.content.trim()).toBe('A technician looks after it every 500 hours. [1]');
    expect(strict.grounding).toMatchObject({ status: 'partial', withheld: 1, method: 'nli' });
  });

  it('shows links and images that may not be followed as text and counts them', async () => {
    chat.model.script = [
      'The pump [is](https://evil.ex',
      'ample/) serviced ![x](https://evil.example/y) every 500 hours. [1]',
    ];
    const answer = await complete();
    expect(answer.choices[0]!.message.content).toBe(
      'The pump [is]\\(`https://evil.example/`) serviced ![x]\\(`https://evil.example/y`) every 500 hours. [1]',
    );
    expect(answer.removed_links).toBe(2);
    expect(textOf(await stream())).toBe(answer.choices[0]!.message.content);
  });

  describe('in JSON', () => {
    const response_format = { type: 'json_object' as const };
    beforeEach(() => {
      chat.model.descriptor = {
        ...chat.model.descriptor,
        supports: { jsonObject: true, jsonSchema: false, seed: true },
      };
      chat.model.script = [
        '```json\n{"every": "500 hours [1]", "by": ["a technician [7]"],',
        ' "n": 500, "ok": true}\n```',
      ];
    });

    it('answers without markers, with citations that name the place of a value', async () => {
      const answer = await complete({ response_format });
      const { content } = answer.choices[0]!.message;
      expect(JSON.parse(content)).toEqual({ every: '500 hours', by: ['a technician'], n: 500, ok: true });
      expect(answer.citations.map(({ answer_start, answer_end }) => content.slice(answer_start, answer_end))).toEqual([
        '500 hours',
        'a technician',
        '500',
      ]);
      expect(answer.citations.every(({ verified }) => verified)).toBe(true);
      expect(answer.grounding).toMatchObject({ status: 'supported' });
      expect(chat.model.requests[0]).toMatchObject({ responseFormat: { kind: 'json_object' } });
      expect(textOf(await stream({ response_format }))).toBe(content);
    });

    it('refuses the whole of it where a value is not supported and grounding is strict', async () => {
      expect((await complete({ response_format, grounding: 'strict' })).refusal).toBeNull();
      chat.model.script = ['{"every": "700 hours"}'];
      expect((await complete({ response_format, grounding: 'strict' })).refusal).toMatchObject({ code: 'UNGROUNDED' });
      expect((await complete({ response_format })).grounding).toMatchObject({
        status: 'unsupported',
        unsupported_spans: [{ start: 10, end: 19, text: '700 hours' }],
      });
    });

    it('fails when the model nests its values too deeply', async () => {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        chat.model.script = [`${open.repeat(20_000)}1${close.repeat(20_000)}`];
        await expect(complete({ response_format })).rejects.toMatchObject({
          code: 'chat.answer_not_json',
          status: 503,
        });
      }
    });

    it('fails when the model writes something else, or cannot write JSON', async () => {
      chat.model.script = ['Every 500 hours.'];
      await expect(complete({ response_format })).rejects.toMatchObject({ code: 'chat.answer_not_json', status: 503 });
      const json_schema = { name: 'x', schema: {} };
      await expect(complete({ response_format: { type: 'json_schema', json_schema } })).rejects.toMatchObject({
        status: 422,
        errors: [{ pointer: '/response_format', code: 'is_supported' }],
      });
    });
  });

  it.each([
    ['NO_RESULTS', { results: [], evidence: 0 }],
    ['INSUFFICIENT_EVIDENCE', { evidence: EVIDENCE_THRESHOLD - 0.01 }],
  ])('refuses with %s without asking the model', async (code, changes) => {
    chat.outcome = { ...chat.outcome, ...changes };
    const answer = await complete();
    expect(chat.model.requests).toEqual([]);
    expect(answer).toMatchObject({
      refusal: { code },
      sources: chat.outcome.results.map(({ text }) => ({ text })),
      citations: [],
      grounding: { status: 'refused', score: 0, unsupported_spans: [], withheld: 0 },
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    });
    const { message, finish_reason } = answer.choices[0]!;
    expect(finish_reason).toBe('stop');
    expect(message).toEqual({ role: 'assistant', content: answer.refusal!.message, refusal: answer.refusal!.message });
  });

  it('asks the model when the evidence is just enough', async () => {
    chat.outcome = { ...chat.outcome, evidence: EVIDENCE_THRESHOLD };
    expect((await complete()).refusal).toBeNull();
  });

  it.each([[['refusal']], [[]], [[' \n']]])('refuses with NOT_ANSWERED when the model writes %j', async (script) => {
    chat.model.script = script;
    expect(await complete()).toMatchObject({ refusal: { code: 'NOT_ANSWERED' }, usage: { total_tokens: 50 } });
  });

  it('refuses an answer of which strict grounding leaves nothing', async () => {
    chat.model.script = ['Bananas are yellow. [1] Yes.'];
    const answer = await complete({ grounding: 'strict' });
    expect(answer).toMatchObject({ refusal: { code: 'UNGROUNDED' }, citations: [], grounding: { status: 'refused' } });
    expect(answer.grounding!.withheld).toBeGreaterThan(0);
  });

  it('leaves out of a strict answer, and marks in an annotated one, what is not supported', async () => {
    chat.model.script = [`${SENTENCE} [1] Bananas are yellow.`];
    const strict = await complete({ grounding: 'strict' });
    expect(strict.choices[0]!.message.content.trim()).toBe(`${SENTENCE} [1]`);
    expect(strict).toMatchObject({ refusal: null, grounding: { status: 'partial', withheld: 1 } });
    const annotated = await complete();
    expect(annotated.refusal).toBeNull();
    expect(annotated.grounding).toMatchObject({
      status: 'partial',
      unsupported_spans: [{ text: 'Bananas are yellow.' }],
    });
    expect((await complete({ grounding: 'off' })).grounding).toBeNull();
  });

  it('refuses in the language of the question', async () => {
    chat.outcome = { ...chat.outcome, results: [] };
    const ask = async (content: string) => (await complete({ messages: [{ role: 'user', content }] })).refusal!.message;
    expect(await ask('Wie oft muss die Pumpe gewartet werden?')).toContain('Dokumenten');
    expect(await ask('水泵多久保养一次？')).toContain('文档');
    expect(await ask('ต้องบำรุงรักษาปั๊มบ่อยแค่ไหน')).toContain('เอกสาร');
    expect(await ask('xkcd 42')).toContain('documents');
  });

  it('searches for a follow-up question together with what it refers to, and never for system messages', async () => {
    const messages: ChatCompletionRequest['messages'] = [
      { role: 'system', content: 'Speak like a pirate about treasure.' },
      { role: 'user', content: 'How often is the pump serviced?' },
      { role: 'assistant', content: 'Every 500 hours.' },
      { role: 'user', content: 'And by whom?' },
    ];
    const answer = await complete({ messages });
    expect(chat.searches[0]).toMatchObject({ top_k: 8 });
    const query = chat.searches[0]!['query'] as string;
    expect(query).toContain('And by whom?');
    expect(query).toContain('pump');
    expect(query).not.toContain('pirate');
    expect(answer.retrieval.query).toBe(query);
    expect(chat.model.requests[0]).toMatchObject({ question: query, messages });
  });

  it('gives the model the instructions of the datasets, each with its name, before a system message of the caller', async () => {
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: 'How often is the pump serviced?' },
    ];
    chat.instructions = [{ name: 'Manuals', instructions: 'Use full names.' }];
    await complete({ messages });
    expect(chat.model.requests[0]!.messages).toEqual([{ role: 'system', content: 'Use full names.' }, ...messages]);
    chat.instructions.push({ name: 'Invoices', instructions: 'Name amounts.' });
    await complete({ messages });
    expect(chat.model.requests[1]!.messages[0]!.content).toBe(
      'For the dataset "Manuals":\nUse full names.\n\nFor the dataset "Invoices":\nName amounts.',
    );
  });

  it('passes search options and gives the model at most twenty sources', async () => {
    chat.outcome = { ...chat.outcome, results: Array.from({ length: 30 }, () => fragments()[0]!) };
    const answer = await complete({ retrieval: { top_k: 30, search_method: 'keyword' } });
    expect(chat.searches[0]).toMatchObject({ top_k: 30, search_method: 'keyword', pointer: '/retrieval' });
    expect(answer.sources).toHaveLength(20);
  });

  it('takes the newer name of max_tokens first and a low temperature by default', async () => {
    await complete({ max_tokens: 5, max_completion_tokens: 7 });
    expect(chat.model.requests[0]).toMatchObject({ maxTokens: 7, temperature: 0.1 });
    await complete({ top_p: 0.5, seed: 7, stop: ['x'], temperature: 0 });
    expect(chat.model.requests[1]).toMatchObject({ topP: 0.5, seed: 7, stop: ['x'], temperature: 0 });
  });

  it('names its model, and refuses an unknown model before it searches', async () => {
    for (const model of [undefined, null, 'default', 'builtin-fake'])
      expect((await complete({ model })).model).toBe('builtin-fake');
    chat.searches.length = 0;
    await expect(complete({ model: 'gpt-5' })).rejects.toMatchObject({ code: 'chat.model_not_found', status: 404 });
    expect(chat.searches).toEqual([]);
  });

  it('refuses a conversation whose last message is not the user’s', async () => {
    const messages = [...requestOf().messages, { role: 'assistant' as const, content: 'Hello' }];
    await expect(complete({ messages })).rejects.toMatchObject({
      status: 422,
      errors: [{ pointer: '/messages/1/role' }],
    });
  });

  it('throws what goes wrong before the first event instead of streaming it', async () => {
    chat.searchFails = datasetErrors.not_found({ id: 'x' });
    await expect(stream()).rejects.toMatchObject({ status: 404 });
    expect(chat.model.requests).toEqual([]);
  });

  it('throws when the model fails', async () => {
    chat.model.script = ['The', aiErrors.provider_unavailable({ provider: 'x', model: 'y' })];
    await expect(complete()).rejects.toMatchObject({ status: 503 });
  });

  it('refuses, with a model that quotes, a question whose words the fragments share without answering it', async () => {
    const { chatModel } = await createModels(BUILTIN_MODELS);
    chat = new ChatFixture(chatModel);
    const question = profileQuestion('How often is the Grand Hotel swimming pool cleaned?', new TermStatistics());
    chat.outcome = { ...chat.outcome, question };
    const answer = await complete();
    expect(answer.refusal).toMatchObject({ code: 'INSUFFICIENT_EVIDENCE' });
    expect(answer.grounding!.answered).toBeLessThan(ANSWERED_THRESHOLD);
    chat = new ChatFixture();
    chat.model.script = ['refusal'];
    expect((await complete()).grounding).toMatchObject({ status: 'refused', answered: 0 });
  });

  it('answers with the built-in model by quoting, the same way each time', async () => {
    const { chatModel } = await createModels(BUILTIN_MODELS);
    chat = new ChatFixture(chatModel);
    const answer = await complete({ grounding: 'strict' });
    expect(answer.choices[0]!.message.content).toBe(`${SENTENCE} [1]`);
    expect(answer).toMatchObject({
      model: 'builtin-extractive-v1',
      citations: [{ verified: true, support_score: 1, cited_text: SENTENCE }],
    });
    expect(textOf(await stream())).toBe(`${SENTENCE} [1]`);
  });
});
