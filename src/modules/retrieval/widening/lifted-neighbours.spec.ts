import { describe, expect, it } from 'vitest';
import type { Candidate, Ranked, RankedLists } from '../ranking/ranking.js';
import { NO_RANKS } from '../ranking/ranking.js';
import { liftNeighbours } from './lifted-neighbours.js';

const item = (id: string): Candidate => ({ id, documentId: id, ordinal: 0, keyword: 0.5, cosine: null });
const entry = (id: string, score: number, keyword: number | null): Ranked<Candidate> => {
  return { item: item(id), score, kg: null, fusion: score, rerank: null, ranks: { ...NO_RANKS, keyword } };
};
/** c1 to c12 by words, and behind them one that vectors added. */
const found = Array.from({ length: 12 }, (_, at) => entry(`c${at + 1}`, 1 - at / 20, at + 1));
const added = entry('v', 0.1, null);
const lists: RankedLists<Candidate> = { keyword: 12, vector: 1, kg: 0, merged: [...found, added] };
const how = { candidateK: 200, isAdded: ({ ranks }: Ranked<Candidate>) => ranks.keyword === null };
const lift = (scores: Record<string, number>, more: readonly string[] = []): RankedLists<Candidate> => {
  const candidates = [...lists.merged.map((one) => one.item), ...more.map(item)];
  const all = new Map(Object.entries(scores).map(([id, score]) => [id, { score }]));
  return liftNeighbours(lists, candidates, all, how);
};
const idsOf = ({ merged }: RankedLists<Candidate>): string[] => merged.map((one) => one.item.id);

describe('liftNeighbours', () => {
  it('leaves the list as it is when the graph reaches nothing', () => {
    expect(lift({})).toBe(lists);
  });

  it('keeps the first four, and gives the graph every second place behind them', () => {
    const lifted = lift({ c11: 1, new: 0.9, c12: 0.8 }, ['new']);
    expect(idsOf(lifted).slice(0, 9)).toEqual(['c1', 'c2', 'c3', 'c4', 'c11', 'c5', 'new', 'c6', 'c12']);
    expect(lifted.kg).toBe(3);
  });

  it('moves nothing down that is higher by itself, and no more than five up', () => {
    expect(idsOf(lift({ c2: 1, c1: 0.5 })).slice(0, 4)).toEqual(['c1', 'c2', 'c3', 'c4']);
    const six = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6'];
    const lifted = lift(Object.fromEntries(six.map((id, at) => [id, 1 - at / 10])), six);
    expect(idsOf(lifted).filter((id) => id.startsWith('n'))).toEqual(six.slice(0, 5));
    expect(lifted.kg).toBe(6);
  });

  it('gives scores that fall, from 1 to 0, and ranks from 1', () => {
    const { merged } = lift({ c11: 1, new: 0.9, v: 0.2 }, ['new']);
    const scores = merged.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(merged.map(({ ranks }) => ranks.fusion)).toEqual(merged.map((_, at) => at + 1));
    expect(merged.find((one) => one.item.id === 'new')).toMatchObject({ kg: 0.9, ranks: { kg: 2, keyword: null } });
    expect(merged.find((one) => one.item.id === 'c1')).toMatchObject({ kg: null, ranks: { kg: null } });
  });

  it('keeps what vectors added behind all others', () => {
    const few = { ...lists, merged: [...found.slice(0, 2), added] };
    const lifted = liftNeighbours(
      few,
      [...few.merged.map((one) => one.item), item('n')],
      new Map([['n', { score: 1 }]]),
      how,
    );
    expect(idsOf(lifted)).toEqual(['c1', 'c2', 'n', 'v']);
  });

  it('orders equal scores by document and does not depend on the order of candidates', () => {
    const more = ['n3', 'n1', 'n2'];
    const scores = { n1: 0.5, n2: 0.5, n3: 0.5 };
    expect(idsOf(lift(scores, more))).toEqual(idsOf(lift(scores, more.toReversed())));
  });
});
