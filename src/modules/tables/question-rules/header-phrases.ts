import { longForm } from './header-synonyms.js';
import { headerWords, type ColumnLink } from './link-columns.js';
import type { FoundValue, QuestionTable } from './question-table.js';
import { fold, stemOf, tokensOf, type Token } from './words.js';

interface Mentions {
  readonly tokens: readonly Token[];
  readonly columns: readonly ColumnLink[];
}

/** Whether a token is of `the last services` where the header is `Last service`: the last one of each row, and not of all. */
export function isOfHeaderInPlural({ tokens, columns }: Mentions, at: number): boolean {
  return columns.some(({ from, to, column }) => {
    if (at < from || at >= to) return false;
    const head = headerWords(column);
    const isWhole =
      head.length > 1 &&
      head.length === to - from &&
      head.every(({ stem }, index) => stem === tokens[from + index]!.stem);
    return isWhole && tokens[to - 1]!.text.endsWith('s') && !head.at(-1)!.text.endsWith('s');
  });
}

/** `which piece of equipment` where that is a header. */
export function isPieceOf({ tokens, columns }: Mentions, at: number): boolean {
  return (
    /^(?:pieces?|items?|bits?)$/.test(tokens[at]!.text) &&
    tokens[at + 1]?.text === 'of' &&
    columns.some(({ from, column }) => from === at + 2 && column.type === 'text')
  );
}

/** What all of the rows are together. */
const ALL_OF_THEM =
  /^(?:fleet|inventory|stock|catalogue|catalog|bestand|fuhrpark|maschinenpark|parc|flotte|inventaire|parque|flota|inventario|catalogo)$/;

/** `the oldest machine of the fleet`: all that the table has. */
export function isOfAll({ tokens }: Mentions, at: number): boolean {
  const before = tokens.slice(Math.max(0, at - 2), at).map(({ text }) => text);
  const isLast = at === tokens.length - 1;
  return isLast && ALL_OF_THEM.test(tokens[at]!.text) && before.some((text) => /^(?:of|in)$/.test(text));
}

const HYPHENED = /(?<![\p{L}\p{N}-])(\p{L}+)[-‐‑](\p{L}+)(?![\p{L}\p{N}-])/gu;

/** The question with words that are hyphened as the table has them: `call-outs` where a header is `callouts`. */
export function joinWords(question: string, { title, name, columns }: QuestionTable): string {
  if (!/[-‐‑]/u.test(question)) return question;
  const heads = columns.map(({ label, name: own }) => new Set(stemsOf(label === '' ? own : label)));
  const known = new Set([...heads.flatMap((head) => [...head]), ...stemsOf(`${title} ${name}`)]);
  return question.replace(HYPHENED, (whole: string, first: string, second: string) => {
    const parts = stemsOf(`${first} ${second}`);
    const isApart = heads.some((head) => parts.every((part) => head.has(part)));
    return !isApart && stemsOf(first + second).some((stem) => known.has(stem)) ? first + second : whole;
  });
}

function stemsOf(text: string): string[] {
  return tokensOf(text.replaceAll('_', ' ')).map((token) => stemOf(longForm(token.text)));
}

const BY_THE_HOUR = /\/\s*(?:h|std|stunde)(?!\p{L})|stunden?satz|stundensätze|pro stunde/iu;

/** `Gesellenstunde` in a price list by the hour is what a `Geselle` costs. */
export function withoutHours(
  question: string,
  { title, columns }: QuestionTable,
  found: readonly FoundValue[],
): string {
  if (!/stunden?(?!\p{L})/iu.test(question) || !columns.some(({ label }) => BY_THE_HOUR.test(`${label} ${title}`)))
    return question;
  return question.replace(/\p{L}{8,}/gu, (word) => {
    const own = fold(word);
    const value = found.find(({ value: cell }) => {
      const start = fold(cell);
      return start.length > 3 && own.startsWith(start) && /^(?:n|en|s|er)?stunden?$/.test(own.slice(start.length));
    });
    return value?.value ?? word;
  });
}
