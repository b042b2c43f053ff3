import type { InstalledModels } from '#libs/ai';
import { recordedEmbedding, type DatasetEmbedding } from '../../datasets/index.js';
import type { IngestionPolicy } from '../schema/ingestion-policy.entity.js';

/** An embedding model as datasets record it. */
export interface WantedEmbedding {
  readonly space: string;
  readonly embedding: DatasetEmbedding;
}

/**
 * The embedding model of a policy: the one that it names, or else the installation's default; undefined when it names one that is no longer
 * installed.
 */
export function wantedEmbedding(
  { embedders }: Pick<InstalledModels, 'embedders'>,
  { embedding: { model: id } }: Pick<IngestionPolicy, 'embedding'>,
): WantedEmbedding | undefined {
  const found = id === undefined ? embedders.own : embedders.find(id);
  if (found === undefined) return undefined;
  return { space: found.descriptor.space, embedding: recordedEmbedding(found.descriptor) };
}
