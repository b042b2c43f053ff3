import { assertNever, type DocumentId } from '#libs/common';

export type MetadataScalar = string | number | boolean | null;
/** What a user's metadata may hold under one name; an object, whose own names are beside it, is an empty list. */
export type MetadataValue = MetadataScalar | readonly MetadataScalar[];

/** What filters see of a chunk: facts of its document, the same for all of the document's chunks. */
export interface ChunkMetadata {
  readonly documentId: DocumentId;
  readonly documentName: string;
  /** Where it lies in the folder that it comes from; absent when its upload named none. */
  readonly path?: string | undefined;
  /** The archive that it is a file of; absent: none. */
  readonly archiveId?: DocumentId | undefined;
  readonly mediaType: string;
  /** BCP 47 tag, or null when it is not known. */
  readonly language: string | null;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly tags: readonly string[];
  /** The user's own metadata, flat. */
  readonly metadata: Readonly<Record<string, MetadataValue>>;
}

export type FilterScalar = string | number | boolean;
export type ComparisonType = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'starts_with' | 'ends_with';

/** One condition on one key; see `matchesFilter` for the meaning of each type. */
export type FilterCondition =
  | { readonly type: ComparisonType; readonly key: string; readonly value: FilterScalar }
  | { readonly type: 'in' | 'nin'; readonly key: string; readonly value: readonly FilterScalar[] }
  | { readonly type: 'exists'; readonly key: string; readonly value?: boolean };

export interface FilterGroup {
  readonly type: 'and' | 'or' | 'not';
  readonly filters: readonly Filter[];
}

/** The filter tree of a search (contract, section 5). */
export type Filter = FilterCondition | FilterGroup;

const FIXED_KEYS: Readonly<Record<string, (m: ChunkMetadata) => MetadataValue>> = {
  tags: (m) => m.tags,
  media_type: (m) => m.mediaType,
  language: (m) => m.language,
  document_id: (m) => m.documentId,
  document_name: (m) => m.documentName,
  path: (m) => m.path ?? null,
  archive_id: (m) => m.archiveId ?? null,
  created_at: (m) => m.createdAt,
};
const METADATA_PREFIX = 'metadata.';
const METADATA_NAME_MAX = 64;

/** The filter keys that are not `metadata.<name>`. */
export const FIXED_FILTER_KEYS: readonly string[] = Object.keys(FIXED_KEYS);

/** True for a fixed key and for `metadata.<name>` with a name of 1-64 characters (code points; the name may contain dots). */
export function isKnownFilterKey(key: string): boolean {
  if (Object.hasOwn(FIXED_KEYS, key)) return true;
  if (!key.startsWith(METADATA_PREFIX)) return false;
  const length = Array.from(key.slice(METADATA_PREFIX.length)).length;
  return length >= 1 && length <= METADATA_NAME_MAX;
}

/**
 * The meaning of filters; every vector store must give the same answers as this function.
 *
 * - A key is missing when it is absent or null; `exists` (value true by default) asks just that, so it holds for a list without
 *   members. On a missing key and on such a list every other positive condition fails, and `ne`, `nin` and `not` hold.
 * - A list meets a condition when one of its members does; `ne` and `nin` are the negations of `eq` and `in`.
 * - Values compare only with their own type: a number with a number, a string with a string, a boolean with a boolean.
 *   Strings are ordered by code points; booleans have no order. `created_at` compares as an instant, with RFC 3339 strings.
 * - `contains`: substring of a string, membership in a list; never holds for numbers, booleans and `created_at`.
 * - `starts_with`, `ends_with`: the beginning or the end of a string, or of a member of a list; never of numbers, booleans and `created_at`.
 * - `and` of nothing holds, `or` of nothing fails, `not` holds when none of its filters holds.
 * - An unknown key counts as missing: validation refuses it earlier (`isKnownFilterKey`).
 */
export function matchesFilter(filter: Filter, chunk: ChunkMetadata): boolean {
  switch (filter.type) {
    case 'and':
      return filter.filters.every((inner) => matchesFilter(inner, chunk));
    case 'or':
      return filter.filters.some((inner) => matchesFilter(inner, chunk));
    case 'not':
      return !filter.filters.some((inner) => matchesFilter(inner, chunk));
    default:
      return matchesCondition(filter, chunk);
  }
}

function matchesCondition(condition: FilterCondition, chunk: ChunkMetadata): boolean {
  const stored = lookUp(condition.key, chunk);
  const members = membersOf(stored);
  const compare = condition.key === 'created_at' ? compareInstants : compareValues;
  switch (condition.type) {
    case 'exists':
      return (stored !== null) === (condition.value ?? true);
    case 'eq':
      return members.some((member) => compare(member, condition.value) === 0);
    case 'ne':
      return !members.some((member) => compare(member, condition.value) === 0);
    case 'in':
      return members.some((member) => isAmong(member, condition, compare));
    case 'nin':
      return !members.some((member) => isAmong(member, condition, compare));
    case 'contains':
      return contains(stored, condition);
    case 'starts_with':
      return members.some((member) => hasPart(member, condition, 'startsWith'));
    case 'ends_with':
      return members.some((member) => hasPart(member, condition, 'endsWith'));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return isOrderedBy(members, condition.value, condition.type, compare);
    default:
      return assertNever(condition);
  }
}

