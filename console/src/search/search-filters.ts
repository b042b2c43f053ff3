type Value = string | number | boolean;
type Comparison = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'starts_with' | 'ends_with';
type Condition =
  | { readonly type: Comparison; readonly key: string; readonly value: Value }
  | { readonly type: 'in' | 'nin'; readonly key: string; readonly value: Value[] };

/** Which documents a search may find, as its request says it. */
export type SearchFilter =
  | Condition
  | { readonly type: 'exists'; readonly key: string; readonly value?: boolean }
  | { readonly type: 'and' | 'or' | 'not'; readonly filters: SearchFilter[] };

/** Conditions that the page has controls for; all must hold, of tags and types one is enough. */
export interface FilterFields {
  readonly tags: readonly string[];
  readonly types: readonly string[];
  readonly path: string;
  /** Days, `2026-01-31`: uploaded on or after, and on or before. */
  readonly since: string;
  readonly until: string;
  readonly metadata: readonly MetadataCondition[];
}

export interface MetadataCondition {
  readonly name: string;
  readonly value: string;
}

export const NO_FIELDS: FilterFields = { tags: [], types: [], path: '', since: '', until: '', metadata: [] };
export const FIELD_NAMES = ['tag', 'type', 'path', 'since', 'until', 'meta'] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_START = 'T00:00:00.000Z';
const DAY_END = 'T23:59:59.999Z';

export function readFields(address: URLSearchParams): FilterFields {
  const day = (name: string): string => (DAY.test(address.get(name) ?? '') ? address.get(name)! : '');
  return {
    tags: address.getAll('tag'),
    types: address.getAll('type'),
    path: address.get('path') ?? '',
    since: day('since'),
    until: day('until'),
    metadata: address.getAll('meta').flatMap((pair) => {
      const at = pair.indexOf(':');
      return at < 1 ? [] : [{ name: pair.slice(0, at), value: pair.slice(at + 1) }];
    }),
  };
}

export function writeFields(address: URLSearchParams, fields: FilterFields): void {
  for (const name of FIELD_NAMES) address.delete(name);
  for (const tag of fields.tags) address.append('tag', tag);
  for (const type of fields.types) address.append('type', type);
  for (const name of ['path', 'since', 'until'] as const) if (fields[name] !== '') address.set(name, fields[name]);
  for (const { name, value } of fields.metadata) address.append('meta', `${name}:${value}`);
}

/** The filter of a search that the fields stand for; undefined where they ask for nothing. */
export function filterOf(fields: FilterFields): SearchFilter | undefined {
  const conditions: Condition[] = [
    ...anyOf('tags', fields.tags),
    ...anyOf('media_type', fields.types),
    ...(fields.path === '' ? [] : [{ type: 'starts_with', key: 'path', value: fields.path } as const]),
    ...(fields.since === '' ? [] : [{ type: 'gte', key: 'created_at', value: fields.since + DAY_START } as const]),
    ...(fields.until === '' ? [] : [{ type: 'lte', key: 'created_at', value: fields.until + DAY_END } as const]),
    ...fields.metadata.map(({ name, value }) => ({ type: 'eq', key: `metadata.${name}`, value }) as const),
  ];
  return conditions.length > 1 ? { type: 'and', filters: conditions } : conditions[0];
}

const anyOf = (key: string, values: readonly string[]): readonly Condition[] =>
  values.length > 0 ? [{ type: 'in', key, value: [...values] }] : [];

/** The fields that stand for a filter; undefined for one that they cannot say. */
export function fieldsOf(filter: SearchFilter | undefined): FilterFields | undefined {
  if (filter === undefined) return NO_FIELDS;
  let fields = NO_FIELDS;
  for (const condition of filter.type === 'and' ? filter.filters : [filter]) {
    const read = fieldOf(condition);
    if (read === undefined) return undefined;
    fields = { ...fields, ...read, metadata: [...fields.metadata, ...(read.metadata ?? [])] };
  }
  // Two conditions of one kind are more than the fields say.
  return JSON.stringify(filterOf(fields)) === JSON.stringify(filter) ? fields : undefined;
}

function fieldOf(condition: SearchFilter): Partial<FilterFields> | undefined {
  if (!('key' in condition) || condition.value === undefined) return undefined;
  const { type, key, value } = condition;
  if (type === 'in' && Array.isArray(value)) {
    const texts = value.map(String);
    return key === 'tags' ? { tags: texts } : key === 'media_type' ? { types: texts } : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (type === 'starts_with' && key === 'path') return { path: value };
  if (type === 'gte' && key === 'created_at') return { since: value.slice(0, DAY_LENGTH) };
  if (type === 'lte' && key === 'created_at') return { until: value.slice(0, DAY_LENGTH) };
  const name = key.startsWith('metadata.') ? key.slice('metadata.'.length) : '';
  return type === 'eq' && name !== '' && !name.includes(':') ? { metadata: [{ name, value }] } : undefined;
}

const DAY_LENGTH = '2026-01-31'.length;

/** How many conditions there are, as a person counts them. */
export function countFields({ tags, types, path, since, until, metadata }: FilterFields): number {
  return tags.length + types.length + metadata.length + [path, since, until].filter((text) => text !== '').length;
}
