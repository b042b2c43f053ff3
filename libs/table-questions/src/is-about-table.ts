import type { TableQuery } from './table-query.js';
import { isFiller, isSameWord, tokensOf } from './words.js';

const ROWS = /^(?:row|record|entry|entrie|line|item)s?$/;

/**
 * Whether a query names something of its table. `How many … are there` counts the rows of any table: it is about this one when a word
 * of the question is its name, its title or a header, or the word for rows.
 */
export function isAboutTable(question: string, query: TableQuery): boolean {
  if (query.kind !== 'measure' || query.measure.column !== undefined || query.where.length > 0) return true;
  const { name, title, columns } = query.table;
  const own = tokensOf([name.replaceAll('_', ' '), title, ...columns.map(({ label }) => label)].join(' \n '));
  return tokensOf(question).some(
    (token) =>
      ROWS.test(token.text) || (!isFiller(token.text) && own.some((word) => isSameWord(token, word) === 'same')),
  );
}
