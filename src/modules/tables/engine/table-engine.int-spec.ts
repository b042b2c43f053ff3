import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineFixture } from './testing/engine.fixture.js';

describe('statements over tables', () => {
  let fixture: EngineFixture;
  beforeAll(async () => {
    fixture = await EngineFixture.open();
  });
  afterAll(() => fixture.close());

  it('answers columns with types, rows, and where each row comes from', async () => {
    const result = await fixture.run('SELECT * FROM products WHERE price > ? ORDER BY price DESC LIMIT 2', {
      params: [3],
    });
    expect(result).toEqual({
      columns: [
        { name: 'name', type: 'text' },
        { name: 'price', type: 'number' },
        { name: 'sold_on', type: 'date' },
        { name: 'category', type: 'integer' },
      ],
      rows: [
        ['product 9', 13.5, '2024-01-10', 0],
        ['product 8', 12, '2024-01-09', 2],
      ],
      truncated: false,
      rowSources: [
        { document_id: 'doc-1', sheet: null, row: 11 },
        { document_id: 'doc-1', sheet: null, row: 10 },
      ],
      sourceDocuments: [{ id: 'doc-1', name: 'products.csv' }],
      tables: ['products'],
    });
  });

  it('reads several tables as one, each row with its document', async () => {
    const sql =
      'SELECT document, count(*) AS n, sum(price) AS total FROM all_products WHERE category = $c GROUP BY document ORDER BY 1';
    const result = await fixture.run(sql, { params: { c: 1 } });
    expect(result.rows).toEqual([
      ['more.xlsx', 4, 58],
      ["products's.csv", 3, 18],
    ]);
    expect(result.rowSources).toBeNull();
    expect(result.sourceDocuments).toEqual([
      { id: 'doc-2', name: 'more.xlsx' },
      { id: 'doc-1', name: 'products.csv' },
    ]);
  });

  it('names the documents of the rows that were counted, not those of all rows', async () => {
    const result = await fixture.run('SELECT count(*) FROM all_products WHERE sold_on >= ?', {
      params: ['2025-01-01'],
    });
    expect(result.rows).toEqual([[10]]);
    expect(result.sourceDocuments).toEqual([{ id: 'doc-2', name: 'more.xlsx' }]);
  });

  it('cuts at the limit and says so', async () => {
    const result = await fixture.run('SELECT n FROM numbers ORDER BY n', { limit: 3 });
    expect(result.rows).toEqual([[0], [1], [2]]);
    expect(result.truncated).toBe(true);
  });

  it('returns numbers that JSON cannot represent as texts', async () => {
    const result = await fixture.run(
      `SELECT 9007199254740993::BIGINT a, 'NaN'::DOUBLE b, '-inf'::DOUBLE c, 0.1::DECIMAL(30,2) d, 12345678901234567890.12::DECIMAL(30,2) e,
        TIMESTAMP '2024-05-06 07:08:09' f, [1, NULL] g, {'x': DATE '2024-01-01'} h, NULL i, 1 a, true j, INTERVAL 1 DAY k`,
    );
    expect(result.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'a integer',
      'b number',
      'c number',
      'd number',
      'e number',
      'f datetime',
      'g json',
      'h json',
      'i integer',
      'a_2 integer',
      'j boolean',
      'k text',
    ]);
    expect(result.rows).toEqual([
      [
        '9007199254740993',
        'NaN',
        '-Infinity',
        0.1,
        '12345678901234567890.12',
        '2024-05-06T07:08:09',
        '[1,null]',
        '{"x":"2024-01-01"}',
        null,
        1,
        true,
        '1 day',
      ],
    ]);
  });

  it('returns infinite dates and times by their names', async () => {
    const { rows } = await fixture.run(
      `SELECT 'infinity'::DATE a, '-infinity'::DATE b, 'infinity'::TIMESTAMP c, DATE '5881580-07-10' d`,
    );
    expect(rows).toEqual([['infinity', '-infinity', 'infinity', '5881580-07-10']]);
  });

  it('says what is wrong with a statement, and where', async () => {
    await expect(fixture.run('SELECT nme FROM products')).rejects.toMatchObject({
      code: 'sql.invalid',
      status: 422,
      message: expect.stringMatching(/"nme" not found.*line 1, column 8, near "nme FROM products"/) as string,
    });
    await expect(fixture.run('SELECT 1 FROM\n productz')).rejects.toMatchObject({
      code: 'sql.unknown_table',
      message: expect.stringMatching(/products.*line 2, column 2/) as string,
    });
    await expect(fixture.run('SELECT 1e400')).rejects.toMatchObject({
      code: 'sql.syntax',
      message: expect.stringContaining('write it as a text') as string,
    });
    await expect(fixture.run('SELECT name::INTEGER FROM products')).rejects.toMatchObject({ code: 'sql.failed' });
    await expect(fixture.run('SELECT ?', {})).rejects.toMatchObject({ code: 'sql.parameters' });
    await expect(fixture.run('SELECT 1', { params: [1] })).rejects.toMatchObject({ code: 'sql.parameters' });
    await expect(fixture.run('SELECT $a', { params: { b: 1 } })).rejects.toMatchObject({ code: 'sql.parameters' });
    await expect(fixture.run('SELEC')).rejects.toMatchObject({ code: 'sql.syntax' });
  });
});
