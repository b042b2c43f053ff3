import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import { CatalogueError, type ChunkSetId, type DatasetId } from '#libs/common';
import { TenantRepository, UnitOfWork } from '#libs/database';
import { ANALYSIS_VERSION } from '#libs/text';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore, type IndexRef } from '#libs/vector-store';
import type { DocumentRow } from '../documents/index.js';
import { ChunkSetRepository } from './chunk-set.repository.js';
import { toIndexedChunk } from './indexed-chunk.js';
import { MetadataSync } from './metadata-sync.js';
import { listStoredGenerations } from './stored-generations.js';

const ROWS_PER_WRITE = 256;

/** What a reindex did. */
export interface ReindexReport {
  datasets: number;
  documents: number;
  written: number;
  removed: number;
}

/** A document that search shows, as far as its rows in the store depend on it. */
export type VisibleDocument = Pick<
  DocumentRow,
  'id' | 'dataset_id' | 'name' | 'media_type' | 'language' | 'created_at' | 'tags' | 'metadata'
> & { readonly visible_generation: string; readonly visible_chunk_set_id: ChunkSetId; readonly chunk_count: number };

/** Makes the vector store hold what PostgreSQL shows: missing rows are written again, foreign ones removed. Calls no model. */
@Injectable()
export class Reindex extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly sets: ChunkSetRepository,
    private readonly store: VectorStore,
    private readonly embedder: Embedder,
    private readonly metadata: MetadataSync,
  ) {
    super(unitOfWork);
  }

  /** All datasets of the tenant; `onProgress` after each document. Search goes on meanwhile. */
  async run(
    ctx: RequestContext,
    report: ReindexReport,
    onProgress: (report: ReindexReport) => Promise<void>,
  ): Promise<void> {
    const datasets = await this.query<{ id: DatasetId }>(
      ctx,
      `SELECT id FROM datasets WHERE deleted_at IS NULL ORDER BY id`,
    );
    for (const dataset of datasets) {
      const index = indexRef(ctx, dataset.id, this.embedder.descriptor.space);
      await this.ensureFittingIndex(index);
      report.removed += await this.removeForeign(ctx, index, dataset.id);
      for await (const document of this.visibleDocuments(ctx, dataset.id)) {
        report.written += await this.writeMissing(ctx, index, document);
        report.documents += 1;
        await onProgress(report);
      }
      report.datasets += 1;
      await onProgress(report);
    }
  }

  /** An index of another analysis or other dimensions cannot be mended; it is made anew. */
  async ensureFittingIndex(index: IndexRef): Promise<void> {
    const spec = { dimensions: this.embedder.descriptor.dimensions, analysisVersion: ANALYSIS_VERSION };
    try {
      await this.store.ensureIndex(index, spec);
    } catch (error) {
      if (!(error instanceof CatalogueError) || error.code !== 'vector_store.schema_mismatch') throw error;
      await this.store.dropIndex(index);
      await this.store.ensureIndex(index, spec);
    }
  }

  private async *visibleDocuments(ctx: RequestContext, datasetId: DatasetId): AsyncGenerator<VisibleDocument> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const [row] = await this.query<VisibleDocument>(
        ctx,
        `SELECT id, dataset_id, name, media_type, language, created_at, tags, metadata, visible_generation, visible_chunk_set_id, chunk_count
         FROM documents WHERE dataset_id = $1 AND id > $2 AND visible_generation IS NOT NULL AND deleted_at IS NULL ORDER BY id LIMIT 1`,
        [datasetId, after],
      );
      if (row === undefined) return;
      after = row.id;
      yield row;
    }
  }

  /** Writes the rows of the shown generation again unless all are there; gives how many it wrote. */
  async writeMissing(ctx: RequestContext, index: IndexRef, document: VisibleDocument): Promise<number> {
    const selection = { generations: [{ documentId: document.id, generation: document.visible_generation }] };
    let present = 0;
    for await (const row of this.store.listIds(index, selection)) present += row.chunkId === '' ? 0 : 1;
    if (present === document.chunk_count) return 0;
    let after = -1;
    let written = 0;
    while (after + 1 < document.chunk_count) {
      const rows = await this.sets.listToIndex(
        ctx,
        document.visible_chunk_set_id,
        index.spaceId,
        after,
        ROWS_PER_WRITE,
      );
      if (rows.length === 0) break;
      await this.store.write(
        index,
        rows.map((row) => toIndexedChunk(document, document.visible_generation, row)),
      );
      after = rows.at(-1)!.ordinal;
      written += rows.length;
    }
    // Its metadata may have changed while rows with the earlier ones were written.
    if (written > 0) await this.metadata.distrust(ctx, document.id);
    return written;
  }

  /** Rows of generations that nothing shows and that no attempt is writing. */
  private async removeForeign(ctx: RequestContext, index: IndexRef, datasetId: DatasetId): Promise<number> {
    const seen = await listStoredGenerations(this.store, index);
    const kept = await this.query<{
      id: string;
      visible_generation: string | null;
      fencing_token: string | null;
      status: string;
    }>(
      ctx,
      `SELECT id, visible_generation, fencing_token, status FROM documents WHERE dataset_id = $1 AND deleted_at IS NULL`,
      [datasetId],
    );
    for (const row of kept) {
      seen.delete(`${row.id}:${row.visible_generation}`);
      if (row.status === 'processing') seen.delete(`${row.id}:${row.fencing_token}`);
    }
    const foreign = [...seen.values()];
    if (foreign.length === 0) return 0;
    await this.store.remove(index, {
      generations: foreign.map(({ documentId, generation }) => ({ documentId, generation })),
    });
    return foreign.reduce((sum, { rows }) => sum + rows, 0);
  }
}
