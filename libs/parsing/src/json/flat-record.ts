import type { FlatRecord } from '../tabular/record-table.js';
import { isObject, isScalar, scalarText, type JsonScalar, type JsonValue } from './json-value.js';

/** Objects inside of a record up to this depth become columns with a dotted name. */
const MAX_DEPTH = 3;
/** More values of one list make no cell. */
const MAX_LISTED = 20;

/** An object as one flat record; undefined when it has parts that no cell can hold, or two values of one name. */
export function flatten(value: JsonValue): FlatRecord | undefined {
  if (!isObject(value)) return undefined;
  const record = new Map<string, string>();
  return collect(value, '', 0, record) ? record : undefined;
}

function collect(
  object: { [name: string]: JsonValue },
  prefix: string,
  depth: number,
  record: Map<string, string>,
): boolean {
  for (const [key, value] of Object.entries(object)) {
    const name = oneLine(prefix === '' ? key : `${prefix}.${key}`);
    if (record.has(name)) return false;
    if (isScalar(value)) {
      record.set(name, oneLine(scalarText(value)));
    } else if (Array.isArray(value)) {
      const listed = listText(value, MAX_LISTED);
      if (listed === undefined) return false;
      record.set(name, listed);
    } else if (depth >= MAX_DEPTH || !collect(value, name, depth + 1, record)) {
      return false;
    }
  }
  return true;
}

/** Scalars of a list, divided by commas; undefined when it holds anything else, or more than `limit`. */
export function listText(list: readonly JsonValue[], limit: number): string | undefined {
  if (list.length > limit || !list.every(isScalar)) return undefined;
  return (list as JsonScalar[]).map((value) => oneLine(scalarText(value))).join(', ');
}

/** White space in a value becomes one space: a line break would begin another line of the table. */
export function oneLine(text: string): string {
  return /\s/.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
}
