import { describe, expect, it } from 'vitest';
import { makeFlatOdf, makeOdf, odfPart } from '../testing/make-odf.js';
import { makeZip } from '../testing/make-zip.js';
import { parseBytes } from '../testing/parse-bytes.js';

const p = (text: string, attributes = ''): string => `<text:p ${attributes}>${text}</text:p>`;
const item = (...content: string[]): string => `<text:list-item>${content.join('')}</text:list-item>`;
const list = (style: string, ...items: string[]): string =>
  `<text:list ${style === '' ? '' : `text:style-name="${style}"`}>${items.join('')}</text:list>`;
const cell = (text: string, attributes = ''): string => `<table:table-cell ${attributes}>${p(text)}</table:table-cell>`;
const row = (cells: string, attributes = ''): string => `<table:table-row ${attributes}>${cells}</table:table-row>`;
const LISTS =
  '<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>' +
  '<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" text:display-levels="2"/></text:list-style>' +
  '<text:list-style style:name="B"><text:list-level-style-bullet text:level="1"/></text:list-style>' +
  '<style:style style:name="Hid"><style:text-properties text:display="none"/></style:style>' +
  '<style:style style:name="P1" style:parent-style-name="Title"/>';

describe('parseOpenDocument of a text', () => {
  it('reads headings, lists, spaces, breaks and hidden text', async () => {
    const body =
      p('The title', 'text:style-name="P1"') +
      '<text:h text:outline-level="2">Part</text:h>' +
      p(
        'a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d <text:span>e<text:span text:style-name="Hid">secret</text:span></text:span>',
      ) +
      list('N', item(p('one'), list('', item(p('below')))), item(p('two'), p('goes on'))) +
      list('B', item(p('dot')));
    const { outline, document } = await parseBytes(makeOdf('text', body, LISTS), 'a.odt');
    expect(outline).toEqual([
      'heading: The title',
      'heading: Part',
      'paragraph: a b c\nd e',
      'list_item: 1. one',
      'list_item: 1.a) below',
      'list_item: 2. two',
      'paragraph: goes on',
      'list_item: - dot',
    ]);
    expect(document.fidelity).toMatchObject({ hidden_characters_left_out: 6 });
    expect(document.title).toBe('The title');
  });

  it('numbers headings when the outline has numbers', async () => {
    const styles = odfPart(
      'office:document-styles',
      '<office:styles><text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/>' +
        '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style></office:styles>',
    );
    const h = (level: number, text: string): string => `<text:h text:outline-level="${level}">${text}</text:h>`;
    const body = h(1, 'A') + h(2, 'B') + h(2, 'C') + h(1, 'D') + h(2, 'E');
    const { outline } = await parseBytes(makeOdf('text', body, '', { 'styles.xml': styles }), 'a.odt');
    expect(outline.map((line) => line.slice(9))).toEqual(['1 A', '1.1 B', '1.2 C', '2 D', '2.1 E']);
  });

  it('writes notes and annotations behind their paragraph, and leaves out what was deleted', async () => {
    const body =
      `<text:tracked-changes><text:changed-region>${p('deleted')}</text:changed-region></text:tracked-changes>` +
      p(
        `text<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>${p('the note')}</text:note-body></text:note>` +
          `<office:annotation><dc:creator>Ada</dc:creator><dc:date>2026-01-05</dc:date>${p('check')}</office:annotation> goes on`,
      ) +
      p('after');
    expect((await parseBytes(makeOdf('text', body), 'a.odt')).outline).toEqual([
      'paragraph: text goes on',
      'paragraph: Footnote 1: the note',
      'paragraph: Comment by Ada, 2026-01-05: check',
      'paragraph: after',
    ]);
  });

  it('repeats merged cells of a table', async () => {
    const table =
      `<table:table>${row(`${cell('a')}${cell('wide', 'table:number-columns-spanned="2"')}<table:covered-table-cell/>`)}` +
      `${row(`${cell('tall', 'table:number-rows-spanned="2"')}${cell('1')}${cell('2')}`)}${row(`<table:covered-table-cell/>${cell('3')}${cell('4')}`)}</table:table>`;
    expect((await parseBytes(makeOdf('text', table), 'a.odt')).outline).toEqual([
      'table: a | wide | wide\ntall | 1 | 2\ntall | 3 | 4',
    ]);
  });
});

