import { Injectable } from '@nestjs/common';
import { catalogueErrorOf, type DatasetId } from '#libs/common';
import type { ObjectKey } from '#libs/object-storage';
import { TableEngine, type EngineTable, type TableResult, type TableStatement } from '../engine/table-engine.port.js';
import type { ColumnType } from '#libs/tabular';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import type { SqlQueryRequest } from './query-sql.dto.js';
import { readParameters } from './statement-parameters.js';
import { ROW_COLUMNS, TableCatalogue, type QueryableTable, type TablePart } from '../catalogue/table-catalogue.port.js';

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'BIGINT',
  number: 'DOUBLE',
  date: 'DATE',
  datetime: 'TIMESTAMP',
  boolean: 'BOOLEAN',
  text: 'VARCHAR',
};

/** A statement with its values. */
type StatementRequest = Omit<SqlQueryRequest, 'params'> & { readonly params: TableStatement['params'] };

/** Maximum number of times that a statement is repeated because its rows were removed while it was prepared. */
const ROUNDS = 3;

/** Executes statements over the tables that the caller sees. */
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
    for (let round = 1; ; round += 1) {
      try {
        return await this.runOn(ctx, dataset, { ...request, params }, signal);
      } catch (error) {
        if (round === ROUNDS || catalogueErrorOf(error)?.code !== 'storage.object_not_found') throw error;
      }
    }
  }

  /** Executes the statement on the current tables. */
  private async runOn(
    ctx: RequestContext,
    dataset: DatasetId,
    { sql, params, limit = 100, timeout_ms: timeoutMs = 5000 }: StatementRequest,
    signal: AbortSignal | undefined,
  ): Promise<TableResult> {
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
        sql,
        params,
        limit,
        timeoutMs,
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
