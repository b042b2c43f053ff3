import { describe, expect, it } from 'vitest';
import {
  makeXlsx,
  relationsXml,
  partXml,
  sheetPart,
  sheetRow as row,
  type Parts,
  type SheetSource,
} from '../testing/make-ooxml.js';
import { parseBytes, type ParsedBytes } from '../testing/parse-bytes.js';

const parse = (xml: string, parts: Parts = {}, more: Partial<SheetSource> = {}): Promise<ParsedBytes> =>
  parseBytes(makeXlsx([{ name: 'Data', xml, ...more }], parts), 'a.xlsx');
const rowsOf = (parsed: ParsedBytes): string[] => parsed.outline.map((line) => line.replace(/^table: /, ''));

describe('parseXlsx', () => {
  it('reads sheets in the order of the workbook, each a heading and a table with its rows', async () => {
    const sheets = [
      { name: 'Übersicht', xml: row(3, ['Name', 'Count']) + row(4, ['bolt', 7]) },
      { name: 'Empty', xml: '<sheetData/>' },
      { name: 'Hidden', xml: row(1, ['secret']), state: 'hidden' },
    ];
    const { outline, blocks, document } = await parseBytes(makeXlsx(sheets), 'a.xlsx');
    expect(outline).toEqual([
      'heading: Übersicht',
      'table: Name | Count\nbolt | 7',
      'heading: Hidden',
      'table: secret',
    ]);
    expect(blocks[1]).toMatchObject({ sheet: 'Übersicht', row: 3 });
    expect(document.fidelity).toMatchObject({ sheets: 3, hidden_sheets: 1, table_rows: 3, cells: 5 });
  });

  it('writes all numbers as the language of the workbook does', async () => {
    const styles = sheetPart(
      'styleSheet',
      '<numFmts><numFmt numFmtId="164" formatCode="#,##0.00\\ [$€-407]"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs>',
    );
    const cells = '<c><v>1234.5</v></c><c s="1"><v>1234.5</v></c><c><v>1234567</v></c>';
    const german = await parse(`<row>${cells}</row>`, { 'xl/styles.xml': styles });
    expect(german.outline[1]).toBe('table: 1234,5 | 1.234,50 € | 1234567');
    const core = partXml('cp:coreProperties', '<dc:language>en-GB</dc:language>');
    const british = await parse(`<row>${cells}</row>`, { 'xl/styles.xml': styles, 'docProps/core.xml': core });
    expect(british.outline[1]).toBe('table: 1234.5 | 1,234.50 € | 1234567');
  });

  it('resolves strings with rich text and without readings, inline strings, booleans, errors and results of formulas', async () => {
    const strings = sheetPart(
      'sst',
      '<si><t>plain</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh sb="0" eb="1"><t>reading</t></rPh></si><si><t xml:space="preserve">line_x000D_\nbreak</t></si>',
    );
    const cells =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c>' +
      '<c r="D1" t="b"><v>1</v></c><c r="E1" t="e"><v>#DIV/0!</v></c><c r="F1" t="str"><f>A1</f><v>result</v></c>' +
      '<c r="G1"><f>1+1</f><v>2</v></c><c r="H1"><f>NOW()</f></c><c r="I1" t="s"><v>99</v></c></row>';
    const { outline, document } = await parse(cells, { 'xl/sharedStrings.xml': strings });
    expect(outline[1]).toBe('table: plain | rich text | line break | TRUE | #DIV/0! | result | 2');
    expect(document.fidelity).toMatchObject({ formulas_without_value: 1, cells_with_errors: 1 });
    expect(document.warnings).toMatchObject([{ code: 'FORMULAS_NOT_CALCULATED' }]);
  });

  it('shows numbers as they are formatted', async () => {
    const styles = sheetPart(
      'styleSheet',
      '<numFmts><numFmt numFmtId="164" formatCode="#,##0.00\\ &quot;€&quot;"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>' +
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/></cellXfs>',
    );
    const cells = [45000, 0.2345, 1234.5, 0.30000000000000004]
      .map((value, index) => `<c s="${(index + 1) % 4}"><v>${value}</v></c>`)
      .join('');
    const { outline } = await parse(`<row>${cells}</row>`, { 'xl/styles.xml': styles });
    expect(outline[1]).toBe('table: 2023-03-15 | 23.45% | 1,234.50 € | 0.3');
  });

  it('begins a new table after an empty row, at its first column, and names it by a lone cell above', async () => {
    const { outline, blocks } = await parse(
      row(1, [null, 'Stock']) +
        row(2, [null, 'Part', 'Count']) +
        row(3, [null, 'bolt', 7]) +
        row(6, [null, null, 'note']),
    );
    expect(outline).toEqual(['heading: Data', 'caption: Stock', 'table: Part | Count\nbolt | 7', 'table: note']);
    expect(blocks.map((block) => block.row)).toEqual([undefined, 1, 2, 6]);
  });

  it('repeats merged cells in rows that have others', async () => {
    const merged =
      `<sheetData>${row(1, ['Plan'])}${row(2, ['Area', 'Half 1', null, 'x'])}${row(3, ['North', 1, 2, 3])}${row(4, [null, 4, 5, 6])}</sheetData>` +
      '<mergeCells count="3"><mergeCell ref="A1:D1"/><mergeCell ref="B2:C2"/><mergeCell ref="A3:A4"/></mergeCells>';
    expect(rowsOf(await parse(merged)).slice(1)).toEqual([
      'caption: Plan',
      'Area | Half 1 | Half 1 | x\nNorth | 1 | 2 | 3\nNorth | 4 | 5 | 6',
    ]);
  });

  it('writes shapes, charts, threads and notes behind the rows', async () => {
    const parts = {
      'xl/drawings/d.xml': partXml(
        'xdr:wsDr',
        '<xdr:sp><xdr:txBody><a:p><a:r><a:t>Look here</a:t></a:r></a:p></xdr:txBody></xdr:sp><xdr:pic/>',
      ),
      'xl/drawings/_rels/d.xml.rels': relationsXml({ c: ['chart', '../charts/c.xml'] }),
      'xl/charts/c.xml': partXml(
        'c:chartSpace',
        '<c:ser><c:tx><c:v>Ducks</c:v></c:tx><c:val><c:pt idx="0"><c:v>5</c:v></c:pt></c:val></c:ser>',
      ),
      'xl/persons/person.xml': sheetPart('personList', '<person id="{1}" displayName="Ada"/>'),
      'xl/t.xml': sheetPart(
        'ThreadedComments',
        '<threadedComment ref="B2" dT="2026-01-01" personId="{1}"><text>why?</text></threadedComment>',
      ),
      'xl/c.xml': sheetPart(
        'comments',
        '<authors><author>Bo</author></authors><commentList><comment ref="B2" authorId="0"><text><t>[Threaded comment]</t></text></comment>' +
          '<comment ref="C3" authorId="0"><text><r><t>Bo:</t></r><r><t> check</t></r></text></comment></commentList>',
      ),
    };
    const relations = {
      d: ['drawing', '../drawings/d.xml'],
      t: ['threadedComment', '../t.xml'],
      c: ['comments', '../c.xml'],
    } as const;
    const { outline, document } = await parse(row(1, ['a', 'b']), parts, { relations });
    expect(outline.slice(2)).toEqual([
      'paragraph: Look here',
      'table:  | Ducks\n1 | 5',
      'paragraph: Comment by Ada on B2, 2026-01-01: why?',
      'paragraph: Comment by Bo on C3: check',
    ]);
    expect(document.fidelity).toMatchObject({ images_seen: 1, notes_and_comments: 2 });
  });

  it('splits a long table into blocks that follow each other line by line', async () => {
    const count = 3000;
    const rows = Array.from({ length: count }, (_, index) => row(index + 1, [`row ${index + 1}`, 'x'.repeat(20)]));
    const { blocks, text } = await parse(rows.join(''));
    const tables = blocks.filter(({ kind }) => kind === 'table');
    expect(tables.length).toBeGreaterThan(1);
    for (const { start, row: first } of tables) expect(text.slice(start)).toMatch(new RegExp(`^row ${first} \\|`));
    expect(tables.every(({ end }, index) => index + 1 === tables.length || tables[index + 1]!.start === end + 1)).toBe(
      true,
    );
  });

  it('survives addresses and rows that lie', async () => {
    const cells =
      '<row r="5"><c r="B5"><v>1</v></c><c r="A5"><v>2</v></c><c r="ZZZZZZ5"><v>3</v></c><c r="!!"><v>4</v></c></row>' +
      '<row r="2"><c><v>5</v></c></row><row r="99999999999"><c><v>6</v></c></row><row><c r="XFD1"><v>7</v></c><c><v>8</v></c></row>';
    const { text } = await parse(cells);
    expect(text).toContain('1 | 2');
    expect(text.length).toBeLessThan(200);
  });

  it('bounds what merged cells ask for', async () => {
    const ranges = Array.from({ length: 200 }, (_, index) => `<mergeCell ref="A${index + 1}:XFD1048576"/>`).join('');
    const rows = Array.from({ length: 200 }, (_, index) => row(index + 1, ['y', 'n']));
    const { text } = await parse(`<sheetData>${rows.join('')}</sheetData><mergeCells>${ranges}</mergeCells>`);
    expect(text.length).toBeLessThan(200 * 110 * 4);
  });

  it.each([
    ['a cut file', makeXlsx([{ name: 'a', xml: row(1, ['x']) }]).subarray(0, 700)],
    ['damaged XML', makeXlsx([{ name: 'a', xml: '<sheetData><row><c></row></sheetData>' }])],
    ['no workbook', makeXlsx([], { 'xl/workbook.xml': '' })],
  ])('answers %s with a code', async (_, bytes) => {
    await expect(parseBytes(bytes, 'a.xlsx')).rejects.toMatchObject({ name: 'ParseError', code: 'MALFORMED' });
  });

  describe('what a reader does not see', () => {
    const cell = (address: string, style: number, text: string): string =>
      `<c r="${address}" s="${style}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const styles = sheetPart(
      'styleSheet',
      '<numFmts><numFmt numFmtId="170" formatCode=";;;"/></numFmts>' +
        '<fonts><font/><font><color rgb="FFFFFFFF"/></font><font><color theme="0"/></font></fonts>' +
        '<fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF0000FF"/></patternFill></fill></fills>' +
        '<cellStyleXfs><xf fontId="1"/></cellStyleXfs><cellXfs><xf/><xf fontId="1" fillId="0"/><xf fontId="1" fillId="1"/><xf fontId="2"/><xf numFmtId="170"/></cellXfs>',
    );

    it('is white on white, and a format that shows nothing; white on blue is seen', async () => {
      const cells = ['plain', 'white', 'on blue', 'by theme', 'by format'].map((text, at) =>
        cell(`${'ABCDE'[at]!}1`, at, text),
      );
      const xml = `<row r="1">${cells.join('')}</row>${row(2, ['a', 'b', 'c', 'd', 'e'])}`;
      const { text, document } = await parseBytes(
        makeXlsx([{ name: 'S', xml }], { 'xl/styles.xml': styles }),
        'a.xlsx',
      );
      const unseen = document.unseen ?? [];
      expect(unseen.map(({ start, end, look }) => [text.slice(start, end), look])).toEqual([
        ['white', 'unseen_colour'],
        ['by theme | by format', 'unseen_colour'],
      ]);
      expect(document.fidelity).toMatchObject({ hidden_cells: 3, hidden_rows: 0, hidden_columns: 0 });
    });

    it('are columns and rows of no width, and rows that are hidden unless they say otherwise', async () => {
      const rows = `${row(1, ['a', 'b', 'c'])}${row(2, ['d', 'e', 'f']).replace('<row', '<row hidden="0"')}${row(3, ['g', 'h', 'i']).replace('<row', '<row ht="0"')}`;
      const xml = `<sheetFormatPr zeroHeight="1"/><cols><col min="2" max="2" width="0"/></cols><sheetData>${rows}</sheetData>`;
      const { outline } = await parseBytes(makeXlsx([{ name: 'S', xml }]), 'a.xlsx', { hidden: 'exclude' });
      expect(outline).toEqual(['heading: S', 'table: d | f']);
    });

    it('reads columns without numbers, and many ranges of them', async () => {
      const broken = await parseBytes(
        makeXlsx([{ name: 'S', xml: `<cols><col hidden="1"/></cols><sheetData>${row(1, ['a', 'b'])}</sheetData>` }]),
        'a.xlsx',
        { hidden: 'exclude' },
      );
      expect(broken.outline.at(-1)).toBe('table: a | b');
      const cols = Array.from({ length: 5000 }, (_, at) => `<col min="${at * 3 + 1}" max="${at * 3 + 2}" hidden="1"/>`);
      const xml = `<cols>${cols.join('')}</cols><sheetData>${row(1, ['a', 'b', 'c'])}</sheetData>`;
      const { document } = await parseBytes(makeXlsx([{ name: 'S', xml }]), 'a.xlsx');
      expect(document.fidelity).toMatchObject({ hidden_columns: 2 });
    });
  });

  describe('two tables side by side', () => {
    const read = async (rows: readonly (string | number | null)[][]): Promise<string[]> => {
      const xml = rows.map((cells, index) => row(index + 1, cells)).join('');
      return (await parseBytes(makeXlsx([{ name: 'S', xml }]), 'a.xlsx')).outline.slice(1);
    };
    const many = (count: number, make: (at: number) => (string | number | null)[]) =>
      Array.from({ length: count }, (_, at) => make(at));

    it('are two, each with its own header and as many rows as it has', async () => {
      expect(
        await read([
          ['City', 'People', null, 'Part', 'Stock'],
          ['Oslo', 12, null, 'Bolt', 3],
          ['Lund', 30, null, 'Nut', 4],
          [null, null, null, 'Cog', 5],
        ]),
      ).toEqual(['table: City | People\nOslo | 12\nLund | 30', 'table: Part | Stock\nBolt | 3\nNut | 4\nCog | 5']);
      const long = await read([
        ['City', 'People', null, 'Part', 'Stock'],
        ...many(100, (at) => [`C${at}`, at, null, `P${at}`, at]),
      ]);
      expect(long.map((table) => table.split('\n').length)).toEqual([101, 101]);
      expect(long[1]).toMatch(/^table: Part \| Stock\nP0 \| 0\n/);
    });

    it('are two where rows begin with years or labels are years', async () => {
      expect(
        await read([
          ['Port', 2023, 2024, null, 'Year', 'Catch'],
          ['Oslo', 12, 9, null, 2021, 300],
          ['Lund', 30, 7, null, 2022, 120],
          ['Vik', 4, 8, null, 2023, 410],
        ]),
      ).toEqual([
        'table: Port | 2023 | 2024\nOslo | 12 | 9\nLund | 30 | 7\nVik | 4 | 8',
        'table: Year | Catch\n2021 | 300\n2022 | 120\n2023 | 410',
      ]);
    });

    it('are two below titles, and where both begin with a date', async () => {
      expect(
        await read([
          ['Lent', null, null, 'Returned'],
          ['Thing', 'Until', null, 'Thing', 'State'],
          ['Projector', '12 April', null, 'Tent', 'good'],
          ['Drum', '19 April', null, 'Barrel', 'torn'],
          ['Grill', '3 May'],
        ]),
      ).toEqual([
        'caption: Lent',
        'table: Thing | Until\nProjector | 12 April\nDrum | 19 April\nGrill | 3 May',
        'caption: Returned',
        'table: Thing | State\nTent | good\nBarrel | torn',
      ]);
      const dates = [
        ['Date', 'Sum', null, 'Date', 'Sum'],
        ['02.01.2024', 60, null, '04.01.2024', 148],
        ['09.01.2024', 312, null, '11.01.2024', 77],
      ];
      expect(await read(dates)).toHaveLength(2);
    });

    it.each([
      ['columns of values that stand apart', ['Region', 'Q1', null, 'Q3', 'Q4'], ['North', 1, null, 3, 4]],
      ['years that stand apart', ['Region', 'Costs', null, 2024, 2025], ['North', 1, null, 3, 4]],
      ['one column behind the gap', ['Region', 'Costs', null, 'Note'], ['North', 1, null, 'late']],
    ])('are one with %s', async (_what, header, body) => {
      expect(await read([header, body, body, body])).toHaveLength(1);
    });
  });
});
