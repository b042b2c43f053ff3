import type { Stretch } from './text-pieces.js';

/** How much text behind the last chunk is shown. */
const MOST_REST = 100_000;

interface Page {
  readonly items: readonly { readonly position: { readonly char_start: number; readonly char_end: number } }[];
  readonly skip: number;
  readonly total: number;
}

/** Text between chunks, before the first and behind the last one. */
export interface Gap extends Stretch {
  /** Number within the page of the chunk that follows. */
  readonly before: number;
}

/**
 * Where the first `size` chunks of a page leave text out. One more of them, where there is one, says how far the page reaches; `length` is that of the
 * whole text, 0 where it is not known.
 */
export function gapsOf({ items, total, skip }: Page, size: number, length: number): readonly Gap[] {
  const gaps: Gap[] = [];
  const shown = items.slice(0, size);
  let end = skip === 0 ? 0 : (items[0]?.position.char_start ?? 0);
  for (const [before, { position }] of shown.entries()) {
    if (position.char_start > end) gaps.push({ from: end, to: position.char_start, before });
    end = Math.max(end, position.char_end);
  }
  const isLast = skip + shown.length >= total;
  const reach = isLast ? Math.min(length, end + MOST_REST) : (items[size]?.position.char_start ?? end);
  if (shown.length > 0 && reach > end) gaps.push({ from: end, to: reach, before: shown.length });
  return gaps;
}
