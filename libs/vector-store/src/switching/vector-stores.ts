import type { VectorStore } from '../vector-store.port.js';

/** A value of `VECTOR_STORE`. */
export type VectorStoreKind = string;

/** Which store answers, and which other one gets every write too while the installation moves. */
export interface StorePlacement {
  readonly active: VectorStoreKind;
  readonly shadow: VectorStoreKind | null;
}

/** How long a process may act on a placement that it has read. Anyone who changes it waits longer before relying on the change. */
export const PLACEMENT_LIVES_MS = 1_000;

/** Every store of the installation, for anyone who moves it from one to another. Anybody else uses `VectorStore`. */
export abstract class VectorStores {
  /** Every store that can be moved to. */
  abstract readonly kinds: readonly VectorStoreKind[];

  /** The store that the settings name: it answers until the installation has moved. */
  abstract readonly initial: VectorStoreKind;

  /** Opens the store at first use. Throws `vector_store.not_configured` where the settings do not say where it is, and for a kind that is not known. */
  abstract storeOf(kind: VectorStoreKind): Promise<VectorStore>;
}
