import { isAbsent, isMasked, withoutNoteMark } from './cell-text.js';
import { isTypedColumn } from './column-evidence.js';
import { readDate } from './date-cell.js';
import { readNumber } from './number-cell.js';
import { isUnit } from './unit-names.js';

/** What is above the rows of a table. */
export interface TableHead {
  /** Rows above the header that name the table. */
  readonly titleRows: number;
  readonly headerRows: number;
  /** One for each column of the head; empty where it has none. */
  readonly labels: readonly string[];
  readonly title: string | undefined;
}

const MAX_TITLE_ROWS = 3;
/** Rows above the header that say what an export is of, as `Account holder:` and a name. */
const MAX_FACT_ROWS = 20;
/** Cells of the narrowest table that such rows are above. */
const LEAST_WIDTH_BELOW_FACTS = 4;
/** Rows of a sheet of names and values, and different sorts of values in it. */
const LEAST_FACTS = 3;
const LEAST_SORTS = 2;
/** `V-2031`, not `Q1`. */
const CODE = /^(?=.*\d.*\d)[\p{Lu}\d]+(?:[./-][\p{Lu}\d]+)*$/u;
/** Above a table of twice as many columns, a value may have a cell for its unit beside it: `Balance`, 3.204,10 and EUR. */
const FACT_CELLS_WITH_UNIT = 3;
const MAX_HEADER_ROWS = 3;
const MAX_LABEL_UNITS = 200;
const MAX_HEADER_CELL_UNITS = 120;
/** Tools write such lines above the rows. */
const COMMENT = /^#\s/;
const YEAR = /^(?:1[5-9]|2[01])\d\d$/;
/** `01.2024`, `1/2024`, `2024-01`: a month as a label, which would be a number or nothing below one. */
const MONTH = /^(?:(?:(?:0[1-9]|1[0-2])[./-]|[1-9]\/)(?:19|20)\d\d|(?:19|20)\d\d[./-](?:0[1-9]|1[0-2]))$/;
/** Days of a month or hours over columns: as many count up one by one at least. */
const LEAST_COUNTED = 5;
/** Words that are values wherever they are; `Yes` and `No` may be headers. */
const TRUTH = /^(?:true|false|wahr|falsch|vrai|faux)$/i;

/**
 * Finds header rows in the first rows of a table, or takes as many as the policy says, or else as many as the file itself marks. A row is one of header when it holds words
 * (or years) where the rows below hold values; rows with one and the same text name the table. A row of units below marked ones belongs to them.
 * `marked` is 0 where the file says that no row is one of header, and left out where it says nothing.
 */
export function findHead(rows: readonly (readonly string[])[], asked: number | 'auto', marked?: number): TableHead {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  if (asked !== 'auto') return headOf(rows, 0, Math.min(asked, rows.length), width);
  if (marked === 0) return headOf(rows, countSpanned(rows), 0, width);
  if (marked !== undefined) {
    const titles = Math.min(countTitles(rows.slice(0, marked + 1), width), marked - 1);
    const end = Math.min(marked, rows.length);
    const units = unitsBelow(rows[end - 1] ?? [], rows.slice(end), width) ? 1 : 0;
    return headOf(rows, titles, end + units - titles, width);
  }
  const titleRows = countTitles(rows, width);
  const body = rows.slice(titleRows);
  return headOf(rows, titleRows, countHeaders(body, width), width);
}

/** Whether a row repeats one text over the whole table, as a merged row does. */
export function isSpanned(cells: readonly string[], width: number): boolean {
  const filled = cells.filter((cell) => cell !== '');
  return width >= 3 && filled.length === width && new Set(filled).size === 1 && !isValue(filled[0]!);
}

/** First rows that hold one and the same words in all their cells. */
function countSpanned(rows: readonly (readonly string[])[]): number {
  const isOne = (cells: readonly string[]): boolean =>
    cells.length > 1 && cells[0] !== '' && cells.every((cell) => cell === cells[0]);
  const end = rows.findIndex((cells) => !isOne(cells));
  return end < 0 ? 0 : Math.min(end, MAX_TITLE_ROWS);
}

function countTitles(rows: readonly (readonly string[])[], width: number): number {
  const facts = countFacts(rows, width);
  if (facts > 0) return facts;
  let count = 0;
  while (count < MAX_TITLE_ROWS && count + 2 < rows.length && width >= 2) {
    const row = rows[count]!;
    const isTitle = isAlone(row, rows.slice(count + 1), width, count > 0) || isSpanned(row, width);
    if (!isTitle) break;
    count += 1;
  }
  return count;
}

/**
 * Rows above the header of an export that say what it is of: each is a name and a value at most, some have both, and below them come words in
 * most columns over values. 0: there are none.
 */
