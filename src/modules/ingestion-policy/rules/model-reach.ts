import type { EmbedderDescriptor, InstalledModels } from '#libs/ai';
import { MIN_CHUNK_TOKENS } from '#libs/text';
import type { PolicyWarning } from '../schema/ingestion-policy.dto.js';
import type { ChunkingPolicy, IngestionPolicy } from '../schema/ingestion-policy.entity.js';
import { wantedEmbedding } from './wanted-embedding.js';

/** A model that reads less than the chunk size of a policy. */
export interface ModelReach {
  readonly model: string;
  /** Maximum number of tokens that the model reads. */
  readonly reads: number;
  /** Maximum number of tokens of a chunk. */
  readonly chunkSize: number;
}

type Reading = Pick<EmbedderDescriptor, 'model' | 'maxInputTokens'>;

/** The first of the models that reads less than the chunk size of the policy; null: there is none, or the policy has `fit_model`. */
export function chunksCutBy(chunking: ChunkingPolicy, models: readonly Reading[]): ModelReach | null {
  const chunkSize = longestChunk(chunking);
  const found = chunkSize === null ? undefined : models.find(({ maxInputTokens }) => maxInputTokens < chunkSize);
  return found === undefined || chunkSize === null
    ? null
    : { model: found.model, reads: found.maxInputTokens, chunkSize };
}

/** Maximum number of tokens of an embedded chunk; null: it depends on the document or the model. */
function longestChunk({ strategy, chunk_size: size, fit_model: isFitted = false }: ChunkingPolicy): number | null {
  if (isFitted || strategy === 'whole') return null;
  return strategy === 'parent_child' ? Math.max(MIN_CHUNK_TOKENS, Math.floor(size / 4)) : size;
}

/** Warnings about a policy for a dataset with vectors in `present`, for its model and for the one that the policy names. */
export function policyWarnings(models: InstalledModels, policy: IngestionPolicy, present: string): PolicyWarning[] {
  const wanted = wantedEmbedding(models, policy)?.space ?? present;
  return warningsOf(policy.chunking, [wanted, present].map(describedBy(models)), wanted !== present);
}

/** Warnings about a re-embedding of a dataset under its policy. */
export function moveWarnings(
  models: InstalledModels,
  policy: IngestionPolicy,
  { from, to }: { readonly from: string; readonly to: string },
): PolicyWarning[] {
  return warningsOf(policy.chunking, [to].map(describedBy(models)), from !== to);
}

const describedBy =
  (models: InstalledModels) =>
  (space: string): Reading | undefined =>
    models.embedderOf(space)?.descriptor;

function warningsOf(
  chunking: ChunkingPolicy,
  [next, ...others]: readonly (Reading | undefined)[],
  isMoved: boolean,
): PolicyWarning[] {
  const cut = chunksCutBy(
    chunking,
    [next, ...others].flatMap((model) => model ?? []),
  );
  if (cut !== null) {
    const detail = `Chunks may have ${cut.chunkSize} tokens, but ${cut.model} reads only the first ${cut.reads}: the rest of a longer chunk is found by its words only. Set fit_model to true, or chunk_size to ${cut.reads} or less.`;
    return [{ pointer: '/chunking/chunk_size', code: 'CHUNKS_LONGER_THAN_MODEL', detail }];
  }
  if (chunking.fit_model !== true || !isMoved || next === undefined) return [];
  const detail = `Chunks are cut to fit the embedding model that the dataset has at that time. After the re-embedding, reingest the documents so that their chunks fit ${next.model}.`;
  return [{ pointer: '/chunking/fit_model', code: 'CHUNKS_FIT_ANOTHER_MODEL', detail }];
}
