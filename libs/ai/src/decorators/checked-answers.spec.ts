import { describe, expect, it } from 'vitest';
import { HashingEmbedder } from '../builtin/hashing-embedder.js';
import { LexicalReranker } from '../builtin/lexical-reranker.js';
import { ModelFailure } from '../model-failure.js';
import type { RerankedDocument } from '../reranker.port.js';
import { NO_USAGE } from '../model-usage.js';
import { decorateEmbedder, decorateReranker, type ModelDecorators } from './decorate-models.js';
import { replaceMethods } from './model-guard.js';

const DECORATORS = { cache: null } as unknown as ModelDecorators;
const DIMENSIONS = new HashingEmbedder().descriptor.dimensions;

function embedding(vectors: unknown): Promise<unknown> {
  const answer = async () => ({ vectors: vectors as Float32Array[], usage: NO_USAGE });
  const adapter = replaceMethods(new HashingEmbedder(), { embed: answer });
  return decorateEmbedder(adapter, false, DECORATORS).embed(['one'], 'document');
}

function reranking(documents: unknown, topN?: number): Promise<unknown> {
  const answer = async () => ({ documents: documents as RerankedDocument[], usage: NO_USAGE });
  const adapter = replaceMethods(new LexicalReranker(), { rerank: answer });
  const asked = ['a', 'b'].map((id) => ({ id, text: id }));
  return decorateReranker(adapter, false, DECORATORS).rerank('a', asked, topN === undefined ? {} : { topN });
}

function filled(number: number, length = DIMENSIONS): Float32Array {
  return new Float32Array(length).fill(number);
}

describe('answers of an adapter', () => {
  it.each([
    ['no vector for a text', []],
    ['a vector too many', [filled(1), filled(1)]],
    ['a vector of another length', [filled(1, 10)]],
    ['numbers that are none', [filled(Number.NaN)]],
    ['nothing but zeros', [filled(0)]],
    ['no list', 'vectors'],
    ['nothing', undefined],
  ])('with %s is malformed, and no vector is stored', async (_what, vectors) => {
    await expect(embedding(vectors)).rejects.toBeInstanceOf(ModelFailure);
    await expect(embedding(vectors)).rejects.toMatchObject({ kind: 'malformed', code: 'ai.provider_unavailable' });
  });

  it('says what is wrong with it', async () => {
    await expect(embedding([filled(1, 10)])).rejects.toMatchObject({
      words: `a vector has 10 numbers instead of ${DIMENSIONS}`,
    });
  });

  it('is brought to vectors of length 1, and left alone where they are', async () => {
    const long = (await embedding([filled(7)])) as { vectors: Float32Array[] };
    expect(Math.hypot(...long.vectors[0]!)).toBeCloseTo(1, 5);
    const unit = filled(1 / Math.sqrt(DIMENSIONS));
    expect(((await embedding([unit])) as { vectors: Float32Array[] }).vectors[0]).toBe(unit);
  });

  it.each([
    ['a document missing', [{ id: 'a', score: 1 }]],
    [
      'a document twice',
      [
        { id: 'a', score: 1 },
        { id: 'a', score: 0 },
      ],
    ],
    [
      'a document of its own',
      [
        { id: 'a', score: 1 },
        { id: 'z', score: 0 },
      ],
    ],
    [
      'a score that is none',
      [
        { id: 'a', score: Number.NaN },
        { id: 'b', score: 0 },
      ],
    ],
    [
      'a score beyond 1',
      [
        { id: 'a', score: 17 },
        { id: 'b', score: 0 },
      ],
    ],
    ['no list', null],
  ])('with %s is malformed', async (_what, documents) => {
    await expect(reranking(documents)).rejects.toMatchObject({ name: 'ModelFailure', kind: 'malformed' });
  });

  it('is sorted by its scores, and takes as many as were asked for', async () => {
    const both = [
      { id: 'a', score: 0.1 },
      { id: 'b', score: 0.9 },
    ];
    await expect(reranking(both)).resolves.toMatchObject({ documents: [{ id: 'b' }, { id: 'a' }] });
    await expect(reranking(both.slice(1), 1)).resolves.toMatchObject({ documents: [{ id: 'b' }] });
    await expect(reranking(both, 1)).rejects.toMatchObject({ kind: 'malformed' });
  });
});