describe('the edges of the pages of an OpenDocument text', () => {
  const number = '<text:page-number text:select-page="current">4</text:page-number>';
  const edges =
    '<office:master-styles><style:master-page style:name="Standard">' +
    '<style:header><text:p>Stadtwerke Neustadt</text:p><text:p>Hafenstrasse 3</text:p></style:header>' +
    '<style:header-first><text:p>Stadtwerke Neustadt</text:p></style:header-first>' +
    '<style:header-left style:display="false"><text:p>not used</text:p></style:header-left>' +
    `<style:footer><text:p>IBAN CH93 0076 2011</text:p><text:p>Seite ${number} von <text:page-count>9</text:page-count></text:p></style:footer>` +
    `<style:footer-left><text:p>${number}</text:p></style:footer-left></style:master-page></office:master-styles>`;

  it('are said once: headers before the body, footers behind it, without numbers of pages', async () => {
    const styles = { 'styles.xml': odfPart('office:document-styles', edges) };
    const expected = [
      'paragraph: Stadtwerke Neustadt\nHafenstrasse 3',
      'paragraph: Dear Ms Nowak',
      'paragraph: IBAN CH93 0076 2011',
    ];
    const body = '<text:p>Dear Ms Nowak</text:p>';
    expect((await parseBytes(makeOdf('text', body, '', styles), 'a.odt')).outline).toEqual(expected);
    const flat = makeFlatOdf('text', body).replace('<office:body>', `${edges}<office:body>`);
    expect((await parseBytes(flat, 'a.fodt')).outline).toEqual(expected);
  });

  it('are no content of spreadsheets, where programs make them up', async () => {
    const styles = { 'styles.xml': odfPart('office:document-styles', edges) };
    const body = `<table:table table:name="S">${row(cell('Hours'))}</table:table>`;
    expect((await parseBytes(makeOdf('spreadsheet', body, '', styles), 'a.ods')).text).not.toContain('Neustadt');
  });
});

