import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { IndexRef } from '#libs/vector-store';
import { DatasetEntity } from '../../datasets/index.js';
import { DocumentEntity } from '../../documents/index.js';
import {
  VISIBLE_DOCUMENT,
  VISIBLE_DOCUMENT_COLUMNS,
  type VisibleDocument,
} from '../rows/visible-documents.repository.js';

const DOCUMENTS_PER_PAGE = 200;

/** A shown document with the number of rows that it must have. */
export interface DocumentToFill extends VisibleDocument {
  /** Number of chunks with a vector in the space. */
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
const GENERATIONS = {
  ...columnsOf(DocumentEntity, 'id'),
  shown: result.orNull(result.bigint),
  written: result.orNull(result.bigint),
};
/** The generations of a document that may be in an index: the shown one and the one being written. */
export type DocumentGenerations = RowOf<typeof GENERATIONS>;
const LIST_GENERATIONS = statement(
  GENERATIONS,
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

/** Reads which rows an index must have for the documents of a dataset. */
@Injectable()
export class DocumentsToFill extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The next searchable documents of the dataset of an index, by id; empty: there are no more. */
  async listPage(ctx: RequestContext, index: IndexRef, after: string): Promise<DocumentToFill[]> {
    return this.query(ctx, LIST_PAGE, [index.datasetId, index.spaceId, after, DOCUMENTS_PER_PAGE]);
  }

  /** The generations that may be in an index, for every document of a dataset. */
  async listGenerations(ctx: RequestContext, datasetId: DatasetId): Promise<DocumentGenerations[]> {
    return this.query(ctx, LIST_GENERATIONS, [datasetId]);
  }

  /** Datasets of the tenant that are not deleted. */
  async listDatasets(ctx: RequestContext): Promise<DatasetId[]> {
    const rows = await this.query(ctx, LIST_DATASETS);
    return rows.map(({ id }) => id);
  }

  /** Number of documents that are being written by attempts that began before `token`. */
  async countAttemptsBefore(ctx: RequestContext, token: string): Promise<number> {
    const [row] = await this.query(ctx, COUNT_ATTEMPTS_BEFORE, [token]);
    return row!.n;
  }
}
