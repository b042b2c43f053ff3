import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { ObjectStorage, parseObjectKey, storageErrors } from '#libs/object-storage';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { combineTables, type CombinedTable } from './combine-tables.js';
import type { DocumentColumn } from './document-table.entity.js';
import { DocumentTablesRepository, type ShownTable } from './document-tables.repository.js';
import { TableCatalogue, type QueryableColumn, type QueryableTable, type TablePart } from './table-catalogue.port.js';

/** The catalogue as the rows and files of generations have it. */
@Injectable()
export class StoredTableCatalogue extends TableCatalogue {
  constructor(
    private readonly access: DatasetAccess,
    private readonly tables: DocumentTablesRepository,
    private readonly storage: ObjectStorage,
  ) {
    super();
  }

  override async visibleTables(ctx: RequestContext, datasetId: DatasetId): Promise<readonly QueryableTable[]> {
    const { id } = await this.access.requireVisible(ctx, datasetId);
    const shown = await this.tables.listShown(ctx, id);
    return [...shown.map(toSingle), ...combineTables(shown).map(toCombined)].toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  }

  override async withRows<T>(
    _ctx: RequestContext,
    { objectKey }: Pick<TablePart, 'objectKey'>,
    work: (path: string) => Promise<T>,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<T> {
    try {
      return await this.storage.withLocalFile(objectKey, work, options);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      // It went after it was found.
      if (isMissing && (await this.storage.stat(objectKey)) === null) throw storageErrors.object_not_found({});
      throw error;
    }
  }
}

function toSingle(table: ShownTable): QueryableTable {
  const { name, title } = table;
  return { name, title, kind: 'single', columns: table.columns.map(toColumn), parts: [toPart(table, table.columns)] };
}

function toCombined({ name, title, columns, documentColumn, parts }: CombinedTable): QueryableTable {
  const document: QueryableColumn = {
    origin: 'document_name',
    name: documentColumn,
    label: 'Document',
    type: 'text',
    unit: null,
    nullable: false,
  };
  const own = columns.map(toColumn);
  return {
    name,
    title,
    kind: 'combined',
    columns: [...own, document],
    parts: parts.map((part) => toPart(part, columns)),
  };
}

function toColumn(column: DocumentColumn): QueryableColumn {
  return { origin: 'cells', ...column };
}

function toPart(table: ShownTable, columns: readonly DocumentColumn[]): TablePart {
  const differing = columns.filter(({ type }, index) => table.columns[index]!.type !== type);
  return {
    tableName: table.name,
    documentId: table.document_id,
    documentName: table.document_name,
    sheet: table.sheet,
    generation: table.generation,
    objectKey: parseObjectKey(table.object_key),
    rowCount: table.row_count,
    sizeBytes: Number(table.size_bytes),
    casts: Object.fromEntries(differing.map(({ name, type }) => [name, type])),
  };
}
