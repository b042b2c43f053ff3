import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { columnsOf, result, rowsOf, statement, TenantRepository, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity } from '../../documents/index.js';
import { DocumentTableEntity } from './document-table.entity.js';

const LISTED = columnsOf(
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
);
const DETAILS = columnsOf(DocumentTableEntity, 'document_id', 'ordinal', 'profiles', 'samples', 'repaired');
// Tables and documents are read one after the other and not joined here: right after many uploads the planner knows nothing of them, and
// may go through all documents for each table.
const LIST = statement(
  LISTED,
  `SELECT t.document_id, t.generation, t.ordinal, t.name, t.title, t.sheet, t.page, t.row_count, t.total_rows, t.combined_name, t.columns,
     t.fidelity, t.object_key, t.size_bytes
   FROM document_tables t WHERE t.dataset_id = $1 ORDER BY t.name COLLATE "C"`,
);
const LIST_SHOWING = statement(
  { ...columnsOf(DocumentEntity, 'id', 'name'), generation: result.present(result.bigint) },
  `SELECT d.id, d.name, d.generation FROM shown_documents d WHERE d.id = ANY ($1::uuid[])`,
);
const FIND_DETAILS = statement(
  DETAILS,
  `SELECT t.document_id, t.ordinal, t.profiles, t.samples, t.repaired
   FROM unnest($1::uuid[], $2::bigint[], $3::int[]) AS w(document_id, generation, ordinal) CROSS JOIN LATERAL (
     SELECT k.document_id, k.ordinal, k.profiles, k.samples, k.repaired FROM document_tables k
     WHERE k.document_id = w.document_id AND k.generation = w.generation AND k.ordinal = w.ordinal OFFSET 0) t`,
);

/** A table of a document that is shown, without what is known of its values. */
export type ShownTable = RowOf<typeof LISTED> & { readonly document_name: string };
/** What is known of the values of a table. */
export type TableDetails = RowOf<typeof DETAILS>;

/** A table that is shown, with what its columns are like. */
export type ProfiledTable = Pick<ShownTable, 'name' | 'row_count' | 'columns'> & Pick<TableDetails, 'profiles'>;

/** The visible tables of documents. */
@Injectable()
export class DocumentTablesRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Those of visible generations of documents that are neither deleted nor quarantined, by name. Anyone who asks has seen the dataset. */
  listShown(ctx: RequestContext, datasetId: DatasetId): Promise<ShownTable[]> {
    return this.unitOfWork.run(
      ctx,
      async (manager) => {
        const tables = await rowsOf(manager, LIST, [datasetId]);
        if (tables.length === 0) return [];
        const ids = [...new Set(tables.map(({ document_id: id }) => id))];
        const documents = new Map((await rowsOf(manager, LIST_SHOWING, [ids])).map((row) => [row.id, row]));
        return tables.flatMap((table) => {
          const document = documents.get(table.document_id);
          return document?.generation === table.generation ? [{ ...table, document_name: document.name }] : [];
        });
      },
      { snapshot: true },
    );
  }

  /** The first `limit` of them by name, with their columns as they are at one moment. */
  listProfiled(ctx: RequestContext, datasetId: DatasetId, limit: number): Promise<ProfiledTable[]> {
    return this.unitOfWork.run(
      ctx,
      async (_manager, inner) => {
        const shown = (await this.listShown(inner, datasetId)).slice(0, limit);
        const details = new Map((await this.findDetails(inner, shown)).map((each) => [keyOf(each), each]));
        return shown.map((table) => ({ ...table, profiles: details.get(keyOf(table))?.profiles ?? [] }));
      },
      { snapshot: true },
    );
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

function keyOf({ document_id: id, ordinal }: Pick<TableDetails, 'document_id' | 'ordinal'>): string {
  return `${id} ${ordinal}`;
}
