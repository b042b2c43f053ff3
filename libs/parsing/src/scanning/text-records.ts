/** Lines of one record at most, as lists of SAP have them. */
export const MAX_RECORD_LINES = 3;
/** Fewer records tell nothing of their lines. */
const LEAST_RECORDS = 2;
const NUMBER = /^[-+(]?\s*[\d.,'\s]*\d[\d.,'\s]*[-)%]?$/;
const DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/;

/** Rows of a drawn table, one for each line, as far as they are held. */
export interface DrawnLines {
  readonly rows: readonly (readonly string[])[];
  /** Lines above the first rule below any; undefined: there is none. */
  readonly header: number | undefined;
  /** Numbers of lines that have a rule below them. */
  readonly ruled: readonly number[];
}

/**
 * Lines of each record of a table whose header has several: as many as that where the lines of a record have cells of their own, are parted by rules,
 * or hold words where the next line of the same column holds numbers. 1: each line is a record, below a header of several lines.
 */
export function recordLines({ rows, header, ruled }: DrawnLines): number {
  if (header === undefined || header < 2 || header > MAX_RECORD_LINES) return 1;
  const body = rows.slice(header);
  if (body.length < header || body.length % header !== 0) return 1;
  if (hasOwnWidths(rows.slice(0, header))) return header;
  if (body.length < header * LEAST_RECORDS) return 1;
  const borders = new Set(ruled);
  const isEachRuled = body.every((_, at) => {
    const line = header + at + 1;
    return line % header === 0 ? borders.has(line) || line === rows.length : !borders.has(line);
  });
  return isEachRuled || alternates(rows.slice(0, header), body) ? header : 1;
}

/** Whether lines of a header have different numbers of cells. */
export function hasOwnWidths(lines: readonly (readonly string[])[]): boolean {
  return new Set(lines.map(({ length }) => length)).size > 1;
}

/** Lines of a record one behind the other; a rest that is no whole record is one of its own. */
export function joinRecords(rows: readonly (readonly string[])[], lines: number): string[][] {
  const joined: string[][] = [];
  for (let at = 0; at < rows.length; at += lines) joined.push(rows.slice(at, at + lines).flat());
  return joined;
}

/** Whether a column, named in every line of the header, holds one kind of value in each line of a record and not the same in all. */
function alternates(header: readonly (readonly string[])[], body: readonly (readonly string[])[]): boolean {
  return header[0]!.some((_, column) => {
    if (header.some((line) => (line[column] ?? '') === '')) return false;
    const kinds = header.map(() => new Set<string>());
    for (const [at, line] of body.entries()) {
      const cell = line[column] ?? '';
      if (cell !== '') kinds[at % header.length]!.add(kindOf(cell));
    }
    return kinds.every(({ size }) => size === 1) && new Set(kinds.map((one) => [...one][0])).size > 1;
  });
}

function kindOf(cell: string): 'number' | 'date' | 'words' {
  if (DATE.test(cell)) return 'date';
  return NUMBER.test(cell) ? 'number' : 'words';
}
