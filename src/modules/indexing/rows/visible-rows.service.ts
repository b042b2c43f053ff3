import { Injectable } from '@nestjs/common';
import { inTurns, type DocumentId } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import { yieldAndFreeMemory } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import type { IndexedChunk, IndexRef, VectorStore } from '#libs/vector-store';
import { StoreIntents } from '../../documents/index.js';
import { ChunkSetRepository } from '../../content/index.js';
import { ensureFittingIndex } from './fitting-index.js';
import { toIndexedChunks } from './indexed-chunk.js';
import { MetadataSync } from './metadata-sync.service.js';
import { VisibleDocuments, type VisibleDocument } from './visible-documents.repository.js';

/** Maximum number of rows of one write, unless the store accepts fewer. */
const ROWS_PER_WRITE = 256;
const STORE_DEADLINE_MS = 60_000;

/** Writes the rows of shown documents into an index of any store, from the chunks and vectors in the database. Calls no model. */
@Injectable()
export class VisibleRows {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: VisibleDocuments,
    private readonly sets: ChunkSetRepository,
    private readonly metadata: MetadataSync,
    private readonly intents: StoreIntents,
  ) {}

  /**
   * Writes all rows of the documents, those of small documents together; resolves to the number of rows by document. Chunks without a
   * vector in the space of the index get no row. Can be repeated: the same rows are written again.
   */
  async write(
    ctx: RequestContext,
    store: VectorStore,
    index: IndexRef,
    documents: readonly VisibleDocument[],
  ): Promise<ReadonlyMap<DocumentId, number>> {
    const written = new Map<DocumentId, number>();
    const limit = Math.min(ROWS_PER_WRITE, store.capabilities.maxBatchRows);
    for (const group of groupsOf(documents, limit)) {
      for await (const rows of this.readRows(ctx, store, index, group)) {
        await this.writeRows(store, index, rows);
        for (const { documentId } of rows) written.set(documentId, (written.get(documentId) ?? 0) + 1);
        await yieldAndFreeMemory();
      }
    }
    if (written.size > 0)
      await this.followUp(
        ctx,
        documents.filter(({ id }) => written.has(id)),
      );
    return written;
  }

  /** Writes the rows of those documents that are incomplete in the index; resolves to the number of rows by document. */
  async writeMissing(
    ctx: RequestContext,
    store: VectorStore,
    index: IndexRef,
    documents: readonly VisibleDocument[],
  ): Promise<ReadonlyMap<DocumentId, number>> {
    if (documents.length === 0) return new Map();
    const generations = documents.map(({ id, visible_generation: generation }) => ({ documentId: id, generation }));
    const present = new Map<string, number>();
    for await (const { documentId } of store.listIds(index, { generations })) {
      present.set(documentId, (present.get(documentId) ?? 0) + 1);
    }
    const lacking = documents.filter(({ id, chunk_count: count }) => (present.get(id) ?? 0) !== count);
    return this.write(ctx, store, index, lacking);
  }

  /** Writes the rows of several small documents at once, those of a large one in parts. */
  private async *readRows(
    ctx: RequestContext,
    { capabilities }: VectorStore,
    index: IndexRef,
    group: readonly VisibleDocument[],
  ): AsyncGenerator<readonly IndexedChunk[]> {
    const limit = Math.min(ROWS_PER_WRITE, capabilities.maxBatchRows);
    const withGrams = capabilities.proposesByGrams !== false;
    const bySet = new Map(group.map((document) => [document.visible_chunk_set_id, document]));
    const asOwner = (document: VisibleDocument): { document: VisibleDocument; generation: string } => ({
      document,
      generation: document.visible_generation,
    });
    const [first] = group as readonly [VisibleDocument];
    if (first.chunk_count <= limit) {
      const rows = await this.sets.listAllToIndex(ctx, [...bySet.keys()], index.spaceId);
      if (rows.length > 0)
        yield await inTurns(toIndexedChunks(rows, withGrams, (row) => asOwner(bySet.get(row.chunk_set_id)!)));
      return;
    }
    for (let after = -1; ;) {
      const rows = await this.sets.listToIndex(ctx, first.visible_chunk_set_id, index.spaceId, after, limit);
      if (rows.length === 0) return;
      yield await inTurns(toIndexedChunks(rows, withGrams, () => asOwner(first)));
      after = rows.at(-1)!.ordinal;
    }
  }

  private async writeRows(store: VectorStore, index: IndexRef, rows: readonly IndexedChunk[]): Promise<void> {
    const options = { deadlineMs: STORE_DEADLINE_MS };
    await ensureFittingIndex(store, index, rows[0]!.vector.length, options);
    await store.write(index, rows, options);
  }

  /**
   * Handles changes made during the write: rows that are no longer shown are removed again, because their own removal may have run too
   * early; metadata that changed before the rows existed is written again.
   */
  private async followUp(ctx: RequestContext, written: readonly VisibleDocument[]): Promise<void> {
    const rows = await this.documents.listStates(ctx, written);
    const state = new Map(rows.map((row) => [row.id, row]));
    const hidden = written.filter(({ id }) => state.get(id)?.shown !== true);
    await this.unitOfWork.run(ctx, (_manager, inner) =>
      this.intents.addAll(
        inner,
        'remove_generation',
        hidden.map(({ id, dataset_id: datasetId, visible_generation: generation }) => ({
          subject: `${id}:${generation}`,
          payload: { documentId: id, datasetId, generation },
        })),
      ),
    );
    for (const { id } of written) {
      const { shown = false, current = true } = state.get(id) ?? {};
      if (shown && !current) await this.metadata.distrust(ctx, id);
    }
  }
}

/** Groups small documents up to `limit` chunks; each larger document is alone. */
function groupsOf(documents: readonly VisibleDocument[], limit: number): VisibleDocument[][] {
  const groups: VisibleDocument[][] = [];
  let sum = Number.POSITIVE_INFINITY;
  for (const document of documents.toSorted((a, b) => a.chunk_count - b.chunk_count)) {
    sum += document.chunk_count;
    if (sum <= limit) {
      groups.at(-1)!.push(document);
      continue;
    }
    groups.push([document]);
    sum = document.chunk_count;
  }
  return groups;
}
