import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { ParquetRows } from './parquet-rows.js';

const COLUMNS = [
  { name: 'n', type: 'integer' },
  { name: 'x', type: 'number' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'datetime' },
  { name: 'is', type: 'boolean' },
  { name: 'word', type: 'text' },
] as const;

function bufferOf(rows: ParquetRows): ArrayBuffer {
  const bytes = rows.finish();
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

describe('a Parquet file of rows', () => {
  it('has values of every type, null values, and the place of each row', async () => {
    const rows = new ParquetRows(COLUMNS, { documentId: 'd', sheet: 'Q1' });
    rows.add({
      row: 2,
      start: 10,
      end: 40,
      isTotal: false,
      values: [-9_007_199_254_740_991, 0.1, '1969-12-31', '1969-12-31T23:59:59.999', false, 'Ä → 𝄞'],
    });
    rows.add({ row: 5, start: 41, end: 41, isTotal: true, values: [null, null, null, null, null, null] });
    const read = await parquetReadObjects({ file: bufferOf(rows) });
    const nothing = { n: null, x: null, day: null, at: null, is: null, word: null };
    expect(read).toEqual([
      {
        n: -9_007_199_254_740_991n,
        x: 0.1,
        day: new Date('1969-12-31'),
        at: new Date('1969-12-31T23:59:59.999Z'),
        is: false,
        word: 'Ä → 𝄞',
        _row: 2n,
        _document_id: 'd',
        _sheet: 'Q1',
        _total: false,
        _text_start: 10n,
        _text_end: 40n,
      },
      { ...nothing, _row: 5n, _document_id: 'd', _sheet: 'Q1', _total: true, _text_start: 41n, _text_end: 41n },
    ]);
  });

  it('takes a row with fewer values than columns, and a source without sheets', async () => {
    const rows = new ParquetRows(COLUMNS.slice(0, 2), { documentId: 'd', sheet: null });
    rows.add({ row: 1, start: 0, end: 1, isTotal: false, values: [1] });
    expect(await parquetReadObjects({ file: bufferOf(rows) })).toEqual([
      { n: 1n, x: null, _row: 1n, _document_id: 'd', _sheet: null, _total: false, _text_start: 0n, _text_end: 1n },
    ]);
  });

  it('is written some thousand rows at a time, in order and without losing any', async () => {
    const rows = new ParquetRows(COLUMNS.slice(0, 1), { documentId: 'd', sheet: null });
    for (let n = 1; n <= 45_000; n += 1)
      rows.add({ row: n, start: n, end: n + 1, isTotal: n % 2 === 0, values: [n % 7 === 0 ? null : n] });
    const file = bufferOf(rows);
    expect(parquetMetadata(file).row_groups.map(({ num_rows: count }) => Number(count))).toEqual([
      20_000, 20_000, 5_000,
    ]);
    const read = await parquetReadObjects({ file, columns: ['n', '_row', '_total'] });
    expect(read).toHaveLength(45_000);
    const wrong = read.filter((row, index) => {
      const n = index + 1;
      return (
        row['_row'] !== BigInt(n) || row['_total'] !== (n % 2 === 0) || row['n'] !== (n % 7 === 0 ? null : BigInt(n))
      );
    });
    expect(wrong).toEqual([]);
  });

  it('holds a table without rows', async () => {
    expect(
      await parquetReadObjects({ file: bufferOf(new ParquetRows(COLUMNS, { documentId: 'd', sheet: null })) }),
    ).toEqual([]);
  });
});
