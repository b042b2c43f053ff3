import { isMoment, type FieldProblem } from '#libs/common';
import { validationFailed } from '#libs/http';
import {
  FIXED_FILTER_KEYS,
  isKnownFilterKey,
  type ComparisonType,
  type Filter,
  type FilterScalar,
} from '#libs/vector-store';

export const FILTER_DEPTH_MAX = 8;
export const FILTER_CONDITIONS_MAX = 100;
export const FILTER_VALUES_MAX = 500;
export const FILTER_TEXT_MAX = 4096;
/** A reader is helped by the first ones; a hostile body does not get an answer larger than itself. */
const PROBLEMS_MAX = 50;

const GROUPS = ['and', 'or', 'not'] as const;
export const COMPARISONS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'starts_with',
  'ends_with',
] as const satisfies readonly ComparisonType[];
/** Of parts of texts. */
const OF_TEXTS: readonly ComparisonType[] = ['contains', 'starts_with', 'ends_with'];
const MEMBERSHIPS = ['in', 'nin'] as const;
const TYPES: readonly string[] = [...GROUPS, ...COMPARISONS, ...MEMBERSHIPS, 'exists'];

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The filter of a request, checked as a whole: at most `FILTER_DEPTH_MAX` levels, `FILTER_CONDITIONS_MAX` conditions, known
 * types and keys, no other fields. `pointer` is where the filter is in the body.
 * @throws `http.validation_failed` with a JSON pointer for every problem.
 */
export function parseFilter(value: unknown, pointer: string): Filter {
  const reader = new FilterReader();
  const filter = reader.read(value, pointer, 1);
  if (filter === undefined || reader.problems.length > 0)
    throw validationFailed(reader.problems.slice(0, PROBLEMS_MAX));
  return filter;
}

/** Walks over a filter and gathers what is wrong with it. */
class FilterReader {
  readonly problems: FieldProblem[] = [];
  private conditions = 0;

  read(value: unknown, pointer: string, depth: number): Filter | undefined {
    if (depth > FILTER_DEPTH_MAX)
      return this.refuse(pointer, 'max_depth', `filters must not be nested deeper than ${FILTER_DEPTH_MAX} levels`);
    if (!isFields(value)) return this.refuse(pointer, 'is_object', 'a filter must be an object with a type');
    const { type } = value;
    if (isOneOf(GROUPS, type)) return this.readGroup(type, value, pointer, depth);
    this.conditions += 1;
    if (this.conditions === FILTER_CONDITIONS_MAX + 1) {
      this.refuse(pointer, 'max_conditions', `a filter must not have more than ${FILTER_CONDITIONS_MAX} conditions`);
    }
    if (this.conditions > FILTER_CONDITIONS_MAX) return undefined;
    if (isOneOf(COMPARISONS, type)) return this.readComparison(type, value, pointer);
    if (isOneOf(MEMBERSHIPS, type)) return this.readMembership(type, value, pointer);
    if (type === 'exists') return this.readExistence(value, pointer);
    return this.refuse(`${pointer}/type`, 'is_in', `type must be one of: ${TYPES.join(', ')}`);
  }

  private readGroup(type: (typeof GROUPS)[number], value: Fields, pointer: string, depth: number): Filter | undefined {
    this.refuseOthers(value, ['type', 'filters'], pointer);
    const { filters } = value;
    if (!Array.isArray(filters))
      return this.refuse(`${pointer}/filters`, 'is_array', `"${type}" needs filters, an array of filters`);
    if (filters.length > FILTER_CONDITIONS_MAX) {
      return this.refuse(
        `${pointer}/filters`,
        'max_conditions',
        `filters must not hold more than ${FILTER_CONDITIONS_MAX} filters`,
      );
    }
    const inner = filters.map((filter: unknown, index) => this.read(filter, `${pointer}/filters/${index}`, depth + 1));
    return { type, filters: inner.filter((filter) => filter !== undefined) };
  }

  private readComparison(type: ComparisonType, value: Fields, pointer: string): Filter | undefined {
    this.refuseOthers(value, ['type', 'key', 'value'], pointer);
    const key = this.readKey(value, pointer);
    if (key === undefined) return undefined;
    if (OF_TEXTS.includes(type) && key === 'created_at') {
      return this.refuse(`${pointer}/type`, 'not_applicable', `${type} does not work on created_at; use gte and lt`);
    }
    const asked = this.readScalar(value['value'], key, `${pointer}/value`);
    return asked === undefined ? undefined : { type, key, value: asked };
  }

  private readMembership(type: (typeof MEMBERSHIPS)[number], value: Fields, pointer: string): Filter | undefined {
    this.refuseOthers(value, ['type', 'key', 'value'], pointer);
    const key = this.readKey(value, pointer);
    const list = value['value'];
    if (!Array.isArray(list) || list.length === 0 || list.length > FILTER_VALUES_MAX) {
      return this.refuse(
        `${pointer}/value`,
        'is_array',
        `value of "${type}" must be an array of 1 to ${FILTER_VALUES_MAX} values`,
      );
    }
    if (key === undefined) return undefined;
    const values = list.map((item: unknown, index) => this.readScalar(item, key, `${pointer}/value/${index}`));
    return { type, key, value: values.filter((item) => item !== undefined) };
  }

  private readExistence(value: Fields, pointer: string): Filter | undefined {
    this.refuseOthers(value, ['type', 'key', 'value'], pointer);
    const key = this.readKey(value, pointer);
    const asked = value['value'];
    if (asked !== undefined && typeof asked !== 'boolean') {
      return this.refuse(`${pointer}/value`, 'is_boolean', 'value of "exists" must be true or false');
    }
    return key === undefined ? undefined : { type: 'exists', key, value: asked ?? true };
  }

  private readKey(value: Fields, pointer: string): string | undefined {
    const { key } = value;
    if (typeof key === 'string' && isKnownFilterKey(key)) return key;
    return this.refuse(
      `${pointer}/key`,
      'is_known_key',
      `key must be metadata.<name> or one of: ${FIXED_FILTER_KEYS.join(', ')}`,
    );
  }

  private readScalar(value: unknown, key: string, pointer: string): FilterScalar | undefined {
    if (key === 'created_at') {
      if (typeof value === 'string' && isInstant(value)) return value;
      return this.refuse(pointer, 'is_rfc3339', 'created_at compares with RFC 3339 times such as 2026-01-31T12:00:00Z');
    }
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
    if (typeof value === 'string' && value.length <= FILTER_TEXT_MAX) return value;
    return this.refuse(
      pointer,
      'is_scalar',
      `must be a number, a boolean or a text of at most ${FILTER_TEXT_MAX} characters`,
    );
  }

  private refuseOthers(value: Fields, known: readonly string[], pointer: string): void {
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue;
      const escaped = name.replaceAll('~', '~0').replaceAll('/', '~1');
      this.refuse(`${pointer}/${escaped}`, 'whitelist_validation', `property ${name} should not exist`);
    }
  }

  private refuse(pointer: string, code: string, detail: string): undefined {
    this.problems.push({ pointer, code, detail });
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOneOf<T extends string>(values: readonly T[], value: unknown): value is T {
  return (values as readonly unknown[]).includes(value);
}

function isInstant(text: string): boolean {
  return RFC_3339.test(text) && isMoment(text);
}
