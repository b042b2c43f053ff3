import type { DatasetId } from '#libs/common';
import type { TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { WantedEmbedding } from './wanted-embedding.js';

/** What ingestion policies need to know and change about documents. Implemented by documents; injection token. */
export abstract class PolicyUsage {
  /** Number of documents of the dataset on each of these versions, without deleted ones. A version that is missing in the map has none. */
  abstract countDocuments(
    ctx: RequestContext,
    datasetId: DatasetId,
    versions: readonly number[],
  ): Promise<Map<number, number>>;

  /** Those of these versions to which a document of the dataset still refers, whatever its status. */
  abstract versionsInUse(ctx: RequestContext, datasetId: DatasetId, versions: readonly number[]): Promise<number[]>;

  /**
   * Gives a dataset without documents another embedding model; if it has documents, changes nothing and resolves to false. The transaction
   * must have locked the dataset's row.
   */
  abstract takeEmbedding(ctx: TransactionContext, datasetId: DatasetId, wanted: WantedEmbedding): Promise<boolean>;
}
