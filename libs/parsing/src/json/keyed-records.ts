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
/** Names of the column that holds the key; the first one that no record has. */
const KEY_NAMES = ['key', 'name', 'id', 'record key'] as const;

type JsonObject = { [name: string]: JsonValue };

/**
 * The records of an object whose members are alike, as `{"oslo": {"seats": 12}, "lund": {"seats": 30}}`: each with its key as the first value.
 * Members whose names are all `0`, `1`, … are columns, as data frames are written. Undefined where the members have little in common, or one name
 * holds numbers here and words there.
 */
export function recordsByKey(object: JsonObject): FlatRecord[] | undefined {
  const entries = Object.entries(object);
  if (entries.length < 2 || !entries.every(([, value]) => isRecord(value))) return undefined;
  const numbered = recordsByNumber(entries as [string, JsonObject][]);
  if (numbered !== undefined) return numbered;
  const columns = columnsOf(entries.map(([, value]) => value as JsonObject));
  if (columns === undefined) return undefined;
  const keyName = KEY_NAMES.find((name) => !columns.has(name));
  if (keyName === undefined) return undefined;
  const records: FlatRecord[] = [];
  for (const [key, value] of entries) {
    const record = flatten(value);
    if (record === undefined || [...record.values()].some(({ length }) => length > MAX_CELL_UNITS)) return undefined;
    records.push(new Map([[keyName, oneLine(key)], ...record]));
  }
  return records;
}

/** Columns of as many numbered values each. */
function recordsByNumber(entries: readonly [string, JsonObject][]): FlatRecord[] | undefined {
  const count = Object.keys(entries[0]![1]).length;
  if (count < 2 || entries.length > MAX_COLUMNS) return undefined;
  const areColumns = entries.every(
    ([, column]) =>
      Object.keys(column).length === count &&
      Object.keys(column).every((name, at) => name === String(at) && isScalar(column[name]!)),
  );
  if (!areColumns) return undefined;
  return Array.from(
    { length: count },
    (_, at) => new Map(entries.map(([name, column]) => [oneLine(name), scalarOf(column[at])] as const)),
  );
}

/** The rows of a list of lists, the first of which names the columns; undefined where it is anything else. */
export function rowsBelowNames(list: readonly JsonValue[]): FlatRecord[] | undefined {
  const [names, ...rows] = list;
  if (!isRow(names) || names.length < 2 || rows.length === 0 || names.length > MAX_COLUMNS) return undefined;
  const labels = names.map((name) => (typeof name === 'string' && !isNumber(name) ? oneLine(name) : ''));
  if (labels.includes('') || new Set(labels).size < labels.length) return undefined;
  const records: FlatRecord[] = [];
  for (const row of rows) {
    if (!isRow(row) || row.length !== names.length) return undefined;
    const cells = row.map((value) => oneLine(scalarText(value)));
    if (cells.some(({ length }) => length > MAX_CELL_UNITS)) return undefined;
    records.push(new Map(labels.map((label, at) => [label, cells[at]!])));
  }
  return records;
}

function isRecord(value: JsonValue): boolean {
  return isObject(value) && !isGeometry(value) && Object.keys(value).length > 0;
}

/** The names of the members' own values; undefined where they make no table. */
function columnsOf(members: readonly JsonObject[]): ReadonlySet<string> | undefined {
  const kinds = new Map<string, 'number' | 'boolean' | 'words' | 'parts'>();
  let cells = 0;
  for (const member of members) {
    for (const [name, value] of Object.entries(member)) {
      cells += 1;
      const kind = value === null ? kinds.get(name) : kindOf(value);
      const known = kinds.get(name);
      if (known !== undefined && kind !== known) return undefined;
      if (kind !== undefined) kinds.set(name, kind);
    }
    if (kinds.size > MAX_COLUMNS) return undefined;
  }
  const least = members.length < LEAST_RECORDS ? 1 : LEAST_FILL;
  return cells < kinds.size * members.length * least ? undefined : new Set(kinds.keys());
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
