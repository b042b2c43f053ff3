import { markExactNumbers, NUMBER_MARK } from './exact-numbers.js';

export type JsonScalar = null | boolean | string | number;
/** A number that JavaScript would write otherwise is a string with a mark in front (`NUMBER_MARK`). */
export type JsonValue = JsonScalar | JsonValue[] | { [name: string]: JsonValue };

/** Parses JSON; undefined when it is invalid or nested too deeply. `1.50` and integers beyond 2^53 keep their digits. */
export function readJson(text: string): JsonValue | undefined {
  const marked = markExactNumbers(text);
  if (marked === undefined) return undefined;
  try {
    return JSON.parse(marked) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether a value has no parts. */
export function isScalar(value: JsonValue): value is JsonScalar {
  return value === null || typeof value !== 'object';
}

/** Whether a value has named parts. */
export function isObject(value: JsonValue): value is { [name: string]: JsonValue } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

export function isNumber(value: JsonValue): value is number | string {
  return typeof value === 'number' || (typeof value === 'string' && value.startsWith(NUMBER_MARK));
}

/** The characters of a scalar; null is empty. */
export function scalarText(value: JsonScalar): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  return value.startsWith(NUMBER_MARK) ? value.slice(NUMBER_MARK.length) : value;
}
