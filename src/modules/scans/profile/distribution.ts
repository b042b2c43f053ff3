/** Distribution of numbers; percentiles are values that occur (nearest rank). */
export interface NumberSpread {
  readonly count: number;
  readonly total: number;
  readonly min: number;
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** Null if there are no numbers. */
export function spreadOf(numbers: readonly number[]): NumberSpread | null {
  if (numbers.length === 0) return null;
  const sorted = Float64Array.from(numbers).toSorted();
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
  return {
    count: sorted.length,
    total: sorted.reduce((sum, value) => sum + value, 0),
    min: sorted[0]!,
    p5: rank(0.05),
    p50: rank(0.5),
    p95: rank(0.95),
    max: sorted.at(-1)!,
  };
}

/** Counts by value, for a list of the most frequent ones. */
export class Tally {
  private readonly counts = new Map<string, number>();

  add(value: string): void {
    this.counts.set(value, (this.counts.get(value) ?? 0) + 1);
  }

  /** The most frequent values first, then by value. */
  list(most: number, whole: number): { readonly value: string; readonly documents: number; readonly share: number }[] {
    return [...this.counts]
      .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
      .slice(0, most)
      .map(([value, documents]) => ({ value, documents, share: shareOf(documents, whole) }));
  }
}

/** Rounded to four decimal places; 0 if there is nothing. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}
