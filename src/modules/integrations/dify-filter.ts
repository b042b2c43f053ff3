/** Comparisons of Dify's that a filter of ours can say. */
export const DIFY_OPERATORS = [
  'contains',
  'not contains',
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
  readonly value?: string | number | null;
}

export interface MetadataCondition {
  readonly logical_operator?: 'and' | 'or' | null;
  readonly conditions: readonly Condition[];
}

/** A search filter in JSON, as a request holds it. */
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
} as const;
const NUMERIC: readonly DifyOperator[] = ['=', '≠', '>', '<', '≥', '≤'];
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;
const FIXED_KEYS = ['document_name', 'tags', 'media_type', 'language', 'document_id', 'created_at'];

/** Dify's conditions as a filter of a search; undefined when there are none. */
export function toSearchFilter({ logical_operator, conditions }: MetadataCondition): SearchFilter | undefined {
  if (conditions.length === 0) return undefined;
  return { type: logical_operator ?? 'and', filters: conditions.map(toFilter) };
}

/** Where a problem of the filter that was made of Dify's conditions stands in what Dify sent; other places stay as they are. */
export function placeInConditions(pointer: string): string {
  const [root, , condition, , name, ...rest] = pointer.split('/').slice(1);
  if (root !== 'filters') return pointer;
  if (condition === undefined) return '/metadata_condition';
  const place = `/metadata_condition/conditions/${condition}`;
  if (rest.at(-1) === 'value') return `${place}/value`;
  if (rest.at(-1) === 'type') return `${place}/comparison_operator`;
  return name === undefined ? place : `${place}/name/${name}`;
}

function toFilter(condition: Condition): SearchFilter {
  return { type: 'or', filters: condition.name.map((name) => compare(keyOf(name), condition)) };
}

function compare(key: string, { comparison_operator: operator, value }: Condition): SearchFilter {
  if (operator === 'empty') return { type: 'exists', key, value: false };
  if (operator === 'not empty') return { type: 'exists', key };
  const asked = NUMERIC.includes(operator) ? toNumber(value) : value;
  if (operator === 'not contains') return { type: 'not', filters: [{ type: 'contains', key, value: asked }] };
  return { type: COMPARISONS[operator], key, value: asked };
}

/** Dify sends numbers as texts. */
function toNumber(value: string | number | null | undefined): unknown {
  return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
}

function keyOf(name: string): string {
  return FIXED_KEYS.includes(name) || name.startsWith('metadata.') ? name : `metadata.${name}`;
}
