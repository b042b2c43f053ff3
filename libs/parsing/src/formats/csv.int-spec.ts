import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { parseBytes } from '../testing/parse-bytes.js';

const textOf = async (bytes: Buffer | string, name = 'a.csv'): Promise<string> => (await parseBytes(bytes, name)).text;

describe('cells that an export protects from Excel', () => {
  it('are the text in them', async () => {
    const { text } = await parseBytes('Nr;Name\n"=""00123""";Anna\n="00124";Bert\n=A1;"="\n', 'a.csv');
    expect(text.trim().split('\n')).toEqual(['Nr | Name', '00123 | Anna', '00124 | Bert', '=A1 | =']);
  });
});

describe('a .csv', () => {
  it('becomes lines of a table, the header first', async () => {
    const { text, outline, blocks, document } = await parseBytes('name,price\npump,12\nvalve,3\n', 'a.csv');
    expect(text).toBe('name | price\npump | 12\nvalve | 3');
    expect(outline).toEqual([`table: ${text}`]);
    expect(blocks[0]).toMatchObject({ row: 1 });
    expect(document.fidelity).toMatchObject({ tables: 1, table_rows: 3, columns: 2 });
  });

  it.each([
    ['semicolon', 'a;b;c\n1,5;2;x\n', 'a | b | c\n1,5 | 2 | x'],
    ['tab', 'a\tb\n1, 2\t3\n', 'a | b\n1, 2 | 3'],
    ['bar', 'a|b\n1|2\n', 'a | b\n1 | 2'],
    ['colon', 'a:b\n1:2\n', 'a | b\n1 | 2'],
    ['line that names it', 'sep=;\na;b\n1;2\n', 'a | b\n1 | 2'],
    ['line that names it in quotes', '"sep=;"\r\na;b\r\n1;2\r\n', 'a | b\n1 | 2'],
    ['line that names it behind two byte order marks', '\uFEFF\uFEFFsep=;\na;b\n1;2\n', 'a | b\n1 | 2'],
    ['comma beside times', 'at,what\n12:30,a\n13:45,b\n', 'at | what\n12:30 | a\n13:45 | b'],
    ['nothing at all', 'one\ntwo\n', 'one\ntwo'],
  ])('is divided by a %s', async (_name, source, expected) => {
    expect(await textOf(source)).toBe(expected);
  });

  it('keeps quoted delimiters, doubled and escaped quotes, and line breaks inside of a field as one row', async () => {
    expect(await textOf('a,b\n"x, y","say ""hi"""\n"two\r\nlines",z\n')).toBe('a | b\nx, y | say "hi"\ntwo lines | z');
    expect(await textOf('a,b\n"the \\"big\\" one",2\n')).toBe('a | b\nthe "big" one | 2');
  });

  it('takes a byte order mark, CRLF, blank lines and rows of different lengths', async () => {
    const source = '\uFEFFa,b\r\n\r\n1\r\n1,2,3\r\n,,\r\n4,5\r\n';
    expect(await textOf(source)).toBe('a | b\n1\n1 | 2 | 3\n4 | 5');
    expect(await textOf(Buffer.from(source, 'utf16le'))).toBe('a | b\n1\n1 | 2 | 3\n4 | 5');
  });

  it.each([
    [
      'titles, and dates first',
      'Income;;;Costs;\nDate;Sum;;Date;Sum\n02.01.;60,00;;04.01.;148,20\n09.01.;312,50;;11.01.;77,35\n;;;29.01.;210,00\n',
      'Income\nDate | Sum\n02.01. | 60,00\n09.01. | 312,50\n\nCosts\nDate | Sum\n04.01. | 148,20\n11.01. | 77,35\n29.01. | 210,00',
    ],
    [
      'different lengths',
      'City,People,,Part,Stock\nOslo,12,,Bolt,3\nLund,30,,Nut,4\nBergen,28\n',
      'City | People\nOslo | 12\nLund | 30\nBergen | 28\n\nPart | Stock\nBolt | 3\nNut | 4',
    ],
  ])('of two tables side by side with %s is two tables', async (_what, source, expected) => {
    const { text, document } = await parseBytes(source, 'a.csv');
    expect(text).toBe(expected);
    expect(document.fidelity).toMatchObject({ tables: 2 });
  });

  it('with an empty column between what belongs together stays one table', async () => {
    const rows = 'Name,Team,,City,Country\nAda,Blue,,Oslo,Norway\nBo,Red,,Lund,Sweden\n';
    expect((await parseBytes(rows, 'a.csv')).document.fidelity).toMatchObject({ tables: 1 });
    expect(await textOf(rows)).toContain('Ada | Blue |  | Oslo | Norway');
  });

  it('is decoded by its charset', async () => {
    const line = 'Ключ;Значение\nпервый;насос высокого давления\nвторой;клапан на трубопроводе\n';
    const { text, document } = await parseBytes(iconv.encode(line, 'windows-1251'), 'a.csv');
    expect(text).toContain('первый | насос высокого давления');
    expect(document.charset?.name).toBe('windows-1251');
  });

  it('loses nothing to a quote that is never closed, and reads the rows after it', async () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => `${at},value ${at}`).join('\n');
    const { text, document } = await parseBytes(`id,value\n1,"broken\n${rows}\nlast,"x, y"\n`, 'a.csv');
    expect(text).toContain('1 | "broken');
    expect(text).toContain('0 | value 0\n1 | value 1\n');
    expect(text).toContain('99999 | value 99999\nlast | x, y');
    expect(document.fidelity).toMatchObject({ table_rows: 100_003 });
    expect(document.warnings).toMatchObject([{ code: 'MALFORMED_CSV' }]);
  });

  it('is cut into blocks whose first row is counted', async () => {
    const rows = Array.from({ length: 4000 }, (_, at) => `${at + 2},some words of row ${at + 2}`);
    const { text, blocks } = await parseBytes(['row,text', ...rows].join('\n'), 'a.csv');
    expect(blocks.length).toBeGreaterThan(2);
    for (const { kind, row, start } of blocks) {
      expect(kind).toBe('table');
      if (row !== 1) expect(text.slice(start)).toMatch(new RegExp(`^${row} \\| some words of row ${row}\\n`));
    }
  });
});

