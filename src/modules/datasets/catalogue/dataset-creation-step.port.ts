import type { DatasetId } from '#libs/common';
import type { TransactionContext } from '#libs/database';

/** A dataset whose row has just been written. */
export interface CreatedDataset {
  readonly id: DatasetId;
  /** The dataset whose configuration is copied. */
  readonly clonedFrom?: { readonly id: DatasetId };
}

/** Creates what every dataset needs from its beginning. Implemented by ingestion policies; injection token. */
export abstract class DatasetCreationStep {
  /** Called in the transaction that creates the dataset, whose row is already there. */
  abstract complete(ctx: TransactionContext, dataset: CreatedDataset): Promise<void>;
}
