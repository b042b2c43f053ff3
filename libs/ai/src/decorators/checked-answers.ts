import type { Embedder } from '../embedder.port.js';
import { ModelFailure } from '../model-failure.js';
import type { RerankDocument, RerankedDocument, Reranker } from '../reranker.port.js';
import type { ModelName } from './deadline.js';
import { replaceMethods } from './model-guard.js';
import { unitVectors } from '../remote/embedding-answer.js';

/** How far the square of a vector's length may be from 1; rounding of 32-bit numbers stays far below. */
const LENGTH_TOLERANCE = 1e-3;

/**
 * Checks that an adapter keeps the contract of the port, so that an invalid answer fails as `malformed` and reaches neither the store nor a
 * score: one vector for each text, with the descriptor's dimensions and finite numbers. A vector whose length is not 1 is normalised.
 */
export function checkEmbedder(inner: Embedder): Embedder {
  const embed: Embedder['embed'] = async (texts, purpose, options) => {
    const answer = await inner.embed(texts, purpose, options);
    return asPromised(inner.descriptor, () => {
      const { vectors } = answer;
      if (!Array.isArray(vectors)) throw new Error('the answer holds no list of vectors');
      const { dimensions } = inner.descriptor;
      const count = texts.length;
      const isKept = vectors.length === count && vectors.every(isUnit);
      if (isKept && vectors.every(({ length }: Float32Array) => length === dimensions)) return answer;
      return { ...answer, vectors: unitVectors(vectors, { count, dimensions }) };
    });
  };
  return replaceMethods(inner, { embed });
}

/**
 * Checks that an adapter keeps the contract of the port, like `checkEmbedder`: each document once (with `topN`, that number of documents), with a
 * score from 0 to 1. An answer that is not ordered by score is sorted.
 */
export function checkReranker(inner: Reranker): Reranker {
  const rerank: Reranker['rerank'] = async (query, documents, options) => {
    const answer = await inner.rerank(query, documents, options);
    return asPromised(inner.descriptor, () => {
      if (!Array.isArray(answer.documents)) throw new Error('the answer holds no list of documents');
      const wanted = Math.min(options?.topN ?? documents.length, documents.length);
      return { ...answer, documents: rankedAsPromised(answer.documents, documents, wanted) };
    });
  };
  return replaceMethods(inner, { rerank });
}

function rankedAsPromised(
  given: readonly RerankedDocument[],
  documents: readonly RerankDocument[],
  wanted: number,
): readonly RerankedDocument[] {
  if (given.length !== wanted) throw new Error(`${given.length} documents came for ${wanted}`);
  const open = new Set(documents.map(({ id }) => id));
  for (const { id, score } of given) {
    if (!open.delete(id)) throw new Error('a document came that was not asked for, or twice');
    if (!(score >= 0 && score <= 1)) throw new Error(`a score is ${score} and not a number from 0 to 1`);
  }
  return [...given].sort((one, other) => other.score - one.score);
}

function isUnit(vector: Float32Array): boolean {
  if (!(vector instanceof Float32Array)) return false;
  let squares = 0;
  for (const number of vector) squares += number * number;
  return Math.abs(squares - 1) <= LENGTH_TOLERANCE;
}

function asPromised<T>({ provider, model }: ModelName, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ModelFailure({ kind: 'malformed', provider, model, words: error instanceof Error ? error.message : '' });
  }
}
