import type { DocumentId } from '#libs/common';
import type { ChunkMetadata } from '../filter.js';
import type { IndexRef } from '../index-ref.js';
import { vectorStoreErrors } from '../vector-store.errors.js';
import {
  VectorStore,
  type CallOptions,
  type ChunkSelection,
  type IndexedChunk,
  type IndexSpec,
  type KeywordQuery,
  type ScoredChunkId,
  type StoredChunkId,
  type VectorQuery,
  type WriteRefusal,
  type VectorStoreCapabilities,
} from '../vector-store.port.js';
import { PLACEMENT_LIVES_MS, type StorePlacement, type VectorStoreKind, type VectorStores } from './vector-stores.js';

/** Undefined while the installation has never moved. */
export type PlacementReader = () => Promise<StorePlacement | undefined>;

/**
 * The active store. While the installation moves, every change is written to the shadow store first and then to the active one, and succeeds only
 * in both. So both can answer at any moment, regardless of which one a process takes for the active store.
 */
export class SwitchingVectorStore extends VectorStore implements VectorStores {
  private readonly opened = new Map<VectorStoreKind, Promise<VectorStore>>();
  private placement: StorePlacement;
  private current: VectorStore | undefined;
  private validUntil = -Infinity;
  private reading: Promise<void> | undefined;

  private constructor(
    readonly kinds: readonly VectorStoreKind[],
    readonly initial: VectorStoreKind,
    private readonly open: (kind: VectorStoreKind) => Promise<VectorStore>,
    private readonly read: PlacementReader,
  ) {
    super();
    this.placement = { active: initial, shadow: null };
  }

  /** Opens the store that answers now. */
  static async start(
    kinds: readonly VectorStoreKind[],
    initial: VectorStoreKind,
    open: (kind: VectorStoreKind) => Promise<VectorStore>,
    read: PlacementReader,
  ): Promise<SwitchingVectorStore> {
    const store = new SwitchingVectorStore(kinds, initial, open, read);
    await store.refresh();
    return store;
  }

  /** Those of the store that answers. */
  get capabilities(): VectorStoreCapabilities {
    return this.current!.capabilities;
  }

  storeOf(kind: VectorStoreKind): Promise<VectorStore> {
    const known = this.opened.get(kind);
    if (known !== undefined) return known;
    const opening = this.open(kind);
    this.opened.set(kind, opening);
    // Tried again by the next call: the other process that holds an embedded store may have ended by then.
    opening.catch(() => this.opened.delete(kind));
    return opening;
  }

  async ensureIndex(index: IndexRef, spec: IndexSpec, options?: CallOptions): Promise<void> {
    await this.inAll((store) => store.ensureIndex(index, spec, options));
  }

  async write(index: IndexRef, chunks: readonly IndexedChunk[], options?: CallOptions): Promise<void> {
    await this.inAll((store) => store.write(index, chunks, options));
  }

  async updateMetadata(
    index: IndexRef,
    documentId: DocumentId,
    metadata: ChunkMetadata,
    options?: CallOptions,
  ): Promise<void> {
    await this.inAll((store) => store.updateMetadata(index, documentId, metadata, options));
  }

  async remove(index: IndexRef, selection: ChunkSelection, options?: CallOptions): Promise<void> {
    await this.inAll((store) => store.remove(index, selection, options));
  }

  async *listIds(index: IndexRef, selection: ChunkSelection, options?: CallOptions): AsyncGenerator<StoredChunkId> {
    yield* (await this.active()).listIds(index, selection, options);
  }

  async count(index: IndexRef, options?: CallOptions): Promise<number> {
    return (await this.active()).count(index, options);
  }

  async dropIndex(index: IndexRef, options?: CallOptions): Promise<void> {
    await this.inAll((store) => store.dropIndex(index, options));
  }

  async searchKeyword(
    indexes: readonly IndexRef[],
    query: KeywordQuery,
    options?: CallOptions,
  ): Promise<readonly ScoredChunkId[]> {
    return (await this.active()).searchKeyword(indexes, query, options);
  }

  async searchVector(
    indexes: readonly IndexRef[],
    query: VectorQuery,
    options?: CallOptions,
  ): Promise<readonly ScoredChunkId[]> {
    return (await this.active()).searchVector(indexes, query, options);
  }

  async ping(options?: CallOptions): Promise<void> {
    await (await this.active()).ping(options);
  }

  override async refusesWrites(options?: CallOptions): Promise<WriteRefusal | string | null> {
    for (const kind of await this.written()) {
      const refusal = await (await this.storeOf(kind)).refusesWrites(options);
      if (refusal !== null) return refusal;
    }
    return null;
  }

  async close(): Promise<void> {
    const stores = await Promise.allSettled(this.opened.values());
    for (const store of stores) if (store.status === 'fulfilled') await store.value.close();
  }

  private async active(): Promise<VectorStore> {
    await this.refresh();
    return this.current!;
  }

  /** The shadow first: what only it holds is seen by no one. */
  private async written(): Promise<VectorStoreKind[]> {
    await this.refresh();
    const { active, shadow } = this.placement;
    return shadow === null ? [active] : [shadow, active];
  }

  private async inAll(change: (store: VectorStore) => Promise<void>): Promise<void> {
    for (const kind of await this.written()) await change(await this.openOrWait(kind));
  }

  private async refresh(): Promise<void> {
    if (performance.now() < this.validUntil) return;
    this.reading ??= this.readPlacement().finally(() => {
      this.reading = undefined;
    });
    await this.reading;
  }

  private async readPlacement(): Promise<void> {
    const began = performance.now();
    const placement = (await this.read()) ?? { active: this.initial, shadow: null };
    this.current = await (this.current === undefined
      ? this.storeOf(placement.active)
      : this.openOrWait(placement.active));
    this.placement = placement;
    this.validUntil = began + PLACEMENT_LIVES_MS;
  }

  /** A process that cannot take part in the move must not lose writes: anyone who asked tries again when it has been mended. */
  private async openOrWait(kind: VectorStoreKind): Promise<VectorStore> {
    try {
      return await this.storeOf(kind);
    } catch (error) {
      throw vectorStoreErrors.unavailable({ operation: 'open', reason: `${kind} cannot be opened here` }, error);
    }
  }
}
