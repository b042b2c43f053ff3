import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { IndexRef, VectorStore } from '#libs/vector-store';
import { listStoredGenerations, type StoredGeneration } from '../rows/stored-generations.js';
import {
  VISIBLE_DOCUMENT,
  VISIBLE_DOCUMENT_COLUMNS,
  VisibleRows,
  type VisibleDocument,
} from '../rows/visible-rows.service.js';
import { DocumentEntity } from '../../documents/index.js';
import { DatasetEntity } from '../../datasets/index.js';

const DOCUMENTS_PER_PAGE = 200;
const STORE_DEADLINE_MS = 60_000;

/** What one step of filling an index looked at, and the rows that it wrote and removed. */
export interface FilledPage {
  readonly documents: readonly VisibleDocument[];
  readonly written: number;
  readonly removed: number;
}

interface DocumentToFill extends VisibleDocument {
  /** Chunks that have a vector in the space. */
  readonly rows: number;
}

const LIST_PAGE = statement(
  {
    ...VISIBLE_DOCUMENT,
    rows: result.integer,
  },
  `SELECT ${VISIBLE_DOCUMENT_COLUMNS},
     (SELECT count(*)::int FROM chunks c JOIN chunk_vectors v ON v.chunk_id = c.id AND v.space = $2
      WHERE c.chunk_set_id = d.visible_chunk_set_id) AS rows
   FROM documents d WHERE d.dataset_id = $1 AND d.id > $3 AND d.visible_generation IS NOT NULL AND d.deleted_at IS NULL
   ORDER BY d.id LIMIT $4`,
);
const LIST_KEPT = statement(
  { ...columnsOf(DocumentEntity, 'id'), shown: result.orNull(result.bigint), written: result.orNull(result.bigint) },
  `SELECT id, visible_generation AS shown, CASE WHEN status = 'processing' THEN fencing_token END AS written
   FROM documents WHERE dataset_id = $1 AND deleted_at IS NULL`,
);
const LIST_DATASETS = statement(
  columnsOf(DatasetEntity, 'id'),
  `SELECT id FROM datasets WHERE deleted_at IS NULL ORDER BY id`,
);
const COUNT_ATTEMPTS_BEFORE = statement(
  { n: result.integer },
  `SELECT count(*)::int AS n FROM documents WHERE status = 'processing' AND fencing_token < $1 AND deleted_at IS NULL`,
);

/** Makes an index of any store hold what PostgreSQL shows of a dataset in a space. Calls no model and may be repeated. */
@Injectable()
export class StoreFiller extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly visible: VisibleRows,
  ) {
    super(unitOfWork);
  }

  /**
   * Writes rows that are missing, page by page of documents, and at last removes those that nothing shows and no attempt writes. What was
   * written stays when it is given up in between, and is not written again the next time.
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
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const page = await this.query(ctx, LIST_PAGE, [index.datasetId, index.spaceId, after, DOCUMENTS_PER_PAGE]);
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

  /** Rows of chunks that the shown set does not have: writing the others again would leave them. */
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
    const kept = await this.query(ctx, LIST_KEPT, [index.datasetId]);
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
    const rows = await this.query(ctx, LIST_DATASETS);
    return rows.map(({ id }) => id);
  }

  /** How many documents are written by attempts that began before `token`. */
  async countAttemptsBefore(ctx: RequestContext, token: string): Promise<number> {
    const [row] = await this.query(ctx, COUNT_ATTEMPTS_BEFORE, [token]);
    return row!.n;
  }
}
