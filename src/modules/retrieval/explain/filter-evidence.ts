import type { JsonObject } from '#libs/common';
import {
  matchesFilter,
  type ChunkMetadata,
  type Filter,
  type FilterCondition,
  type FilterGroup,
} from '#libs/vector-store';

/** A condition that keeps a document out. */
export interface UnmetCondition {
  /** JSON pointer of the condition in the request. */
  readonly pointer: string;
  readonly detail: string;
  /** What is asked for, as filters write it. */
  readonly condition: JsonObject;
}

/**
 * The single conditions because of which a document does not meet a filter. Of an unmet `or` all members are named, since any of them would be
 * enough; of a `not` the conditions inside it that hold.
 */
export function unmetConditions(filter: Filter, facts: ChunkMetadata, pointer = '/filters'): UnmetCondition[] {
  if (matchesFilter(filter, facts)) return [];
  if (filter.type === 'not') return metConditions(filter.filters, facts, pointer);
  if (isGroup(filter)) {
    if (filter.filters.length === 0)
      return [{ pointer, detail: '"or" of no filters never holds', condition: writtenOf(filter) }];
    return filter.filters.flatMap((inner, index) => unmetConditions(inner, facts, `${pointer}/filters/${index}`));
  }
  return [{ pointer, detail: wordsOf(filter), condition: writtenOf(filter) }];
}

/** A filter is written as it is kept. */
const writtenOf = (filter: Filter): JsonObject => filter as object as JsonObject;

function isGroup(filter: Filter): filter is FilterGroup {
  return 'filters' in filter;
}

function wordsOf(condition: FilterCondition): string {
  const wanted = condition.type === 'exists' ? (condition.value ?? true) : condition.value;
  return `${condition.key} is not "${condition.type}" ${JSON.stringify(wanted)}`;
}

function metConditions(filters: readonly Filter[], facts: ChunkMetadata, pointer: string): UnmetCondition[] {
  return filters.flatMap((inner, index) =>
    matchesFilter(inner, facts)
      ? [
          {
            pointer: `${pointer}/filters/${index}`,
            detail: 'holds, and "not" wants it not to',
            condition: writtenOf({ type: 'not', filters: [inner] }),
          },
        ]
      : [],
  );
}

/** The most of a filter that the document meets; undefined when nothing is left of it. */
export function relaxFilter(filter: Filter, facts: ChunkMetadata): Filter | undefined {
  if (matchesFilter(filter, facts)) return filter;
  if (filter.type === 'not')
    return grouped(
      filter.type,
      filter.filters.filter((inner) => !matchesFilter(inner, facts)),
    );
  if (filter.type !== 'and') return undefined;
  return grouped(
    filter.type,
    filter.filters.flatMap((inner) => relaxFilter(inner, facts) ?? []),
  );
}

function grouped(type: 'and' | 'not', filters: readonly Filter[]): Filter | undefined {
  return filters.length === 0 ? undefined : { type, filters };
}
