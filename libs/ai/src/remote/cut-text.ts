import { countTokens } from '#libs/text';

/** The beginning of a text that has at most `maxTokens` tokens as they are estimated here, without half a surrogate pair at its end. */
export function cutToTokens(text: string, maxTokens: number): string {
  if (countTokens(text) <= maxTokens) return text;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (countTokens(text.slice(0, middle)) <= maxTokens) fits = middle;
    else tooLong = middle;
  }
  return cutToChars(text, fits);
}

/** The first UTF-16 units of a text, without half a surrogate pair at its end. */
export function cutToChars(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\ud800-\udbff]$/, '');
}
