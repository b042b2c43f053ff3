const MAX_RANGES = 20;

/** Page numbers as people write them: `3, 5–9`. Long lists end with how many ranges are left out. */
export function pageRanges(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && page <= last[1] + 1) last[1] = page;
    else ranges.push([page, page]);
  }
  const shown = ranges.slice(0, MAX_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  const more = ranges.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} further ranges` : ''}`;
}
