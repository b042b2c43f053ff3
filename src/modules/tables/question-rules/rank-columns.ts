import { linkQuestion } from './linked-question.js';
import type { FoundValue, QuestionColumn, QuestionTable } from './question-table.js';

/** The columns of a table, those first that a question names, then those with cells that have its words; else in their order. */
export function rankColumns(question: string, table: QuestionTable, found: readonly FoundValue[]): QuestionColumn[] {
  const { columns, values } = linkQuestion(question, table, found);
  const named = new Map<string, number>();
  for (const { column, score } of columns) named.set(column.name, Math.max(score, named.get(column.name) ?? 0));
  const inCells = new Set(values.flatMap(({ options }) => options.map(({ column }) => column.name)));
  const points = ({ name }: QuestionColumn): number => (named.get(name) ?? 0) * 2 + (inCells.has(name) ? 1 : 0);
  return table.columns.toSorted((a, b) => points(b) - points(a));
}
