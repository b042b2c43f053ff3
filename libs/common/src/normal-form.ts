/** Marks on one letter that are kept: the limit of Unicode's Stream-Safe Text Format (UAX #15), above what any language writes. */
const MARKS_MAX = 30;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MARKS_MAX}})\\p{M}+`, 'gu');

/**
 * A text in a normal form of Unicode, in time that grows with its length: marks of one letter are sorted by exchanging neighbours,
 * so that a letter with 100,000 of them takes seconds. Of a longer row of marks the first 30 are kept.
 */
export function toNormalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return (text.length > MARKS_MAX ? text.replace(TOO_MANY_MARKS, '$1') : text).normalize(form);
}
