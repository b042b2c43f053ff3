import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { DatasetEmbedding } from '../record/dataset.entity.js';

/** A dataset with the properties that concern its embedding model. */
export interface EmbeddedDataset {
  readonly id: DatasetId;
  readonly policyVersion: number;
  /** Embedding space of the dataset's vectors. */
  readonly embeddingSpace: string;
}

/** Finds the embedding models that datasets are to have. Implemented by ingestion policies; injection token. */
export abstract class WantedEmbeddings {
  /** By dataset, the model that its policy names, if the dataset has another one and the installation has it. */
  abstract differing(
    ctx: RequestContext,
    datasets: readonly EmbeddedDataset[],
  ): Promise<ReadonlyMap<DatasetId, DatasetEmbedding>>;
}
