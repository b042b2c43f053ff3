/** A number, a time or a month as a text states it. */
export interface Quantity {
  /** The ways in which another text may state it; one of them is enough. A month is `m3`. */
  readonly forms: readonly string[];
  /** Whether a text without it says something else; not of words that are often no number (“both”, French “neuf”). */
  readonly isTelling: boolean;
}

const GROUPED = /^[1-9]\d{0,2}(?:[.,'’ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?$/;

/** A number in digits without leading zeros, marks between thousands, and zeros behind a decimal mark. */
export function plainNumber(written: string): string {
  if (written.length > 15) return written;
  if (!GROUPED.test(written)) return String(Number(written.replace(',', '.')));
  const [, whole, rest = '0'] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(written)!;
  return String(Number(`${whole!.replace(/\D/g, '')}.${rest}`));
}
