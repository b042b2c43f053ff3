/** Arithmetic on half-open ranges `{ start, end }`. */

/** The parts of `evidence` that lie in the range. */
export function overlapOf({ start, end }, evidence) {
  return evidence
    .map((one) => ({ start: Math.max(start, one.start), end: Math.min(end, one.end) }))
    .filter((one) => one.end > one.start);
}

/** The ranges in order, overlapping and adjoining ones joined. */
export function union(ranges) {
  const merged = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

export function lengthOf({ start, end }) {
  return end - start;
}

/** Sum of the lengths; what two ranges share counts twice. */
export function sumOf(ranges) {
  return ranges.reduce((sum, range) => sum + lengthOf(range), 0);
}

/** Mean of a value over the items; NaN without items. */
export function meanOf(items, valueOf) {
  return items.reduce((sum, item) => sum + valueOf(item), 0) / items.length;
}
