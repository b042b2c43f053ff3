/** Comparisons of Dify that filters support. */
export const DIFY_OPERATORS = [
  'contains',
  'not contains',
  'start with',
  'end with',
  'in',
  'not in',
  'is',
  'is not',
  'empty',
  'not empty',
  '=',
  '≠',
  '>',
  '<',
  '≥',
  '≤',
  'before',
  'after',
] as const;
export type DifyOperator = (typeof DIFY_OPERATORS)[number];

interface Condition {
  readonly name: readonly string[];
  readonly comparison_operator: DifyOperator;
  readonly value?: string | number | readonly (string | number)[] | null;
}

export interface MetadataCondition {
  readonly logical_operator?: 'and' | 'or' | null;
  readonly conditions: readonly Condition[];
}

/** A search filter in the JSON form of a request. */
export interface SearchFilter {
  readonly type: string;
  readonly key?: string;
  readonly value?: unknown;
  readonly filters?: readonly SearchFilter[];
}

const COMPARISONS = {
  is: 'eq',
  'is not': 'ne',
  '=': 'eq',
  '≠': 'ne',
  '>': 'gt',
  '<': 'lt',
  '≥': 'gte',
  '≤': 'lte',
  before: 'lt',
  after: 'gt',
  contains: 'contains',
  'start with': 'starts_with',
  'end with': 'ends_with',
  in: 'in',
  'not in': 'nin',
} as const;
const DENIALS: readonly DifyOperator[] = ['not contains', 'not in', 'is not', '≠', 'empty'];
const NUMERIC: readonly DifyOperator[] = ['=', '≠', '>', '<', '≥', '≤'];
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;
const FIXED_KEYS = ['document_name', 'tags', 'media_type', 'language', 'document_id', 'archive_id', 'created_at'];

/** Converts Dify's conditions to a search filter; undefined when there are none. */
export function toSearchFilter({ logical_operator, conditions }: MetadataCondition): SearchFilter | undefined {
  const asked = conditions.filter(isAsked);
  if (asked.length === 0) return undefined;
  return { type: logical_operator ?? 'and', filters: asked.map(toFilter) };
}

/** Dify sends unset variables as null or as an empty text. Their conditions are ignored, as Dify does itself. */
function isAsked({ comparison_operator: operator, value }: Condition): boolean {
  if (operator === 'empty' || operator === 'not empty') return true;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '';
}

/** The position of the condition that a problem of the filter is about; undefined for other problems. */
export function conditionAt(pointer: string, conditions: readonly Condition[]): number | undefined {
  const [root, , place] = pointer.split('/').slice(1);
  if (root !== 'filters' || place === undefined) return undefined;
  return conditions.flatMap((condition, index) => (isAsked(condition) ? [index] : []))[Number(place)];
}

/** Converts the pointer of a problem in the converted filter to a pointer into Dify's request; other pointers stay unchanged. */
export function placeInConditions(pointer: string, condition: number | undefined): string {
  const [root, , , , name, ...rest] = pointer.split('/').slice(1);
  if (root !== 'filters') return pointer;
  if (condition === undefined) return '/metadata_condition';
  const place = `/metadata_condition/conditions/${condition}`;
  if (rest.includes('value')) return `${place}/value`;
  if (rest.at(-1) === 'type') return `${place}/comparison_operator`;
  return name === undefined ? place : `${place}/name/${name}`;
}

function toFilter(condition: Condition): SearchFilter {
  return { type: 'or', filters: condition.name.map((name) => compareNamed(name, condition)) };
}

/**
 * `path` means the document's path and also a metadata field with this name, which was supported first; a negated condition must hold for
 * both.
 */
function compareNamed(name: string, condition: Condition): SearchFilter {
  if (name !== 'path') return compare(keyOf(name), condition);
  const type = DENIALS.includes(condition.comparison_operator) ? 'and' : 'or';
  return { type, filters: [compare('path', condition), compare('metadata.path', condition)] };
}

function compare(key: string, { comparison_operator: operator, value }: Condition): SearchFilter {
  if (operator === 'empty') return { type: 'exists', key, value: false };
  if (operator === 'not empty') return { type: 'exists', key };
  if (operator === 'in' || operator === 'not in') return { type: COMPARISONS[operator], key, value: toList(value) };
  const asked = NUMERIC.includes(operator) ? toNumber(value) : value;
  if (operator === 'not contains') return { type: 'not', filters: [{ type: 'contains', key, value: asked }] };
  return { type: COMPARISONS[operator], key, value: asked };
}

/**
 * Values of a list, or of a text with commas. Digits are compared both as a text and as a number, because Dify does not say which of them
 * the metadata contains.
 */
function toList(value: Condition['value']): unknown[] {
  const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : [value ?? []].flat();
  const asked = items.filter((item) => item !== '').flatMap((item) => [item, toNumber(item)]);
  return [...new Set(asked)];
}

/** A number, also in the form of a text, because Dify sends numbers as texts. */
function toNumber(value: Condition['value']): unknown {
  return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
}

function keyOf(name: string): string {
  return FIXED_KEYS.includes(name) || name.startsWith('metadata.') ? name : `metadata.${name}`;
}
