/** A whole number in parts that differ by one at most and sum up to it, larger ones first. */
export function divideEvenly(total: number, parts: number): number[] {
  const [share, rest] = [Math.floor(total / parts), total % parts];
  return Array.from({ length: parts }, (_, index) => share + (index < rest ? 1 : 0));
}
