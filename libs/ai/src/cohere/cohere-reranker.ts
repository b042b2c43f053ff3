import { estimateUsage } from '../estimate-usage.js';
import { RemoteCall, usable, type RemoteModel } from '../remote/remote-call.js';
import { rankDocuments, scoresOfAnswer, sentDocuments } from '../remote/rerank-answer.js';
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
    const { texts, scoresOf } = sentDocuments(documents, this.descriptor);
    options?.signal?.throwIfAborted();
    const found = texts.length === 0 ? [] : await this.request(query, texts, options?.signal);
    // Cohere bills searches and tells no tokens.
    const usage = estimateUsage([query, ...texts], { requests: texts.length === 0 ? 0 : 1 });
    return { documents: rankDocuments(documents, scoresOf(found), options?.topN), usage };
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
