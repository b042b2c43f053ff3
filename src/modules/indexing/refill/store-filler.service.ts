import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { IndexRef, VectorStore } from '#libs/vector-store';
import { listStoredGenerations, type StoredGeneration } from '../rows/stored-generations.js';
import type { VisibleDocument } from '../rows/visible-documents.repository.js';
import { VisibleRows } from '../rows/visible-rows.service.js';
import { DocumentsToFill, type DocumentToFill } from './documents-to-fill.repository.js';

const FIRST = '00000000-0000-0000-0000-000000000000';
const STORE_DEADLINE_MS = 60_000;

/** Numbers of documents read and of rows written and removed in one step of filling an index. */
export interface FilledPage {
  readonly documents: readonly VisibleDocument[];
  readonly written: number;
  readonly removed: number;
}

/** Makes an index of any store equal to the shown chunks of a dataset in a space. Calls no model and can be repeated. */
@Injectable()
export class StoreFiller {
  constructor(
    private readonly documents: DocumentsToFill,
    private readonly visible: VisibleRows,
  ) {}

  /**
   * Writes missing rows, page by page of documents, and then removes rows that are neither shown nor being written. After an interruption
   * the written rows stay and are not written again.
   */
  async *fill(ctx: RequestContext, store: VectorStore, index: IndexRef): AsyncGenerator<FilledPage> {
    const stored = await listStoredGenerations(store, index);
    for await (const documents of this.pages(ctx, index)) {
      const written = await this.fillPage(ctx, store, index, documents, stored);
      yield { documents, written, removed: 0 };
    }
    yield { documents: [], written: 0, removed: await this.removeForeign(ctx, store, index, stored) };
  }

  private async *pages(ctx: RequestContext, index: IndexRef): AsyncGenerator<readonly DocumentToFill[]> {
    let after = FIRST;
    for (;;) {
      const page = await this.documents.listPage(ctx, index, after);
      if (page.length === 0) return;
      after = page.at(-1)!.id;
      yield page;
    }
  }

  private async fillPage(
    ctx: RequestContext,
    store: VectorStore,
    index: IndexRef,
    documents: readonly DocumentToFill[],
    stored: ReadonlyMap<string, StoredGeneration>,
  ): Promise<number> {
    const rowsOf = ({ id, visible_generation: generation }: DocumentToFill): number =>
      stored.get(`${id}:${generation}`)?.rows ?? 0;
    const lacking = documents.filter((document) => rowsOf(document) !== document.rows);
    await this.removeShown(
      store,
      index,
      lacking.filter((document) => rowsOf(document) > document.rows),
    );
    const written = await this.visible.write(ctx, store, index, lacking);
    return [...written.values()].reduce((sum, rows) => sum + rows, 0);
  }

  /** Rows of chunks that are not in the shown set; writing the other rows again would not remove them. */
  private async removeShown(store: VectorStore, index: IndexRef, documents: readonly DocumentToFill[]): Promise<void> {
    if (documents.length === 0) return;
    const generations = documents.map(({ id, visible_generation: generation }) => ({ documentId: id, generation }));
    await store.remove(index, { generations }, { deadlineMs: STORE_DEADLINE_MS });
  }

  private async removeForeign(
    ctx: RequestContext,
    store: VectorStore,
    index: IndexRef,
    stored: Map<string, StoredGeneration>,
  ): Promise<number> {
    const kept = await this.documents.listGenerations(ctx, index.datasetId);
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
    return this.documents.listDatasets(ctx);
  }

  /** Number of documents that are being written by attempts that began before `token`. */
  async countAttemptsBefore(ctx: RequestContext, token: string): Promise<number> {
    return this.documents.countAttemptsBefore(ctx, token);
  }
}
