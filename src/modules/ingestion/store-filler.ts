import { Injectable } from '@nestjs/common';
import { CatalogueError, type DatasetId } from '#libs/common';
import { TenantRepository, UnitOfWork } from '#libs/database';
import { ANALYSIS_VERSION } from '#libs/text';
import type { RequestContext } from '#libs/tenancy';
import type { IndexedChunk, IndexRef, VectorStore } from '#libs/vector-store';
import { ChunkSetRepository } from './chunk-set.repository.js';
import { toIndexedChunk } from './indexed-chunk.js';
import { MetadataSync } from './metadata-sync.js';
import type { VisibleDocument } from './reindex.js';
import { listStoredGenerations, type StoredGeneration } from './stored-generations.js';

const ROWS_PER_WRITE = 256;
const DOCUMENTS_PER_PAGE = 200;
const STORE_DEADLINE_MS = 60_000;

/** What one look at an index found and mended. */
export interface FilledIndex {
  readonly documents: number;
  readonly written: number;
  readonly removed: number;
}

interface DocumentToFill extends VisibleDocument {
  readonly metadata_seq: string;
  /** Chunks that have a vector in the space. */
  readonly rows: number;
}

/** Makes an index of any store hold what PostgreSQL shows of a dataset in a space. Calls no model and may be repeated. */
@Injectable()
export class StoreFiller extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly sets: ChunkSetRepository,
    private readonly metadata: MetadataSync,
  ) {
    super(unitOfWork);
  }

  /** Writes rows that are missing and removes those that nothing shows and no attempt writes; `onDocument` after each document. */
  async fill(
    ctx: RequestContext,
    store: VectorStore,
    index: IndexRef,
    onDocument: (document: VisibleDocument) => Promise<void>,
  ): Promise<FilledIndex> {
    const stored = await listStoredGenerations(store, index);
    const found = { documents: 0, written: 0, removed: 0 };
    for await (const document of this.visibleDocuments(ctx, index)) {
      const rows = stored.get(`${document.id}:${document.visible_generation}`)?.rows ?? 0;
      if (rows > document.rows) await this.removeShown(store, index, document);
      if (rows !== document.rows) found.written += await this.write(ctx, store, index, document);
      found.documents += 1;
      await onDocument(document);
    }
    found.removed = await this.removeForeign(ctx, store, index, stored);
    return found;
  }

  private async *visibleDocuments(ctx: RequestContext, index: IndexRef): AsyncGenerator<DocumentToFill> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const page = await this.query<DocumentToFill>(
        ctx,
        `SELECT d.id, d.dataset_id, d.name, d.media_type, d.language, d.created_at, d.tags, d.metadata, d.visible_generation,
           d.visible_chunk_set_id, d.chunk_count, d.metadata_seq,
           (SELECT count(*)::int FROM chunks c JOIN chunk_vectors v ON v.chunk_id = c.id AND v.space = $2
            WHERE c.chunk_set_id = d.visible_chunk_set_id) AS rows
         FROM documents d WHERE d.dataset_id = $1 AND d.id > $3 AND d.visible_generation IS NOT NULL AND d.deleted_at IS NULL
         ORDER BY d.id LIMIT $4`,
        [index.datasetId, index.spaceId, after, DOCUMENTS_PER_PAGE],
      );
      if (page.length === 0) return;
      after = page.at(-1)!.id;
      yield* page;
    }
  }

  private async write(
    ctx: RequestContext,
    store: VectorStore,
    index: IndexRef,
    document: DocumentToFill,
  ): Promise<number> {
    const setId = document.visible_chunk_set_id;
    let written = 0;
    for (let after = -1; ;) {
      const rows = await this.sets.listToIndex(ctx, setId, index.spaceId, after, ROWS_PER_WRITE);
      if (rows.length === 0) break;
      const chunks = rows.map((row) => toIndexedChunk(document, document.visible_generation, row));
      await this.writeRows(store, index, chunks);
      after = rows.at(-1)!.ordinal;
      written += rows.length;
    }
    if (written > 0 && (await this.hasChanged(ctx, document))) await this.metadata.distrust(ctx, document.id);
    return written;
  }

  /** Rows of chunks that the shown set does not have: writing the others again would leave them. */
  private removeShown(store: VectorStore, index: IndexRef, { id, visible_generation }: DocumentToFill): Promise<void> {
    const generations = [{ documentId: id, generation: visible_generation }];
    return store.remove(index, { generations }, { deadlineMs: STORE_DEADLINE_MS });
  }

  /** An index that is missing is made; one of another analysis or other dimensions cannot be mended, so it is made anew. */
  private async writeRows(store: VectorStore, index: IndexRef, chunks: readonly IndexedChunk[]): Promise<void> {
    const options = { deadlineMs: STORE_DEADLINE_MS };
    const spec = { dimensions: chunks[0]!.vector.length, analysisVersion: ANALYSIS_VERSION };
    try {
      await store.ensureIndex(index, spec, options);
    } catch (error) {
      if (!(error instanceof CatalogueError) || error.code !== 'vector_store.schema_mismatch') throw error;
      await store.dropIndex(index, options);
      await store.ensureIndex(index, spec, options);
    }
    await store.write(index, chunks, options);
  }

  /** A change before the rows could be read found no rows to change: somebody has to tell the store once more. */
  private async hasChanged(ctx: RequestContext, document: DocumentToFill): Promise<boolean> {
    const [now] = await this.query<{ metadata_seq: string }>(ctx, `SELECT metadata_seq FROM documents WHERE id = $1`, [
      document.id,
    ]);
    return now !== undefined && now.metadata_seq !== document.metadata_seq;
  }

  private async removeForeign(
    ctx: RequestContext,
    store: VectorStore,
    index: IndexRef,
    stored: Map<string, StoredGeneration>,
  ): Promise<number> {
    const kept = await this.query<{ id: string; shown: string | null; written: string | null }>(
      ctx,
      `SELECT id, visible_generation AS shown, CASE WHEN status = 'processing' THEN fencing_token END AS written
       FROM documents WHERE dataset_id = $1 AND deleted_at IS NULL`,
      [index.datasetId],
    );
    for (const { id, shown, written } of kept) {
      stored.delete(`${id}:${shown}`);
      stored.delete(`${id}:${written}`);
    }
    const foreign = [...stored.values()];
    if (foreign.length === 0) return 0;
    await store.remove(index, { generations: foreign }, { deadlineMs: STORE_DEADLINE_MS });
    return foreign.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** Datasets of the tenant that are not deleted. */
  async listDatasets(ctx: RequestContext): Promise<DatasetId[]> {
    const rows = await this.query<{ id: DatasetId }>(
      ctx,
      `SELECT id FROM datasets WHERE deleted_at IS NULL ORDER BY id`,
    );
    return rows.map(({ id }) => id);
  }

  /** How many documents are written by attempts that began before `token`. */
  async countAttemptsBefore(ctx: RequestContext, token: string): Promise<number> {
    const [row] = await this.query<{ n: number }>(
      ctx,
      `SELECT count(*)::int AS n FROM documents WHERE status = 'processing' AND fencing_token < $1 AND deleted_at IS NULL`,
      [token],
    );
    return row!.n;
  }
}
