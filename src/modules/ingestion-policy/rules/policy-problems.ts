import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FieldProblem } from '#libs/common';

type Params = Readonly<Record<string, unknown>>;
type Words = (params: Params, error: ErrorObject) => string;

/** What to change, by the violated keyword of the schema. */
const DETAILS: Readonly<Record<string, Words>> = {
  type: ({ type }) => `must be ${namesOf(type)}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  minLength: ({ limit }) => `must have at least ${String(limit)} character(s)`,
  maxLength: ({ limit }) => `must have at most ${String(limit)} characters`,
  minItems: () => 'must hold at least one value; null means all',
  maxItems: ({ limit }) => `must hold at most ${String(limit)} values`,
  pattern: (_params, error) => `has the wrong form: ${descriptionOf(error)} (${String(error.params['pattern'])})`,
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

/** A schema error as a problem for callers: pointer to the wrong field, code, and what to change. */
export function toFieldProblem(error: ErrorObject): FieldProblem[] {
  const params = error.params as Params;
  const pointer = error.instancePath;
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = String(params['additionalProperty']);
      const known = Object.keys((error.parentSchema?.['properties'] ?? {}) as object);
      const detail =
        known.length === 0
          ? 'unknown field: this section has no options yet'
          : `unknown field; known: ${known.join(', ')}`;
      return [{ pointer: `${pointer}/${escaped(name)}`, code: 'unknown_field', detail }];
    }
    case 'required':
      return [
        { pointer: `${pointer}/${escaped(String(params['missingProperty']))}`, code: 'required', detail: 'is missing' },
      ];
    default: {
      const words = DETAILS[error.keyword];
      const detail = words === undefined ? (error.message ?? 'is not valid') : words(params, error);
      return [{ pointer, code: snakeCase(error.keyword), detail }];
    }
  }
}

function namesOf(types: unknown): string {
  const list = Array.isArray(types) ? (types as string[]) : [String(types)];
  return list.map((type) => TYPE_NAMES[type] ?? type).join(' or ');
}

function descriptionOf(error: ErrorObject): string {
  return String(error.parentSchema?.['description'] ?? 'see the schema').replace(/\.$/, '');
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function snakeCase(keyword: string): string {
  return keyword.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
