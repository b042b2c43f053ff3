import { setTimeout as wait } from 'node:timers/promises';

export interface UntilOptions {
  /** What is waited for, for the message when it does not come. */
  readonly what?: string;
  /** Milliseconds after which waiting is given up; 30,000 unless told otherwise. */
  readonly withinMs?: number;
  /** Milliseconds between two looks; 20 unless told otherwise. */
  readonly everyMs?: number;
}

/**
 * The one way in which tests wait: looks at once and then again and again, and resolves to the first answer that is not false, null
 * or undefined. What `condition` throws goes through. Specs import it by `#testing/until`, which loads nothing else.
 * @throws Error that names what was waited for and the last answer, when the time is over
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { what = 'what was waited for', withinMs = 30_000, everyMs = 20 }: UntilOptions = {},
): Promise<Exclude<T, false | null | undefined>> {
  for (const end = performance.now() + withinMs; ; await wait(everyMs)) {
    const found = await condition();
    if (found !== false && found !== null && found !== undefined) {
      return found as Exclude<T, false | null | undefined>;
    }
    if (performance.now() > end) throw new Error(`${what}: not within ${withinMs} ms (last: ${String(found)})`);
  }
}
