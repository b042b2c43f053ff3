import { describe, expect, it } from 'vitest';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import type { LeadingEntity, LinkedEntity, NamingChunk } from './graph-neighbourhood.port.js';
import { scoreReached, weighNamed } from './graph-scores.js';

const datasetId = 'set' as DatasetId;
const chunk = (id: string): NamingChunk => {
  return { chunkId: id as ChunkId, documentId: `of ${id}` as DocumentId, generation: '1' };
};
const entity = (key: string, chunks: readonly string[]): LinkedEntity => {
  return { datasetId, key, label: key, form: key, weight: 1, chunks: chunks.map(chunk) };
};
const leading = (key: string, from: readonly string[], chunks: readonly string[]): LeadingEntity => {
  return { datasetId, key, label: key, from: from as ChunkId[], chunks: chunks.map(chunk) };
};
const all = new Set(['a', 'b', 'c', 'd', 'e'] as ChunkId[]);
const none = (): number => 0;
const size = (): number => 100;

describe('weighNamed', () => {
  it('puts chunks with more of the question first, and leaves out invisible ones', () => {
    const support = (id: ChunkId): number => (id === 'b' ? 0.9 : 0.1);
    const named = weighNamed([entity('x', ['a', 'b', 'gone'])], all, support, size);
    expect(named.map(({ chunkId }) => chunkId)).toEqual(['b', 'a']);
  });

  it('gives an entity less weight when more chunks name it', () => {
    const named = weighNamed([entity('rare', ['a']), entity('common', ['b', 'c', 'd'])], all, none, size);
    expect(named[0]).toMatchObject({ chunkId: 'a', entity: { key: 'rare' } });
  });
});

describe('scoreReached', () => {
  const named = weighNamed([entity('x', ['a'])], all, none, size);

  it('reaches chunks of neighbouring entities through visible chunks only, and gives the way', () => {
    const scores = scoreReached(named, [leading('y', ['a'], ['a', 'b', 'gone'])], all, none, size);
    expect([...scores.keys()].toSorted()).toEqual(['a', 'b']);
    expect(scores.get('b' as ChunkId)).toMatchObject({ score: 1 });
    const [path] = scores.get('b' as ChunkId)!.paths;
    expect(path).toEqual({ form: 'x', entity: 'x', from: { chunkId: 'a', documentId: 'of a' }, via: 'y', weight: 1 });
    expect(scoreReached(named, [leading('y', ['gone'], ['gone', 'b'])], all, none, size).has('b' as ChunkId)).toBe(
      false,
    );
  });

  it('prefers the neighbour that fewer chunks name', () => {
    const ways = [leading('rare', ['a'], ['a', 'b']), leading('hub', ['a'], ['a', 'c', 'd', 'e'])];
    const scores = scoreReached(named, ways, all, none, size);
    expect(scores.get('b' as ChunkId)!.score).toBeGreaterThan(scores.get('c' as ChunkId)!.score);
  });

  it('does not follow entities that the question itself names', () => {
    const both = weighNamed([entity('x', ['a']), entity('y', ['b'])], all, none, size);
    expect(scoreReached(both, [leading('y', ['a'], ['a', 'b', 'c'])], all, none, size).has('c' as ChunkId)).toBe(false);
  });
});
