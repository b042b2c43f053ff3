import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { CitedRows, type CitedPlace, type CitedRow } from './cited-rows.port.js';
import { DocumentTablesRepository } from '../catalogue/document-tables.repository.js';
import { mayQuery } from '../catalogue/may-query.js';
import { RowPlacesRepository } from './row-places.repository.js';
import { SqlQueriesService } from './sql-queries.service.js';

/** Maximum time to wait for rows, without which an answer is still complete. */
const MAX_WAIT_MS = 3_000;
const STATEMENT_MS = 2_000;
/** Maximum number of tables that are read for one answer. */
const MAX_TABLES = 20;
const MAX_ROWS = 1_000;

/** Finds rows by the positions of their lines, which tables store beside their values. */
@Injectable()
export class StoredCitedRows extends CitedRows {
  constructor(
    private readonly datasets: RowPlacesRepository,
    private readonly tables: DocumentTablesRepository,
    private readonly queries: SqlQueriesService,
    private readonly logger: PinoLogger,
  ) {
    super();
  }

  override async find(ctx: RequestContext, places: readonly CitedPlace[]): Promise<(CitedRow | undefined)[]> {
    if (places.length === 0 || !mayQuery(ctx)) return places.map(() => undefined);
    try {
      const signal = AbortSignal.timeout(MAX_WAIT_MS);
      const found = await this.rowsOf(ctx, places, signal);
      return places.map((place) => only(found.filter((row) => holds(row, place))));
    } catch (error) {
      this.logger.warn({ err: error, requestId: ctx.requestId }, 'tables.rows_not_found');
      return places.map(() => undefined);
    }
  }

  private async rowsOf(ctx: RequestContext, places: readonly CitedPlace[], signal: AbortSignal): Promise<PlacedRow[]> {
    const ids = [...new Set(places.map(({ datasetId }) => datasetId))];
    const found: PlacedRow[] = [];
    let left = MAX_TABLES;
    for (const datasetId of await this.datasets.datasetsWithTables(ctx, ids)) {
      const shown = await this.tables.listShown(ctx, datasetId);
      for (const { name, document_id: documentId } of shown) {
        const wanted = places.filter((place) => place.documentId === documentId && place.datasetId === datasetId);
        if (wanted.length === 0 || left === 0) continue;
        left -= 1;
        found.push(...(await this.rowsOfTable(ctx, datasetId, name, wanted, signal)));
      }
    }
    return found;
  }

  private async rowsOfTable(
    ctx: RequestContext,
    datasetId: DatasetId,
    name: string,
    places: readonly CitedPlace[],
    signal: AbortSignal,
  ): Promise<PlacedRow[]> {
    const { documentId } = places[0]!;
    const holding = places.map(({ start, end }) => `(_text_start <= ${start} AND _text_end >= ${end})`);
    const sql =
      `SELECT _sheet, _row, _text_start, _text_end FROM "${name.replaceAll('"', '""')}" ` +
      `WHERE ${[...new Set(holding)].join(' OR ')} ORDER BY _row`;
    const request = { sql, limit: MAX_ROWS, timeout_ms: STATEMENT_MS };
    const { rows } = await this.queries.run(ctx, datasetId, request, signal);
    return rows.map(([sheet, row, start, end]) => ({
      documentId,
      tableId: name,
      sheet: sheet === null || sheet === undefined ? null : String(sheet),
      row: Number(row),
      start: Number(start),
      end: Number(end),
    }));
  }
}

type PlacedRow = CitedRow & Pick<CitedPlace, 'documentId'>;

function holds(row: PlacedRow, { documentId, start, end }: CitedPlace): boolean {
  return row.documentId === documentId && row.start <= start && row.end >= end;
}

/** A line that two tables contain counts as a row of neither. */
function only(rows: readonly PlacedRow[]): CitedRow | undefined {
  return rows.length === 1 ? rows[0] : undefined;
}
