import { Injectable } from '@nestjs/common';
import type { EmbedderDescriptor } from '#libs/ai';
import { CatalogueError, type DatasetId } from '#libs/common';
import { ANALYSIS_VERSION } from '#libs/ranking';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore, type CallOptions, type IndexedChunk, type IndexRef } from '#libs/vector-store';
import { SpaceWatch, DependencyGates, DatasetSpaces } from '../../documents/index.js';

/** Long enough for merges of a busy store; a store that accepts connections and never answers is noticed after this time. */
const WRITE_DEADLINE_MS = 30_000;
/** Maximum number of remembered indexes that are known to exist. */
const KNOWN_MOST = 1_000;

/** Target of rows. */
export interface IndexTarget {
  readonly datasetId: DatasetId;
  /** The model that made the vectors of the rows. */
  readonly model: Pick<EmbedderDescriptor, 'space' | 'dimensions'>;
}

/** Writes rows to the vector store; a missing index is created. */
@Injectable()
export class IndexWriter {
  private readonly known = new Set<string>();

  constructor(
    private readonly store: VectorStore,
    private readonly gates: DependencyGates,
    private readonly spaces: DatasetSpaces,
    private readonly space: SpaceWatch,
  ) {}

  /** Maximum number of rows of one write. */
  get maxRows(): number {
    return this.store.capabilities.maxBatchRows;
  }

  /** Whether the store needs the n-grams of rows. */
  get wantsGrams(): boolean {
    return this.store.capabilities.proposesByGrams !== false;
  }

  /**
   * Writes at most `maxRows` rows, which are readable and durable afterwards. @throws Postponed when the store asks for a pause, or there
   * is too little space.
   */
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
        // A reindex or an operator has dropped the index meanwhile.
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
