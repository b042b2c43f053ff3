import { describe, expect, it } from 'vitest';
import { estimateSimilarity, TextSketch } from './min-hash.js';
import { NearDuplicateFinder } from './near-duplicates.js';
import { SHINGLE_WORDS, Shingler } from './shingles.js';

const THRESHOLD = 0.8;
const PAIRS = 400;
const WORDS = 300;

/** Mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shinglesOf(text: string): Set<number> {
  const found = new Set<number>();
  const shingler = new Shingler((shingle) => found.add(shingle));
  shingler.add(text);
  shingler.end();
  return found;
}

function jaccard(a: string, b: string): number {
  const [x, y] = [shinglesOf(a), shinglesOf(b)];
  const shared = [...x].filter((shingle) => y.has(shingle)).length;
  return shared / (x.size + y.size - shared);
}

function signatureOf(text: string): Int32Array {
  const sketch = new TextSketch();
  sketch.add(text);
  return sketch.finish()!;
}

/** Two texts whose shingles have this Jaccard similarity: their ends differ. */
function plantPair(similarity: number, next: () => number): [string, string] {
  const word = (): string => `w${Math.floor(next() * 1e9).toString(36)}`;
  const all = WORDS - SHINGLE_WORDS + 1;
  const shared = Math.round((2 * all * similarity) / (1 + similarity));
  const first = Array.from({ length: WORDS }, word);
  const second = first.slice(0, shared + SHINGLE_WORDS - 1);
  while (second.length < WORDS) second.push(word());
  return [first.join(' '), second.join(' ')];
}

function findPlanted(similarity: number, seed: number): { found: number; others: number } {
  const next = randomOf(seed);
  const pairs = Array.from({ length: PAIRS }, () => plantPair(similarity, next));
  for (const [a, b] of pairs.slice(0, 5)) expect(jaccard(a, b)).toBeCloseTo(similarity, 2);
  const finder = new NearDuplicateFinder(
    pairs.flatMap((pair) => pair.map(signatureOf)),
    THRESHOLD,
  );
  for (const band of NearDuplicateFinder.bands) finder.compareBand(band);
  const groups = finder.groups();
  const found = groups.filter(({ members: [a, b, ...more] }) => more.length === 0 && a! % 2 === 0 && b === a! + 1);
  return { found: found.length, others: groups.length - found.length };
}

describe('near duplicates', () => {
  it('are found at a similarity of 0.9 in at least 99 of 100 cases, without false positives', () => {
    const { found, others } = findPlanted(0.9, 42);
    expect(found / PAIRS).toBeGreaterThanOrEqual(0.99);
    expect(others).toBe(0);
  });

  it('are reported at a similarity of 0.5 in at most 5 of 100 cases', () => {
    expect(findPlanted(0.5, 43).found / PAIRS).toBeLessThanOrEqual(0.05);
  });

  it('are estimated with the standard deviation of 120 samples', () => {
    const next = randomOf(7);
    const errors = Array.from({ length: 100 }, () => {
      const [a, b] = plantPair(0.7, next);
      return estimateSimilarity(signatureOf(a), signatureOf(b)) - jaccard(a, b);
    });
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    const spread = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
    expect(Math.abs(mean)).toBeLessThan(0.02);
    expect(spread).toBeLessThan(0.06);
  });

  it('form a group with its pairs, the most similar first', () => {
    const next = randomOf(9);
    const [text] = plantPair(0.9, next);
    const [other] = plantPair(0.9, next);
    const signatures = [text, other, `${text} and a few words more`, text.toUpperCase()].map(signatureOf);
    const finder = new NearDuplicateFinder(signatures, THRESHOLD);
    for (const band of NearDuplicateFinder.bands) finder.compareBand(band);
    const [group, ...more] = finder.groups();
    expect(more).toEqual([]);
    expect(group!.members).toEqual([0, 2, 3]);
    expect(group!.pairs[0]).toEqual({ a: 0, b: 3, similarity: 1 });
  });

  it('of one template are compared with a limited number of others', () => {
    const signature = signatureOf('the same short text of seven words');
    const finder = new NearDuplicateFinder(
      Array.from({ length: 3_000 }, () => signature),
      THRESHOLD,
    );
    for (const band of NearDuplicateFinder.bands) finder.compareBand(band);
    expect(finder.groups()).toMatchObject([{ members: { length: 3_000 } }]);
  });
});

describe('a sketch', () => {
  it('is the same wherever the text was cut', () => {
    const text = 'Die Pumpe läuft. 水泵的维护手册每年更新一次，请阅读。 ปั๊มน้ำ "Again", said the pump 𝔘nit.';
    const whole = signatureOf(text);
    for (let at = 1; at < text.length; at += 1) {
      const sketch = new TextSketch();
      sketch.add(text.slice(0, at));
      sketch.add(text.slice(at));
      expect(sketch.finish()).toEqual(whole);
    }
  });

  it('does not depend on case and punctuation, and is null without words', () => {
    expect(signatureOf('A pump, (blue) – not RED!')).toEqual(signatureOf('a PUMP blue not red'));
    const empty = new TextSketch();
    empty.add(' … — \n');
    expect(empty.finish()).toBeNull();
  });

  it('distinguishes short texts and texts without spaces', () => {
    expect(estimateSimilarity(signatureOf('two words'), signatureOf('words two'))).toBe(0);
    expect(
      estimateSimilarity(signatureOf('水泵的维护手册每年更新一次'), signatureOf('董事会每月召开一次全体会议')),
    ).toBeLessThan(0.1);
  });
});