function countFacts(rows: readonly (readonly string[])[], width: number): number {
  if (width < LEAST_WIDTH_BELOW_FACTS) return 0;
  const filled = (cells: readonly string[]): number => cells.filter((cell) => cell !== '').length;
  const most = width >= 2 * FACT_CELLS_WITH_UNIT ? FACT_CELLS_WITH_UNIT : 2;
  const isFact = (cells: readonly string[]): boolean => {
    const [first = ''] = cells;
    return first !== '' && !isValue(first) && cells.slice(most).every((cell) => cell === '');
  };
  const count = rows.findIndex((cells) => !isFact(cells));
  if (count < 1 || count > MAX_FACT_ROWS || !rows.slice(0, count).some((cells) => filled(cells) >= 2)) return 0;
  const [header = [], ...body] = rows.slice(count);
  const isWide = filled(header) >= LEAST_WIDTH_BELOW_FACTS && filled(header) * 4 >= width * 3;
  return isWide && isHeaderLike(header, width) && hasTypedColumns(body, width) ? count : 0;
}

/**
 * Words in the first cell and nothing beside them, or below a title the time it is of; above two columns only where the next row can be the
 * header of values.
 */
function isAlone(
  row: readonly string[],
  below: readonly (readonly string[])[],
  width: number,
  isBelowTitle: boolean,
): boolean {
  const [first = ''] = row;
  if (first === '' || row.some((cell, column) => column > 0 && cell !== '')) return false;
  if (isValue(first) && !COMMENT.test(first) && !(isBelowTitle && isTime(first))) return false;
  if (width >= 3) return true;
  const next = below.find((cells) => cells.filter((cell) => cell !== '').length === width);
  const after = below.slice(next === undefined ? 0 : below.indexOf(next) + 1);
  return next !== undefined && next.every((cell) => !isValue(cell)) && hasTypedColumns(after, width);
}

function countHeaders(rows: readonly (readonly string[])[], width: number): number {
  if (rows.length < 2 || isForm(rows) || isSheetOfFacts(rows, width)) return 0;
  const isFirst =
    isHeaderLike(rows[0]!, width) ||
    namesTimes(rows[0]!, rows.slice(1)) ||
    numbersWords(rows[0]!, rows.slice(1)) ||
    countsUp(rows[0]!, rows.slice(1)) ||
    (groupsTimes(rows[0]!, width) && goesOnBelow(rows[0]!, rows[1]!, rows.slice(2), width));
  if (!isFirst) return 0;
  let count = 1;
  while (count < MAX_HEADER_ROWS && count + 1 < rows.length) {
    const above = rows[count - 1]!;
    const next = rows[count]!;
    if (!goesOnBelow(above, next, rows.slice(count + 1), width)) break;
    count += 1;
  }
  return count;
}

/** A name and a colon begins each row, or of two columns the first row and half of all: there is nothing above the values. */
function isForm(rows: readonly (readonly string[])[]): boolean {
  const named = /\p{L}[^:]*:$/u;
  const names = rows.map(([first = '']) => first).filter((cell) => cell !== '');
  const asked = names.filter((name) => named.test(name)).length;
  if (names.length > 1 && asked === names.length) return true;
  const [first = '', ...values] = rows[0] ?? [];
  const [value = '', ...others] = values.filter((cell) => cell !== '');
  const isPair = named.test(first) && value !== '' && others.length === 0 && !value.endsWith(':');
  return isPair && asked > 1 && asked * 2 >= names.length && rows.every(({ length }) => length <= 2);
}

/**
 * Two columns in which each row names something else and says it, from the first row on: `Contract number` and 4711, `Customer` and a name, `Start`
 * and a date. Below a header one column holds values of one sort.
 */
function isSheetOfFacts(rows: readonly (readonly string[])[], width: number): boolean {
  const facts = rows.filter(([name = '', value = '']) => name !== '' || value !== '');
  if (width !== 2 || facts.length < LEAST_FACTS || !isStated(facts[0]![1] ?? '')) return false;
  const names = facts.map(([name = '']) => name);
  const areNames = names.every((name) => /\p{L}/u.test(name) && !isValue(name) && name.length <= MAX_HEADER_CELL_UNITS);
  if (!areNames || new Set(names).size < names.length || hasTypedColumn(facts.slice(1), 1)) return false;
  return new Set(facts.map(([, value = '']) => sortOf(value)).filter((sort) => sort !== '')).size >= LEAST_SORTS;
}

/** A number, day, address or code, which names no column. */
function isStated(cell: string): boolean {
  if (YEAR.test(cell) || MONTH.test(cell)) return false;
  return ['day', 'address'].includes(sortOf(cell)) || readNumber(cell) !== undefined || CODE.test(cell);
}

