import type { Refusal } from './statement-verdict.js';

/** The given parameters by name; those by position are named `1`, `2`… */
export interface GivenParameters {
  readonly params: Readonly<Record<string, unknown>>;
  readonly areParamsNamed: boolean;
}

/** The difference between the parameters of a statement and the given ones; undefined when they fit. */
export function checkParameters(
  wanted: readonly string[],
  { params, areParamsNamed }: GivenParameters,
): Refusal | undefined {
  const given = Object.keys(params);
  const missing = wanted.filter((name) => !Object.hasOwn(params, name));
  const surplus = given.filter((name) => !wanted.includes(name));
  if (missing.length === 0 && surplus.length === 0) return undefined;
  const form = areParamsNamed
    ? 'Named parameters are written $name in the statement and given as an object {"name": value}.'
    : 'Parameters by position are written ? or $1, $2 in the statement and given as a list with one value for each.';
  const what = [
    ...(missing.length > 0 ? [`no value is given for ${list(missing)}`] : []),
    ...(surplus.length > 0 ? [`the statement has no parameter ${list(surplus)}`] : []),
  ].join(', and ');
  return { code: 'parameters', detail: `The parameters do not fit: ${what}. ${form}` };
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => `$${name.slice(0, 80)}`);
  return shown.join(', ') + (names.length > shown.length ? ` and ${names.length - shown.length} more` : '');
}
