import { describe, expect, it } from 'vitest';
import { finish } from '#libs/common';
import { seededRandom } from './statistics/seeded-random.js';
import { judgeResults } from './case-relevance.js';
import { judgeGates, verdictOfJob } from './gate-verdicts.js';
import { compareAll, figuresOf, latencyOf, type VariantValues } from './job-statistics.js';
import { groupMisses } from './miss-causes.js';

const results = ['a1', 'b1', 'a2', 'c1'].map((chunkId) => ({
  chunkId,
  documentId: chunkId[0]!,
  archiveId: chunkId === 'c1' ? null : 'z',
  text: `The text of\n${chunkId.toUpperCase()}.`,
}));

const variant = (name: string, list: readonly number[]): VariantValues => ({ name, values: new Map([['m@1', list]]) });

describe('relevance of results', () => {
  it('counts a document once, regardless of the number of its chunks found', () => {
    const judged = judgeResults([{ document_id: 'a' }, { document_id: 'y' }], results);
    expect(judged.ranked).toEqual(['item:0', 'b', 'c']);
    expect(judged.isRelevant).toEqual([true, false, true, false]);
    expect(judged.relevant.size).toBe(2);
  });

  it('finds the files of an archive by its id, and counts the archive once', () => {
    const judged = judgeResults([{ document_id: 'z' }], results);
    expect(judged.ranked).toEqual(['item:0', 'c']);
    expect(judged.isRelevant).toEqual([true, true, true, false]);
    expect(judgeResults([{ document_id: 'z', text: 'of c1' }], results).isRelevant).not.toContain(true);
  });

  it('finds texts without regard to case and white space, and needs all fields of an item', () => {
    expect(judgeResults([{ text: 'TEXT of b1' }], results).ranked).toEqual(['a1', 'item:0', 'a2', 'c1']);
    expect(judgeResults([{ text: 'of b1', document_id: 'a' }], results).isRelevant).not.toContain(true);
  });
});

describe('gates', () => {
  const judge = (list: readonly number[], min: number): string => {
    const metrics = finish(figuresOf(variant('v', list), 'seed'));
    const gates = judgeGates([{ metric: 'm@1', min, maxRegression: null }], {
      variants: [{ name: 'v', metrics, errors: 0 }],
      comparisons: [],
    });
    return gates[0]!.verdict;
  };
  const hits = (n: number, of: number): number[] => Array.from({ length: of }, (_, index) => (index < n ? 1 : 0));

  it('pass when the whole interval reaches the threshold, fail when no part of it does, and are inconclusive otherwise', () => {
    expect(judge(hits(95, 100), 0.8)).toBe('pass');
    expect(judge(hits(50, 100), 0.8)).toBe('fail');
    expect(judge(hits(80, 100), 0.8)).toBe('inconclusive');
    expect(judge([1], 0.5)).toBe('inconclusive');
  });

  it('never fail by chance between identical variants, and do not pass with errors', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const random = seededRandom(`run ${seed}`);
      const list = Array.from({ length: 40 }, () => random());
      const [first, second] = [variant('a', list), variant('b', list)];
      const comparisons = finish(
        compareAll([{ variant: second, against: first, isBaseline: false }], ['m@1'], String(seed)),
      );
      const gates = [{ metric: 'm@1', min: null, maxRegression: 0 }];
      const variants = ['a', 'b'].map((name) => ({ name, metrics: {}, errors: 0 }));
      expect(judgeGates(gates, { variants, comparisons }).map(({ verdict }) => verdict)).toEqual(['pass']);
      const broken = variants.map((one) => ({ ...one, errors: 1 }));
      expect(verdictOfJob(judgeGates(gates, { variants: broken, comparisons }))).toBe('inconclusive');
    }
  });

  it('fail where a variant has become worse than is allowed', () => {
    const before = variant('before', hits(90, 100));
    const after = variant('after', hits(60, 100));
    const comparisons = finish(compareAll([{ variant: after, against: before, isBaseline: true }], ['m@1'], 's'));
    expect(comparisons[0]).toMatchObject({ difference: expect.closeTo(-0.3, 9), significant: true, n: 100 });
    const gates = judgeGates([{ metric: 'm@1', min: null, maxRegression: 0.05 }], {
      variants: [{ name: 'after', metrics: {}, errors: 0 }],
      comparisons,
    });
    expect(gates[0]).toMatchObject({ kind: 'max_regression', against: 'before', verdict: 'fail' });
    expect(verdictOfJob(gates)).toBe('fail');
    expect(verdictOfJob([])).toBeNull();
  });

  it('compare only the cases that both have', () => {
    const pairs = [
      {
        variant: variant('a', [1, 1, 0]),
        against: { name: 'b', values: new Map([['m@1', [0, null, 0]]]) },
        isBaseline: true,
      },
    ];
    expect(finish(compareAll(pairs, ['m@1'], 's'))[0]).toMatchObject({ n: 2, difference: 0.5 });
  });
});

describe('latency', () => {
  it('is given by the nearest rank', () => {
    expect(latencyOf(Array.from({ length: 100 }, (_, n) => 100 - n))).toEqual({
      p50: 50,
      p90: 90,
      p95: 95,
      p99: 99,
      max: 100,
    });
    expect(latencyOf([])).toBeNull();
  });
});

describe('misses', () => {
  it('are grouped by cause, with the widest form of the change that helps most', () => {
    const miss = (code: string, ...fixes: { action: string; change: Record<string, number> }[]) => ({
      code,
      verdict: 'v',
      item: 0,
      fixes,
    });
    const groups = groupMisses([
      { ordinal: 0, miss: miss('DELETED') },
      { ordinal: 1, miss: miss('OUTRANKED', { action: 'RAISE_TOP_K', change: { top_k: 12 } }) },
      { ordinal: 2, miss: miss('OUTRANKED', { action: 'RAISE_TOP_K', change: { top_k: 30 } }) },
    ]);
    expect(groups).toEqual([
      { code: 'OUTRANKED', ordinals: [1, 2], proposal: { action: 'RAISE_TOP_K', change: { top_k: 30 } } },
      { code: 'DELETED', ordinals: [0], proposal: null },
    ]);
  });
});
