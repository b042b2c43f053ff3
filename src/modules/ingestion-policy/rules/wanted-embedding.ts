import type { InstalledModels } from '#libs/ai';
import { recordedEmbedding, type DatasetEmbedding } from '../../datasets/index.js';
import type { IngestionPolicy } from '../schema/ingestion-policy.entity.js';

/** An embedding model as datasets record it. */
export interface WantedEmbedding {
  readonly space: string;
  readonly embedding: DatasetEmbedding;
}

/** The embedding model that a policy wants: the one it names, else the installation's own; undefined when it names one that is gone. */
export function wantedEmbedding(
  { embedders }: Pick<InstalledModels, 'embedders'>,
  { embedding: { model: id } }: Pick<IngestionPolicy, 'embedding'>,
): WantedEmbedding | undefined {
  const found = id === undefined ? embedders.own : embedders.find(id);
  if (found === undefined) return undefined;
  return { space: found.descriptor.space, embedding: recordedEmbedding(found.descriptor) };
}
