import type { Condition, TableQuery } from './table-query.js';
import { isTakenForRows } from './row-kinds.js';
import { isFiller, isInflected, isSameWord, tokensOf, type Token } from './words.js';

/** What any row may be called. */
const ROWS = /^(?:row|record|entry|entrie|line|item|thing|people|person|personen|leute)s?$/;
const COUNTS = /\b(?:how (?:many|often)|(?:number|count) of)\b/i;

/**
 * Whether a query names something of its table. A count of rows fits every table: it is about this one when the word for what is counted
 * (`how many dogs …`) is its name, its title or a header, or a word for any row. Words of the conditions may be before it (`how many
 * open tickets …`).
 */
export function isAboutTable(question: string, query: TableQuery): boolean {
  if (query.kind !== 'measure' || query.measure.column !== undefined) return true;
  const { name, title, columns } = query.table;
  const own = tokensOf([name.replaceAll('_', ' '), title, ...columns.map(({ label }) => label)].join(' \n '));
  const names = (token: Token): boolean =>
    ROWS.test(token.text) ||
    (!isFiller(token.text) && (isOneOf(token, own) || isTakenForRows(token.stem, query.table)));
  const behind = tokensOf(question.slice(question.search(COUNTS))).slice(2);
  const demanded = tokensOf(query.where.map(wordsOf).join(' \n '));
  const counted = behind.find((token) => names(token) || !(isFiller(token.text) || isOneOf(token, demanded)));
  if (counted !== undefined && COUNTS.test(question)) return names(counted);
  return query.where.length > 0 || tokensOf(question).some(names);
}

function isOneOf(token: Token, words: readonly Token[]): boolean {
  return words.some((word) => isSameWord(token, word) === 'same' || isInflected(token.text, word.text));
}

function wordsOf(condition: Condition): string {
  if (condition.kind === 'any') return condition.of.map(wordsOf).join(' ');
  if (condition.kind === 'in') return condition.values.join(' ');
  if (condition.kind === 'compare') return String(condition.value);
  return condition.kind === 'has_text' ? condition.text : '';
}
