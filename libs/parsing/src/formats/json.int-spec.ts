import { describe, expect, it } from 'vitest';
import { parseBytes } from '../testing/parse-bytes.js';

const parseJson = (value: unknown, name = 'a.json') => parseBytes(JSON.stringify(value), name);

describe('a .json', () => {
  it('becomes lines of path and value', async () => {
    const { text, document } = await parseJson({ title: 'Pump', size: { w: 2, h: null }, tags: ['a', 'b'], on: true });
    expect(text).toBe('title: Pump\nsize.w: 2\nsize.h:\ntags: a, b\non: true');
    expect(document.title).toBe('Pump');
  });

  it('writes a list of flat objects as a table under its path', async () => {
    const { outline, document } = await parseJson({
      items: [
        { id: 1, name: 'pump', at: { city: 'Bonn' } },
        { id: 2, name: 'valve\nbig', extra: 'x' },
      ],
    });
    expect(outline).toEqual([
      'caption: items',
      'table: id | name | at.city | extra\n1 | pump | Bonn | \n2 | valve big |  | x',
    ]);
    expect(document.fidelity).toMatchObject({ tables: 1, table_rows: 2 });
  });

  it('writes a list of one flat object as a table of one row, and one with a single name or a long value as lines', async () => {
    const { outline } = await parseJson([{ plate: 'AB-12', km: 18_200 }]);
    expect(outline).toEqual(['table: plate | km\nAB-12 | 18200']);
    const nested = await parseJson({ cars: [{ plate: 'AB-12', owner: { city: 'Lund' } }] });
    expect(nested.outline).toEqual(['caption: cars', 'table: plate | owner.city\nAB-12 | Lund']);
    expect((await parseJson([{ plate: 'AB-12' }])).text).toBe('[0].plate: AB-12');
    expect((await parseJson([{ a: 1, b: 'word '.repeat(200) }])).text).toContain('[0].a: 1\n[0].b: word');
  });

  it('writes objects that have little in common one by one, with their place', async () => {
    const { outline } = await parseJson([{ a: 1, deep: [{ x: [1, { y: 2 }] }] }, { b: 'two' }]);
    expect(outline).toEqual([
      'paragraph: [0].a: 1\n[0].deep[0].x[0]: 1\n[0].deep[0].x[1].y: 2',
      'paragraph: [1].b: two',
    ]);
  });

  it('keeps the digits of numbers that are too large or too exact', async () => {
    const { text } = await parseBytes('{"n": 12345678901234567890, "p": 1.50}', 'a.json');
    expect(text).toBe('n: 12345678901234567890\np: 1.50');
  });

  it('keeps every word of text that is no JSON, with a warning', async () => {
    const broken = '{"a": 1, "words": "kept", }';
    const { text, document } = await parseBytes(broken, 'a.json');
    expect(text).toBe(broken);
    expect(document.warnings).toMatchObject([{ code: 'MALFORMED_JSON' }]);
  });

  it('streams a long array, and keeps an element that is broken', async () => {
    const words = 'some words of the element '.repeat(10);
    const elements = Array.from({ length: 70_000 }, (_, at) => `{"id": ${at}, "x": "a, ] \\" ${words}"}`);
    elements[60_000] = '{"id": broken}';
    const { text, document } = await parseBytes(`[${elements.join(',\n')}]`, 'a.json');
    expect(text).toContain(`69999 | a, ] " some words`);
    expect(text).toContain('{"id": broken}');
    expect(document.fidelity).toMatchObject({ records: 70_000, table_rows: 69_999 });
    expect(document.warnings).toMatchObject([
      { code: 'MALFORMED_JSON', detail: expect.stringContaining('element 60001') },
    ]);
  });

  it('survives a hundred thousand brackets', async () => {
    const { document } = await parseBytes('['.repeat(100_000) + ']'.repeat(100_000), 'a.json');
    expect(document.warnings).toMatchObject([{ code: 'MALFORMED_JSON' }]);
  });

  it('is read line by line when its lines are JSON', async () => {
    expect((await parseBytes('{"a":1}\n{"a":2}\n', 'a.json')).text).toBe('a\n1\n2');
  });

  it('of one line is a table of one row', async () => {
    expect((await parseBytes('{"a":1,"b":"x"}\n\n', 'a.jsonl')).text).toBe('a | b\n1 | x');
  });
});