describe('parseOpenDocument of a spreadsheet', () => {
  it('reads sheets, what is shown in cells, repetitions and merged cells', async () => {
    const body =
      `<table:table table:name="One">${row(cell('Name') + cell('Share') + cell('', 'table:number-columns-repeated="1000"'))}` +
      `${row(cell('North', 'table:number-rows-spanned="2"') + cell('25 %', 'office:value="0.25"'))}` +
      `${row(`<table:covered-table-cell/>${cell('x', 'table:number-columns-repeated="2"')}`, 'table:number-rows-repeated="2"')}` +
      `${row('', 'table:number-rows-repeated="1000000"')}</table:table>` +
      `<table:table table:name="Two">${row(cell('', 'table:number-columns-repeated="2"') + cell('far'))}</table:table>`;
    const { outline, blocks, document } = await parseBytes(makeOdf('spreadsheet', body), 'a.ods');
    expect(outline).toEqual([
      'heading: One',
      'table: Name | Share\nNorth | 25 %\nNorth | x | x\n | x | x',
      'heading: Two',
      'table: far',
    ]);
    expect(blocks[1]).toMatchObject({ sheet: 'One', row: 1 });
    expect(document.fidelity).toMatchObject({ sheets: 2, table_rows: 5 });
  });

  it('bounds repetitions that a small file asks for, and says what was left out', async () => {
    const bomb = row(cell('x', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048576"');
    const body = `<table:table table:name="Bomb">${bomb.repeat(50)}</table:table>`;
    const { document } = await parseBytes(makeOdf('spreadsheet', body), 'a.ods');
    expect(document.fidelity['table_rows']).toBeLessThanOrEqual(1000);
    expect(document.warnings.map(({ code }) => code)).toContain('TRUNCATED');
  });

  it('writes annotations and the text of shapes behind the rows', async () => {
    const body =
      `<table:table table:name="S"><table:shapes><draw:frame><draw:text-box>${p('floating')}</draw:text-box></draw:frame></table:shapes>` +
      `${row(`<table:table-cell><office:annotation><dc:creator>Bo</dc:creator>${p('why')}</office:annotation>${p('cell')}</table:table-cell>`)}</table:table>`;
    expect((await parseBytes(makeOdf('spreadsheet', body), 'a.ods')).outline).toEqual([
      'heading: S',
      'table: cell',
      'paragraph: floating',
      'paragraph: Comment by Bo: why',
    ]);
  });
});

describe('parseOpenDocument of a presentation', () => {
  it('reads hidden slides, or leaves them out as the policy says', async () => {
    const style =
      '<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const slide = (name: string, words: string): string =>
      `<draw:page draw:style-name="${name}"><draw:frame><draw:text-box><text:p>${words}</text:p></draw:text-box></draw:frame></draw:page>`;
    const bytes = makeOdf('presentation', slide('dp1', 'shown') + slide('dp2', 'secret') + slide('dp1', 'last'), style);
    const whole = await parseBytes(bytes, 'a.odp');
    expect(whole.document.warnings[0]).toMatchObject({ code: 'HIDDEN_SLIDES' });
    const unseen = whole.document.unseen ?? [];
    expect(unseen.map(({ start, end }) => whole.text.slice(start, end).trim())).toEqual(['secret']);
    const { text, document } = await parseBytes(bytes, 'a.odp', { hidden: 'exclude' });
    expect(text.split(/\s+/)).toEqual(['shown', 'last']);
    expect(document.fidelity).toMatchObject({ hidden_slides: 1 });
  });

  it('reads slides with title, body, notes and page numbers', async () => {
    const frame = (role: string, content: string): string =>
      `<draw:frame presentation:class="${role}"><draw:text-box>${content}</draw:text-box></draw:frame>`;
    const body =
      `<draw:page>${frame('outline', list('B', item(p('point'))))}${frame('title', p('First'))}${frame('footer', p('ACME'))}` +
      `<presentation:notes>${frame('notes', p('say this'))}</presentation:notes></draw:page>` +
      `<draw:page>${frame('title', p('Second'))}</draw:page>`;
    const { outline, blocks, document } = await parseBytes(makeOdf('presentation', body, LISTS), 'a.odp');
    expect(outline).toEqual([
      'heading: First',
      'list_item: - point',
      'paragraph: Notes: say this',
      'page_break: ',
      'heading: Second',
    ]);
    expect(blocks.map(({ page }) => page)).toEqual([1, 1, 1, 2, 2]);
    expect(document.pageCount).toBe(2);
  });
});

describe('parseOpenDocument', () => {
  it('follows the content of a file with a wrong or no extension', async () => {
    const bytes = makeOdf('text', p('words'));
    expect((await parseBytes(bytes, 'a.ods')).document.mediaType).toBe('application/vnd.oasis.opendocument.text');
    expect((await parseBytes(bytes, 'download')).text).toBe('words');
  });

  it.each([
    [
      'an encrypted file',
      makeOdf('text', p('x'), '', { 'META-INF/manifest.xml': '<m><file-entry><encryption-data/></file-entry></m>' }),
      'ENCRYPTED',
    ],
    ['a cut file', makeOdf('text', p('x')).subarray(0, 200), 'MALFORMED'],
    [
      'a file without content',
      makeZip([{ name: 'mimetype', data: Buffer.from('application/vnd.oasis.opendocument.text') }]),
      'MALFORMED',
    ],
    ['damaged XML', makeOdf('text', '<text:p>'), 'MALFORMED'],
    ['deep nesting', makeOdf('text', '<text:span>'.repeat(3000)), 'MALFORMED'],
    ['no body', makeOdf('text', '', '', { 'content.xml': odfPart('office:document-content', '') }), 'MALFORMED'],
  ])('answers %s with a code', async (_, bytes, code) => {
    await expect(parseBytes(bytes, 'a.odt')).rejects.toMatchObject({ name: 'ParseError', code });
  });

  it('tells hidden rows and columns and white text of a spreadsheet, and leaves them out when asked', async () => {
    const styles =
      '<style:style style:name="w"><style:text-properties fo:color="#ffffff"/></style:style>' +
      '<style:style style:name="b" style:parent-style-name="w"><style:table-cell-properties fo:background-color="#0000ff"/></style:style>';
    const cells = (...texts: string[]): string =>
      texts
        .map((text) => {
          const [words, style] = text.split('/');
          const name = style === undefined ? '' : ` table:style-name="${style}"`;
          return `<table:table-cell${name}><text:p>${words}</text:p></table:table-cell>`;
        })
        .join('');
    const body =
      '<table:table table:name="S"><table:table-column/><table:table-column table:visibility="collapse" table:number-columns-repeated="2"/><table:table-column/>' +
      `<table:table-row>${cells('a', 'b', 'c', 'd/b')}</table:table-row>` +
      `<table:table-row table:visibility="filter">${cells('e', 'f', 'g', 'h')}</table:table-row>` +
      `<table:table-row>${cells('i', 'j', 'k', 'l/w')}</table:table-row></table:table>`;
    const bytes = makeOdf('spreadsheet', body, styles);
    const { document, text } = await parseBytes(bytes, 'a.ods');
    expect(document.fidelity).toMatchObject({ hidden_rows: 1, hidden_columns: 2, hidden_cells: 9 });
    expect(document.unseen?.map(({ start, end }) => text.slice(start, end))).toEqual([
      'b | c',
      'e | f | g | h',
      'j | k',
      'l',
    ]);
    expect((await parseBytes(bytes, 'a.ods', { hidden: 'exclude' })).outline.at(-1)).toBe('table: a | d\ni');
  });
});
