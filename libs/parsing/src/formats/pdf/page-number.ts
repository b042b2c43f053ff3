/** What is printed at the edge of a page: words, and the number of the page with them or alone. */
export interface NumberedText {
  /** The words without the number; empty where there is nothing else. */
  readonly words: string;
  readonly number: number;
  /** `named`: `Page 3`, `3 of 9` or `- 3 -`. `loose`: nothing but a space sets it apart from the words, before or behind them. */
  readonly kind: 'named' | 'bare' | 'loose';
  readonly place: 'alone' | 'before' | 'behind';
}

const NAME =
  'pages?|pg|p|seiten?|s|blatt|hoja|página|pagina|pág|pag|folio|feuille|strona|str|side|sida|sivu|bladzijde|стр|страница|第';
const TOTAL = String.raw`\s*(?:/|of|von|de|di|sur|van|av|af|z|из|共)\s*\d{1,5}`;
const NUMBER = String.raw`(?:(?<name>${NAME})\.?\s*)?(?<digits>\d{1,5}|[ivxlc]{1,7})(?<total>${TOTAL})?\s*(?<unit>[頁页]|ページ)?`;
const ALONE = new RegExp(String.raw`^[\s|·•–—(\[-]*${NUMBER}[\s|·•–—)\]-]*$`, 'iu');
const BEHIND = new RegExp(
  String.raw`^(?<words>.*\S)(?:\s*[|·•–—]\s*|\s+-\s+|\s{2,}|\s+(?=(?:${NAME})\.?\s*\d))${NUMBER}$`,
  'iu',
);
const BEFORE = new RegExp(String.raw`^${NUMBER}(?:\s*[|·•–—]\s*|\s+-\s+|\s{2,})(?<words>\S.*)$`, 'iu');
const FRAMED = /^[-–—]\s*\S+\s*[-–—]$/u;
const PLACES = [
  ['alone', ALONE],
  ['behind', BEHIND],
  ['before', BEFORE],
] as const;
/** Words that a number of something else follows. */
const LABEL = /(?:^|[\s(])(?:no|nr|num|number|nummer|número|numéro|n°|nº|№|#)[.:]?$|:$/iu;
/** `03/2025` is a month. */
const YEAR = /\/\s*(?:19|20)\d\d$/;
const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/**
 * What may be the number of the page in a text: alone, or before or behind other words; undefined where there is none. Whether it counts the pages,
 * other pages must tell.
 */
export function pageNumberOf(text: string): NumberedText | undefined {
  for (const [place, pattern] of PLACES) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    const { words = '', name, digits = '', total, unit } = groups;
    const number = /\d/.test(digits) ? Number(digits) : romanNumber(digits.toLowerCase());
    if (number <= 12 && total !== undefined && YEAR.test(total)) return undefined;
    const isFramed = place === 'alone' && FRAMED.test(text);
    const isNamed = name !== undefined || total !== undefined || unit !== undefined || isFramed;
    return { words: words.trim(), number, kind: isNamed ? 'named' : 'bare', place };
  }
  const before = /^(?<digits>\d{1,5})\s+(?<words>\p{L}.*)$/u.exec(text)?.groups;
  const behind = /^(?<words>.*\S)\s+(?<digits>\d{1,5})$/u.exec(text)?.groups;
  const { words, digits } = before ?? behind ?? {};
  if (words === undefined || digits === undefined || LABEL.test(words)) return undefined;
  return {
    words: words.trim(),
    number: Number(digits),
    kind: 'loose',
    place: before === undefined ? 'behind' : 'before',
  };
}

function romanNumber(digits: string): number {
  const values = [...digits].map((digit) => ROMAN[digit] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}
