import { utils, write, type BookType } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { makeCompound } from '../testing/make-compound.js';
import { parseBytes } from '../testing/parse-bytes.js';

function makeWorkbook(bookType: BookType): Buffer {
  const sheet = utils.aoa_to_sheet([
    ['Имя', 'Date', 'Share'],
    ['Bolt', 45000, 0.25],
    ['Nut', 45001, 0.5],
  ]);
  sheet['B2'].z = sheet['B3'].z = 'm/d/yy';
  sheet['C2'].z = sheet['C3'].z = '0%';
  sheet['A2'].c = [{ a: 'Ada', t: 'check' }];
  sheet['!merges'] = [{ s: { r: 1, c: 0 }, e: { r: 2, c: 0 } }];
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, sheet, 'Лист');
  utils.book_append_sheet(workbook, utils.aoa_to_sheet([['two']]), 'Second');
  return Buffer.from(write(workbook, { type: 'buffer', bookType }) as Buffer);
}

describe('parseBinaryWorkbook', () => {
  it.each([
    ['biff8', 'a.xls', 'application/vnd.ms-excel'],
    ['xlsb', 'a.xlsb', 'application/vnd.ms-excel.sheet.binary.macroenabled.12'],
  ] as const)('reads %s as %s', async (bookType, fileName, mediaType) => {
    const { outline, blocks, document } = await parseBytes(makeWorkbook(bookType), fileName);
    expect(outline.slice(0, 2)).toEqual([
      'heading: Лист',
      'table: Имя | Date | Share\nBolt | 2023-03-15 | 25%\nNut | 2023-03-16 | 50%',
    ]);
    expect(outline.slice(3)).toEqual(['heading: Second', 'table: two']);
    expect(outline[2]).toMatch(/^paragraph: Comment by Ada on A2: check/);
    expect(blocks[1]).toMatchObject({ sheet: 'Лист', row: 1 });
    expect(document.mediaType).toBe(mediaType);
  });

  it.each([
    ['biff8', 'a.xls'],
    ['xlsb', 'a.xlsb'],
  ] as const)(
    'tells hidden rows, columns and sheets of %s, and leaves them out when asked',
    async (bookType, fileName) => {
      const sheet = utils.aoa_to_sheet([
        ['Part', 'Cost', 'Price'],
        ['Bolt', 1, 2],
        ['Old', 3, 4],
        ['Nut', 5, 6],
      ]);
      sheet['!cols'] = [{}, { hidden: true }, {}];
      sheet['!rows'] = [{}, {}, { hidden: true }, {}];
      const workbook = utils.book_new();
      utils.book_append_sheet(workbook, sheet, 'Prices');
      utils.book_append_sheet(workbook, utils.aoa_to_sheet([['secret']]), 'Lists');
      workbook.Workbook = { Sheets: [{ Hidden: 0 }, { Hidden: 2 }] };
      const bytes = Buffer.from(write(workbook, { type: 'buffer', bookType }) as Buffer);
      const read = await parseBytes(bytes, fileName);
      // The library that writes the file leaves hidden rows of BIFF8 out.
      const [rows, cells] = bookType === 'xlsb' ? [1, 7] : [0, 5];
      const counts = { hidden_sheets: 1, hidden_rows: rows, hidden_columns: 1, hidden_cells: cells };
      expect(read.document.fidelity).toMatchObject(counts);
      const where = `hidden sheets${rows === 0 ? '' : ', 1 hidden row'}, 1 hidden column`;
      const detail = `${cells} cells that a reader does not see (${where}) are in the text; \`parsing.hidden: exclude\` leaves them out.`;
      expect(read.document.warnings).toEqual([{ code: 'HIDDEN_CELLS', detail }]);
      expect((await parseBytes(bytes, fileName, { hidden: 'exclude' })).outline).toEqual([
        'heading: Prices',
        `table: Part | Price\nBolt | 2\n${rows === 0 ? 'Old | 4\n' : ''}Nut | 6`,
      ]);
    },
  );

  it('reads the code page of Excel 95', async () => {
    const bytes = makeWorkbook('biff5');
    // The library writes what is not ASCII as underscores, and 1252 as the code page.
    bytes.writeUInt16LE(1251, bytes.indexOf('42000200e404', 'hex') + 4);
    Buffer.from('c8ecff', 'hex').copy(bytes, bytes.lastIndexOf('___'));
    expect((await parseBytes(bytes, 'a.xls')).text).toContain('Имя');
  });

  it('answers a workbook with a password with its code', async () => {
    // BOF, then FILEPASS with a method that needs a key.
    const stream = Buffer.alloc(6000);
    Buffer.from('0908100000060500f2150000c9000000060000002f00360001000100010001', 'hex').copy(stream);
    await expect(parseBytes(makeCompound({ Workbook: stream }), 'a.xls')).rejects.toMatchObject({ code: 'ENCRYPTED' });
  });

  it.each([
    ['a cut file', makeWorkbook('biff8').subarray(0, 2000)],
    ['an empty stream', makeCompound({ Workbook: Buffer.alloc(5000) })],
  ])('answers %s with a code', async (_, bytes) => {
    await expect(parseBytes(bytes, 'a.xls')).rejects.toMatchObject({ name: 'ParseError', code: 'MALFORMED' });
  });
});
