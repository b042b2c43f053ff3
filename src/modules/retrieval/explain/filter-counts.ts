import type { JsonObject, Steps } from '#libs/common';
import { matchesFilter, type ChunkMetadata, type Filter } from '#libs/vector-store';

/** A condition of a filter, as the search applies it and as the request writes it. */
export interface FilterPart {
  /** JSON pointer of the condition in the request, or in the defaults where the request names no filter. */
  readonly pointer: string;
  readonly condition: JsonObject;
  readonly filter: Filter;
}

/** Numbers of documents by one condition. */
export interface PartCounts {
  readonly met: number;
  /** Documents that meet all other conditions but not this one. */
  readonly removedAlone: number;
}

/** The conditions of a filter that must all hold: the members of an `and` at the top, else the filter as a whole. */
export function partsOf(filter: Filter, written: JsonObject): FilterPart[] {
  const members = written['filters'];
  const isAll = filter.type === 'and' && written['type'] === 'and' && Array.isArray(members);
  if (!isAll || filter.filters.length !== members.length) return [{ pointer: '/filters', condition: written, filter }];
  return filter.filters.map((inner, index) => {
    return { pointer: `/filters/filters/${index}`, condition: members[index] as JsonObject, filter: inner };
  });
}

/** Counts documents by the conditions of a filter, page by page. */
export class FilterCounts {
  /** Number of documents that were looked at. */
  examined = 0;
  /** Number of those that meet all conditions. */
  met = 0;
  private readonly counts: { met: number; removedAlone: number }[];

  constructor(private readonly parts: readonly FilterPart[]) {
    this.counts = parts.map(() => ({ met: 0, removedAlone: 0 }));
  }

  /** A condition may have hundreds of values: it pauses after each document. */
  *adding(documents: readonly ChunkMetadata[]): Steps<void> {
    for (const facts of documents) {
      this.examined += 1;
      const unmet: number[] = [];
      this.parts.forEach(({ filter }, index) => {
        if (matchesFilter(filter, facts)) this.counts[index]!.met += 1;
        else unmet.push(index);
      });
      if (unmet.length === 0) this.met += 1;
      if (unmet.length === 1) this.counts[unmet[0]!]!.removedAlone += 1;
      yield;
    }
  }

  /** In the order of the parts. */
  get byPart(): readonly PartCounts[] {
    return this.counts;
  }
}
