import type { FieldProblem } from '#libs/common';
import { validationFailed } from '#libs/http';
import type { CellValue } from '../engine/table-engine.port.js';
import { MAX_PARAMETERS } from './query-sql.dto.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const MAX_TEXT = 10_000;

/**
 * Reads the parameters of a statement from a request.
 * @throws `http.validation_failed`.
 */
export function readParameters(params: unknown): readonly CellValue[] | Readonly<Record<string, CellValue>> {
  if (params === undefined || params === null) return [];
  const entries = Array.isArray(params)
    ? params.map((value, index): [string, unknown] => [String(index), value])
    : typeof params === 'object'
      ? Object.entries(params)
      : undefined;
  if (entries === undefined) {
    const detail = 'must be a list of values for ? or $1, $2, … or an object with a value for each $name';
    throw validationFailed([{ pointer: '/params', code: 'is_parameters', detail }]);
  }
  const problems = [
    ...(entries.length > MAX_PARAMETERS
      ? [{ pointer: '/params', code: 'max_items', detail: `must have at most ${MAX_PARAMETERS} values` }]
      : []),
    ...entries.flatMap(([name, value]) => problemOf(name, value, Array.isArray(params))),
  ];
  if (problems.length > 0) throw validationFailed(problems.slice(0, 20));
  return params as readonly CellValue[] | Record<string, CellValue>;
}

function problemOf(name: string, value: unknown, isList: boolean): FieldProblem[] {
  const pointer = `/params/${name.slice(0, 80).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (!isList && !NAME.test(name)) {
    const detail =
      'the name of a parameter has letters, digits and underscores, 64 at most, and does not begin with a digit';
    return [{ pointer, code: 'is_parameter_name', detail }];
  }
  const isValue = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
  if (!isValue) return [{ pointer, code: 'is_value', detail: 'must be a text, a number, true, false or null' }];
  if (typeof value === 'number' && isRounded(value)) {
    const detail = 'is outside the whole numbers that JSON represents exactly (±9007199254740991); give it as a text';
    return [{ pointer, code: 'is_exact', detail }];
  }
  if (typeof value !== 'string' || value.length <= MAX_TEXT) return [];
  return [{ pointer, code: 'max_length', detail: `must have at most ${MAX_TEXT} characters` }];
}

/** A whole number that may have lost digits; one with an exponent (from 1e21 on) was never meant to the digit. */
function isRounded(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21;
}
