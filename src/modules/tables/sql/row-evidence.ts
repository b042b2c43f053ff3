import type { TableResult } from '../engine/table-engine.port.js';
import { PLACE_COLUMNS } from '../question-rules/write-evidence.js';
import type { CellValue } from '#libs/tabular';
import type { TextPlace } from './row-places.repository.js';
import type { TableAnswer } from './table-answers.port.js';

/** Rows that an answer names. */
const MAX_ROWS = 20;
/** Documents of a combined table whose places are told. */
const MAX_PLACES = 1_000;

/** A row where it is, and the values that are shown of it. */
export interface PlacedValues extends TextPlace {
  readonly sheet: string | null;
  readonly row: number;
  readonly values: readonly CellValue[];
}

/** Carries out a statement over the tables of a dataset. */
export type RunStatement = (sql: string, limit: number) => Promise<TableResult | undefined>;

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

/** The first rows that the statements give; undefined when one has no place, as those of documents of older versions: what cannot be cited is not told. */
export async function evidenceOf(
  statements: readonly string[],
  run: RunStatement,
): Promise<PlacedValues[] | undefined> {
  const found: PlacedValues[] = [];
  for (const sql of statements) {
    const rows = (await run(sql, MAX_ROWS))?.rows ?? [];
    if (rows.some((row) => row[3] === null || row[4] === null)) return undefined;
    found.push(...rows.map(toPlaced));
  }
  return found.slice(0, MAX_ROWS);
}

/** Where the rows of a table are in its documents. */
export async function spansOf(table: string, run: RunStatement): Promise<TableAnswer['places']> {
  const name = `"${table.replaceAll('"', '""')}"`;
  const sql = `SELECT _document_id, min(_text_start) AS text_start, max(_text_end) AS text_end FROM ${name} GROUP BY _document_id, _sheet`;
  const rows = (await run(sql, MAX_PLACES))?.rows ?? [];
  return rows.map(([documentId, start, end]) => ({
    documentId: String(documentId),
    start: Number(start),
    end: Number(end),
  }));
}
