import type { DatasetId } from '#libs/common';
import type { TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { WantedEmbedding } from './wanted-embedding.js';

/** What ingestion policies must ask of documents. Contributed by the module that owns documents; injection token. */
export abstract class PolicyUsage {
  /** How many documents of the dataset show content of each of these versions; deleted ones are not counted. A version that is missing in the map has none. */
  abstract countDocuments(
    ctx: RequestContext,
    datasetId: DatasetId,
    versions: readonly number[],
  ): Promise<Map<number, number>>;

  /** Those of these versions that some document of the dataset still refers to, in whatever state it is. */
  abstract versionsInUse(ctx: RequestContext, datasetId: DatasetId, versions: readonly number[]): Promise<number[]>;

  /**
   * Gives a dataset without documents another embedding model; false, and nothing is changed, when it has some. The transaction holds
   * the dataset's row.
   */
  abstract takeEmbedding(ctx: TransactionContext, datasetId: DatasetId, wanted: WantedEmbedding): Promise<boolean>;
}
