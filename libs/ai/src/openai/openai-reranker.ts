import { estimateUsage } from '../estimate-usage.js';
import type { ModelUsage } from '../model-call.js';
import { ModelFailure } from '../model-failure.js';
import { RemoteCall, usable, type RemoteModel } from '../remote/remote-call.js';
import {
  rankDocuments,
  scoresOfAnswer,
  sentDocuments,
  toUnitScores,
  type ScoredIndex,
} from '../remote/rerank-answer.js';
import {
  Reranker,
  type RerankDocument,
  type RerankedDocuments,
  type RerankerDescriptor,
  type RerankOptions,
} from '../reranker.port.js';
import { openAiClient, openAiModel, readOpenAiError, type OpenAiAccess } from './openai-client.js';

export interface OpenAiRerankerOptions extends OpenAiAccess {
  readonly model: string;
  readonly silenceMs: number;
  /** The most documents of one request. */
  readonly batchSize: number;
}

/** How servers want the documents: as `documents` (Jina, Cohere, vLLM, LiteLLM) or as `texts` (TEI). */
type Shape = 'documents' | 'texts';

/** A reranking model behind `POST {base}/rerank`. */
export class OpenAiReranker extends Reranker {
  readonly descriptor: RerankerDescriptor;
  private readonly client;
  private readonly at: RemoteModel;
  /** Learned from the server that misses `texts`. */
  private shape: Shape = 'documents';

  constructor(private readonly options: OpenAiRerankerOptions) {
    super();
    this.client = openAiClient(options);
    this.at = openAiModel(options.model, options, options.silenceMs);
    this.descriptor = {
      provider: 'openai',
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
    const found: number[] = [];
    let requests = 0;
    const usageOf = (read: readonly string[]): ModelUsage =>
      estimateUsage([...read.map(() => query), ...read], { requests });
    for (let from = 0; from < texts.length; from += this.options.batchSize) {
      const batch = texts.slice(from, from + this.options.batchSize);
      found.push(...(await this.sendAfter(query, batch, options?.signal, () => usageOf(texts.slice(0, from)))));
      requests += 1;
    }
    const ranked = rankDocuments(documents, scoresOf(toUnitScores(found)), options?.topN);
    return { documents: ranked, usage: usageOf(texts) };
  }

  /** A failure tells what the batches before it took. */
  private async sendAfter(
    query: string,
    texts: readonly string[],
    signal: AbortSignal | undefined,
    spent: () => ModelUsage,
  ): Promise<number[]> {
    try {
      return await this.send(query, texts, signal);
    } catch (error) {
      const before = spent();
      throw error instanceof ModelFailure && before.requests > 0 ? error.having(before) : error;
    }
  }

  private async send(query: string, texts: readonly string[], signal: AbortSignal | undefined): Promise<number[]> {
    try {
      return await this.request(this.shape, query, texts, signal);
    } catch (error) {
      const misses = error instanceof ModelFailure && error.kind === 'rejected' && /`?\btexts\b`?/.test(error.words);
      if (!misses || this.shape === 'texts') throw error;
      const scores = await this.request('texts', query, texts, signal);
      this.shape = 'texts';
      return scores;
    }
  }

  private async request(
    shape: Shape,
    query: string,
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<number[]> {
    const call = new RemoteCall(this.at, readOpenAiError, signal);
    try {
      const body =
        shape === 'texts'
          ? { query, texts, truncate: true }
          : { model: this.options.model, query, documents: texts, top_n: texts.length };
      const answer = await call.wait(this.client.post<unknown>('/rerank', { body, signal: call.signal }));
      return usable(call, () => scoresOfAnswer(readResults(answer), texts.length));
    } finally {
      call.end();
    }
  }
}

/** `{results: [{index, relevance_score}]}` as Jina and Cohere answer, or `[{index, score}]` as TEI does. */
function readResults(answer: unknown): ScoredIndex[] {
  const rows: unknown = Array.isArray(answer) ? answer : (answer as { results?: unknown } | null)?.results;
  if (!Array.isArray(rows)) throw new Error('the answer holds no list of results');
  return rows.map((row: unknown) => {
    const { index, relevance_score, score } = (row ?? {}) as Readonly<Record<string, number>>;
    return { index: index ?? -1, score: relevance_score ?? score ?? NaN };
  });
}
