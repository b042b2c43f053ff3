import { describe, expect, it } from 'vitest';
import { parseBytes } from '../testing/parse-bytes.js';

const outlineOf = async (xml: string, name = 'a.xml'): Promise<string[]> => (await parseBytes(xml, name)).outline;

const listOf = (rows: string): string => `<list><day no="1"><rows>${rows}</rows></day></list>`;

describe('a list of XML whose values are attributes', () => {
  it('is a table, wherever it is', async () => {
    const rows = '<row Id="1" Name="Anna"/><row Id="2" Name="Bert"/>';
    const { outline } = await parseBytes(listOf(rows), 'a.xml');
    expect(outline.at(-1)).toBe('table: Id | Name\n1 | Anna\n2 | Bert');
  });
});

describe('an .xml', () => {
  it('writes repeated flat records as a table', async () => {
    const { outline, document } = await parseBytes(
      '<shop><item id="1"><name>pump</name><price cur="EUR">12</price></item><item id="2"><name>valve</name><price cur="USD">3</price></item></shop>',
      'a.xml',
    );
    expect(outline).toEqual(['table: id | name | price cur | price\n1 | pump | EUR | 12\n2 | valve | USD | 3']);
    expect(document.fidelity).toMatchObject({ tables: 1, table_rows: 2 });
  });

  it('takes an element that is called item or line for a field of a record where the others are fields', async () => {
    const line = (item: string, quantity: string): string =>
      `<Line no="1"><Item>${item}</Item><Qty unit="C62">${quantity}</Qty></Line>`;
    expect(await outlineOf(`<Invoice><Lines>${line('Shelf', '2')}${line('Door', '1')}</Lines></Invoice>`)).toEqual([
      'table: no | Item | Qty unit | Qty\n1 | Shelf | C62 | 2\n1 | Door | C62 | 1',
    ]);
    expect(await outlineOf('<r><list><item>a</item><item>b</item></list></r>')).toEqual([
      'list_item: - a',
      'list_item: - b',
    ]);
  });

  it('has elements of one name with parts of parts as rows of one table, and one alone as it is', async () => {
    const line = (id: string, name: string, more = ''): string =>
      `<c:Line><b:ID>${id}</b:ID><b:Amount cur="EUR">1${id}</b:Amount>${more}<c:Item><b:Name>${name}</b:Name></c:Item></c:Line>`;
    const allowance = '<c:Allowance><b:Amount>8</b:Amount></c:Allowance>';
    const lines = line('1', 'Rye', allowance) + line('2', 'Roll') + '<c:Line><b:ID>3</b:ID></c:Line>';
    const table =
      'table: ID | Amount cur | Amount | Allowance Amount | Item Name\n1 | EUR | 11 | 8 | Rye\n2 | EUR | 12 |  | Roll\n3 |  |  |  | ';
    expect(await outlineOf(`<Invoice><ID>R-1</ID>${lines}<Note>thanks</Note></Invoice>`)).toEqual([
      'paragraph: ID: R-1',
      table,
      'paragraph: thanks',
    ]);
    const first = '<c:Line><b:ID>3</b:ID></c:Line>';
    expect(await outlineOf(`<r><a><x>1</x></a>${first}${line('1', 'Rye')}${line('2', 'Roll')}</r>`)).toEqual([
      'paragraph: a\nx: 1',
      'table: ID | Amount cur | Amount | Item Name\n3 |  |  | \n1 | EUR | 11 | Rye\n2 | EUR | 12 | Roll',
    ]);
    expect(await outlineOf(`<Invoice>${line('1', 'Rye')}<Note>thanks</Note>${line('2', 'Roll')}</Invoice>`)).toEqual([
      'paragraph: ID: 1',
      'paragraph: Amount\ncur: EUR\nAmount: 11',
      'paragraph: Item\nName: Rye',
      'paragraph: thanks',
      'paragraph: ID: 2',
      'paragraph: Amount\ncur: EUR\nAmount: 12',
      'paragraph: Item\nName: Roll',
    ]);
  });

  it('passes over files that elements hold as text, and counts them, but no keys and words', async () => {
    const file = (bytes: number): string =>
      Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 7) % 251)).toString('base64');
    const lines = file(600).replace(/.{76}/g, '$&\n');
    for (const data of [file(300), lines, file(200_000)]) {
      const { outline, document } = await parseBytes(
        `<Invoice><Doc><ID>7</ID><Data filename="note.pdf">${data}</Data></Doc><end>here</end></Invoice>`,
        'a.xml',
      );
      expect(outline.join('\n')).toContain('note.pdf');
      expect(outline.at(-1)).toBe('paragraph: end: here');
      expect(outline.join('').length).toBeLessThan(200);
      expect(document.fidelity['embedded_files_left_out']).toBe(1);
    }
    const words = 'Each of these words is short although they are many and long in all '.repeat(8).trim();
    expect(await outlineOf(`<r><key>${file(60)}</key><words>${words}</words></r>`)).toEqual([
      `paragraph: key: ${file(60)}`,
      `paragraph: words: ${words}`,
    ]);
  });

  it('reads a document with titles and running text', async () => {
    const { outline, document } = await parseBytes(
      '<book><title>T</title><chapter id="c"><title>One</title><para>Some <b>bold</b> words</para><para>more</para></chapter></book>',
      'a.xml',
    );
    expect(outline).toEqual([
      'heading: T',
      'paragraph: chapter id: c',
      'heading: One',
      'paragraph: Some bold words',
      'paragraph: more',
    ]);
    expect(document.title).toBe('T');
  });

  it('keeps names of short values, CDATA, entities and the text of feeds without its tags', async () => {
    expect(await outlineOf('<r><owner>A &amp; B&nbsp;C</owner><note><![CDATA[x < y]]></note></r>')).toEqual([
      'paragraph: owner: A & B C',
      'paragraph: x < y',
    ]);
    expect(
      await outlineOf(
        '<rss><channel><d>x</d><item><description>&lt;p&gt;one &lt;b&gt;two&lt;/b&gt;&lt;/p&gt;</description><sub><x/></sub></item></channel></rss>',
      ),
    ).toContain('paragraph: one two');
  });

  it('streams: a hundred thousand records are a table, and a deep one does not end the reading', async () => {
    const records = Array.from({ length: 100_000 }, (_, at) => `<r><n>${at}</n><v>w${at}</v></r>`).join('');
    const { document, text } = await parseBytes(`<all>${records}</all>`, 'a.xml');
    expect(document.fidelity).toMatchObject({ tables: 1, table_rows: 100_000 });
    expect(text.endsWith('99999 | w99999')).toBe(true);
  });

  it('keeps the words of a subtree that is too large to be held', async () => {
    const words = Array.from({ length: 20_000 }, (_, at) => `<s><t>deep</t><u><w>word${at}</w></u></s>`).join('');
    const { text } = await parseBytes(`<a><b>${words}</b></a>`, 'a.xml');
    expect(text).toContain('word0');
    expect(text.match(/word\d+/g)).toHaveLength(20_000);
  });

  it('is decoded by its own declaration', async () => {
    const xml = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><p>Gr\u00fc\u00dfe aus K\u00f6ln</p>',
      'latin1',
    );
    expect((await parseBytes(xml, 'a.xml')).text).toBe('Gr\u00fc\u00dfe aus K\u00f6ln');
  });

  it('that is broken is read as plain text, with a warning', async () => {
    const { text, document } = await parseBytes('<a><b>words</a>', 'a.xml');
    expect(text).toBe('<a><b>words</a>');
    expect(document.warnings).toMatchObject([{ code: 'MALFORMED_XML' }]);
  });

  it('expands no entity of its own', async () => {
    const bomb =
      '<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "&x;&x;&x;"><!ENTITY e SYSTEM "file:///etc/passwd">]><a>&y;&e; end</a>';
    const { text } = await parseBytes(bomb, 'a.xml');
    expect(text).not.toContain('lollol');
    expect(text).not.toContain('root:');
    expect(text).toContain('end');
  });

  it('that is a web page is read as one', async () => {
    expect(await outlineOf('<?xml version="1.0"?><html><body><h1>T</h1></body></html>')).toEqual(['heading: T']);
  });
});

