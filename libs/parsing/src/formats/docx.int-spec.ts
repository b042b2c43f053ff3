import { describe, expect, it } from 'vitest';
import { makeBomb, makeZip } from '../testing/make-zip.js';
import { makeCompound } from '../testing/make-compound.js';
import { makeDocx, partXml, wordParagraph as p } from '../testing/make-ooxml.js';
import { parseBytes, type ParsedBytes } from '../testing/parse-bytes.js';

const STYLES = partXml(
  'w:styles',
  `<w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
   <w:style w:styleId="Mine"><w:name w:val="Kapitel"/><w:basedOn w:val="H1"/></w:style>
   <w:style w:styleId="T"><w:name w:val="Title"/></w:style>
   <w:style w:styleId="Q"><w:name w:val="Quote"/></w:style>
   <w:style w:styleId="Item"><w:name w:val="Bullet style"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>`,
);
const level = (depth: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/>${more}<w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
const NUMBERING = partXml(
  'w:numbering',
  `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}${level(2, 'upperRoman', '%3')}</w:abstractNum>
   <w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '')}</w:abstractNum>
   <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
   <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
   <w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>`,
);
const PARTS = { 'word/styles.xml': STYLES, 'word/numbering.xml': NUMBERING };
const RELATIONS = { s: ['styles', 'styles.xml'], n: ['numbering', 'numbering.xml'] } as const;

const numbered = (text: string, numId: number, ilvl = 0): string =>
  p(text, `<w:numPr><w:ilvl w:val="${ilvl}"/><w:numId w:val="${numId}"/></w:numPr>`);
const parse = (body: string, parts = {}, relations = {}): Promise<ParsedBytes> =>
  parseBytes(makeDocx(body, { ...PARTS, ...parts }, { ...RELATIONS, ...relations }), 'a.docx');
const run = (content: string): string => `<w:r>${content}</w:r>`;
const cell = (text: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;
const row = (...cells: string[]): string => `<w:tr>${cells.join('')}</w:tr>`;

describe('parseDocx', () => {
  it('finds headings by built-in name, by ancestry and by outline level', async () => {
    const body =
      p('The title', '<w:pStyle w:val="T"/>') +
      p('One', '<w:pStyle w:val="H1"/>') +
      p('Two', '<w:pStyle w:val="Mine"/>') +
      p('Three', '<w:outlineLvl w:val="2"/>') +
      p('Body', '<w:outlineLvl w:val="9"/>') +
      p('Said', '<w:pStyle w:val="Q"/>');
    const { outline, blocks, document } = await parse(body);
    expect(outline).toEqual([
      'heading: The title',
      'heading: One',
      'heading: Two',
      'heading: Three',
      'paragraph: Body',
      'quote: Said',
    ]);
    expect(blocks.map((block) => block.level)).toEqual([1, 1, 1, 3, undefined, undefined]);
    expect(document.title).toBe('The title');
  });

  it('writes automatic numbers as they are shown, also of headings, and counts skipped levels', async () => {
    const heading = '<w:pStyle w:val="H1"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>';
    const body =
      p('Scope', heading) +
      numbered('deep', 1, 1) +
      numbered('deeper', 1, 2) +
      p('Terms', heading) +
      numbered('again', 1, 2) +
      numbered('level', 1, 1) +
      numbered('restarted', 3) +
      numbered('goes on', 1) +
      numbered('not counted', 0);
    expect((await parse(body)).outline).toEqual([
      'heading: 1. Scope',
      'list_item: 1.a) deep',
      'list_item: I deeper',
      'heading: 2. Terms',
      'list_item: I again',
      'list_item: 2.b) level',
      'list_item: 7. restarted',
      'list_item: 8. goes on',
      'paragraph: not counted',
    ]);
  });

  it('writes bullets, also those that a style gives', async () => {
    const { outline } = await parse(numbered('one', 2) + p('two', '<w:pStyle w:val="Item"/>'));
    expect(outline).toEqual(['list_item: - one', 'list_item: - two']);
  });

  it('repeats merged cells and reads one-column and nested tables as text', async () => {
    const merged =
      `<w:tbl>${row(cell('a'), cell('wide', '<w:gridSpan w:val="2"/>'))}` +
      `${row(cell('tall', '<w:vMerge w:val="restart"/>'), cell('1'), cell('2'))}` +
      `${row(cell('', '<w:vMerge/>'), cell('3'), cell('4'))}</w:tbl>`;
    const box = `<w:tbl>${row(`<w:tc>${p('boxed', '<w:pStyle w:val="H1"/>')}${p('text')}</w:tc>`)}</w:tbl>`;
    const nested = `<w:tbl>${row(cell('outer'), `<w:tc><w:tbl>${row(cell('in 1'), cell('in 2'))}</w:tbl><w:p/></w:tc>`)}</w:tbl>`;
    const { outline, document } = await parse(merged + box + nested);
    expect(outline).toEqual([
      'table: a | wide | wide\ntall | 1 | 2\ntall | 3 | 4',
      'heading: boxed',
      'paragraph: text',
      'paragraph: outer',
      'table: in 1 | in 2',
    ]);
    expect(document.fidelity['tables']).toBe(2);
  });

  it('reads a grid of short cells as a table, whose cells may be headings or hold tables', async () => {
    const inner = `<w:tbl>${row(cell('Size'), cell('Mass'))}${row(cell('M'), cell('3 kg'))}</w:tbl>`;
    const grid = (...rows: string[]): string => `<w:tbl>${rows.join('')}</w:tbl>`;
    const head = row(cell('Product'), cell('Details'), cell('Price'));
    const holding = row(cell('Pump'), `<w:tc>${inner}<w:p/></w:tc>`, cell('90'));
    const plain = row(cell('Valve'), cell('none'), cell('20'));
    const after = p('after');
    expect((await parse(grid(head, holding, plain) + after)).outline).toEqual([
      'table: Product | Details | Price\nPump |  | 90\nValve | none | 20',
      'table: Size | Mass\nM | 3 kg',
      'paragraph: after',
    ]);
    const over = row(
      cell('Site', '<w:vMerge w:val="restart"/>'),
      cell('Power', '<w:gridSpan w:val="2"/>'),
      cell('Remark', '<w:vMerge w:val="restart"/>'),
    );
    const below = row(cell('', '<w:vMerge/>'), cell('2022'), cell('2023'), cell('', '<w:vMerge/>'));
    const chur = row(cell('Chur'), cell('120'), cell('131'), `<w:tc>${inner}<w:p/></w:tc>`);
    expect(
      (await parse(grid(over, below, row(cell('Bern'), cell('410'), cell('395'), cell('')), chur))).outline,
    ).toEqual([
      'table: Site | Power | Power | Remark\nSite | 2022 | 2023 | Remark\nBern | 410 | 395 | \nChur | 120 | 131 | ',
      'table: Size | Mass\nM | 3 kg',
    ]);
    const heading = `<w:tc>${p('A', '<w:pStyle w:val="H1"/>')}</w:tc>`;
    expect((await parse(grid(row(heading, cell('B')), row(cell('1'), cell('2'))))).outline).toEqual([
      'table: A | B\n1 | 2',
    ]);
    for (const arranged of [
      grid(row(cell('A'), `<w:tc>${inner}<w:p/></w:tc>`), row(cell('B'), `<w:tc>${inner}<w:p/></w:tc>`)),
      grid(row(cell('A'), cell('word '.repeat(30))), row(cell('B'), `<w:tc>${inner}<w:p/></w:tc>`)),
      grid(row(cell('A'), cell('B'), cell('C')), row(cell('D'), `<w:tc>${inner}<w:p/></w:tc>`)),
      grid(row(cell('A'), cell('B')), row(cell('C'), heading)),
      grid(row(cell('A'), cell(''), cell('')), row(cell(''), cell('B'), cell('')), row(cell(''), cell(''), heading)),
    ]) {
      expect((await parse(arranged)).outline[0]).toMatch(/^paragraph: A/);
    }
  });

  it('keeps insertions and leaves out what was deleted, moved away or hidden', async () => {
    const body =
      `<w:p>${run('<w:t xml:space="preserve">kept </w:t>')}<w:ins>${run('<w:t>inserted</w:t>')}</w:ins>` +
      `<w:del>${run('<w:delText>deleted</w:delText>')}</w:del><w:moveFrom>${run('<w:t>moved</w:t>')}</w:moveFrom>` +
      `${run('<w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t>')}${run('<w:rPr><w:vanish w:val="0"/></w:rPr><w:t>!</w:t>')}</w:p>`;
    const { text, document } = await parse(body);
    expect(text).toBe('kept inserted!');
    expect(document.fidelity['hidden_characters_left_out']).toBe(6);
  });

  describe('joins paragraphs whose marks were deleted', () => {
    const change = (kind: string): string => `<w:pPr><w:rPr><w:${kind} w:id="1" w:author="A"/></w:rPr></w:pPr>`;
    const marked = (kind: string, text: string): string => `<w:p>${change(kind)}${run(`<w:t>${text}</w:t>`)}</w:p>`;

    it.each([
      ['a deleted mark', marked('del', 'sup') + p('plier'), ['paragraph: supplier']],
      [
        'several in a row',
        marked('del', 'a') + marked('del', 'b') + p('c') + p('d'),
        ['paragraph: abc', 'paragraph: d'],
      ],
      ['a mark that was moved away', marked('moveFrom', 'sup') + p('plier'), ['paragraph: supplier']],
      ['an inserted mark separates', marked('ins', 'one') + p('two'), ['paragraph: one', 'paragraph: two']],
      [
        'a table follows',
        `${marked('del', 'one')}<w:tbl>${row(cell('x'), cell('y'))}</w:tbl>`,
        ['paragraph: one', 'table: x | y'],
      ],
      ['nothing follows', marked('del', 'one'), ['paragraph: one']],
    ])('%s', async (_kind, body, outline) => {
      expect((await parse(body)).outline).toEqual(outline);
    });

    it('within a cell only', async () => {
      const first = `<w:tc>${marked('del', 'sup')}${p('plier')}</w:tc><w:tc>${marked('del', 'a')}</w:tc>`;
      const body = `<w:tbl><w:tr>${first}</w:tr>${row(cell('b'), cell('c'))}</w:tbl>`;
      expect((await parse(body)).outline).toEqual(['table: supplier | a\nb | c']);
    });
  });

  it('reads the result of a field and not its code, and survives a field that never ends', async () => {
    const field = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`);
    const code = run('<w:instrText>PAGE</w:instrText>');
    const body =
      `<w:p>${field('begin')}${code}${run('<w:t>code</w:t>')}${field('separate')}${run('<w:t>result</w:t>')}${field('end')}</w:p>` +
      `<w:p>${field('begin')}${run('<w:t>lost</w:t>')}</w:p>${p('next')}`;
    expect((await parse(body)).text).toBe('result\n\nnext');
  });

  it('reads a text box once, though it is there twice, and the base of a text with readings', async () => {
    const box = (text: string): string => `<w:txbxContent>${p(text)}</w:txbxContent>`;
    const body =
      `<w:p>${run(`<mc:AlternateContent><mc:Choice>${box('in the box')}</mc:Choice><mc:Fallback>${box('in the box')}</mc:Fallback></mc:AlternateContent>`)}` +
      `${run('<w:t>around</w:t>')}</w:p>` +
      `<w:p>${run(`<w:ruby><w:rubyPr/><w:rt>${run('<w:t>とう</w:t>')}</w:rt><w:rubyBase>${run('<w:t>東</w:t>')}</w:rubyBase></w:ruby>`)}</w:p>`;
    expect((await parse(body)).text).toBe('in the box\n\naround\n\n東');
  });

  it('writes notes and comments behind the paragraph or the table that refers to them', async () => {
    const parts = {
      'word/footnotes.xml': partXml(
        'w:footnotes',
        `<w:footnote w:type="separator" w:id="0">${p('---')}</w:footnote><w:footnote w:id="5">${p('the note')}</w:footnote>`,
      ),
      'word/comments.xml': partXml(
        'w:comments',
        `<w:comment w:id="1" w:author="Ada" w:initials="AL" w:date="2026-01-05T10:00:00Z">${p('check')}${p('this')}</w:comment>
         <w:comment w:id="2" w:author="Bo">${p('lost')}</w:comment>`,
      ),
    };
    const relations = { f: ['footnotes', 'footnotes.xml'], c: ['comments', 'comments.xml'] };
    const noted = `<w:p>${run('<w:t>text</w:t><w:footnoteReference w:id="5"/>')}</w:p>`;
    const body = `${noted}<w:tbl>${row(`<w:tc><w:p>${run('<w:t>a</w:t><w:commentReference w:id="1"/>')}</w:p></w:tc>`, cell('b'))}</w:tbl>${p('after')}`;
    const { outline } = await parse(body, parts, relations);
    expect(outline).toEqual([
      'paragraph: text',
      'paragraph: Footnote 1: the note',
      'table: a | b',
      'paragraph: Comment by Ada (AL), 2026-01-05T10:00:00Z: check\nthis',
      'paragraph: after',
      'paragraph: Comment by Bo: lost',
    ]);
  });

  it('reads tabs, breaks and symbols, and counts images, headers and inserted files', async () => {
    const body =
      `<w:p>${run('<w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:sym w:font="Wingdings" w:char="F0FC"/>')}` +
      `${run('<w:pict><v:imagedata/></w:pict>')}</w:p><w:altChunk/>`;
    const { text, document } = await parse(body, { 'word/header1.xml': '<x/>' });
    expect(text).toBe('a b\nc-d✓');
    expect(document.fidelity).toMatchObject({ images_seen: 1, headers_and_footers_left_out: 1 });
    expect(document.warnings.map(({ code }) => code)).toEqual(['PARTIAL_CONTENT']);
  });

  it('has each header once before the body and each footer behind it, without numbers of pages', async () => {
    const field = (code: string, result: string): string =>
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(`<w:t>${result}</w:t>`)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const pageOf = `<w:p>${run('<w:t xml:space="preserve">Seite </w:t>')}${field('PAGE', '1')}${run('<w:t xml:space="preserve"> von </w:t>')}${field('NUMPAGES', '3')}</w:p>`;
    const parts = {
      'word/header1.xml': partXml('w:hdr', p('Stadtwerke Neustadt') + p('Hafenstrasse 3')),
      'word/header2.xml': partXml('w:hdr', p('Stadtwerke Neustadt')),
      'word/footer1.xml': partXml('w:ftr', p('IBAN CH93 0076 2011') + pageOf),
      'word/footer2.xml': partXml('w:ftr', `<w:p>${field('PAGE', '2')}</w:p>`),
    };
    const relations = {
      a: ['header', 'header1.xml'],
      b: ['header', 'header2.xml'],
      c: ['footer', 'footer1.xml'],
      d: ['footer', 'footer2.xml'],
    } as const;
    const { outline, document } = await parse(p('Dear Ms Nowak'), parts, relations);
    expect(outline).toEqual([
      'paragraph: Stadtwerke Neustadt\nHafenstrasse 3',
      'paragraph: Dear Ms Nowak',
      'paragraph: IBAN CH93 0076 2011',
    ]);
    expect(document.fidelity['headers_and_footers_left_out']).toBe(0);
    expect((await parse(p(''), parts, relations)).document.title).toBeUndefined();
  });

  it('reads a file with other prefixes, the strict variant and macros', async () => {
    const strict = partXml('w:document', `<w:body>${p('strict words')}</w:body>`)
      .replaceAll('w:', 'ns0:')
      .replaceAll('xmlns:w=', 'xmlns:ns0=')
      .replace(
        'xmlns:ns0="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
        'xmlns:ns0="http://purl.oclc.org/ooxml/wordprocessingml/main"',
      );
    const { text, document } = await parseBytes(makeDocx('', { 'word/document.xml': strict }), 'a.docm');
    expect(text).toBe('strict words');
    expect(document.mediaType).toMatch(/wordprocessingml\.document$/);
  });

  it.each([
    ['a cut file', makeDocx(p('x')).subarray(0, 300), 'MALFORMED'],
    ['a bomb', makeBomb(200), 'ARCHIVE_LIMIT'],
    [
      'an encrypted file',
      makeCompound({ EncryptionInfo: Buffer.alloc(100), EncryptedPackage: Buffer.alloc(5000) }),
      'ENCRYPTED',
    ],
    ['a file without a body', makeZip([{ name: 'word/styles.xml', data: Buffer.from(STYLES) }]), 'MALFORMED'],
    ['damaged XML', makeDocx('<w:p><w:r>'), 'MALFORMED'],
    ['deep nesting', makeDocx('<w:sdt>'.repeat(2000)), 'MALFORMED'],
    ['deeply nested tables', makeDocx('<w:tbl><w:tr><w:tc>'.repeat(120)), 'MALFORMED'],
  ])('answers %s with a code', async (_, bytes, code) => {
    await expect(parseBytes(bytes, 'a.docx')).rejects.toMatchObject({ name: 'ParseError', code });
  });

  it('bounds what a span asks for', async () => {
    const { text } = await parse(`<w:tbl>${row(cell('x', '<w:gridSpan w:val="2000000000"/>'), cell('y'))}</w:tbl>`);
    expect(text).toBe('x | y');
    const bounded = await parse(
      `<w:tbl>${row(cell('x', '<w:gridSpan w:val="2000000000"/>'))}${row(...Array.from({ length: 150 }, () => cell('y')))}</w:tbl>`,
    );
    expect(bounded.text.split('\n')[0]!.split(' | ')).toHaveLength(100);
  });

  it('has no columns in a table that no cell begins in', async () => {
    const wide = '<w:gridSpan w:val="2"/>';
    const { text } = await parse(
      `<w:tbl>${row(cell('Rates', '<w:gridSpan w:val="99"/>'))}${row(cell('Part', wide), cell('Price'))}` +
        `${row(cell('Nut', wide), cell('0.75'))}</w:tbl>`,
    );
    expect(text).toBe('Rates | Rates\nPart | Price\nNut | 0.75');
  });

  it('loses no cell of a late row that begins where no cell of the first rows does', async () => {
    const wide = row(cell('Nut', '<w:gridSpan w:val="2"/>'), cell('0.75'));
    const late = row(cell('Bolt'), cell('stainless'), cell('1.10'));
    const { text } = await parse(`<w:tbl>${wide.repeat(210)}${late}${wide}</w:tbl>`);
    expect(text.split('\n').slice(-2)).toEqual(['Bolt stainless | 1.10', 'Nut | 0.75']);
  });

  it('leaves out prompts of content controls that nothing was filled into, and keeps their cells', async () => {
    const control = (content: string, properties = ''): string =>
      `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    const prompt = '<w:showingPlcHdr/>';
    const body =
      `<w:p>${run('<w:t xml:space="preserve">Name: </w:t>')}${control(run('<w:t>Ada</w:t>'))}</w:p>` +
      control(p('Click here to enter text.'), prompt) +
      control(p('Filled'), '<w:showingPlcHdr w:val="0"/>') +
      `<w:tbl>${row(cell('Item'), cell('Price'))}${row(control(cell('Click here'), prompt), cell('12'))}</w:tbl>`;
    const { outline, document } = await parse(body);
    expect(outline).toEqual(['paragraph: Name: Ada', 'paragraph: Filled', 'table: Item | Price\n | 12']);
    expect(document.fidelity).toMatchObject({ hidden_characters_left_out: 35 });
  });
});
