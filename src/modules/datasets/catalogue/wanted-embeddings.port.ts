import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { DatasetEmbedding } from '../record/dataset.entity.js';

/** A dataset as far as its embedding model is concerned. */
export interface EmbeddedDataset {
  readonly id: DatasetId;
  readonly policyVersion: number;
  /** Embedding space of its vectors. */
  readonly embeddingSpace: string;
}

/** What datasets ask about the models that they are to have. Contributed by the module that owns ingestion policies; injection token. */
export abstract class WantedEmbeddings {
  /** By dataset the model that its policy asks for, where that is another one than it has and the installation has it. */
  abstract differing(
    ctx: RequestContext,
    datasets: readonly EmbeddedDataset[],
  ): Promise<ReadonlyMap<DatasetId, DatasetEmbedding>>;
}
