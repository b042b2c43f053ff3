import { describe, expect, it } from 'vitest';
import { ModelFailure, type InstalledModels } from '#libs/ai';
import type { RequestContext } from '#libs/tenancy';
import { NOT_EXPANDED } from '../expansion/expanded-query.js';
import type { ScopedCandidate } from '../ranking/candidate-scorer.service.js';
import type { Ranked } from '../ranking/ranking.js';
import type { RetrievalRepository } from '../rows/retrieval.repository.js';
import type { EmbeddingScales } from '../scales/embedding-scales.service.js';
import type { Scoring } from '../candidates/scoring.js';
import type { SearchPlan } from '../results/search-plan.js';
import { SecondLook } from './second-look.service.js';
import { StatementVectors } from './statement-vectors.service.js';
import { StrangeWords } from './strange-words.service.js';

const SPACE = 'local-2-x';
const CTX = { tenantId: 't' } as RequestContext;
const written = (...numbers: number[]): string => Buffer.from(Float32Array.from(numbers).buffer).toString('base64');
const CENTRE = {
  questions: written(0, 0),
  passages: { en: written(0, 0) },
  levels: { en: { unrelated: 0, spread: 0.1 } },
};
/** What says “dogs” points where the question points. */
const vectorOf = (text: string): Float32Array => Float32Array.from(/dogs/i.test(text) ? [1, 0] : [0, 1]);
const TEXTS = [
  'Prams are folded below the stairs.',
  'Bicycles stand on the car deck.',
  'Smoking is forbidden everywhere on board. Dogs are admitted on the outer decks.',
];

function look(
  plan: object = {},
  scoring: object = {},
  keyword = 0.1,
  texts: readonly string[] = TEXTS,
  failing: (wanted: readonly string[]) => Error | undefined = () => undefined,
): { look: SecondLook; run: () => ReturnType<SecondLook['look']>; embedded: string[] } {
  const embedded: string[] = [];
  const embedder = {
    descriptor: { space: SPACE, maxBatchSize: 2, answersFrom: 3 },
    embed: async (wanted: string[]) => {
      const error = failing(wanted);
      if (error !== undefined) throw error;
      embedded.push(...wanted);
      return Promise.resolve({ vectors: wanted.map(vectorOf) });
    },
  };
  const models = { embedderOf: () => embedder } as unknown as InstalledModels;
  const repository = {
    listTexts: async (_: unknown, ids: string[]) =>
      // A database answers in any order.
      Promise.resolve(ids.toReversed().map((id) => ({ id, heading_path: [], body: texts[Number(id)]! }))),
  } as unknown as RetrievalRepository;
  const scales = { centreOf: async () => Promise.resolve(CENTRE) } as unknown as EmbeddingScales;
  const vectors = new StatementVectors(1_000_000);
  const second = new SecondLook(models, repository, scales, vectors, new StrangeWords(vectors));
  const ranked = texts.map((_, at) => ({ item: { id: String(at), keyword }, score: (30 - at) / 100 }));
  const asked = {
    options: { searchMethod: 'hybrid', fusion: { byTrust: true }, mmr: null },
    query: 'Are dogs admitted?',
    expanded: NOT_EXPANDED,
    datasets: [],
    signal: new AbortController().signal,
    ...plan,
  } as unknown as SearchPlan;
  const read = {
    spaces: new Map([['d', SPACE]]),
    calibrations: new Map([[SPACE, { trust: 1, language: 'en', calibration: {} }]]),
    vectors: new Map([[SPACE, Float32Array.from([1, 0])]]),
    ...scoring,
  } as unknown as Scoring;
  const run = async (): ReturnType<SecondLook['look']> =>
    second.look(CTX, asked, read, ranked as unknown as Ranked<ScopedCandidate>[]);
  return { look: second, run, embedded };
}

