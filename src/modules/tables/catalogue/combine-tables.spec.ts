import { describe, expect, it } from 'vitest';
import type { ColumnType } from '#libs/tabular';
import { combineTables, widerType } from './combine-tables.js';
import type { ShownTable } from './document-tables.repository.js';

function table(name: string, types: readonly ColumnType[], more: Partial<ShownTable> = {}): ShownTable {
  const columns = types.map((type, index) => ({
    name: `c${index}`,
    label: `C${index}`,
    type,
    unit: null,
    nullable: false,
  }));
  return { name, title: name, combined_name: `all_${types.length}`, columns, ...more } as ShownTable;
}

describe('tables with the same columns', () => {
  it('are one table besides, with the widest type of each column', () => {
    const [combined, ...rest] = combineTables([table('a', ['integer', 'date']), table('b', ['number', 'text'])]);
    expect(rest).toEqual([]);
    expect(combined).toMatchObject({
      name: 'all_2',
      documentColumn: 'document',
      columns: [{ type: 'number' }, { type: 'text' }],
    });
    expect(combined!.parts.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('keep a unit that all of them have, and lose one that differs', () => {
    const priced = (name: string, unit: string) => {
      const one = table(name, ['number']);
      return { ...one, columns: one.columns.map((column) => ({ ...column, unit })) };
    };
    expect(combineTables([priced('a', 'EUR'), priced('b', 'EUR')])[0]!.columns[0]!.unit).toBe('EUR');
    expect(combineTables([priced('a', 'EUR'), priced('b', 'USD')])[0]!.columns[0]!.unit).toBeNull();
  });

  it('are none where there is one, or where a table has the name already', () => {
    expect(combineTables([table('a', ['text'])])).toEqual([]);
    expect(combineTables([table('a', ['text']), table('b', ['text']), table('all_1', ['text', 'text'])])).toEqual([]);
  });

  it('name the column of documents so that no other has its name', () => {
    const named = (name: string) => {
      const one = table(name, ['text']);
      return { ...one, columns: one.columns.map((column) => ({ ...column, name: 'document' })) };
    };
    expect(combineTables([named('a'), named('b')])[0]!.documentColumn).toBe('document_2');
  });
});

describe('the type that holds the values of two', () => {
  it.each([
    ['integer', 'number', 'number'],
    ['date', 'datetime', 'datetime'],
    ['date', 'number', 'text'],
    ['boolean', 'boolean', 'boolean'],
  ] as const)('of %s and %s is %s', (a, b, both) => {
    expect([widerType(a, b), widerType(b, a)]).toEqual([both, both]);
  });
});
