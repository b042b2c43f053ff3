import type { ModelCallOptions, ModelUsage } from './model-call.js';

/** Facts about a reranking model, as data. */
export interface RerankerDescriptor {
  /** The kind under which it is registered. */
  readonly provider: string;
  readonly model: string;
  /** `lexical`: compares words and their order. `semantic`: a trained model. */
  readonly kind: 'lexical' | 'semantic';
  /** The most documents that one call of `rerank` accepts. */
  readonly maxDocuments: number;
  /** UTF-16 units of one document that influence its score; what is beyond is not read. */
  readonly maxDocumentChars: number;
}

export interface RerankDocument {
  /** The caller's name for the document, unique within the call. */
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

/** What `rerank` gives. */
export interface RerankedDocuments {
  readonly documents: readonly RerankedDocument[];
  readonly usage: ModelUsage;
}

/** Orders documents by how well they answer a query. Injection token. Implementations must pass `describeReranker`. */
export abstract class Reranker {
  abstract readonly descriptor: RerankerDescriptor;

  /**
   * The documents by falling score, equal scores in the order in which they were given; with `topN` the first n of them.
   * Every document is given back exactly once, also one with score 0. A document's score does not depend on the order of the documents.
   * @throws `ai.batch_too_large` for more than `maxDocuments`, `ModelFailure` when a remote model gives no usable answer.
   */
  abstract rerank(
    query: string,
    documents: readonly RerankDocument[],
    options?: RerankOptions,
  ): Promise<RerankedDocuments>;
}
