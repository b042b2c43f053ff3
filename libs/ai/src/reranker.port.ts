import type { ModelCallOptions, ModelUsage } from './model-call.js';

/** Facts about a reranking model, as data. */
export interface RerankerDescriptor {
  /** The kind under which it is registered. */
  readonly provider: string;
  readonly model: string;
  /** `lexical`: compares words and their order. `semantic`: a trained model. */
  readonly kind: 'lexical' | 'semantic';
  /** Maximum number of documents in one call of `rerank`. */
  readonly maxDocuments: number;
  /** Maximum number of UTF-16 code units of a document that are read for its score. */
  readonly maxDocumentChars: number;
}

export interface RerankDocument {
  /** Id of the document, unique within the call. */
  readonly id: string;
  readonly text: string;
}

export interface RerankOptions extends ModelCallOptions {
  /** At most this many results; default: all. */
  readonly topN?: number;
}

export interface RerankedDocument {
  readonly id: string;
  /** 0 (nothing in common) to 1 (best possible); comparable within one call only. */
  readonly score: number;
}

/** Result of `rerank`. */
export interface RerankedDocuments {
  readonly documents: readonly RerankedDocument[];
  readonly usage: ModelUsage;
}

/** Orders documents by how well they answer a query. Injection token. Implementations must pass `describeReranker`. */
export abstract class Reranker {
  abstract readonly descriptor: RerankerDescriptor;

  /**
   * The documents by descending score, equal scores in the given order; with `topN` the first n of them. Every document is returned exactly once,
   * also with score 0. A document's score does not depend on the order of the documents.
   * @throws `ai.batch_too_large` for more than `maxDocuments`, `ModelFailure` when a remote model gives no usable answer.
   */
  abstract rerank(
    query: string,
    documents: readonly RerankDocument[],
    options?: RerankOptions,
  ): Promise<RerankedDocuments>;
}