/** What sort of value a cell holds; empty for none. */
function sortOf(cell: string): string {
  if (cell === '') return '';
  if (readDate(cell)?.hasDay === true) return 'day';
  const number = readNumber(cell);
  if (number !== undefined) return `number ${number.unit}`;
  return /@|:\/\//.test(cell) ? 'address' : /\p{N}/u.test(cell) ? 'code' : 'words';
}

/** Words, names of years or months and little else. */
function isHeaderLike(cells: readonly string[], width: number): boolean {
  const filled = cells.filter((cell) => cell !== '');
  if (filled.length === 0 || filled.length * 2 < width) return false;
  if (filled.some((cell) => cell.length > MAX_HEADER_CELL_UNITS)) return filled.every((cell) => !isValue(cell));
  const values = filled.filter(isValue);
  if (values.length === 0) return true;
  const areYears = values.every((cell) => YEAR.test(cell)) || values.every((cell) => MONTH.test(cell));
  return areYears && new Set(filled).size === filled.length && (filled.length > values.length || values.length > 2);
}

/** Years or dates that are over several columns each, beside words or with nothing beside them. */
function groupsTimes(cells: readonly string[], width: number): boolean {
  const filled = cells.filter((cell) => cell !== '');
  const times = filled.filter(isValue);
  if (times.length === 0 || !times.every(isTime)) return false;
  const runs = cells.filter((cell, column) => isTime(cell) && cell !== cells[column - 1]);
  const isEachOnce = new Set(runs).size === runs.length;
  return isEachOnce && (times.length > runs.length || filled.length < width);
}

/** Dates, each once, over columns of other values. */
function namesTimes(cells: readonly string[], body: readonly (readonly string[])[]): boolean {
  const times = cells.flatMap((cell, column) => (cell !== '' && isValue(cell) ? [column] : []));
  const isEachOnce = new Set(times.map((column) => cells[column])).size === times.length;
  if (times.length === 0 || times.length === cells.length || !isEachOnce) return false;
  const below = (column: number): string[] => body.map((row) => row[column] ?? '').filter((cell) => cell !== '');
  return times.every((column) => {
    const values = below(column);
    return isTime(cells[column]!) && values.length > 0 && values.every((cell) => isValue(cell) && !isTime(cell));
  });
}

/** A year or a day. */
function isTime(cell: string): boolean {
  return YEAR.test(cell) || readDate(cell)?.hasDay === true;
}

/** Days or hours that count up one by one beside words, as no row below does. */
function countsUp(cells: readonly string[], body: readonly (readonly string[])[]): boolean {
  const counted = cells.flatMap((cell, column) => (/^\d{1,2}$/.test(cell) ? [column] : []));
  const isSequence = (row: readonly string[]): boolean =>
    counted.every((column, at) => Number(row[column] || Number.NaN) === Number(row[counted[0]!]) + at);
  const others = cells.filter((cell) => cell !== '' && !/^\d{1,2}$/.test(cell));
  if (counted.length < LEAST_COUNTED || others.length === 0 || others.some(isValue)) return false;
  return isSequence(cells) && !body.some(isSequence);
}

/** Numbers, each once, above columns of words. */
function numbersWords(cells: readonly string[], body: readonly (readonly string[])[]): boolean {
  const isEachOnce = cells.every((cell) => cell !== '') && new Set(cells).size === cells.length;
  return isEachOnce && cells.length > 1 && body.length > 1 && !hasTypedColumns(body, cells.length);
}

/** A second row of header: the row above groups columns, or this one names units, and below it come values. */
function goesOnBelow(
  above: readonly string[],
  next: readonly string[],
  body: readonly (readonly string[])[],
  width: number,
): boolean {
  const filled = next.filter((cell) => cell !== '');
  if (filled.length === 0 || filled.some((cell) => cell.length > MAX_HEADER_CELL_UNITS)) return false;
  if (unitsBelow(above, [next, ...body], width)) return true;
  if (!groupsColumns(above, width)) return false;
  if (!filled.filter(isValue).every((cell) => YEAR.test(cell))) return false;
  const isRefined = refines(above, next);
  return isRefined && (hasTypedColumns(body, width) || repeatsAbove(above, next) || isAllGroups(above, next, body));
}

/** Whether the first of some rows holds nothing but units or words in brackets for the labels above it, with values below. */
function unitsBelow(above: readonly string[], [next, ...body]: readonly (readonly string[])[], width: number): boolean {
  const filled = (next ?? []).filter((cell) => cell !== '');
  if (next === undefined || filled.length === 0 || body.length === 0) return false;
  return (filled.every(isInBrackets) && filled.length * 2 >= width) || namesUnits(above, next, body);
}

/** `[EUR]` or `(2024)`; `(1,200)` is a negative amount. */
function isInBrackets(cell: string): boolean {
  if (!/^[[(].{1,16}[\])]$/.test(cell)) return false;
  return YEAR.test(cell.slice(1, -1)) || readNumber(cell) === undefined;
}

