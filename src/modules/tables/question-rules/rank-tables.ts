import { linkColumns } from './link-columns.js';
import type { QuestionTable } from './question-table.js';
import { isFiller, isSameWord, tokensOf, type Token } from './words.js';

/** A table with words of its cells, as far as they are known without looking into it. */
export interface TableSketch {
  readonly table: QuestionTable;
  /** Some of its cells, and names of its documents. */
  readonly words: readonly string[];
}

const OF_TITLE = 0.8;
const OF_WORDS = 0.6;

/** The tables that a question can be about, those with most of its words first; the given order decides between equals. */
export function rankTables<T extends TableSketch>(question: string, tables: readonly T[], most: number): T[] {
  const tokens = tokensOf(question);
  return tables
    .map((sketch) => ({ sketch, points: pointsOf(tokens, sketch) }))
    .toSorted((a, b) => b.points - a.points)
    .slice(0, most)
    .map(({ sketch }) => sketch);
}

function pointsOf(question: readonly Token[], { table, words }: TableSketch): number {
  const columns = linkColumns(question, table.columns);
  const inColumns = new Map<string, number>();
  for (const { column, score } of columns) inColumns.set(column.name, Math.max(score, inColumns.get(column.name) ?? 0));
  const header = [...inColumns.values()].reduce((sum, score) => sum + score, 0);
  const title = sharedWords(question, tokensOf(`${table.title} ${table.name.replaceAll('_', ' ')}`));
  return header + title * OF_TITLE + sharedWords(question, words.flatMap(tokensOf)) * OF_WORDS;
}

function sharedWords(question: readonly Token[], words: readonly Token[]): number {
  return question.filter((token) => !isFiller(token.text) && words.some((word) => isSameWord(token, word) === 'same'))
    .length;
}