describe('SecondLook', () => {
  it('puts the chunk first whose sentence answers, and reassigns the scores in the new order', async () => {
    const { ranked, likeness } = await look().run();
    expect(ranked.map(({ item, score }) => [item.id, score])).toEqual([
      ['2', 0.3],
      ['0', 0.29],
      ['1', 0.28],
    ]);
    const compared = [...likeness!.values()].find(({ text }) => text === TEXTS[2]);
    expect(compared?.of.map((value) => Math.round(value))).toEqual([0, 10]);
    expect(compared?.answersFrom).toBe(3);
  });

  it('embeds a statement once', async () => {
    const { run, embedded } = look();
    await run();
    await run();
    expect(embedded).toHaveLength(4);
  });

  it('compares statements to be quoted where more words of the question occur, and keeps the order', async () => {
    const { ranked, likeness } = await look({ isQuoted: true }, {}, 0.2).run();
    expect(ranked.map(({ item }) => item.id)).toEqual(['0', '1', '2']);
    expect(likeness?.size).toBe(3);
  });

  it('compares missing words with statements to be quoted, and nothing where none is missing', async () => {
    const parrots = look({ isQuoted: true, query: 'Are dogs or parrots admitted?' }, {}, 0.4);
    const { ranked, likeness } = await parrots.run();
    expect(ranked.map(({ item }) => item.id)).toEqual(['0', '1', '2']);
    // The question that the search embedded is about dogs; so is what remains without the parrots.
    const [, admitted] = [...likeness!.values()].find(({ text }) => text === TEXTS[2])!.strange;
    expect(admitted).toEqual(new Map([['parrots', 0]]));
    expect([...likeness!.values()].flatMap(({ of }) => of).every((alike) => alike === 0)).toBe(true);
    expect(parrots.embedded).toEqual(['Dogs are admitted on the outer decks.', 'Are dogs or admitted?']);
    const expanded = { texts: ['Dogs are welcome.'], failure: null };
    const query = 'Are dogs or parrots admitted?';
    for (const plan of [{}, { query, expanded }, { query, isFollowUp: true }]) {
      const other = look({ isQuoted: true, ...plan }, {}, 0.4);
      await other.run();
      expect(other.embedded).toEqual([]);
    }
  });

  it('continues without statements that a model fails to compare, and says so', async () => {
    const failure = new ModelFailure({ provider: 'p', model: 'm', kind: 'timeout' });
    const parrots = { isQuoted: true, query: 'Are dogs or parrots admitted?' };
    const words = await look(parrots, {}, 0.1, TEXTS, ([first]) => (first?.includes('?') ? failure : undefined)).run();
    expect(words.failure).toEqual({ code: 'ai.provider_unavailable', of: 'words' });
    expect(words.ranked.map(({ item }) => item.id)).toEqual(['2', '0', '1']);
    expect([...words.likeness!.values()].map(({ strange }) => strange)).toEqual([[], [], []]);
    const all = await look(parrots, {}, 0.1, TEXTS, () => failure).run();
    expect(all.ranked.map(({ item }) => item.id)).toEqual(['0', '1', '2']);
    expect([all.likeness, all.failure]).toEqual([undefined, { code: 'ai.provider_unavailable', of: 'statements' }]);
    await expect(look(parrots, {}, 0.1, TEXTS, () => new Error('a fault of ours')).run()).rejects.toThrow('a fault');
    const aborted = { ...parrots, signal: AbortSignal.abort(new Error('has left')) };
    await expect(look(aborted, {}, 0.1, TEXTS, () => failure).run()).rejects.toThrow('has left');
  });

  it('compares the words of what comes first, in whatever order the database answers', async () => {
    const seven = Array.from({ length: 7 }, (_, at) => `Dogs are number ${'abcdefg'[at]!}.`);
    const { run } = look({ isQuoted: true, query: 'Are dogs parrots?' }, {}, 0.4, seven);
    const compared = [...(await run()).likeness!.values()].map(({ strange }) => strange[0] !== undefined);
    expect(compared).toEqual([true, true, true, true, true, true, false]);
  });

  it.each([
    ['words say enough', {}, {}, 0.4],
    ['the method is another', { options: { searchMethod: 'vector', fusion: { byTrust: true }, mmr: null } }, {}, 0.1],
    [
      'the request names the share',
      { options: { searchMethod: 'hybrid', fusion: { byTrust: false }, mmr: null } },
      {},
      0.1,
    ],
    [
      'there are several models',
      {},
      {
        spaces: new Map([
          ['d', SPACE],
          ['e', 'other'],
        ]),
      },
      0.1,
    ],
    [
      'the model is not trusted',
      {},
      { calibrations: new Map([[SPACE, { trust: 0.3, language: 'en', calibration: {} }]]) },
      0.1,
    ],
    [
      'cosines are kept as they are',
      {},
      { calibrations: new Map([[SPACE, { trust: 1, language: 'en', calibration: null }]]) },
      0.1,
    ],
  ])('leaves the list alone where %s', async (_, plan, scoring, keyword) => {
    const { run, embedded } = look(plan, scoring, keyword);
    const { ranked, likeness } = await run();
    expect(ranked.map(({ item }) => item.id)).toEqual(['0', '1', '2']);
    expect([likeness, embedded]).toEqual([undefined, []]);
  });
});
