import { describe, expect, it } from 'vitest';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import { compareAnswers, compareConfigs, compareContents, placed, type PlacedResult } from './replay-differences.js';

const answer = (...scores: [string, number][]): PlacedResult[] =>
  placed(
    scores.map(([id, score]) => ({
      chunk_id: id as ChunkId,
      document_id: 'd' as DocumentId,
      dataset_id: 's' as DatasetId,
      char_start: 0,
      char_end: 1,
      score,
    })),
  );

describe('the difference between two answers', () => {
  it('is nothing between equals', () => {
    const same = answer(['a', 0.9], ['b', 0.5]);
    expect(compareAnswers(same, same)).toEqual({ added: [], removed: [], moved: [], rescored: [] });
  });

  it('names what is new, gone, elsewhere and scored otherwise', () => {
    const before = answer(['a', 0.9], ['b', 0.5], ['c', 0.4]);
    const after = answer(['b', 0.8], ['a', 0.9], ['d', 0.1]);
    const { added, removed, moved, rescored } = compareAnswers(before, after);
    expect(added.map(({ chunk_id, rank }) => [chunk_id, rank])).toEqual([['d', 3]]);
    expect(removed.map(({ chunk_id, rank }) => [chunk_id, rank])).toEqual([['c', 3]]);
    expect(moved).toEqual([
      expect.objectContaining({ chunk_id: 'b', before: { rank: 2, score: 0.5 }, after: { rank: 1, score: 0.8 } }),
      expect.objectContaining({ chunk_id: 'a', before: { rank: 1, score: 0.9 }, after: { rank: 2, score: 0.9 } }),
    ]);
    expect(rescored.map(({ chunk_id }) => chunk_id)).toEqual(['b']);
  });

  it('tells which datasets have other contents and leaves out those that are gone', () => {
    const searched = [
      { id: 's1' as DatasetId, content_seq: '5' },
      { id: 's2' as DatasetId, content_seq: '7' },
      { id: 's3' as DatasetId, content_seq: '9' },
    ];
    const now = new Map([
      ['s1', '5'],
      ['s2', '8'],
    ]);
    expect(compareContents(searched, now)).toEqual([{ dataset_id: 's2', before: '7', after: '8' }]);
  });

  it('tells which parts of a configuration differ, whatever the order of their fields', () => {
    const before = { ranking: '1', embedding: { model: 'm', space: 's' }, gone: true };
    expect(compareConfigs(before, { ranking: '2', embedding: { space: 's', model: 'm' }, added: 1 })).toEqual([
      'added',
      'gone',
      'ranking',
    ]);
  });
});
