import { beforeAll, describe, expect, it } from 'vitest';
import { ingest } from '../support/fixtures.js';
import { useTenant } from '../support/shared-service.js';

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string; readonly refusal: string | null } }[];
  readonly citations: readonly unknown[];
  readonly sources: readonly { readonly document_name: string; readonly text: string }[];
  readonly grounding: { readonly status: string; readonly answered: number };
  readonly refusal: {
    readonly code: string;
    readonly message: string;
    readonly missing: string | null;
    readonly missing_words: readonly string[];
    readonly measure: { readonly name: string; readonly value: number; readonly bar: number } | null;
    readonly next_step: { readonly kind: string; readonly change: object; readonly verified: boolean } | null;
  } | null;
}
interface Explanation {
  readonly code: string;
  readonly detail: string;
  readonly answer: { readonly is_refused: boolean; readonly code: string | null; readonly missing: string | null };
  readonly suggestions: readonly { readonly action: string; readonly change: object }[];
}

const service = useTenant('shipped');
let dataset: string;

const DESK =
  'The lost property desk in Port Askerne keeps what was found for three months. It is open from 8 to 18 on working days.';
const DESK_DE =
  'Das Fundbüro in Port Askerne bewahrt Fundsachen drei Monate auf. Es ist an Werktagen von 8 bis 18 Uhr geöffnet.';

beforeAll(async () => {
  dataset = await service.admin.createDataset('Ferries');
  const metadata = JSON.stringify({ kind: 'public' });
  await ingest(service.admin, dataset, { name: 'desk.txt', content: DESK }, { metadata });
  await ingest(service.admin, dataset, { name: 'fundbuero.txt', content: DESK_DE });
  await ingest(service.admin, dataset, { name: 'pump.txt', content: 'The bilge pump is serviced every 500 hours.' });
});

const ask = (content: string, more: object = {}): Promise<Completion> =>
  service.admin.post<Completion>('/chat/completions', {
    messages: [{ role: 'user', content }],
    dataset_ids: [dataset],
    ...more,
  });
const explain = (query: string, text: string, more: object = {}): Promise<Explanation> =>
  service.admin.post<Explanation>('/retrieval/explain', {
    query,
    dataset_ids: [dataset],
    expected: { text },
    purpose: 'chat',
    ...more,
  });

describe('a refusal over HTTP', () => {
  it('names what the nearest passages lack, and shows them', async () => {
    const answer = await ask('Does the desk in Holmsay sell umbrellas?');
    expect(answer.refusal, answer.choices[0]!.message.content).toMatchObject({
      code: 'INSUFFICIENT_EVIDENCE',
      missing: 'another_thing',
      missing_words: ['Holmsay'],
      measure: { name: 'answered', bar: 0.5 },
    });
    expect(answer.refusal!.message).toContain('say nothing about Holmsay.');
    expect(answer.sources[0]).toMatchObject({ document_name: 'desk.txt', text: DESK });
    expect(answer).toMatchObject({ citations: [], grounding: { status: 'refused' } });
    expect(answer.refusal!.measure!.value).toBe(answer.grounding.answered);
  });

  it('says that nothing is alike', async () => {
    const { refusal } = await ask('Which composer wrote the opera Carmen?');
    expect(refusal).toMatchObject({ missing: 'nothing_alike' });
    expect(refusal!.message).toContain('They contain nothing similar.');
  });

  it.each([
    ['Wer leitet das Fundbüro in Holmsay?', 'keine Antwort'],
    ['Fundbüro Holmsay', 'keine Antwort'],
    ['Quand ouvre le bureau des objets trouvés de Holmsay ?', 'pas trouvé'],
    ['¿Cuándo abre la oficina de Holmsay?', 'No he encontrado'],
    ['霍姆赛的失物招领处几点开门？', '没有找到'],
  ])('is in the language of %s', async (question, words) => {
    const { refusal } = await ask(question);
    expect(refusal?.message).toContain(words);
  });

  it('names a filter without which there is an answer, and nothing that was not tried', async () => {
    const filters = { type: 'eq', key: 'metadata.kind', value: 'public' };
    const question = 'How often is the bilge pump serviced?';
    const narrowed = await ask(question, { retrieval: { filters } });
    expect(narrowed.refusal?.next_step).toEqual({ kind: 'filters', change: { filters: null }, verified: true });
    expect(narrowed.refusal!.message).toContain('Without the filters there are passages that answer it.');
    expect((await ask(question)).refusal).toBeNull();
    const foreign = await ask('Which composer wrote the opera Carmen?', { retrieval: { filters } });
    expect(foreign.refusal).toMatchObject({ next_step: null });
  });

  it('is explained with its measure and its bar', async () => {
    const answer = await explain('Does the desk in Holmsay sell umbrellas?', 'keeps what was found');
    expect(answer).toMatchObject({
      code: 'REFUSED',
      answer: { is_refused: true, code: 'INSUFFICIENT_EVIDENCE', missing: 'another_thing', missing_words: ['Holmsay'] },
    });
    expect(answer.detail).toMatch(/`answered` is 0(?:\.\d+)?, and the bar is 0\.5/);
    const answered = await explain('How often is the bilge pump serviced?', 'every 500 hours');
    expect(answered).toMatchObject({ code: 'RETRIEVED', answer: { is_refused: false, code: null, missing: null } });
  });

  it('is explained with a change that was seen to be answered', async () => {
    const filters = { type: 'eq', key: 'metadata.kind', value: 'public' };
    const missed = await explain('How often is the bilge pump serviced?', 'keeps what was found', { filters });
    expect(missed.answer).toMatchObject({ is_refused: true });
    expect(missed.detail).not.toContain('nothing is wrong');
    const search = await service.admin.post<{ answer: unknown }>('/retrieval/explain', {
      query: 'How often is the bilge pump serviced?',
      dataset_ids: [dataset],
      expected: { text: 'every 500 hours' },
    });
    expect(search.answer).toBeNull();
  });
});

describe('what is no question, over HTTP', () => {
  it('is answered as what it is', async () => {
    expect(await ask('Hello!')).toMatchObject({ refusal: null, sources: [], grounding: { status: 'not_applicable' } });
    const listed = await ask('Welche Dokumente gibt es?');
    expect(listed.sources.map((source) => source.document_name)).toEqual(['desk.txt', 'fundbuero.txt', 'pump.txt']);
    expect(listed).toMatchObject({ citations: [], grounding: { status: 'not_applicable' } });
    const summary = await ask('Summarise pump.txt');
    expect(summary).toMatchObject({ citations: [{ verified: true }], grounding: { status: 'supported' } });
  });
});
