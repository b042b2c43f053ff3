import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareScored } from '#libs/ranking';
import {
  rankAgain,
  rankCandidates,
  selectResults,
  type Candidate,
  type Ranked,
  type RankingOptions,
} from './ranking.js';

/** Few distinct scores and documents, so that ties are common. */
const anyScore = fc.constantFrom(0, 0.1, 0.25, 0.5, 0.5, 0.75, 1);
const anyCandidates = fc
  .array(
    fc.record({
      documentId: fc.constantFrom('a', 'b', 'c'),
      keyword: fc.option(anyScore),
      cosine: fc.option(fc.oneof(anyScore, fc.constant(-0.5))),
    }),
    {
      maxLength: 30,
    },
  )
  .map((items) => items.map((item, index): Candidate => ({ ...item, id: `chunk-${index}`, ordinal: index })));
const anyOptions = fc.record<RankingOptions>({
  searchMethod: fc.constantFrom('hybrid', 'keyword', 'vector'),
  candidateK: fc.integer({ min: 1, max: 40 }),
  vectors: fc.constantFrom('proposing', 'ordering'),
  fusion: fc.record({
    method: fc.constantFrom('rrf', 'weighted'),
    k: fc.constantFrom(1, 60, 1000),
    vectorWeight: fc.constantFrom(0, 0.0172, 0.5, 1),
    byTrust: fc.boolean(),
  }),
});
const anyThreshold = fc.constantFrom(0, 0.1, 0.3, 0.5, 0.9, 1);

const idsOf = (ranked: readonly { item: Candidate }[]): string[] => ranked.map(({ item }) => item.id);
const hybrid = (change: Partial<RankingOptions['fusion']> = {}): RankingOptions => ({
  searchMethod: 'hybrid',
  candidateK: 10,
  vectors: 'proposing',
  fusion: { method: 'rrf', k: 60, vectorWeight: 0.5, byTrust: false, ...change },
});
const candidate = (id: string, keyword: number | null, cosine: number | null): Candidate => ({
  id,
  documentId: id,
  ordinal: 0,
  keyword,
  cosine,
});
/** Alike when they are of one document. */
const similarity = (a: Candidate, b: Candidate): number => (a.documentId === b.documentId ? 0.9 : 0.1);

