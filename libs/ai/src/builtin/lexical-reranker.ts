import { inTurns, type Steps } from '#libs/common';
import { aiErrors } from '../ai.errors.js';
import { estimateUsage } from '../estimate-usage.js';
import {
  Reranker,
  type RerankDocument,
  type RerankedDocuments,
  type RerankerDescriptor,
  type RerankOptions,
} from '../reranker.port.js';
import { findLexicalHits, readLexicalQuery, scoreLexically, type DocumentHits } from './lexical-scoring.js';

/** Orders by shared words, their nearness and their order. It has no model and knows no synonyms, and says so (`kind: 'lexical'`). */
export class LexicalReranker extends Reranker {
  readonly descriptor: RerankerDescriptor = {
    provider: 'builtin',
    model: 'lexical-v1',
    kind: 'lexical',
    maxDocuments: 500,
    maxDocumentChars: 32_768,
  };

  async rerank(
    query: string,
    documents: readonly RerankDocument[],
    options?: RerankOptions,
  ): Promise<RerankedDocuments> {
    const { maxDocuments, maxDocumentChars } = this.descriptor;
    if (documents.length > maxDocuments) {
      throw aiErrors.batch_too_large({ given: documents.length, max: maxDocuments });
    }
    const turns = { party: options?.caller?.tenantId, signal: options?.signal };
    const scores = await inTurns(scoresOf(query, documents, maxDocumentChars), turns);
    const results = documents.map(({ id }, index) => ({ id, score: scores[index]! }));
    results.sort((a, b) => b.score - a.score);
    const usage = estimateUsage([query, ...documents.map(({ text }) => text)]);
    return { documents: results.slice(0, options?.topN), usage };
  }
}

function* scoresOf(query: string, documents: readonly RerankDocument[], maxChars: number): Steps<number[]> {
  const terms = readLexicalQuery(query);
  const hits: DocumentHits[] = [];
  for (const { text } of documents) {
    yield;
    hits.push(findLexicalHits(terms, text.slice(0, maxChars)));
  }
  yield;
  return scoreLexically(terms, hits);
}
