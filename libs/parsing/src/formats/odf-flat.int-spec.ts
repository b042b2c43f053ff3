import { describe, expect, it } from 'vitest';
import { makeFlatOdf, makeOdf, odfPart } from '../testing/make-odf.js';
import { parseBytes } from '../testing/parse-bytes.js';

const cell = (text: string): string => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
const row = (...cells: string[]): string => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`;
const CHART =
  '<office:body><office:chart><chart:chart><chart:title><text:p>Turnover</text:p></chart:title><chart:plot-area><chart:axis><chart:title><text:p>Region</text:p></chart:title></chart:axis></chart:plot-area>' +
  `<table:table><table:table-header-rows>${row('', 'Q1')}</table:table-header-rows>${row('East', '0.30000000000000004')}</table:table></chart:chart></office:chart></office:body>`;

describe('flat OpenDocument', () => {
  it('texts are read as those in a package, without settings, styles and bytes of pictures', async () => {
    const styles =
      '<style:style style:name="S"><style:text-properties style:text-line-through-style="solid"/></style:style>';
    const body =
      '<text:h text:outline-level="2">Grüße</text:h><text:p>Kept <text:span text:style-name="S">struck</text:span>' +
      '<draw:frame><draw:image><office:binary-data>iVBORw0KGgo</office:binary-data></draw:image><svg:desc>A pump</svg:desc></draw:frame>' +
      '<text:note text:note-class="footnote"><text:note-body><text:p>Note</text:p></text:note-body></text:note></text:p>' +
      `<table:table>${row('a', 'b')}${row('1', '2')}</table:table>`;
    const { outline, document } = await parseBytes(makeFlatOdf('text', body, styles), 'a.fodt');
    expect(outline).toEqual([
      'heading: Grüße',
      'paragraph: Kept',
      'caption: A pump',
      'paragraph: Footnote 1: Note',
      'table: a | b\n1 | 2',
    ]);
    expect(document).toMatchObject({ mediaType: 'application/vnd.oasis.opendocument.text-flat-xml', title: 'Flat' });
  });

  it('sheets and slides are, and a file of them that is called .xml or nothing', async () => {
    const sheet = `<table:table table:name="Data">${row('Name', 'Sum')}${row('Ada', '3,50')}</table:table>`;
    const slide =
      '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>One</text:p></draw:text-box></draw:frame><text:p>words</text:p></draw:page>';
    for (const name of ['a.fods', 'a.xml', 'download']) {
      const { outline } = await parseBytes(makeFlatOdf('spreadsheet', sheet), name);
      expect(outline).toEqual(['heading: Data', 'table: Name | Sum\nAda | 3,50']);
    }
    const { outline, document } = await parseBytes(makeFlatOdf('presentation', slide), 'a.fodp');
    expect(outline).toEqual(['heading: One', 'paragraph: words']);
    expect(document.pageCount).toBe(1);
  });

  it('that is damaged, or no document, is refused', async () => {
    const whole = makeFlatOdf('text', '<text:p>words</text:p>');
    await expect(parseBytes(whole.slice(0, -60), 'a.fodt')).rejects.toMatchObject({ code: 'MALFORMED' });
    await expect(parseBytes('<other/>', 'a.fodt')).rejects.toMatchObject({ code: 'MALFORMED' });
  });
});

describe('charts of OpenDocument', () => {
  const drawn = (inside: string): string =>
    `<draw:frame><draw:object xlink:href="./Object 1">${inside}</draw:object></draw:frame>`;
  const read = ['caption: Turnover', 'caption: Region', 'table:  | Q1\nEast | 0.3'];

  it('are titles and values, where the chart is a part of the package', async () => {
    const parts = { 'Object 1/content.xml': odfPart('office:document-content', CHART) };
    const text = makeOdf('text', `<text:p>Before${drawn('')}</text:p><text:p>After${drawn('')}</text:p>`, '', parts);
    expect((await parseBytes(text, 'a.odt')).outline).toEqual(['paragraph: Before', ...read, 'paragraph: After']);
    const sheet = makeOdf(
      'spreadsheet',
      `<table:table table:name="S"><table:shapes>${drawn('')}</table:shapes>${row('a', 'b')}</table:table>`,
      '',
      parts,
    );
    expect((await parseBytes(sheet, 'a.ods')).outline).toEqual(['heading: S', 'table: a | b', ...read]);
    const slides = makeOdf('presentation', `<draw:page>${drawn('')}</draw:page>`, '', parts);
    expect((await parseBytes(slides, 'a.odp')).outline).toEqual(read);
  });

  it('are in a flat file, where the chart is a document of its own; formulas are none', async () => {
    const inner = odfPart('office:document', CHART).replace(/^<\?xml[^>]*>/, '');
    const formula = '<office:document><office:body><math>x</math></office:body></office:document>';
    const body = `<text:p>Before${drawn(inner)}${drawn(formula)}</text:p><text:p>After</text:p>`;
    expect((await parseBytes(makeFlatOdf('text', body), 'a.fodt')).outline).toEqual([
      'paragraph: Before',
      ...read,
      'paragraph: After',
    ]);
  });
});