function lookUp(key: string, chunk: ChunkMetadata): MetadataValue {
  if (Object.hasOwn(FIXED_KEYS, key)) return FIXED_KEYS[key]!(chunk);
  if (!key.startsWith(METADATA_PREFIX)) return null;
  const name = key.slice(METADATA_PREFIX.length);
  return Object.hasOwn(chunk.metadata, name) ? (chunk.metadata[name] ?? null) : null;
}

/** Fixed keys under which a chunk may have nothing. */
const MAY_BE_MISSING: readonly string[] = ['language', 'path', 'archive_id'];

/** True for the fixed keys that every chunk has a value under, be it an empty list. */
export function isAlwaysPresent(key: string): boolean {
  return Object.hasOwn(FIXED_KEYS, key) && !MAY_BE_MISSING.includes(key);
}

/** Every filter key of a chunk with what is stored under it, fixed ones and the user's own. */
export function* allFacts(chunk: ChunkMetadata): Generator<readonly [key: string, value: MetadataValue]> {
  for (const [key, read] of Object.entries(FIXED_KEYS)) yield [key, read(chunk)];
  for (const [name, value] of Object.entries(chunk.metadata)) yield [`${METADATA_PREFIX}${name}`, value];
}

function isList(value: MetadataValue): value is readonly MetadataScalar[] {
  return Array.isArray(value);
}

function membersOf(value: MetadataValue): readonly FilterScalar[] {
  const list = isList(value) ? value : [value];
  return list.filter((member) => member !== null);
}

function contains(stored: MetadataValue, condition: FilterCondition): boolean {
  if (condition.key === 'created_at' || stored === null) return false;
  if (isList(stored)) return membersOf(stored).some((member) => member === condition.value);
  return typeof stored === 'string' && typeof condition.value === 'string' && stored.includes(condition.value);
}

function hasPart(
  member: FilterScalar,
  { key, value }: { readonly key: string; readonly value: FilterScalar },
  where: 'startsWith' | 'endsWith',
): boolean {
  return key !== 'created_at' && typeof member === 'string' && typeof value === 'string' && member[where](value);
}

/** From this many values on a list is looked up instead of walked through. */
const LOOKED_UP_FROM = 16;
const lookups = new WeakMap<readonly FilterScalar[], ReadonlySet<FilterScalar>>();

function isAmong(
  member: FilterScalar,
  { key, value: values }: { readonly key: string; readonly value: readonly FilterScalar[] },
  compare: Compare,
): boolean {
  if (key === 'created_at' || values.length < LOOKED_UP_FROM) {
    return values.some((value) => compare(member, value) === 0);
  }
  let lookup = lookups.get(values);
  if (lookup === undefined) {
    lookup = new Set(values);
    lookups.set(values, lookup);
  }
  return lookup.has(member);
}

type OrderType = 'gt' | 'gte' | 'lt' | 'lte';
/** Negative, zero or positive as the first value lies before, at or after the second; undefined when they do not compare. */
type Compare = (stored: FilterScalar, asked: FilterScalar) => number | undefined;

function isOrderedBy(
  members: readonly FilterScalar[],
  asked: FilterScalar,
  type: OrderType,
  compare: Compare,
): boolean {
  return members.some((member) => isOrdered(member, asked, type, compare));
}

function isOrdered(stored: FilterScalar, asked: FilterScalar, type: OrderType, compare: Compare): boolean {
  if (typeof stored === 'boolean') return false;
  const order = compare(stored, asked);
  if (order === undefined) return false;
  switch (type) {
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    default:
      return assertNever(type);
  }
}

function compareValues(stored: FilterScalar, asked: FilterScalar): number | undefined {
  if (typeof stored === 'string' && typeof asked === 'string') return compareCodePoints(stored, asked);
  if (typeof stored === 'number' && typeof asked === 'number') return stored === asked ? 0 : stored < asked ? -1 : 1;
  if (typeof stored === 'boolean' && typeof asked === 'boolean') return Number(stored) - Number(asked);
  return undefined;
}

function compareInstants(stored: FilterScalar, asked: FilterScalar): number | undefined {
  if (typeof stored !== 'string' || typeof asked !== 'string') return undefined;
  const difference = Date.parse(stored) - Date.parse(asked);
  return Number.isNaN(difference) ? undefined : difference;
}

/** The order of UTF-8 bytes, which is what search engines keep; `<` on strings orders UTF-16 units, another order above U+D7FF. */
function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rankOfUnit(x) - rankOfUnit(y);
  }
  return a.length - b.length;
}

/** Lifts surrogates (code points from U+10000) above U+E000-U+FFFF. */
function rankOfUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
