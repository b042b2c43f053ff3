import { findTableHead, isTypedColumn } from '#libs/tabular';

type Row = readonly string[];

/** Labels of each of two tables: lines about a file have one, if any. */
const LEAST_LABELS = 2;

/**
 * Whether rows below an empty line begin a table of their own, with a header of their own, and do not go on with the one above. They do when words
 * are over columns in which the table above has values, when their records have another number of fields, and when a title is over them. What is
 * above has to be a table itself: lines about a file are above the header of its only table. Both are the first rows of what they are of.
 */
export function beginsTable(above: readonly Row[], below: readonly Row[]): boolean {
  const upper = partsOf(above);
  const lower = partsOf(below);
  if ([upper, lower].some(({ labels, body }) => body.length === 0 || countNamed(labels) < LEAST_LABELS)) return false;
  if (lower.labels.join('\n') === upper.labels.join('\n') || lower.hasTitle) return lower.hasTitle;
  return (
    lower.labels.some((label, column) => isOverValues(label, column, upper.body, lower.body)) ||
    hasOtherWidth(upper, lower)
  );
}

/** Whether the rows so far may be the title of what is below the next empty line. */
export function isTitleAlone(rows: readonly Row[]): boolean {
  return (
    rows.length === 1 && rows[0]!.filter((cell) => cell.trim() !== '').length === 1 && /\p{L}/u.test(rows[0]![0] ?? '')
  );
}

/** Notes below a table, last of all. */
const MOST_NOTES = 5;

/** Whether the last rows of a file, below an empty line, are words about the table above: each says several in its first field, and nothing else. */
export function areNotes(above: readonly Row[], below: readonly Row[]): boolean {
  if (below.length === 0 || below.length > MOST_NOTES) return false;
  if (!above.some((cells) => cells.filter((cell) => cell.trim() !== '').length > 1)) return false;
  return below.every(
    ([first = '', ...others]) => /\p{L}\S* +\S/u.test(first.trim()) && others.every((cell) => cell.trim() === ''),
  );
}

interface TableParts {
  readonly labels: Row;
  readonly body: readonly Row[];
  readonly hasTitle: boolean;
  /** Fields of its header. */
  readonly fields: number;
}

function partsOf(rows: readonly Row[]): TableParts {
  const trimmed = rows.map((cells) => cells.map((cell) => cell.trim()));
  const { titleRows, headerRows, labels } = findTableHead(trimmed, 'auto');
  const end = labels.findLastIndex((label) => label !== '') + 1;
  const body = trimmed.slice(titleRows + headerRows);
  return { labels: labels.slice(0, end), body, hasTitle: titleRows > 0, fields: rows[titleRows]?.length ?? 0 };
}

function countNamed(labels: Row): number {
  return labels.filter((label) => label !== '').length;
}

/** A word over a column of values of the table above, which its own rows do not repeat. */
function isOverValues(label: string, column: number, above: readonly Row[], below: readonly Row[]): boolean {
  if (!/\p{L}/u.test(label) || below.some((cells) => cells[column] === label)) return false;
  return isTypedColumn(above.map((cells) => cells[column] ?? ''));
}

/** Another number of fields, in all rows of both. */
function hasOtherWidth(upper: TableParts, lower: TableParts): boolean {
  const { fields } = lower;
  return (
    fields !== upper.fields &&
    lower.body.every(({ length }) => length === fields) &&
    upper.body.every(({ length }) => length === upper.fields)
  );
}
