import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '../api/problem.js';

interface Turn {
  readonly question: string;
  readonly state: string;
  readonly isWaiting?: boolean;
}
/** What a page does with a conversation. */
interface Talk {
  ask(question: string, datasetIds: readonly string[]): Promise<void>;
  giveUp(turn: Turn): void;
  load(id: string): Promise<void>;
  current(): { readonly turns: readonly Turn[] };
}

const CONVERSATION = fileURLToPath(new URL('conversation.ts', import.meta.url));

/** What a question meets, one after the other; then each is answered. */
type Fate = 'away' | 'cut' | 'endless' | 'answered';
interface Kept {
  readonly id: string;
  readonly question: string;
  readonly state: 'complete' | 'stopped';
  readonly words: string;
}

let fates: Fate[];
let kept: Kept[];
let posted: string[];
let back: PromiseWithResolvers<void>;

vi.mock('../api/session', () => ({ chosenTenant: () => undefined, serviceBack: () => back.promise }));
vi.mock('../api/client', () => ({
  dataOf: async (answer: Promise<{ data: unknown }>) => (await answer).data,
  api: {
    POST: async () => ({ data: { id: 'c1' } }),
    GET: async () => ({ data: { title: null, previous: null, turns: kept.map(keptTurn) } }),
  },
  fetchRoute: async (_path: string, { body }: { body: string }) => answerTo(body),
}));

const keptTurn = ({ id, question, state, words }: Kept): object => ({
  id,
  question,
  state,
  dataset_ids: ['d1'],
  request_id: `r ${id}`,
  answer: { content: words, citations: [], sources: [], grounding: null, refusal: null, table: null },
});

function answerTo(body: string): Response {
  const question = (JSON.parse(body) as { messages: { content: string }[] }).messages[0]!.content;
  posted.push(question);
  const fate = fates.shift() ?? 'answered';
  if (fate === 'away') throw new Problem(0, undefined);
  if (fate === 'endless') return new Response(new ReadableStream());
  const word = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Six ' } }], ...(fate === 'cut' ? {} : { conversation: { turn_id: `t${posted.length}` } }) })}\n\n`;
  if (fate === 'answered') kept.push({ id: `t${posted.length}`, question, state: 'complete', words: 'Six ' });
  return new Response(fate === 'cut' ? word : `${word}data: [DONE]\n\n`);
}

/** What a tab keeps over a reload. */
function tabStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

describe('a question that was cut off', () => {
  let conversation: Talk;
  let make: () => Talk;
  const shown = (): string[] =>
    conversation.current().turns.map((turn) => `${turn.question} ${turn.isWaiting === true ? 'waiting' : turn.state}`);
  const turnAt = (index: number): Turn => conversation.current().turns[index]!;
  const settle = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(20_000));

  beforeEach(async () => {
    vi.useFakeTimers();
    fates = [];
    kept = [];
    posted = [];
    back = Promise.withResolvers<void>();
    vi.stubGlobal('sessionStorage', tabStorage());
    const { Conversation } = (await import(CONVERSATION)) as { Conversation: new (onBegun: () => void) => Talk };
    make = () => new Conversation(() => undefined);
    conversation = make();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it.each([
    ['complete', 'When? done', 'Six in the evening.'],
    ['stopped', 'When? stopped', 'Six'],
  ] as const)('is not asked again where the service has kept it: %s', async (state, expected, words) => {
    fates = ['cut'];
    await conversation.ask('When?', ['d1']);
    expect(shown()).toEqual(['When? waiting']);
    back.resolve();
    await vi.advanceTimersByTimeAsync(1500);
    // The service notices a little later that nobody reads.
    kept.push({ id: 't9', question: 'When?', state, words });
    await settle();
    expect(posted).toEqual(['When?']);
    expect(shown()).toEqual([expected]);
    expect(turnAt(0)).toMatchObject({ text: words, turnId: 't9' });
  });

  it('is asked once more where the service has not kept it, and then left to who asked', async () => {
    fates = ['away', 'away'];
    await conversation.ask('When?', ['d1']);
    back.resolve();
    await settle();
    expect(posted).toEqual(['When?', 'When?']);
    expect(shown()).toEqual(['When? failed']);
  });

  it('is not taken for the same question before it', async () => {
    await conversation.ask('When?', ['d1']);
    fates = ['cut'];
    await conversation.ask('When?', ['d1']);
    back.resolve();
    await settle();
    expect(posted).toHaveLength(3);
    expect(shown()).toEqual(['When? done', 'When? done']);
  });

  it('waits with those behind it, in their order', async () => {
    fates = ['away'];
    await conversation.ask('When?', ['d1']);
    await conversation.ask('Where?', ['d1']);
    await conversation.ask('Who?', ['d1']);
    expect(shown()).toEqual(['When? waiting', 'Where? waiting', 'Who? waiting']);
    back.resolve();
    await settle();
    expect(posted).toEqual(['When?', 'When?', 'Where?', 'Who?']);
    expect(shown()).toEqual(['When? done', 'Where? done', 'Who? done']);
  });

  it('is given up by a press', async () => {
    fates = ['away'];
    await conversation.ask('When?', ['d1']);
    await conversation.ask('Where?', ['d1']);
    conversation.giveUp(turnAt(0));
    back.resolve();
    await settle();
    expect(posted).toEqual(['When?', 'Where?']);
    expect(shown()).toEqual(['When? stopped', 'Where? done']);
  });

  describe('by a reload of the page', () => {
    const reload = async (): Promise<void> => {
      conversation = make();
      await conversation.load('c1');
    };
    beforeEach(() => back.resolve());

    it('is asked once more, and only once', async () => {
      fates = ['endless'];
      void conversation.ask('When?', ['d1']);
      await vi.advanceTimersByTimeAsync(10);
      await reload();
      expect(shown()).toEqual(['When? waiting']);
      await settle();
      expect(posted).toEqual(['When?', 'When?']);
      expect(shown()).toEqual(['When? done']);
      await reload();
      expect(shown()).toEqual(['When? done']);
      await settle();
      expect(posted).toHaveLength(2);
    });

    it('is not asked again where the service has kept its answer, also behind the same question', async () => {
      await conversation.ask('When?', ['d1']);
      fates = ['endless'];
      void conversation.ask('When?', ['d1']);
      await vi.advanceTimersByTimeAsync(10);
      kept.push({ id: 't9', question: 'When?', state: 'complete', words: 'Six' });
      await reload();
      await settle();
      expect(posted).toHaveLength(2);
      expect(shown()).toEqual(['When? done', 'When? done']);
    });
  });
});
