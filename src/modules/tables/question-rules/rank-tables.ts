import { linkColumns } from './link-columns.js';
import type { QuestionTable } from './question-table.js';
import { rosterOf } from './rosters/roster.js';
import { tariffOf } from './tariffs/durations.js';
import { seasonsOf } from './tariffs/seasons.js';
import { isFiller, isSameWord, tokensOf, type Token } from './words.js';

/** A table with words of its cells, as far as they are known without looking into it. */
export interface TableSketch {
  readonly table: QuestionTable;
  /** Some of its cells, and names of its documents. */
  readonly words: readonly string[];
}

const OF_TITLE = 0.8;
const OF_WORDS = 0.6;
/** What a word adds that one table alone has; one that several have is shared among them. */
const OF_RARE = 1;
/** A table with a column for the day, or for the time, that the question names. */
const OF_CHOSEN = 4;

/** The tables that a question can be about, those with most of its words first; the given order decides between equals. */
export function rankTables<T extends TableSketch>(question: string, tables: readonly T[], most: number): T[] {
  const tokens = tokensOf(question);
  const known = tables.map((sketch) => ({ sketch, ...knownOf(question, tokens, sketch) }));
  const holders = tokens.map((_, at) => known.filter(({ held }) => held.has(at)).length);
  return known
    .map(({ sketch, points, held }) => ({
      sketch,
      points: [...held].reduce((sum, at) => sum + OF_RARE / holders[at]!, points),
    }))
    .toSorted((a, b) => b.points - a.points)
    .slice(0, most)
    .map(({ sketch }) => sketch);
}

/** What a table has of a question: points, and the places of the words themselves. */
function knownOf(
  question: string,
  tokens: readonly Token[],
  { table, words }: TableSketch,
): { readonly points: number; readonly held: ReadonlySet<number> } {
  const columns = linkColumns(tokens, table.columns);
  const inColumns = new Map<string, number>();
  for (const { column, score } of columns) inColumns.set(column.name, Math.max(score, inColumns.get(column.name) ?? 0));
  const header = [...inColumns.values()].reduce((sum, score) => sum + score, 0);
  const titled = sharedWords(tokens, tokensOf(`${table.title} ${table.name.replaceAll('_', ' ')}`));
  const inCells = sharedWords(tokens, words.flatMap(tokensOf));
  const inHeaders = columns.flatMap(({ from, to, isSynonym }) =>
    isSynonym ? [] : Array.from({ length: to - from }, (_, index) => from + index),
  );
  const chosen = [rosterOf, seasonsOf, tariffOf].map((of) => of(tokens, question, table)?.chosen).find(Boolean);
  return {
    points: header + titled.length * OF_TITLE + inCells.length * OF_WORDS + (chosen === undefined ? 0 : OF_CHOSEN),
    held: new Set([...titled, ...inCells, ...inHeaders.filter((at) => !isFiller(tokens[at]!.text))]),
  };
}

/** Places of the words that are among others. */
function sharedWords(question: readonly Token[], words: readonly Token[]): number[] {
  return question.flatMap((token, at) =>
    !isFiller(token.text) && words.some((word) => isSameWord(token, word) === 'same') ? [at] : [],
  );
}
