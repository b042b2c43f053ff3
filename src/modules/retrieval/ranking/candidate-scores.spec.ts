import { describe, expect, it } from 'vitest';
import type { ChunkId, ChunkSetId, DatasetId, DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { CandidateScorer, ScopedCandidate } from './candidate-scorer.service.js';
import type { Scoring } from '../candidates/scoring.js';
import { CandidateScores } from './candidate-scores.js';
import type { VisibleChunk } from '../candidates/proposed-chunks.js';

const chunk = (id: string, set = 'set'): VisibleChunk => ({
  id: id as ChunkId,
  documentId: 'document' as DocumentId,
  datasetId: 'dataset' as DatasetId,
  chunkSetId: set as ChunkSetId,
});

/** Scores that note what was asked of the scorer; of chunk `gone` there is none. */
function scoresOf(): { scores: CandidateScores; asked: string[][] } {
  const asked: string[][] = [];
  const score = (_: unknown, chunks: readonly VisibleChunk[]): Promise<ScopedCandidate[]> => {
    asked.push(chunks.map(({ id }) => id));
    return Promise.resolve(chunks.filter(({ id }) => id !== 'gone') as unknown as ScopedCandidate[]);
  };
  const scorer = { score } as unknown as CandidateScorer;
  return { scores: new CandidateScores(scorer, {} as RequestContext, {} as Scoring), asked };
}

describe('CandidateScores', () => {
  it('scores each chunk once and gives those that are asked for, in their order', async () => {
    const { scores, asked } = scoresOf();
    await scores.of([chunk('a'), chunk('b'), chunk('excluded')]);
    await scores.of([chunk('b'), chunk('c')]);
    const found = await scores.of([chunk('d'), chunk('c'), chunk('a'), chunk('gone'), chunk('b')]);
    expect(found.map(({ id }) => id)).toEqual(['d', 'c', 'a', 'b']);
    expect(asked).toEqual([['a', 'b', 'excluded'], ['c'], ['d', 'gone']]);
  });

  it('scores a chunk again when its document shows another chunk set', async () => {
    const { scores, asked } = scoresOf();
    await scores.of([chunk('a', 'old')]);
    const found = await scores.of([chunk('a', 'new')]);
    expect(found.map(({ chunkSetId }) => chunkSetId)).toEqual(['new']);
    expect(asked).toEqual([['a'], ['a']]);
  });
});
