import type { DatasetId } from '#libs/common';
import type { TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';

/** Numbers of documents, chunks and stored files of a dataset, for the receipt of its deletion. */
export interface ContentCount {
  readonly documents: number;
  readonly chunks: number;
  readonly blobs: number;
}

/** Number of documents of a dataset by status, without deleted ones. */
export interface DocumentCounts {
  readonly pending: number;
  readonly processing: number;
  readonly completed: number;
  readonly failed: number;
  readonly quarantined: number;
  readonly cancelled: number;
  /** Number of documents that a search can find, whatever their status. */
  readonly searchable: number;
  /** Number of completed documents that no search can find because they have no text. */
  readonly without_text: number;
  readonly total: number;
}

export interface ContentSummary {
  readonly counts: DocumentCounts;
  /** Number of chunks that a search can return. */
  readonly chunkCount: number;
}

/** What datasets need to know and do about their documents. Implemented by documents; injection token. */
export abstract class DatasetContents {
  /** Numbers of everything that a deletion will remove, in the transaction of `ctx`. */
  abstract countContents(ctx: RequestContext, datasetId: DatasetId): Promise<ContentCount>;

  /**
   * Hides all documents of the dataset and stops their ingestion, in the transaction of `ctx`; called once, after the dataset itself has
   * been marked as deleted. The dataset is locked, so no document can be added meanwhile.
   */
  abstract hide(ctx: TransactionContext, datasetId: DatasetId): Promise<void>;

  /** One summary for each dataset; a dataset that is missing in the map is empty. */
  abstract summarize(ctx: RequestContext, datasetIds: readonly DatasetId[]): Promise<Map<DatasetId, ContentSummary>>;

  /** Size in bytes of the stored files of each dataset, all revisions included; a dataset that is missing in the map has none. */
  abstract sumBytes(ctx: RequestContext, datasetIds: readonly DatasetId[]): Promise<Map<DatasetId, number>>;
}
