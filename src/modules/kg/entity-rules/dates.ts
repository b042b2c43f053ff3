import type { NamedSpan } from './named-span.js';

const MONTHS = [
  'january|february|march|april|may|june|july|august|september|october|november|december',
  'januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember',
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre',
  'ocak|şubat|mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık',
  'janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre',
].join('|');

/** With day, month and year, or as much of it as there is beside a year; without a bound on nothing. */
const DATES = [
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:\\d{1,2}(?:st|nd|rd|th|\\.)? (?:de )?)?(?:${MONTHS})(?: \\d{1,2},)?(?: de| del)? \\d{4}(?![\\p{L}\\p{N}])`,
    'giu',
  ),
  /(?<!\p{L})(?:spring|summer|autumn|winter|frühling|frühjahr|sommer|herbst|primavera|verano|otoño|invierno) (?:of |de )?\d{4}(?!\p{N})/giu,
  /(?<![\p{L}\p{N}.-])\d{4}-\d{2}-\d{2}(?![\p{L}\p{N}-])/gu,
  /(?<![\p{L}\p{N}.])\d{1,2}[./]\d{1,2}[./]\d{4}(?![\p{L}\p{N}])/gu,
  /\d{4}\s?[年년](?:\s?\d{1,2}\s?[月월](?:\s?\d{1,2}\s?[日일])?)?/gu,
  // A year alone, where a word in front says that it is one.
  /(?<=(?<!\p{L})(?:in|since|until|by|before|after|from|im jahr|seit|bis|en|desde|hasta|de|en el año) )(?:1[5-9]|20)\d{2}(?![\p{L}\p{N}%.,]\d|[\p{L}\p{N}%])/giu,
];

/** Dates in a sentence, longest form first. */
export function findDates(sentence: string): NamedSpan[] {
  const found: NamedSpan[] = [];
  for (const pattern of DATES) {
    for (const match of sentence.matchAll(pattern)) {
      const span = { start: match.index, end: match.index + match[0].length, type: 'date' as const, certain: true };
      if (found.every(({ start, end }) => span.start >= end || span.end <= start)) found.push(span);
    }
  }
  return found;
}
