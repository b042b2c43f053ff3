import type { DatasetId } from '#libs/common';
import type { TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';

/** How much a dataset holds, for the receipt of its deletion: numbers of documents, chunks and stored files. */
export interface ContentCount {
  readonly documents: number;
  readonly chunks: number;
  readonly blobs: number;
}

/** Documents of a dataset by state, deleted ones left out. */
export interface DocumentCounts {
  readonly pending: number;
  readonly processing: number;
  readonly completed: number;
  readonly failed: number;
  readonly quarantined: number;
  readonly cancelled: number;
  /** Documents that a search can find, whatever their state. */
  readonly searchable: number;
  /** Completed documents that no search can find, since they have no text. */
  readonly without_text: number;
  readonly total: number;
}

export interface ContentSummary {
  readonly counts: DocumentCounts;
  /** Chunks that a search can return. */
  readonly chunkCount: number;
}

/** What datasets must ask of the documents in them. Contributed by the module that owns documents; injection token. */
export abstract class DatasetContents {
  /** Everything that a deletion will remove, in the transaction of `ctx`. */
  abstract countContents(ctx: RequestContext, datasetId: DatasetId): Promise<ContentCount>;

  /**
   * Takes all documents of the dataset out of sight and stops their ingestion, in the transaction of `ctx`; called once,
   * when the dataset itself has been marked deleted. The dataset is locked: no document can be added meanwhile.
   */
  abstract hide(ctx: TransactionContext, datasetId: DatasetId): Promise<void>;

  /** One summary for each dataset; a dataset that is missing in the map holds nothing. */
  abstract summarize(ctx: RequestContext, datasetIds: readonly DatasetId[]): Promise<Map<DatasetId, ContentSummary>>;

  /** Bytes of the stored files of each dataset, of all revisions; a dataset that is missing in the map has none. */
  abstract sumBytes(ctx: RequestContext, datasetIds: readonly DatasetId[]): Promise<Map<DatasetId, number>>;
}
