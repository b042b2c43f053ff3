import { aiErrors } from '../ai.errors.js';
import type { RerankDocument, RerankedDocument, RerankerDescriptor } from '../reranker.port.js';
import { cutToChars } from './cut-text.js';
import { isBlank } from './embedding-answer.js';

/** What is sent of documents, and the scores of all of them by those of what was sent. */
export interface SentDocuments {
  readonly texts: string[];
  readonly scoresOf: (found: readonly number[]) => number[];
}

/**
 * Texts of documents, cut to what the model reads. Providers refuse empty ones: nothing in common with the question (0) is what they would say.
 * @throws `ai.batch_too_large`
 */
export function sentDocuments(documents: readonly RerankDocument[], descriptor: RerankerDescriptor): SentDocuments {
  const { maxDocuments, maxDocumentChars } = descriptor;
  if (documents.length > maxDocuments) {
    throw aiErrors.batch_too_large({ given: documents.length, max: maxDocuments });
  }
  const places = documents.flatMap(({ text }, at) => (isBlank(text) ? [] : [at]));
  return {
    texts: places.map((at) => cutToChars(documents[at]!.text, maxDocumentChars)),
    scoresOf: (found) => {
      const scores = documents.map(() => 0);
      places.forEach((place, at) => (scores[place] = found[at]!));
      return scores;
    },
  };
}

export interface ScoredIndex {
  readonly index: number;
  readonly score: number;
}

/**
 * Scores of an answer by the index of their document. Logits are converted to 0–1 by a sigmoid.
 * @throws Error when a document is missing, twice there or unknown, or a score is no number
 */
export function scoresOfAnswer(results: readonly ScoredIndex[], count: number): number[] {
  const scores = new Array<number | undefined>(count).fill(undefined);
  for (const { index, score } of results) {
    if (!Number.isInteger(index) || index < 0 || index >= count) throw new Error(`there is no document ${index}`);
    if (typeof score !== 'number' || !Number.isFinite(score)) throw new Error('a score is no number');
    if (scores[index] !== undefined) throw new Error(`document ${index} came twice`);
    scores[index] = score;
  }
  const missing = scores.indexOf(undefined);
  if (missing !== -1) throw new Error(`document ${missing} has no score`);
  return scores as number[];
}

/** Logits to 0–1; scores that are there already stay. */
export function toUnitScores(scores: readonly number[]): number[] {
  const areLogits = scores.some((score) => score < 0 || score > 1);
  return areLogits ? scores.map((score) => 1 / (1 + Math.exp(-score))) : [...scores];
}

/** By falling score, equal ones in the given order. */
export function rankDocuments(
  documents: readonly RerankDocument[],
  scores: readonly number[],
  topN: number | undefined,
): RerankedDocument[] {
  const ranked = documents.map(({ id }, at) => ({ id, score: scores[at]! }));
  ranked.sort((a, b) => b.score - a.score);
  return ranked.slice(0, topN);
}