describe('rankCandidates', () => {
  it('has the candidates of words first, with the same ranks and scores, whatever vectors that only order add', () => {
    fc.assert(
      fc.property(anyCandidates, anyOptions, (candidates, some) => {
        const options = { ...some, searchMethod: 'hybrid', vectors: 'ordering' } as const;
        const found = candidates.filter(({ keyword }) => (keyword ?? 0) > 0);
        fc.pre(found.length <= options.candidateK);
        const alone = rankCandidates(found, options).merged;
        const all = rankCandidates(candidates, options).merged;
        expect(all.slice(0, alone.length)).toEqual(alone);
        const scores = all.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });

  it('gives one order whatever the order of the candidates', () => {
    fc.assert(
      fc.property(anyCandidates, anyOptions, fc.infiniteStream(fc.nat()), (candidates, options, keys) => {
        const shuffled = candidates
          .map((item) => ({ item, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item);
        expect(rankCandidates(shuffled, options)).toEqual(rankCandidates(candidates, options));
      }),
    );
  });

  it('keeps every final score within 0 and 1 and orders by score, document and ordinal', () => {
    fc.assert(
      fc.property(anyCandidates, anyOptions, (candidates, options) => {
        const { merged } = rankCandidates(candidates, options);
        for (const { score } of merged) expect(score >= 0 && score <= 1).toBe(true);
        expect(merged).toEqual(merged.toSorted(compareScored));
      }),
    );
  });

  it('holds in a hybrid list every chunk that either channel ranks first', () => {
    fc.assert(
      fc.property(anyCandidates, anyOptions, (candidates, options) => {
        const found = idsOf(rankCandidates(candidates, { ...options, searchMethod: 'hybrid' }).merged);
        const byWords = new Set(idsOf(rankCandidates(candidates, { ...options, searchMethod: 'keyword' }).merged));
        const isOrdering = options.vectors === 'ordering' && byWords.size > 0;
        for (const searchMethod of ['keyword', 'vector'] as const) {
          const ranked = isOrdering ? candidates.filter(({ id }) => byWords.has(id)) : candidates;
          const [first] = idsOf(rankCandidates(ranked, { ...options, searchMethod }).merged);
          if (first !== undefined) expect(found).toContain(first);
        }
      }),
    );
  });

  it('orders by keywords alone when the vector channel has no weight, as far as keywords find anything', () => {
    fc.assert(
      fc.property(anyCandidates, anyOptions, (candidates, options) => {
        const fusion = { ...options.fusion, vectorWeight: 0 };
        const keyword = idsOf(rankCandidates(candidates, { ...options, searchMethod: 'keyword' }).merged);
        const fused = idsOf(rankCandidates(candidates, { ...options, fusion, searchMethod: 'hybrid' }).merged);
        expect(fused.slice(0, keyword.length)).toEqual(keyword);
      }),
    );
  });

  it('lets each channel rank candidates that only the other proposed', () => {
    const both = rankCandidates([candidate('a', 0.9, 0.1), candidate('b', 0.2, 0.8)], hybrid());
    expect(both.merged.map(({ ranks }) => [ranks.keyword, ranks.vector])).toEqual([
      [1, 2],
      [2, 1],
    ]);
  });

  it('does not count ranks beyond candidate_k', () => {
    const candidates = [candidate('a', 0.9, 0.1), candidate('b', 0.2, 0.8)];
    const { keyword, vector, merged } = rankCandidates(candidates, { ...hybrid(), candidateK: 1 });
    expect([keyword, vector]).toEqual([1, 1]);
    expect(merged.map(({ ranks }) => [ranks.keyword, ranks.vector])).toEqual([
      [1, null],
      [null, 1],
    ]);
  });

  it('leaves candidates without anything in common with the query out of a channel', () => {
    const { merged } = rankCandidates([candidate('a', 0, -0.2), candidate('b', 0.1, null)], hybrid());
    expect(idsOf(merged)).toEqual(['b']);
  });

  it('gives the first of every list the score 1 in reciprocal rank fusion', () => {
    const { merged } = rankCandidates(
      [candidate('a', 0.3, 0.2), candidate('b', 0.1, 0.1)],
      hybrid({ vectorWeight: 0.0172 }),
    );
    expect(merged[0]!.score).toBe(1);
    expect(merged[1]!.score).toBeLessThan(1);
  });

  it('adds the weighted scores up in the weighted fusion', () => {
    const { merged } = rankCandidates([candidate('a', 0.4, 0.8)], hybrid({ method: 'weighted', vectorWeight: 0.25 }));
    expect(merged[0]!.score).toBeCloseTo(0.75 * 0.4 + 0.25 * 0.8, 12);
  });
});

describe('rankCandidates over several embedding models', () => {
  const bySpace = {
    hashed: { vectors: 'ordering', vectorWeight: 0.5, byTrust: false },
    trained: { vectors: 'proposing', vectorWeight: 0.5, byTrust: false },
  } as const;
  const of = (space: string, id: string, keyword: number | null, cosine: number | null): Candidate => ({
    ...candidate(id, keyword, cosine),
    space,
  });
  const worded = of('hashed', 'worded', 0.1, null);
  const added = [of('hashed', 'added-1', null, 0.9), of('hashed', 'added-2', null, 0.8)];
  const near = of('trained', 'near', null, 0.7);

  it('puts candidates found only by vectors that order behind those found by words or a trained model', () => {
    const { merged } = rankCandidates([...added, near, worded], { ...hybrid(), bySpace });
    expect(idsOf(merged)).toEqual(['near', 'worded', 'added-1', 'added-2']);
    const scores = merged.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const without = rankCandidates([near, worded], { ...hybrid(), bySpace }).merged;
    expect(merged.slice(0, 2).map(({ score }) => score)).toEqual(without.map(({ score }) => score));
  });

  it('leaves them in their places in a search by vector alone', () => {
    const { merged } = rankCandidates([...added, near, worded], { ...hybrid(), searchMethod: 'vector', bySpace });
    expect(idsOf(merged)).toEqual(['added-1', 'near', 'added-2']);
  });
});

describe('rankAgain', () => {
  it('orders by the new scores, leaves out what was not scored and keeps the former ranks', () => {
    const { merged } = rankCandidates(
      [candidate('a', 0.9, 0.9), candidate('b', 0.5, 0.5), candidate('c', 0.1, 0.1)],
      hybrid(),
    );
    const again = rankAgain(
      merged,
      new Map([
        ['a', 0.2],
        ['b', 0.7],
      ]),
    );
    expect(again.map(({ item, score, ranks }) => [item.id, score, ranks.rerank, ranks.fusion])).toEqual([
      ['b', 0.7, 1, 2],
      ['a', 0.2, 2, 1],
    ]);
  });
});

describe('selectResults', () => {
  const anyRanked = fc
    .tuple(anyCandidates, anyOptions)
    .map(([candidates, options]): readonly Ranked<Candidate>[] => rankCandidates(candidates, options).merged);
  const anyMmr = fc.option(fc.constantFrom(0, 0.3, 0.7, 1).map((lambda) => ({ lambda, similarity })));

  it('gives for a smaller top_k a prefix of the results', () => {
    fc.assert(
      fc.property(
        anyRanked,
        anyMmr,
        fc.option(anyThreshold),
        fc.integer({ min: 1, max: 30 }),
        (ranked, mmr, scoreThreshold, topK) => {
          const fewer = selectResults(ranked, { scoreThreshold, mmr, topK }).chosen;
          const more = selectResults(ranked, { scoreThreshold, mmr, topK: topK + 1 }).chosen;
          expect(idsOf(fewer)).toEqual(idsOf(more).slice(0, topK));
        },
      ),
    );
  });

  it('never adds a result for a higher threshold', () => {
    fc.assert(
      fc.property(anyRanked, anyThreshold, anyThreshold, fc.integer({ min: 1, max: 30 }), (ranked, a, b, topK) => {
        const select = (scoreThreshold: number) => selectResults(ranked, { scoreThreshold, mmr: null, topK });
        const [low, high] = [select(Math.min(a, b)), select(Math.max(a, b))];
        expect(idsOf(low.chosen)).toEqual(expect.arrayContaining(idsOf(high.chosen)));
        expect(high.passed).toBeLessThanOrEqual(low.passed);
      }),
    );
  });

  it('returns nothing below the threshold, with diversity or without', () => {
    fc.assert(
      fc.property(anyRanked, anyMmr, anyThreshold, (ranked, mmr, scoreThreshold) => {
        const { chosen } = selectResults(ranked, { scoreThreshold, mmr, topK: 10 });
        for (const { score } of chosen) expect(score).toBeGreaterThanOrEqual(scoreThreshold);
      }),
    );
  });

  it('prefers, with diversity, results of documents that are not yet selected', () => {
    const candidates = [
      { ...candidate('a', 0.9, null), documentId: 'd1' },
      { ...candidate('b', 0.85, null), documentId: 'd1' },
      { ...candidate('c', 0.6, null), documentId: 'd2' },
    ];
    const { merged } = rankCandidates(candidates, { ...hybrid(), searchMethod: 'keyword' });
    const select = (mmr: { lambda: number; similarity: typeof similarity } | null) =>
      idsOf(selectResults(merged, { scoreThreshold: null, mmr, topK: 2 }).chosen);
    expect(select(null)).toEqual(['a', 'b']);
    expect(select({ lambda: 0.5, similarity })).toEqual(['a', 'c']);
  });
});
