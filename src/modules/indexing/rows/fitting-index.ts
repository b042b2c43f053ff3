import { CatalogueError } from '#libs/common';
import { ANALYSIS_VERSION } from '#libs/ranking';
import type { CallOptions, IndexRef, VectorStore } from '#libs/vector-store';

/** Creates a missing index. An index with another text analysis or other dimensions cannot be converted, so it is recreated empty. */
export async function ensureFittingIndex(
  store: VectorStore,
  index: IndexRef,
  dimensions: number,
  options?: CallOptions,
): Promise<void> {
  const spec = { dimensions, analysisVersion: ANALYSIS_VERSION };
  try {
    await store.ensureIndex(index, spec, options);
  } catch (error) {
    if (!(error instanceof CatalogueError) || error.code !== 'vector_store.schema_mismatch') throw error;
    await store.dropIndex(index, options);
    await store.ensureIndex(index, spec, options);
  }
}
