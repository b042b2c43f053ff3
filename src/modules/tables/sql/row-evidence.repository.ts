import { Injectable } from '@nestjs/common';
import { catalogueErrorOf, type DatasetId } from '#libs/common';
import type { TableResult } from '../engine/table-engine.port.js';
import { PLACE_COLUMNS } from '../question-rules/write-evidence.js';
import type { CellValue } from '#libs/tabular';
import type { RequestContext } from '#libs/tenancy';
import type { TextPlace } from './row-places.repository.js';
import { SqlQueriesService } from './sql-queries.service.js';
import type { TableAnswer } from './table-answers.port.js';

/** Maximum number of rows of an answer. */
const MAX_ROWS = 20;
/** Maximum number of documents of a combined table with places. */
const MAX_PLACES = 1_000;
const STATEMENT_MS = 5_000;

/** A row with its place and its shown values. */
export interface PlacedValues extends TextPlace {
  readonly sheet: string | null;
  readonly row: number;
  readonly values: readonly CellValue[];
}

/** The tables that statements run over. */
export interface AskedTables {
  readonly dataset: DatasetId;
  readonly signal: AbortSignal;
}

/** Reads the rows that prove an answer from tables. */
@Injectable()
export class RowEvidence {
  constructor(private readonly queries: SqlQueriesService) {}

  /**
   * The first rows of the statements; undefined when one has no place, as in documents ingested by older versions, since an answer that cannot be
   * cited is not given.
   */
  async list(
    ctx: RequestContext,
    asked: AskedTables,
    statements: readonly string[],
  ): Promise<PlacedValues[] | undefined> {
    const found: PlacedValues[] = [];
    for (const sql of statements) {
      const rows = (await this.run(ctx, asked, sql, MAX_ROWS))?.rows ?? [];
      if (rows.some((row) => row[3] === null || row[4] === null)) return undefined;
      found.push(...rows.map(toPlaced));
    }
    return found.slice(0, MAX_ROWS);
  }

  /** The only number of a statement's result. */
  async count(ctx: RequestContext, asked: AskedTables, sql: string): Promise<number> {
    return Number((await this.run(ctx, asked, sql, 1))?.rows[0]?.[0] ?? 0);
  }

  /** Where the rows of a table are in its documents. */
  async listSpans(ctx: RequestContext, asked: AskedTables, table: string): Promise<TableAnswer['places']> {
    const name = `"${table.replaceAll('"', '""')}"`;
    const sql = `SELECT _document_id, min(_text_start) AS text_start, max(_text_end) AS text_end FROM ${name} GROUP BY _document_id, _sheet`;
    const rows = (await this.run(ctx, asked, sql, MAX_PLACES))?.rows ?? [];
    return rows.map(([documentId, start, end]) => ({
      documentId: String(documentId),
      start: Number(start),
      end: Number(end),
    }));
  }

  /** Undefined when the statement does not fit the tables, which may have changed meanwhile. */
  private async run(
    ctx: RequestContext,
    { dataset, signal }: AskedTables,
    sql: string,
    limit: number,
  ): Promise<TableResult | undefined> {
    try {
      return await this.queries.run(ctx, dataset, { sql, limit, timeout_ms: STATEMENT_MS }, signal);
    } catch (error) {
      if (/^sql\.(?!timeout|busy)/.test(catalogueErrorOf(error)?.code ?? '')) return undefined;
      throw error;
    }
  }
}

function toPlaced(cells: readonly CellValue[]): PlacedValues {
  const [documentId, sheet, row, start, end] = cells;
  return {
    documentId: String(documentId),
    sheet: sheet === null ? null : String(sheet),
    row: Number(row),
    start: Number(start),
    end: Number(end),
    values: cells.slice(PLACE_COLUMNS.length),
  };
}
