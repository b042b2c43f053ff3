import { CatalogueError } from '#libs/common';
import { ANALYSIS_VERSION } from '#libs/ranking';
import type { CallOptions, IndexRef, VectorStore } from '#libs/vector-store';

/** Makes an index that is missing; one of another analysis or other dimensions cannot be mended, so it is made again, empty. */
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
