import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import type { ObjectKey } from '#libs/object-storage';
import { TableEngine, type EngineTable, type TableResult } from '#libs/table-engine';
import type { ColumnType } from '#libs/tabular';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../datasets/index.js';
import type { SqlQueryRequest } from './dto/query-sql.dto.js';
import { readParameters } from './statement-parameters.js';
import { ROW_COLUMNS, TableCatalogue, type QueryableTable, type TablePart } from './table-catalogue.port.js';

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'BIGINT',
  number: 'DOUBLE',
  date: 'DATE',
  datetime: 'TIMESTAMP',
  boolean: 'BOOLEAN',
  text: 'VARCHAR',
};

/** Carries out statements over the tables that somebody sees. */
@Injectable()
export class SqlQueriesService {
  constructor(
    private readonly access: DatasetAccess,
    private readonly catalogue: TableCatalogue,
    private readonly engine: TableEngine,
  ) {}

  /** @throws `datasets.not_found`, `http.validation_failed`, the errors of `sql`. */
  async run(ctx: RequestContext, id: string, request: SqlQueryRequest, signal?: AbortSignal): Promise<TableResult> {
    const dataset: DatasetId = (await this.access.requireVisible(ctx, id)).id;
    const params = readParameters(request.params);
    const tables = await this.catalogue.visibleTables(ctx, dataset);
    return this.engine.run(
      {
        owner: ctx.tenantId,
        dataset,
        tables: tables.map(toEngineTable),
        withFile: (file, work, inner) =>
          this.catalogue.withRows(
            ctx,
            { objectKey: file as ObjectKey },
            work,
            inner === undefined ? {} : { signal: inner },
          ),
        sql: request.sql,
        params,
        limit: request.limit ?? 100,
        timeoutMs: request.timeout_ms ?? 5000,
      },
      signal === undefined ? {} : { signal },
    );
  }
}

function toEngineTable({ name, kind, columns, parts }: QueryableTable): EngineTable {
  const [first] = parts;
  if (kind === 'single' && first !== undefined) {
    return { kind: 'file', name, file: first.objectKey, document: { id: first.documentId, name: first.documentName } };
  }
  return {
    kind: 'view',
    name,
    parts: parts.map((part) => ({ from: part.tableName, columns: columnsOfPart(part, columns) })),
  };
}

function columnsOfPart(
  { documentName, casts }: TablePart,
  columns: QueryableTable['columns'],
): ({ name: string; castTo?: string } | { name: string; text: string })[] {
  const shown = columns.map(({ name, origin }) => {
    if (origin === 'document_name') return { name, text: documentName };
    const type = casts[name];
    return type === undefined ? { name } : { name, castTo: SQL_TYPES[type] };
  });
  return [...shown, ...Object.values(ROW_COLUMNS).map((name) => ({ name }))];
}
