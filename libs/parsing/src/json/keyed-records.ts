import type { FlatRecord } from '../tabular/record-table.js';
import { flatten, oneLine } from './flat-record.js';
import { isGeometry } from './geometry.js';
import { isNumber, isObject, isScalar, scalarText, type JsonScalar, type JsonValue } from './json-value.js';

/** Fewer objects are parts of one thing unless their names are the same. */
const LEAST_RECORDS = 3;
/** Of all names by all objects, those that are there: settings of several programs have few in common. */
const LEAST_FILL = 0.75;
/** Longer values read better line by line. */
const MAX_CELL_UNITS = 600;
const MAX_COLUMNS = 60;
/** Rows below the names of columns. */
const LEAST_ROWS = 2;
/** Names of the column that holds the number of a row; the first one that no column has. */
const NUMBER_NAMES = ['number', 'index', 'row number'] as const;
/** Names of the column that holds the key; the first one that no record has. */
const KEY_NAMES = ['key', 'name', 'id', 'record key'] as const;

type JsonObject = { [name: string]: JsonValue };

/**
 * The records of an object whose members are alike, as `{"oslo": {"seats": 12}, "lund": {"seats": 30}}`: each with its key as the first value.
 * Members whose names are all `0`, `1`, … (at least three) are columns, as data frames are written. Undefined where the members have little in common, or one name
 * holds numbers here and words there.
 */
export function recordsByKey(object: JsonObject): FlatRecord[] | undefined {
  const entries = Object.entries(object);
  if (entries.length < 2 || !entries.every(([, value]) => isRecord(value))) return undefined;
  const numbered = recordsByNumber(entries as [string, JsonObject][]);
  if (numbered !== undefined) return numbered;
  if (!areAlike(entries.map(([, value]) => value as JsonObject))) return undefined;
  const records: FlatRecord[] = [];
  for (const [, value] of entries) {
    const record = flatten(value);
    if (record === undefined || [...record.values()].some(({ length }) => length > MAX_CELL_UNITS)) return undefined;
    records.push(record);
  }
  const keyName = KEY_NAMES.find((name) => !records.some((record) => record.has(name)));
  if (keyName === undefined) return undefined;
  return records.map((record, at) => new Map([[keyName, oneLine(entries[at]![0])], ...record]));
}

/** Columns of as many numbered values each; the number goes first, since it may be a code and the rest what it means. */
function recordsByNumber(entries: readonly [string, JsonObject][]): FlatRecord[] | undefined {
  const count = Object.keys(entries[0]![1]).length;
  if (count < LEAST_RECORDS || entries.length > MAX_COLUMNS) return undefined;
  const areColumns = entries.every(
    ([, column]) =>
      Object.keys(column).length === count &&
      Object.keys(column).every((name, at) => name === String(at) && isScalar(column[name]!)),
  );
  const names = new Set(entries.map(([name]) => oneLine(name)));
  const numberName = NUMBER_NAMES.find((name) => !names.has(name));
  if (!areColumns || numberName === undefined || names.size < entries.length) return undefined;
  return Array.from(
    { length: count },
    (_, at) =>
      new Map([
        [numberName, String(at)] as const,
        ...entries.map(([name, column]) => [oneLine(name), scalarOf(column[at])] as const),
      ]),
  );
}

/**
 * The rows of a list of lists, the first of which names the columns: there are two more, and one column is of numbers below its name. Undefined where
 * it is anything else, as pairs of words.
 */
export function rowsBelowNames(list: readonly JsonValue[]): FlatRecord[] | undefined {
  const [names, ...rows] = list;
  if (!isRow(names) || names.length < 2 || rows.length < LEAST_ROWS || names.length > MAX_COLUMNS) return undefined;
  const labels = names.map((name) => (typeof name === 'string' && !isNumber(name) ? oneLine(name) : ''));
  if (labels.includes('') || new Set(labels).size < labels.length) return undefined;
  if (!labels.some((label, at) => !/\p{N}/u.test(label) && isOfNumbers(rows, at))) return undefined;
  const records: FlatRecord[] = [];
  for (const row of rows) {
    if (!isRow(row) || row.length !== names.length) return undefined;
    const cells = row.map((value) => oneLine(scalarText(value)));
    if (cells.some(({ length }) => length > MAX_CELL_UNITS)) return undefined;
    records.push(new Map(labels.map((label, at) => [label, cells[at]!])));
  }
  return records;
}

/** Whether a column holds numbers, booleans or what begins with a digit, and at least one. */
function isOfNumbers(rows: readonly JsonValue[], column: number): boolean {
  const values = rows.flatMap((row) => (isRow(row) ? (row[column] ?? []) : [])).filter((value) => value !== '');
  return values.length > 0 && values.every((value) => /^(?:[-+]?[$€£¥]?\d|true$|false$)/.test(scalarText(value)));
}

function isRecord(value: JsonValue): boolean {
  return isObject(value) && !isGeometry(value) && Object.keys(value).length > 0;
}

/** Whether members have most of their names in common, and values of one kind under each. */
function areAlike(members: readonly JsonObject[]): boolean {
  const names = new Map<string, ReturnType<typeof kindOf> | undefined>();
  let cells = 0;
  for (const member of members) {
    for (const [name, value] of Object.entries(member)) {
      cells += 1;
      const known = names.get(name);
      const kind = value === null ? known : kindOf(value);
      if (known !== undefined && kind !== known) return false;
      names.set(name, kind);
    }
    if (names.size > MAX_COLUMNS) return false;
  }
  const least = members.length < LEAST_RECORDS ? 1 : LEAST_FILL;
  return cells >= names.size * members.length * least;
}

function kindOf(value: JsonValue): 'number' | 'boolean' | 'words' | 'parts' {
  if (!isScalar(value)) return 'parts';
  if (isNumber(value)) return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'words';
}

function isRow(value: JsonValue | undefined): value is JsonScalar[] {
  return Array.isArray(value) && value.every(isScalar);
}

function scalarOf(value: JsonValue | undefined): string {
  return value === undefined || !isScalar(value) ? '' : oneLine(scalarText(value));
}