describe('records of a .json that are no list', () => {
  it.each([
    [
      'members of an object that are alike',
      { oslo: { seats: 12, open: true }, lund: { seats: 30, open: null }, vik: { seats: 4, open: false } },
      ['key | seats | open', 'oslo | 12 | true', 'lund | 30 | ', 'vik | 4 | false'],
    ],
    [
      'members with parts and a name of their own',
      { report: { a: { key: 'x', size: { w: 1, h: 2 } }, b: { key: 'y', size: { w: 3, h: 4 } } } },
      ['report', 'name | key | size.w | size.h', 'a | x | 1 | 2', 'b | y | 3 | 4'],
    ],
    [
      'columns of a data frame',
      { city: { 0: 'Oslo', 1: 'Lund', 2: 'Vik' }, seats: { 0: 12, 1: 30, 2: 4 } },
      ['number | city | seats', '0 | Oslo | 12', '1 | Lund | 30', '2 | Vik | 4'],
    ],
    [
      'codes and what they stand for',
      { gender: { 0: 'male', 1: 'female' }, smoker: { 0: 'no', 1: 'yes' } },
      ['key | 0 | 1', 'gender | male | female', 'smoker | no | yes'],
    ],
    [
      'members with a name whose values are all missing',
      { a: { key: null, size: 1 }, b: { key: null, size: 2 }, c: { key: null, size: 3 } },
      ['name | key | size', 'a |  | 1', 'b |  | 2', 'c |  | 3'],
    ],
    [
      'rows below their names',
      {
        range: 'A1:B3',
        values: [
          ['City', 'Seats'],
          ['Oslo', 12],
          ['Lund', 30],
        ],
      },
      ['range: A1:B3', 'values', 'City | Seats', 'Oslo | 12', 'Lund | 30'],
    ],
  ])('are a table: %s', async (_what, value, lines) => {
    const { text, document } = await parseJson(value);
    expect(text.split(/\n+/)).toEqual(lines);
    expect(document.fidelity).toMatchObject({ tables: 1 });
  });

  it.each([
    ['settings with little in common', { web: { port: 80, root: '/' }, mail: { port: 25, host: 'm', user: 'u' } }],
    ['a name with words here and numbers there', { a: { v: 1 }, b: { v: 'x' }, c: { v: 2 } }],
    ['members with two values of one name', { a: { 'x.y': 1, x: { y: 2 } }, b: { 'x.y': 1, x: { y: 2 } } }],
    [
      'pairs of words',
      {
        pairs: [
          ['hello', 'hallo'],
          ['dog', 'hund'],
          ['cat', 'katze'],
        ],
      },
    ],
    [
      'a pair of rows',
      {
        pairs: [
          ['City', 'Seats'],
          ['Oslo', 12],
        ],
      },
    ],
    ['members without records', { a: { v: 1 }, b: 3 }],
    [
      'positions',
      {
        line: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
  ])('stay lines: %s', async (_what, value) => {
    expect((await parseJson(value)).document.fidelity).toMatchObject({ tables: 0 });
  });
});

describe('a .geojson', () => {
  it('keeps properties and points, and counts the positions of larger shapes', async () => {
    const feature = (name: string, geometry: unknown): unknown => ({ type: 'Feature', properties: { name }, geometry });
    const { text, document } = await parseJson(
      {
        type: 'FeatureCollection',
        features: [
          feature('Well', { type: 'Point', coordinates: [7.1, 50.7] }),
          feature('Field', {
            type: 'Polygon',
            coordinates: [
              [
                [0, 0],
                [1, 0],
                [1, 1],
                [0, 0],
              ],
            ],
          }),
        ],
      },
      'map.geojson',
    );
    expect(text).toContain('name | geometry\nWell | Point 7.1, 50.7\nField | Polygon with 4 positions');
    expect(document.fidelity).toMatchObject({ geometries: 2 });
  });
});

describe('a .jsonl', () => {
  it('becomes a table; values under later names are kept with their name', async () => {
    const rows = Array.from({ length: 300 }, (_, at) =>
      JSON.stringify(at === 250 ? { id: at, v: 'x', late: 'yes' } : { id: at, v: `v${at}` }),
    );
    const { text, document } = await parseBytes(rows.join('\n'), 'a.jsonl');
    expect(text.split('\n').slice(0, 2)).toEqual(['id | v', '0 | v0']);
    expect(text).toContain('250 | x | late: yes');
    expect(document.fidelity).toMatchObject({ tables: 1, table_rows: 300 });
  });

  it('keeps a line that is no JSON as it is and names it', async () => {
    const { text, document } = await parseBytes('{"a":1}\n{"a":2}\nnot json\n{"a":3}\n', 'a.ndjson');
    expect(text).toBe('a\n1\n2\n\nnot json\n\na: 3');
    expect(document.warnings).toMatchObject([{ code: 'MALFORMED_JSON', detail: expect.stringContaining('line 3') }]);
  });

  it('reads lines that are longer than the pieces of the file', async () => {
    const value = 'word '.repeat(50_000);
    expect((await parseBytes(`${JSON.stringify({ value })}\n${JSON.stringify({ n: 1 })}\n`, 'a.jsonl')).text).toContain(
      'n: 1',
    );
  });
});

describe('an .ipynb', () => {
  it('gives Markdown, code and outputs of its cells in order', async () => {
    const { outline, blocks, document } = await parseJson(
      {
        nbformat: 4,
        metadata: { language_info: { name: 'python' } },
        cells: [
          { cell_type: 'markdown', source: ['# Study\n', 'Some words'] },
          {
            cell_type: 'code',
            source: 'print(1)',
            outputs: [
              { output_type: 'stream', text: ['1\n'] },
              { output_type: 'display_data', data: { 'image/png': 'AAAA', 'text/plain': '<Figure>' } },
            ],
          },
          { cell_type: 'raw', source: 'as it is' },
        ],
      },
      'study.ipynb',
    );
    expect(outline).toEqual([
      'heading: Study',
      'paragraph: Some words',
      'code: print(1)',
      'code: 1',
      'code: <Figure>',
      'paragraph: as it is',
    ]);
    expect(blocks[2]).toMatchObject({ language: 'python' });
    expect(document).toMatchObject({ title: 'Study', fidelity: { cells: 3, images_seen: 1, images_extracted: 0 } });
  });

  it('that is none is read as JSON', async () => {
    expect((await parseJson({ a: 1 }, 'a.ipynb')).text).toBe('a: 1');
  });

  it('gives the HTML of an output that has no other words, or a table with a header', async () => {
    const output = (data: object): object => ({ output_type: 'display_data', metadata: {}, data });
    const frame =
      '<style scoped>.dataframe {color: red}</style><table class="dataframe"><thead><tr><th></th><th>City</th><th>Revenue</th></tr></thead>' +
      '<tbody><tr><th>0</th><td>Graz</td><td>1,250</td></tr><tr><th>1</th><td>Linz &amp; Wels</td><td>980</td></tr></tbody></table>';
    const outputs = [
      output({ 'text/html': [frame] }),
      output({ 'text/html': '<b>Done</b> in <i>3</i> steps', 'text/plain': '<IPython.core.display.HTML object>' }),
      output({ 'text/html': '<table><tr><td>a</td></tr></table>', 'text/plain': 'a plain one' }),
      output({ 'text/html': [frame], 'text/plain': '   City Revenue\n0  Graz   1,250' }),
      output({ 'text/latex': '$a^2$' }),
      { output_type: 'stream', name: 'stdout', text: '\u001b[31mred\u001b[0m and plain\n' },
    ];
    const cell = { cell_type: 'code', metadata: {}, source: 'show()', outputs };
    const { text, outline } = await parseJson(
      { nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] },
      'a.ipynb',
    );
    expect(text.split('\n\n')).toEqual([
      'show()',
      ' | City | Revenue\n0 | Graz | 1,250\n1 | Linz & Wels | 980',
      'Done in 3 steps',
      'a plain one',
      ' | City | Revenue\n0 | Graz | 1,250\n1 | Linz & Wels | 980',
      '$a^2$',
      'red and plain',
    ]);
    expect(outline[1]).toMatch(/^table: /);
  });

  it('cuts long HTML of an output as it cuts text, and says which outputs it leaves out', async () => {
    const output = (html: string, plain: string): object => ({
      output_type: 'display_data',
      data: { 'text/html': html, 'text/plain': plain },
    });
    const read = async (...outputs: object[]): Promise<{ readonly text: string; readonly details: string[] }> => {
      const cells = [{ cell_type: 'code', source: 'show()', outputs }];
      const { text, document } = await parseJson({ nbformat: 4, cells }, 'a.ipynb');
      return { text, details: document.warnings.map(({ detail }) => detail ?? '') };
    };
    const rows = '<tr><td>Graz</td><td>1,250</td></tr>'.repeat(20_000);
    const table = await read(output(`<style>${'x'.repeat(50_000)}</style><table>${rows}</table>`, '<HTML object>'));
    expect(table.text.length).toBeLessThan(40_000);
    expect(table.text.match(/Graz \| 1,250/g)?.length).toBeGreaterThan(1_000);
    expect(table.details).toEqual(['1 outputs of cells were cut after 20000 characters.']);

    const page = `<div>${'<p>a</p>'.repeat(200_000)}</div>`;
    const map = await read(output(page, '<folium.folium.Map at 0x7f>'), output('<b>Done</b>', ''));
    expect(map.text).toBe('show()\n\n<folium.folium.Map at 0x7f>\n\nDone');
    expect(map.details).toEqual(['1 outputs of cells were left out: their HTML has more than 1000000 characters.']);
  });
});
