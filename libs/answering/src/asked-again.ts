/** Words that end as superlatives do and are none. */
const NO_MOST =
  '(?!(?:inter|requ|gu|r|w|t|for|hon|mod|pri|harv|prot|manif|b|inv|cont|dig|arr|n|v|p|ch|qu)est(?!\\p{L}))';
const MOST = String.raw`(?<!\p{L})(?:(?:the\s)?(?:most|least)\s\p{L}{3,}|(?:the\s)?${NO_MOST}\p{L}{3,}est|am\s\p{L}{3,}ten|(?:der|die|das|den|dem)\s\p{L}{3,}(?:ßt|st)e[nrsm]?|(?:le|la|les)\s(?:plus|moins)\s\p{L}{3,}|(?:el|la|los|las)\s(?:más|menos)\s\p{L}{3,})(?!\p{L})`;
const GOES_ON = String.raw`^\W*(?:(?:and|or|but|und|oder|aber|et|ou|mais|y|o|pero)\s)?(?:(?:which|what|which one|who|welche[rsn]?|lequel|laquelle|cuál)\s(?:is|are|ist|sind|est|es)\s|what about\s|how about\s)?`;
/** “And the most expensive?”, „und am teuersten?“ */
const OTHER_MOST = new RegExp(String.raw`${GOES_ON}(${MOST})(?:\sone)?\W*$`, 'iu');
const ANY_MOST = new RegExp(MOST, 'giu');
/** “And the year before?”, „Und im Vorjahr?“ */
const YEAR_BEFORE = new RegExp(
  String.raw`${GOES_ON}(?:in\s|im\s|en\s)?(?:the (?:year before(?: that)?|previous year|prior year)|(?:das\s|dem\s|letzte[sn]?\s)?(?:jahr davor|jahr zuvor|vorjahr|vorherigen jahr)|l['’]année (?:précédente|d['’]avant)|el año anterior)\W*$`,
  'iu',
);
const YEARS = /(?<![\d.,])(?:19|20)\d{2}(?![\d.,]\d|\d)/gu;

/** Whether a message may ask nothing but the same of another one. */
export function isAskedAgain(question: string): boolean {
  return OTHER_MOST.test(question) || YEAR_BEFORE.test(question);
}

/**
 * The question before, asked of another one: with the superlative that a follow-up consists of in the place of its own, or with the year before its
 * year. Undefined where the follow-up says more, or the question before has not one such place.
 */
export function askAgain(question: string, before: string): string | undefined {
  const most = OTHER_MOST.exec(question)?.[1];
  if (most !== undefined) return replaceOnly(before, ANY_MOST, () => most);
  if (YEAR_BEFORE.test(question)) return replaceOnly(before, YEARS, (year) => String(Number(year) - 1));
  return undefined;
}

function replaceOnly(text: string, pattern: RegExp, replaced: (found: string) => string): string | undefined {
  return [...text.matchAll(pattern)].length === 1 ? text.replace(pattern, replaced) : undefined;
}
