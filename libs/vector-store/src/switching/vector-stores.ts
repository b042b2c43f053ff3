import type { VectorStore } from '../vector-store.port.js';

/** A value of `VECTOR_STORE`. */
export type VectorStoreKind = string;

/** The active store, and the shadow store that also gets every write while the installation moves. */
export interface StorePlacement {
  readonly active: VectorStoreKind;
  readonly shadow: VectorStoreKind | null;
}

/** Time for which a process may use a placement that it has read. After a change, one must wait longer before relying on it. */
export const PLACEMENT_LIVES_MS = 1_000;

/** All stores of the installation, for moving it from one to another. All other code uses `VectorStore`. */
export abstract class VectorStores {
  /** The stores to which the installation can move. */
  abstract readonly kinds: readonly VectorStoreKind[];

  /** The store that the settings name; it is active until the installation has moved. */
  abstract readonly initial: VectorStoreKind;

  /** Opens the store at first use. Throws `vector_store.not_configured` where the settings do not say where it is, and for a kind that is not known. */
  abstract storeOf(kind: VectorStoreKind): Promise<VectorStore>;
}
