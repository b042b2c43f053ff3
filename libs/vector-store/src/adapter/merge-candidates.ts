import type { ScoredChunkId } from '../vector-store.port.js';

/** The constant of reciprocal rank fusion in its first publication (Cormack, Clarke, Büttcher 2009). */
const RANK_CONSTANT = 60;

/** The best `limit` of several answers to one leg, by score. */
export function mergeByScore(answers: readonly (readonly ScoredChunkId[])[], limit: number): ScoredChunkId[] {
  return answers.flat().sort(byScore).slice(0, limit);
}

/** One list out of several legs, best first each: every row once, by the sum of its reciprocal ranks in the legs. */
export function mergeByRank(legs: readonly (readonly ScoredChunkId[])[]): ScoredChunkId[] {
  const merged = new Map<string, ScoredChunkId>();
  for (const leg of legs) {
    for (const [rank, row] of leg.entries()) {
      const key = `${row.chunkId}/${row.generation}`;
      const score = (merged.get(key)?.score ?? 0) + 1 / (RANK_CONSTANT + rank + 1);
      merged.set(key, { ...row, score });
    }
  }
  return [...merged.values()].sort(byScore);
}

/** Several answers to parts of one question: every row once, by the sum of its scores, the best `limit`. */
export function mergeBySum(answers: readonly (readonly ScoredChunkId[])[], limit: number): ScoredChunkId[] {
  const merged = new Map<string, ScoredChunkId>();
  for (const row of answers.flat()) {
    const key = `${row.chunkId}/${row.generation}`;
    merged.set(key, { ...row, score: row.score + (merged.get(key)?.score ?? 0) });
  }
  return [...merged.values()].sort(byScore).slice(0, limit);
}

/** Best first; ties by chunk and generation. */
export function byScore(a: ScoredChunkId, b: ScoredChunkId): number {
  return b.score - a.score || compareText(a.chunkId, b.chunkId) || compareText(a.generation, b.generation);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
