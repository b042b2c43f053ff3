import { describe, expect, it } from 'vitest';
import type { QuestionColumn } from '../question-rules/question-table.js';
import { countTokens } from '#libs/text';
import type { ShownTable } from '../catalogue/document-tables.repository.js';
import { fitSchema, MOST_TABLES } from './fit-schema.js';
import type { LinkedTable } from './rule-readings.service.js';

const part = (name: string): ShownTable => ({ name }) as unknown as ShownTable;

function linked(name: string, columns: number, parts = [part(name)]): LinkedTable {
  const all = Array.from({ length: columns }, (_, index): QuestionColumn => ({
    name: `column_${index}`,
    label: index === columns - 1 ? 'Berths' : `Column ${index}`,
    type: 'text',
    unit: null,
    nullable: false,
    distinct: 5,
    min: null,
    max: null,
  }));
  const samples = new Map(all.map((column) => [column.name, ['a'.repeat(500), 'b', 'c', 'd', 'e', 'f', 'g']]));
  const table = { name, title: name, columns: all, rowCount: 9, hasTotals: false };
  return { table, parts, found: [{ column: 'column_0', value: 'found' }], samples };
}

interface Described {
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly values?: readonly string[] }[];
}
const described = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Described);

describe('what a model is shown of tables', () => {
  it('is cut to a number of tables, columns, values and characters', () => {
    const tables = Array.from({ length: 9 }, (_, index) => linked(`t${index}`, index === 0 ? 60 : 3));
    const { lines, leftOut } = fitSchema('How many berths?', tables, 20, 50_000);
    const shown = described(lines);
    expect(shown.map(({ table }) => table)).toEqual(['t0', 't1', 't2', 't3', 't4', 't5']);
    expect(shown).toHaveLength(MOST_TABLES);
    expect(shown[0]!.columns).toHaveLength(40);
    // What the question names is kept, wherever it is.
    expect(shown[0]!.columns.map(({ name }) => name)).toContain('column_59');
    expect(shown[0]!.columns[0]!.values).toEqual(['found', `${'a'.repeat(80)}…`, 'b', 'c', 'd', 'e']);
    expect(leftOut).toEqual({ tables: 14, columns: 20 });
  });

  it('never takes more tokens than there are', () => {
    const tables = Array.from({ length: 6 }, (_, index) => linked(`t${index}`, 60));
    for (const tokens of [0, 100, 500, 1_000, 4_000]) {
      const { lines, leftOut, tables: shown } = fitSchema('How many berths?', tables, 6, tokens);
      expect(lines.reduce((sum, line) => sum + countTokens(line), 0)).toBeLessThanOrEqual(tokens);
      expect(leftOut.tables).toBe(6 - shown);
    }
  });

  it('shows rows once', () => {
    const [one, other] = [part('a'), part('b')];
    const tables = [linked('all', 2, [one, other]), linked('a', 2, [one]), linked('b', 2, [other])];
    const { lines, leftOut, parts } = fitSchema('How many berths?', tables, 3, 4_000);
    expect(described(lines).map(({ table }) => table)).toEqual(['all']);
    expect(leftOut.tables).toBe(0);
    expect(parts).toEqual([one, other]);
  });
});
