/** Whether `a` is a later version than `b`, by their three numbers. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [numbers(a), numbers(b)];
  for (const place of [0, 1, 2]) {
    if (left[place]! !== right[place]!) return left[place]! > right[place]!;
  }
  return false;
}

function numbers(version: string): number[] {
  return [...version.split(/[-+]/, 1)[0]!.split('.').map(Number), 0, 0, 0];
}
