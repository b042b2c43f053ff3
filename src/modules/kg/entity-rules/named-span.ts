/** A stretch of a sentence that names something. */
export interface NamedSpan {
  /** In the sentence. */
  readonly start: number;
  readonly end: number;
  /** Null: nothing beside it tells. */
  readonly type: GraphEntityType | null;
  /** Whether the stretch by itself is enough to be an entity. */
  readonly certain: boolean;
  /** Whether it only counts as a part of another name. */
  readonly aliasOnly?: boolean;
  /** Whether a title tells that it is a person. */
  readonly isTitled?: boolean;
}

/** Takes spans in their order of trust; a later one that overlaps is left out. */
export function withoutOverlaps<Span extends { readonly start: number; readonly end: number }>(
  spans: readonly Span[],
): Span[] {
  const kept: Span[] = [];
  for (const span of spans) {
    if (kept.every(({ start, end }) => span.start >= end || span.end <= start)) kept.push(span);
  }
  return kept.sort((a, b) => a.start - b.start);
}
import type { GraphEntityType } from '../../ingestion-policy/index.js';