describe('a .tsv', () => {
  it('is divided by tabs although commas divide it as well', async () => {
    expect(await textOf('a,x\tb,y\nc,x\td,y\n', 'a.tsv')).toBe('a,x | b,y\nc,x | d,y');
  });
});

describe('tables one below the other', () => {
  const tablesOf = async (source: string, name = 'a.csv'): Promise<string[]> =>
    (await parseBytes(source, name)).outline;

  it.each([
    ['words over values', 'name,age\nAnna,3\nBob,4\n\ncity,pop\nRome,5\nOslo,6\n', 'city | pop\nRome | 5\nOslo | 6'],
    [
      'another number of fields',
      'Part,Qty,Price\nBolt,9,1\nNut,5,2\n\nSupplier,City\nMoll,Kiel\nHansen,Bremen\n',
      'Supplier | City\nMoll | Kiel\nHansen | Bremen',
    ],
    [
      'a title',
      'Region,Q1,Q2\nNorth,10,12\nSouth,8,9\n\nStaff 2024\nTeam,Heads\nSupport,14\nSales,9\n',
      'Staff 2024\nTeam | Heads\nSupport | 14\nSales | 9',
    ],
    [
      'a title and an empty line',
      'Region,Q1,Q2\nNorth,10,12\nSouth,8,9\n\nStaff 2024\n\nTeam,Heads\nSupport,14\nSales,9\n',
      'Staff 2024\nTeam | Heads\nSupport | 14\nSales | 9',
    ],
    [
      'a line of nothing but delimiters',
      'Item,Price,Stock\nLamp,19.90,4\nDesk,249.00,2\n,,\nSupplier,City,\nMoll,Kiel,\nHansen,Bremen,\n',
      'Supplier | City | \nMoll | Kiel | \nHansen | Bremen | ',
    ],
  ])('are two: %s', async (_why, source, second) => {
    const tables = await tablesOf(source);
    expect(tables).toHaveLength(2);
    expect(tables[1]).toBe(`table: ${second}`);
  });

  it.each([
    ['rows parted for the eye', 'day,visits\n2024-01-01,14\n2024-01-02,15\n\n2024-01-03,16\n2024-01-04,17\n'],
    ['every row parted', 'day,visits\n\n2024-01-01,14\n\n2024-01-02,15\n\n2024-01-03,16\n'],
    ['rows of words', 'name,city\nAnna,Rome\nBob,Oslo\n\nEva,Kiel\nMax,Bern\n'],
    ['a total', 'name,age\nAnna,3\nBob,4\n\nTotal,7\n'],
    [
      'lines about the file',
      'Account holder:,Ann\nIBAN:,DE12\n\nDate,Amount,Purpose,Balance\n2024-01-01,5,Rent,7\n2024-01-02,6,Fee,1\n',
    ],
    [
      'lines about the file, one cell each',
      'Balances\nPeriod: 01.2024\nBy: Ann\n\nAccount,Name,Debit\n140000,Claims,18\n160000,Debts,7\n',
    ],
    ['a title above the only table', 'Sales 2024\n\nRegion,Q1\nNorth,10\nSouth,8\n'],
    ['the header once more', 'name,age\nAnna,3\nBob,4\n\nname,age\nEva,5\n'],
    ['words in place of values', 'name,age\nAnna,3\nBob,4\n\nEva,unknown\nMax,unknown\nUli,5\n'],
  ])('are one: %s', async (_why, source) => {
    expect(await tablesOf(source)).toHaveLength(1);
  });

  it('may each be side by side with others, three as well', async () => {
    const three = 'City,Nr,,Part,Nr,,Tool,Nr\nRome,1,,Bolt,2,,Saw,3\nOslo,4,,Nut,5,,Axe,6\nBern,7,,Cog,8,,Awl,9\n';
    expect(await tablesOf(three)).toEqual([
      'table: City | Nr\nRome | 1\nOslo | 4\nBern | 7',
      'table: Part | Nr\nBolt | 2\nNut | 5\nCog | 8',
      'table: Tool | Nr\nSaw | 3\nAxe | 6\nAwl | 9',
    ]);
  });

  it('have words below them that are no row, last of all and below an empty line', async () => {
    const note = async (source: string): Promise<string[]> => (await parseBytes(source, 'a.csv')).outline;
    expect(await note('name,age\nAnna,3\nBob,4\n\nFigures are provisional,\nMade on 1 May 2025\n')).toEqual([
      'table: name | age\nAnna | 3\nBob | 4',
      'paragraph: Figures are provisional',
      'paragraph: Made on 1 May 2025',
    ]);
    expect(await note('name,age\nAnna,3\nBob,4\n\nSource: the town hall\n')).toHaveLength(2);
    expect(await note('name;age\nAnna;3\nBob;4\n;\nAlle Angaben ohne Gewähr;\n')).toHaveLength(2);
    expect(await note('name,age\nAnna,3\n\nBob Miller,\nEva Sand,5\n')).toHaveLength(1);
    expect(await note('name,age\nAnna,3\n\nBob,\n')).toHaveLength(1);
    expect(await note('name\nAnna Miller\n\nBob Sand\n')).toHaveLength(1);
  });
});
