import { beforeEach, describe, expect, it } from 'vitest';
import { profileQuestion } from '#libs/answering';
import { TermStatistics } from '#libs/ranking';
import type { SearchTrace } from '../../retrieval/index.js';
import type { ChatCompletion } from './chat-completion.dto.js';
import type { ChatCompletionRequest } from './chat-completion-request.dto.js';
import { REFUSAL_SENTENCES } from './refusal-sentences.js';
import { ChatFixture, chunksOf, collect, contextOf, requestOf, textOf } from '../testing/chat-fakes.js';

const SIGNAL = new AbortController().signal;
const weak = { evidence: 0.1 };
let chat: ChatFixture;

beforeEach(() => {
  chat = new ChatFixture();
});

/** Asks, and the datasets know the words of the question. */
function ask(content: string, changes: Partial<ChatCompletionRequest> = {}): Promise<ChatCompletion> {
  chat.outcome = { ...chat.outcome, question: profileQuestion(content, new TermStatistics()) };
  const messages = [{ role: 'user' as const, content }];
  return chat.service.complete(contextOf('a1'), requestOf({ messages, ...changes }), SIGNAL);
}

describe('a refusal', () => {
  beforeEach(() => {
    chat.outcome = { ...chat.outcome, ...weak };
  });

  it('has the nearest passages as sources, the measure that decided, and no citation', async () => {
    const answer = await ask('How often is the pump in Holmsay serviced?');
    expect(answer.sources.map(({ number, text }) => [number, text])).toEqual([
      [1, 'The pump is serviced every 500 hours by a technician.'],
      [2, 'Invoices are paid within thirty days.'],
    ]);
    expect(answer).toMatchObject({
      citations: [],
      refusal: {
        code: 'INSUFFICIENT_EVIDENCE',
        missing: 'another_thing',
        missing_words: ['Holmsay'],
        measure: { name: 'evidence', value: 0.1, bar: 0.4 },
        next_step: null,
      },
    });
  });

  it('shows at most five passages, each without its surroundings', async () => {
    const [chunk] = chat.outcome.results;
    const around = { ...chunk!, text: `Before. ${chunk!.text}`, start: 0, end: chunk!.end + 8 };
    const own = { start: 8, end: 8 + chunk!.text.length };
    chat.outcome = { ...chat.outcome, results: Array.from({ length: 9 }, () => ({ ...around, own })) };
    const { sources } = await ask('How often is the pump serviced?');
    expect(sources.map(({ text, char_start }) => [text, char_start])).toEqual(
      Array.from({ length: 5 }, () => [chunk!.text, 8]),
    );
  });

  it.each([
    ['en', 'When does the canteen in Holmsay open?', 'I looked for “When does the canteen in Holmsay open?”.'],
    ['de', 'Wann öffnet die Kantine in Holmsay?', 'Gesucht habe ich nach „Wann öffnet die Kantine in Holmsay?“.'],
    ['fr', 'Quand ouvre la cantine de Holmsay ?', 'J’ai cherché « Quand ouvre la cantine de Holmsay ? ».'],
    ['es', '¿Cuándo abre la cantina de Holmsay?', 'He buscado «¿Cuándo abre la cantina de Holmsay?».'],
    ['zh', '雾岛的食堂几点开门？', '查找的内容：“雾岛的食堂几点开门？”。'],
    ['ja', '霧島の食堂は何時に開きますか？', '「霧島の食堂は何時に開きますか？」を探しました。'],
    ['ru', 'Когда открывается столовая?', 'Искал: «Когда открывается столовая?».'],
  ])('is in the language of the question (%s)', async (language, question, lookedFor) => {
    const { choices, refusal } = await ask(question);
    expect(choices[0]!.message.content).toBe(refusal!.message);
    expect(refusal!.message).toContain(REFUSAL_SENTENCES.get(language)!.absent);
    expect(refusal!.message).toContain(lookedFor);
    expect(refusal!.message).toContain(REFUSAL_SENTENCES.get(language)!.nothing);
  });

  it('counts passages that are near only by meaning as similar', async () => {
    const scores = { ...chat.outcome.results[0]!.scores, vector: 0.6 };
    chat.outcome = { ...chat.outcome, results: chat.outcome.results.map((one) => ({ ...one, scores })) };
    expect((await ask('When does the canteen open?')).refusal!.missing).toBe('too_weak');
  });

  it('has the language of the conversation where that of the question is unknown', async () => {
    const messages = [
      { role: 'user' as const, content: 'Wie oft wird die Pumpe gewartet und wer macht das?' },
      { role: 'assistant' as const, content: 'Alle 500 Stunden.' },
      { role: 'user' as const, content: 'Holmsay?' },
    ];
    const { refusal } = await ask('Holmsay?', { messages });
    expect(refusal!.message).toContain('keine Antwort');
  });

  it('is the same whole and streamed, and escapes words of the question', async () => {
    const question = 'How often is the pump at <b>Holmsay</b> [1] serviced by ![x](https://evil.example/a.png)?';
    const whole = await ask(question);
    const { message } = whole.refusal!;
    expect(message).not.toMatch(/(?<!\\)<b>|!\[x\]\(|\[1\]/);
    expect(whole.citations).toEqual([]);
    const messages = [{ role: 'user' as const, content: question }];
    const reader = { signal: SIGNAL };
    const events = await collect(
      await chat.service.stream(
        contextOf('a1'),
        requestOf({ messages, stream: true }),
        undefined,
        reader as unknown as Parameters<typeof chat.service.stream>[3],
      ),
    );
    expect(textOf(events)).toBe(message);
    const chunks = chunksOf(events);
    expect(chunks[0]!.sources).toEqual(whole.sources);
    expect(chunks.at(-1)!.refusal).toEqual(whole.refusal);
  });
});

describe('a refusal of the model', () => {
  it('has the sources that the model was given, and what is missing', async () => {
    chat.model.script = ['refusal'];
    const answer = await ask('How often is the pump in Holmsay serviced?');
    expect(answer.refusal).toMatchObject({
      code: 'NOT_ANSWERED',
      missing: 'another_thing',
      missing_words: ['Holmsay'],
      measure: null,
    });
    expect(answer.refusal!.message).toContain('say nothing about Holmsay.');
    expect(answer.sources).toHaveLength(2);
    expect(answer.citations).toEqual([]);
  });

  it('names nothing missing where strict grounding held back the answer', async () => {
    chat.model.script = ['The moon is made of cheese and nothing else [1].'];
    const { refusal } = await ask('How often is the pump serviced?', { grounding: 'strict' });
    expect(refusal).toMatchObject({ code: 'UNGROUNDED', missing: null, missing_words: [], measure: null });
    expect(refusal!.message).toBe(REFUSAL_SENTENCES.get('en')!.ungrounded);
  });
});

describe('the next step of a refusal', () => {
  const filters = { type: 'eq', key: 'metadata.department', value: 'legal' } as const;
  const traced = (changes: object): void => {
    const options = { filter: null, scoreThreshold: null, searchMethod: 'hybrid', ...changes };
    chat.trace = { options, defaults: { options: {} } } as unknown as SearchTrace;
  };

  it('is a change that was tried and helps', async () => {
    traced({ filter: filters });
    chat.outcomeOf = (request) => ({ ...chat.outcome, evidence: request['filters'] === undefined ? 0.9 : 0.1 });
    const { refusal } = await ask('How often is the pump serviced?', { retrieval: { filters } });
    expect(refusal!.next_step).toEqual({ kind: 'filters', change: { filters: null }, verified: true });
    expect(refusal!.message).toMatch(/Without the filters there are passages that answer it\.$/);
    expect(chat.searches).toHaveLength(2);
  });

  it('is all changes together where no single one helps', async () => {
    traced({ filter: filters, searchMethod: 'keyword' });
    chat.outcomeOf = (request) => ({
      ...chat.outcome,
      evidence: request['filters'] === undefined && request['search_method'] === 'hybrid' ? 0.9 : 0.1,
    });
    const retrieval = { filters, search_method: 'keyword' } as never;
    const { refusal } = await ask('How often is the pump serviced?', { retrieval });
    expect(refusal!.next_step).toMatchObject({ kind: 'all', change: { filters: null, search_method: 'hybrid' } });
    expect(chat.searches).toHaveLength(4);
  });

  it('is null where no change helps or nothing restricted the search', async () => {
    traced({ scoreThreshold: 0.9 });
    chat.outcome = { ...chat.outcome, ...weak };
    expect((await ask('How often is the pump serviced?')).refusal!.next_step).toBeNull();
    expect(chat.searches).toHaveLength(2);
    traced({});
    expect((await ask('How often is the pump serviced?')).refusal!.next_step).toBeNull();
    expect(chat.searches).toHaveLength(3);
  });
});