describe('an .svg', () => {
  it('gives the words of a drawing', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>Plan</title><path d="M0 0L9 9"/><text x="1">Boiler <tspan>room</tspan></text></svg>';
    const { outline, document } = await parseBytes(svg, 'plan.svg');
    expect(outline).toEqual(['heading: Plan', 'paragraph: Boiler room']);
    expect(document.title).toBe('Plan');
  });
});

describe('a workbook of Excel 2003', () => {
  it('is its sheets, with cells in their columns and no types', async () => {
    const cell = (text: string, type = 'String', more = ''): string =>
      `<Cell ${more}><Data ss:Type="${type}">${text}</Data></Cell>`;
    const rows =
      `<Row>${cell('Item')}${cell('Since')}${cell('Stock')}</Row>` +
      `<Row>${cell('Lamp')}${cell('2024-03-01T00:00:00.000', 'DateTime')}<Cell><Data ss:Type="Number">4</Data><Comment><ss:Data>count again</ss:Data></Comment></Cell></Row>` +
      `<Row>${cell('Desk')}${cell('2', 'Number', 'ss:Index="3"')}</Row>`;
    const { outline, document } = await parseBytes(
      '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">' +
        `<Worksheet ss:Name="Prices"><Table>${rows}</Table></Worksheet></Workbook>`,
      'a.xml',
    );
    expect(outline).toEqual(['heading: Prices', 'table: Item | Since | Stock\nLamp | 2024-03-01 | 4\nDesk |  | 2']);
    expect(document.fidelity).toMatchObject({ sheets: 1, tables: 1, table_rows: 3 });
  });

  const workbook = (...sheets: string[]): string =>
    '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">' +
    `${sheets.join('')}</Workbook>`;
  const rowOf = (cells: readonly string[], more = ''): string =>
    `<Row ${more}>${cells.map((text) => `<Cell><Data ss:Type="String">${text}</Data></Cell>`).join('')}</Row>`;

  it('tells hidden sheets, rows and columns, and leaves them out when asked', async () => {
    const columns = '<Column ss:Index="2" ss:Hidden="1" ss:Span="1"/><Column/>';
    const rows =
      rowOf(['Item', 'Cost', 'Margin', 'Price']) +
      rowOf(['Lamp', '3', '1', '4']) +
      rowOf(['Test', '0', '0', '0'], 'ss:Hidden="1"') +
      rowOf(['Desk', '8', '1', '9']);
    const shown = `<Worksheet ss:Name="Prices"><Table>${columns}${rows}</Table></Worksheet>`;
    const options = '<WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel">';
    const scratch = ['Hidden', 'VeryHidden']
      .map(
        (how) =>
          `<Worksheet ss:Name="${how}"><Table>${rowOf(['pad'])}</Table>${options}<Visible>Sheet${how}</Visible></WorksheetOptions></Worksheet>`,
      )
      .join('');
    const bytes = workbook(shown, scratch);
    const all = await parseBytes(bytes, 'a.xml');
    expect(all.text).toContain('Lamp | 3 | 1 | 4');
    expect(all.text).toContain('pad');
    const seen = await parseBytes(bytes, 'a.xml', { hidden: 'exclude' });
    expect(seen.outline).toEqual(['heading: Prices', 'table: Item | Price\nLamp | 4\nDesk | 9']);
    expect(seen.document.warnings).toEqual([
      {
        code: 'HIDDEN_CELLS',
        detail: '12 cells that a reader does not see (hidden sheets, 1 hidden row, 2 hidden columns) were left out.',
      },
    ]);
    expect(seen.document.fidelity).toMatchObject({ hidden_sheets: 2, hidden_rows: 1, hidden_columns: 2 });
  });

  it('repeats merged cells over what they span', async () => {
    const merged = (text: string, more: string): string => `<Cell ${more}><Data ss:Type="String">${text}</Data></Cell>`;
    const rows =
      `<Row>${merged('Name', 'ss:MergeDown="1"')}${merged('Pay', 'ss:MergeAcross="1"')}</Row>` +
      `<Row>${merged('Gross', 'ss:Index="2"')}${merged('Net', '')}</Row>${rowOf(['Meier', '6', '5'])}`;
    const { outline } = await parseBytes(
      workbook(`<Worksheet ss:Name="S"><Table>${rows}</Table></Worksheet>`),
      'a.xml',
    );
    expect(outline).toEqual(['heading: S', 'table: Name | Pay | Pay\nName | Gross | Net\nMeier | 6 | 5']);
  });
});