/** Nothing but units without brackets, each between a label and values that can be of it. */
function namesUnits(above: readonly string[], next: readonly string[], body: readonly (readonly string[])[]): boolean {
  return next.every((cell, column) => {
    if (cell === '') return true;
    return isUnit(cell) && (above[column] ?? '') !== '' && hasTypedColumn(body, column);
  });
}

/** Neighbours with one text, or a text with nothing beside it. */
function groupsColumns(cells: readonly string[], width: number): boolean {
  for (let column = 1; column < width; column += 1) {
    const cell = cells[column] ?? '';
    const before = cells[column - 1] ?? '';
    if (cell !== '' && cell === before) return true;
    if (cell === '' && before !== '') return true;
  }
  return false;
}

/** Under grouped columns are different words. */
function refines(above: readonly string[], next: readonly string[]): boolean {
  for (let column = 1; column < Math.max(above.length, next.length); column += 1) {
    const isGroup = (above[column] ?? '') === '' || above[column] === above[column - 1];
    const [own = '', before = ''] = [next[column], next[column - 1]];
    if (isGroup && own !== '' && own !== before) return true;
  }
  return false;
}

/** Merged cells alone, at least two, but for the first column, each with different words below that no further row has: it is so above columns of words, too. */
function isAllGroups(above: readonly string[], next: readonly string[], body: readonly (readonly string[])[]): boolean {
  const runs = new Map<string, string[]>();
  const first = above[0] === above[1] ? 0 : 1;
  for (let column = first; column < above.length; column += 1) {
    const cell = above[column]!;
    if (cell === '' || (runs.has(cell) && above[column - 1] !== cell)) return false;
    const word = next[column] ?? '';
    if (word === '' || above.includes(word) || body.some((row) => row[column] === word)) return false;
    runs.set(cell, [...(runs.get(cell) ?? []), word]);
  }
  const groups = [...runs.values()];
  return groups.length > 1 && groups.every((words) => words.length > 1 && new Set(words).size === words.length);
}

/** A cell that is merged over both rows is in both. */
function repeatsAbove(above: readonly string[], next: readonly string[]): boolean {
  return next.some((cell, column) => cell !== '' && cell === above[column]);
}

function hasTypedColumns(body: readonly (readonly string[])[], width: number): boolean {
  for (let column = 0; column < width; column += 1) if (hasTypedColumn(body, column)) return true;
  return false;
}

function hasTypedColumn(body: readonly (readonly string[])[], column: number): boolean {
  return isTypedColumn(body.map((row) => row[column] ?? ''));
}

function isValue(cell: string): boolean {
  if (!/\p{N}/u.test(cell)) return TRUTH.test(cell);
  if (/^[+-]?[\d.,\s]+$/.test(cell)) return true;
  const number = readNumber(cell);
  return (
    (number !== undefined && (number.unit === '' || /^[%€$£]$/.test(number.unit))) || readDate(cell)?.hasDay === true
  );
}

function headOf(rows: readonly (readonly string[])[], titleRows: number, headerRows: number, width: number): TableHead {
  const heads = rows.slice(titleRows, titleRows + headerRows);
  const labelled = Math.max(0, ...heads.map(({ length }) => length));
  const groups = heads.slice(0, -1).map((row) => carriedRight(row, width, heads.at(-1)!));
  const levels = [...groups, ...heads.slice(-1)];
  const hasUnits = heads.length > 1 && heads.at(-1)!.every((cell) => cell === '' || isUnit(cell));
  const labels = Array.from({ length: labelled }, (_, column) => {
    const words = levels.map((row) => cleanLabel(row[column] ?? ''));
    // As people write a unit behind a label, and as it is looked for.
    if (hasUnits && words.at(-1) !== '') words.push(`(${words.pop()})`);
    const parts = words.filter((part) => part !== '');
    return [...new Set(parts)].join(' ').slice(0, MAX_LABEL_UNITS);
  });
  const titles = rows.slice(0, titleRows).filter((row) => new Set(row.filter((cell) => cell !== '')).size === 1);
  const title = titles.map((row) => row.find((cell) => cell !== '')!).join(' ');
  return { titleRows, headerRows, labels, title: titles.length === 0 ? undefined : title };
}

/** What is over several columns is over each of them. */
function carriedRight(row: readonly string[], width: number, below: readonly string[]): string[] {
  let last = '';
  return Array.from({ length: width }, (_, column) => {
    const cell = row[column] ?? '';
    if (cell !== '') last = cell;
    return cell === '' && (below[column] ?? '') !== '' ? last : cell;
  });
}

function cleanLabel(cell: string): string {
  return isAbsent(cell) || isMasked(cell)
    ? ''
    : withoutNoteMark(cell)
        .replace(/\s*[*†‡]+$/, '')
        .trim();
}
