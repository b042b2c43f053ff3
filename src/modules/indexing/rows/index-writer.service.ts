import { Injectable } from '@nestjs/common';
import type { EmbedderDescriptor } from '#libs/ai';
import { CatalogueError, type DatasetId } from '#libs/common';
import { ANALYSIS_VERSION } from '#libs/ranking';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore, type CallOptions, type IndexedChunk, type IndexRef } from '#libs/vector-store';
import { SpaceWatch, DependencyGates, DatasetSpaces } from '../../documents/index.js';

/** A store that takes connections and never answers is noticed after this time; merges of a busy one are waited for. */
const WRITE_DEADLINE_MS = 30_000;
/** Indexes that are known to be there. */
const KNOWN_MOST = 1_000;

/** Where rows go. */
export interface IndexTarget {
  readonly datasetId: DatasetId;
  /** The model that made their vectors. */
  readonly model: Pick<EmbedderDescriptor, 'space' | 'dimensions'>;
}

/** Writes rows to the vector store, into an index that is made when it is missing. */
@Injectable()
export class IndexWriter {
  private readonly known = new Set<string>();

  constructor(
    private readonly store: VectorStore,
    private readonly gates: DependencyGates,
    private readonly spaces: DatasetSpaces,
    private readonly space: SpaceWatch,
  ) {}

  /** The most rows of one write. */
  get maxRows(): number {
    return this.store.capabilities.maxBatchRows;
  }

  /** Whether the store is to be told the n-grams of rows. */
  get wantsGrams(): boolean {
    return this.store.capabilities.proposesByGrams !== false;
  }

  /** At most `maxRows` rows; readable and durable afterwards. @throws Postponed when the store asks for time, or there is too little space. */
  async write(
    ctx: RequestContext,
    { datasetId, model }: IndexTarget,
    rows: readonly IndexedChunk[],
    signal: AbortSignal,
  ): Promise<void> {
    await this.space.require();
    const index = indexRef(ctx, datasetId, model.space);
    const options = { signal, deadlineMs: WRITE_DEADLINE_MS };
    await this.gates.store.run(async () => {
      await this.ensure(ctx, index, model, options);
      try {
        await this.store.write(index, rows, options);
      } catch (error) {
        // Dropped meanwhile by a reindex or by anyone who cleaned up by hand.
        if (!(error instanceof CatalogueError) || error.code !== 'vector_store.index_missing') throw error;
        this.known.delete(index.key);
        await this.ensure(ctx, index, model, options);
        await this.store.write(index, rows, options);
      }
    }, signal);
  }

  private async ensure(
    ctx: RequestContext,
    index: IndexRef,
    { dimensions }: IndexTarget['model'],
    options: CallOptions,
  ): Promise<void> {
    if (this.known.has(index.key)) return;
    await this.spaces.note(ctx, index.datasetId, index.spaceId);
    await this.store.ensureIndex(index, { dimensions, analysisVersion: ANALYSIS_VERSION }, options);
    if (this.known.size >= KNOWN_MOST) this.known.clear();
    this.known.add(index.key);
  }
}
