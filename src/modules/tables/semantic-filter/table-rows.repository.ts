import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import type { TableResult } from '../engine/table-engine.port.js';
import type { RequestContext } from '#libs/tenancy';
import { ROW_COLUMNS } from '../catalogue/table-catalogue.port.js';
import { SqlQueriesService } from '../sql/sql-queries.service.js';

const STATEMENT_MS = 5_000;

/** Range of rows to read. */
export interface RowsToRead {
  readonly table: string;
  /** Number of the row before the first one. */
  readonly after: number;
  readonly limit: number;
}

/** Rows of the tables of a dataset. */
@Injectable()
export class TableRows {
  constructor(private readonly queries: SqlQueriesService) {}

  /** The next rows of a table by number; rows that sum up others are left out. */
  async page(
    ctx: RequestContext,
    dataset: DatasetId,
    { table, after, limit }: RowsToRead,
    signal: AbortSignal,
  ): Promise<TableResult> {
    const sql = `SELECT * FROM "${table}" WHERE ${ROW_COLUMNS.row} > ? AND NOT ${ROW_COLUMNS.total} ORDER BY ${ROW_COLUMNS.row}`;
    return this.queries.run(ctx, dataset, { sql, params: [after], limit, timeout_ms: STATEMENT_MS }, signal);
  }
}
