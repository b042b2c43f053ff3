import { aiErrors } from '../ai.errors.js';
import { estimateUsage } from '../estimate-usage.js';
import { cutToChars } from '../remote/cut-text.js';
import { isBlank } from '../remote/embedding-answer.js';
import { RemoteCall, usable, type RemoteModel } from '../remote/remote-call.js';
import { rankDocuments, scoresOfAnswer } from '../remote/rerank-answer.js';
import {
  Reranker,
  type RerankDocument,
  type RerankedDocuments,
  type RerankerDescriptor,
  type RerankOptions,
} from '../reranker.port.js';
import { cohereClient, cohereModel, readCohereError, type CohereAccess } from './cohere-client.js';

export interface CohereRerankerOptions extends CohereAccess {
  readonly model: string;
  readonly silenceMs: number;
}

/** Cohere's reranking models, by its second interface. All documents go in one request, as Cohere bills them. */
export class CohereReranker extends Reranker {
  readonly descriptor: RerankerDescriptor;
  private readonly client;
  private readonly at: RemoteModel;

  constructor(private readonly options: CohereRerankerOptions) {
    super();
    this.client = cohereClient(options);
    this.at = cohereModel(options.model, options, options.silenceMs);
    this.descriptor = {
      provider: 'cohere',
      model: options.model,
      kind: 'semantic',
      maxDocuments: 1_000,
      maxDocumentChars: 32_768,
    };
  }

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
    // Cohere refuses empty texts; nothing in common with the question is what it would say.
    const places = documents.flatMap(({ text }, at) => (isBlank(text) ? [] : [at]));
    const texts = places.map((at) => cutToChars(documents[at]!.text, maxDocumentChars));
    const found = texts.length === 0 ? [] : await this.request(query, texts, options?.signal);
    const scores = documents.map(() => 0);
    places.forEach((place, at) => (scores[place] = found[at]!));
    // Cohere bills searches and tells no tokens.
    const usage = estimateUsage([query, ...texts], { requests: texts.length === 0 ? 0 : 1 });
    return { documents: rankDocuments(documents, scores, options?.topN), usage };
  }

  private async request(query: string, documents: string[], signal: AbortSignal | undefined): Promise<number[]> {
    const call = new RemoteCall(this.at, readCohereError, signal);
    try {
      const body = { model: this.options.model, query, documents, topN: documents.length };
      const answer = await call.wait(this.client.v2.rerank(body, { abortSignal: call.signal }));
      return usable(call, () => {
        const results: unknown = answer?.results;
        if (!Array.isArray(results)) throw new Error('the answer holds no list of results');
        const rows = results as readonly { index: number; relevanceScore: number }[];
        const scored = rows.map(({ index, relevanceScore }) => ({ index, score: relevanceScore }));
        return scoresOfAnswer(scored, documents.length).map((score) => Math.min(1, Math.max(0, score)));
      });
    } finally {
      call.end();
    }
  }
}
