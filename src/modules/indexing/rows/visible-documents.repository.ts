import { Injectable } from '@nestjs/common';
import type { ChunkSetId, DatasetId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity, FILTER_FACTS, filterFactsOf } from '../../documents/index.js';

/** Row type of a statement that selects `VISIBLE_DOCUMENT_COLUMNS`. `metadata_seq` tells whether the metadata has changed since. */
export const VISIBLE_DOCUMENT = {
  ...FILTER_FACTS,
  ...columnsOf(DocumentEntity, 'dataset_id', 'chunk_count', 'metadata_seq'),
  visible_generation: result.present(result.bigint),
  visible_chunk_set_id: result.present(result.uuid<ChunkSetId>()),
};
/** Of a document `d`. */
export const VISIBLE_DOCUMENT_COLUMNS = `${filterFactsOf('d')}, d.dataset_id, d.chunk_count, d.metadata_seq, d.visible_generation, d.visible_chunk_set_id`;

/** The properties of a shown document on which its rows in the store depend. */
export type VisibleDocument = RowOf<typeof VISIBLE_DOCUMENT>;

const LIST_AFTER = statement(
  VISIBLE_DOCUMENT,
  `SELECT ${VISIBLE_DOCUMENT_COLUMNS}
   FROM documents d WHERE d.dataset_id = $1 AND d.id > $2 AND d.visible_generation IS NOT NULL AND d.deleted_at IS NULL
   ORDER BY d.id LIMIT $3`,
);
const STATE = { id: result.uuid(), shown: result.boolean, current: result.boolean };
/** Whether the generation that was read is still shown, and whether its metadata is current. */
export type VisibleDocumentState = RowOf<typeof STATE>;
const LIST_STATES = statement(
  STATE,
  `SELECT w.id, (d.visible_generation = w.generation AND d.deleted_at IS NULL) IS TRUE AS shown, (d.metadata_seq = w.seq) IS TRUE AS current
   FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS w(id, generation, seq) LEFT JOIN documents d ON d.id = w.id`,
);

/** Reads the properties of shown documents on which their rows in the store depend. */
@Injectable()
export class VisibleDocuments extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The next searchable documents of a dataset by id. */
  async listAfter(ctx: RequestContext, datasetId: DatasetId, after: string, limit: number): Promise<VisibleDocument[]> {
    return this.query(ctx, LIST_AFTER, [datasetId, after, limit]);
  }

  /** The present state of documents that were read before. */
  async listStates(ctx: RequestContext, read: readonly VisibleDocument[]): Promise<VisibleDocumentState[]> {
    return this.query(ctx, LIST_STATES, [
      read.map(({ id }) => id),
      read.map((document) => document.visible_generation),
      read.map((document) => document.metadata_seq),
    ]);
  }
}
