import { describe, expect, it } from 'vitest';
import { partsOfQuery } from './query-parts.js';
import type { QuestionColumn, QuestionTable } from './question-table.js';
import type { Condition } from './table-query.js';

const column = (name: string, label = ''): QuestionColumn => ({ name, label, type: 'number' }) as QuestionColumn;
const PRICE = column('price', 'Price\n(EUR)');
const STOCK = column('stock');
const TABLE = { name: 'articles', columns: [PRICE, STOCK] } as unknown as QuestionTable;
const ABOVE: Condition = { kind: 'compare', column: STOCK, op: '>=', value: 1200 };

describe('partsOfQuery', () => {
  it('says what is computed, of which column, and of which rows', () => {
    const between: Condition = { kind: 'between', column: PRICE, low: 1, high: 2.5 };
    const query = { table: TABLE, where: [ABOVE, between], kind: 'measure' } as const;
    expect(partsOfQuery({ ...query, measure: { function: 'avg', column: PRICE } })).toEqual({
      task: 'measure',
      measure: { function: 'avg', column: 'Price (EUR)' },
      columns: [],
      conditions: [
        { column: 'stock', operator: 'gte', values: [1200] },
        { column: 'Price (EUR)', operator: 'between', values: [1, 2.5] },
      ],
      order: null,
      limit: null,
    });
    expect(partsOfQuery({ ...query, where: [], measure: { function: 'count', column: undefined } })).toMatchObject({
      measure: { function: 'count', column: null },
    });
  });

  it('names the columns that are shown, and words that cells hold or lack', () => {
    const where: Condition[] = [
      { kind: 'in', column: PRICE, values: ['a', 'b'], not: true },
      { kind: 'has_text', column: PRICE, text: 'a', not: false },
      { kind: 'empty', column: STOCK, not: false },
    ];
    const rows = { table: TABLE, where, kind: 'rows', columns: [PRICE], distinct: false } as const;
    expect(partsOfQuery({ ...rows, order: undefined, limit: undefined })).toEqual({
      task: 'rows',
      measure: null,
      columns: ['Price (EUR)'],
      conditions: [
        { column: 'Price (EUR)', operator: 'nin', values: ['a', 'b'] },
        { column: 'Price (EUR)', operator: 'contains', values: ['a'] },
        { column: 'stock', operator: 'empty', values: [] },
      ],
      order: null,
      limit: null,
    });
  });

  it('says which are the greatest or least ones', () => {
    const rows = { table: TABLE, where: [], kind: 'rows', columns: [PRICE], distinct: false } as const;
    expect(partsOfQuery({ ...rows, order: { by: STOCK, descending: true }, limit: 1 })).toMatchObject({
      columns: ['Price (EUR)'],
      order: { column: 'stock', descending: true },
      limit: 1,
    });
    const measure = { function: 'sum', column: STOCK } as const;
    const groups = { table: TABLE, where: [], kind: 'groups', by: PRICE, measure, showMeasure: true } as const;
    expect(partsOfQuery({ ...groups, descending: false, limit: 3, having: undefined })).toMatchObject({
      order: { column: null, descending: false },
      limit: 3,
    });
  });

  it('gives no parts where they would leave something out', () => {
    const any: Condition = { kind: 'any', of: [ABOVE] };
    expect(partsOfQuery({ table: TABLE, where: [any], kind: 'exists' })).toBeNull();
    const first = { kind: 'rows', columns: [PRICE], distinct: false, order: undefined, limit: 1 } as const;
    expect(partsOfQuery({ table: TABLE, where: [], ...first })).toBeNull();
  });
});
