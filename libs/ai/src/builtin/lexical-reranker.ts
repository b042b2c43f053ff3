import { setImmediate as nextTurn } from 'node:timers/promises';
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

/** Documents after which other work of the process gets a turn. */
const DOCUMENTS_PER_TURN = 16;

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
    options?.signal?.throwIfAborted();
    const terms = readLexicalQuery(query);
    const hits: DocumentHits[] = [];
    for (const document of documents) {
      hits.push(findLexicalHits(terms, document.text.slice(0, maxDocumentChars)));
      if (hits.length % DOCUMENTS_PER_TURN === 0) {
        await nextTurn();
        options?.signal?.throwIfAborted();
      }
    }
    const scores = scoreLexically(terms, hits);
    const results = documents.map(({ id }, index) => ({ id, score: scores[index]! }));
    results.sort((a, b) => b.score - a.score);
    const usage = estimateUsage([query, ...documents.map(({ text }) => text)]);
    return { documents: results.slice(0, options?.topN), usage };
  }
}
