import { anyAdapter, type AdapterDefinition, type AdapterSettings } from '#libs/config';
import type { VectorStore } from './vector-store.port.js';

/** What the application gives the opener of a store. */
export interface VectorStoreContext {
  /** Folder for a store that keeps its data in files; created if it is missing. */
  readonly directory: string;
}

export type VectorStoreAdapter = AdapterDefinition<VectorStore, VectorStoreContext>;

/** Describes a store for `VECTOR_STORES`. What it opens must pass `describeVectorStore`. */
export function defineVectorStore<const S extends AdapterSettings>(
  definition: AdapterDefinition<VectorStore, VectorStoreContext, S>,
): VectorStoreAdapter {
  return anyAdapter(definition);
}
