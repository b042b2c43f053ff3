import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { columnsOf, rowsOf, statement, TenantRepository, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity } from '../documents/index.js';
import { DocumentTableEntity } from './document-table.entity.js';

const NAMED = columnsOf(DocumentEntity, 'name');
const LISTED = {
  ...columnsOf(
    DocumentTableEntity,
    'document_id',
    'generation',
    'ordinal',
    'name',
    'title',
    'sheet',
    'page',
    'row_count',
    'total_rows',
    'combined_name',
    'columns',
    'fidelity',
    'object_key',
    'size_bytes',
  ),
  document_name: NAMED.name,
};
const DETAILS = columnsOf(DocumentTableEntity, 'document_id', 'ordinal', 'profiles', 'samples', 'repaired');
const LIST = statement(
  LISTED,
  `SELECT t.document_id, t.generation, t.ordinal, t.name, t.title, t.sheet, t.page, t.row_count, t.total_rows, t.combined_name, t.columns,
     t.fidelity, t.object_key, t.size_bytes, d.name AS document_name
   FROM document_tables t JOIN documents d ON d.id = t.document_id AND d.visible_generation = t.generation
   WHERE t.dataset_id = $1 AND d.deleted_at IS NULL AND d.quarantined_at IS NULL
   ORDER BY t.name COLLATE "C"`,
);
const FIND_DETAILS = statement(
  DETAILS,
  `SELECT t.document_id, t.ordinal, t.profiles, t.samples, t.repaired
   FROM document_tables t JOIN unnest($1::uuid[], $2::bigint[], $3::int[]) AS w(document_id, generation, ordinal)
     ON w.document_id = t.document_id AND w.generation = t.generation AND w.ordinal = t.ordinal`,
);

/** A table of a document that is shown, without what is known of its values. */
export type ShownTable = RowOf<typeof LISTED>;
/** What is known of the values of a table. */
export type TableDetails = RowOf<typeof DETAILS>;

/** The tables of documents, as far as they are shown. */
@Injectable()
export class DocumentTablesRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Those of visible generations of documents that are neither deleted nor quarantined, by name. Whoever asks has seen the dataset. */
  listShown(ctx: RequestContext, datasetId: DatasetId): Promise<ShownTable[]> {
    return this.unitOfWork.run(ctx, (manager) => rowsOf(manager, LIST, [datasetId]));
  }

  /** In no particular order; what has gone meanwhile is missing. */
  findDetails(ctx: RequestContext, tables: readonly ShownTable[]): Promise<TableDetails[]> {
    return this.query(ctx, FIND_DETAILS, [
      tables.map((table) => table.document_id),
      tables.map((table) => table.generation),
      tables.map((table) => table.ordinal),
    ]);
  }
}
