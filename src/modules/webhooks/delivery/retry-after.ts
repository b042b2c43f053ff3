/** Seconds or a date, as RFC 9110 section 10.2.3 has it. */
const SECONDS = /^\d{1,12}$/;
const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/** Seconds from `now` (milliseconds) that a header `Retry-After` asks to wait; null for none, for one that cannot be read and for the past. */
export function secondsToWait(header: string | undefined, now: number): number | null {
  const value = header?.trim() ?? '';
  if (SECONDS.test(value)) return Number(value);
  const at = DATE.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) || at <= now ? null : (at - now) / 1000;
}
