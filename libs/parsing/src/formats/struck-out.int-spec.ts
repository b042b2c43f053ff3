import { describe, expect, it } from 'vitest';
import { makeOdf } from '../testing/make-odf.js';
import { makeDocx, makePptx, makeXlsx, sheetPart, slideShape, wordParagraph } from '../testing/make-ooxml.js';
import { parseBytes } from '../testing/parse-bytes.js';

const run = (text: string, properties: string): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const line = (name: string, family: string): string =>
  `<style:style style:name="${name}" style:family="${family}"><style:text-properties style:text-line-through-style="solid"/></style:style>`;

const DOCX = makeDocx(
  `<w:p>${run('The fee is ', '')}${run('40 euros ', '<w:strike/>')}${run('55 euros.', '<w:strike w:val="0"/>')}</w:p>` +
    `<w:p>${run('Dogs must go.', '<w:dstrike/>')}</w:p>${wordParagraph('Cats stay.')}`,
);
const ODT = makeOdf(
  'text',
  '<text:p>The fee is <text:span text:style-name="T">40 euros </text:span>55 euros.</text:p>' +
    '<text:p text:style-name="P">Dogs must go.</text:p><text:p>Cats stay.</text:p>',
  line('T', 'text') + line('P', 'paragraph'),
);
const RTF = String.raw`{\rtf1\ansi The fee is {\strike 40 euros }55 euros.\par{\striked1 Dogs must go.}\par Cats stay.\par}`;
const PPTX = makePptx([
  slideShape([
    '<a:p><a:r><a:t>The fee is </a:t></a:r><a:r><a:rPr strike="sngStrike"/><a:t>40 euros </a:t></a:r><a:r><a:rPr strike="noStrike"/><a:t>55 euros.</a:t></a:r></a:p>',
    '<a:p><a:r><a:rPr strike="dblStrike"/><a:t>Dogs must go.</a:t></a:r></a:p>',
    'Cats stay.',
  ]),
]);
const HTML = '<p>The fee is <s>40 euros </s>55 euros.</p><p><del>Dogs must go.</del></p><p>Cats stay.</p>';

describe('words that a document strikes out', () => {
  it.each([
    ['a.docx', DOCX],
    ['a.odt', ODT],
    ['a.rtf', RTF],
    ['a.pptx', PPTX],
    ['a.html', HTML],
  ])('are not in the text of %s, and are counted', async (name, bytes) => {
    const { text, document } = await parseBytes(bytes, name);
    expect(text.split(/\n+/)).toEqual(['The fee is 55 euros.', 'Cats stay.']);
    expect(document.warnings.map(({ code }) => code)).toContain('STRUCK_OUT_TEXT');
    expect(document.fidelity['struck_out_characters_left_out']).toBeGreaterThan(15);
  });

  it('are not in the text of Markdown, but in code and in tasks that are done', async () => {
    const { text } = await parseBytes(
      'Fee: ~~40~~ 55, `a ~~b~~ c`\n\n~~Dogs must go.~~\n\n- [x] ~~buy milk~~\n- ~~eggs~~\n\n| a | b |\n|---|---|\n| x | ~~1~~ 2 |\n',
      'a.md',
    );
    expect(text).not.toMatch(/40|Dogs|eggs|~~1/);
    expect(text).toContain('Fee:  55, `a ~~b~~ c`');
    expect(text).toContain('- [x] ~~buy milk~~');
  });

  it('are not in the cells of workbooks, by style and by run', async () => {
    const styles = sheetPart(
      'styleSheet',
      '<fonts count="2"><font/><font><strike/></font></fonts><cellXfs count="2"><xf fontId="0"/><xf fontId="1"/></cellXfs>',
    );
    const cell = (address: string, text: string, style = 0): string =>
      `<c r="${address}" s="${style}" t="inlineStr"><is>${text}</is></c>`;
    const rows =
      `<row r="1">${cell('A1', '<t>Item</t>')}${cell('B1', '<t>Price</t>')}</row>` +
      `<row r="2">${cell('A2', '<r><rPr><strike/></rPr><t>Old </t></r><r><t>Lamp</t></r>')}${cell('B2', '<t>19</t>')}</row>` +
      `<row r="3">${cell('A3', '<t>Desk</t>', 1)}${cell('B3', '<t>249</t>', 1)}</row>` +
      `<row r="4">${cell('A4', '<t>Chair</t>')}${cell('B4', '<t>15</t>')}</row>`;
    const workbook = makeXlsx([{ name: 'S', xml: rows }], { 'xl/styles.xml': styles });
    const { outline, document } = await parseBytes(workbook, 'a.xlsx');
    expect(outline).toEqual(['heading: S', 'table: Item | Price\nLamp | 19\nChair | 15']);
    expect(document.fidelity).toMatchObject({ struck_out_characters_left_out: 11 });
  });
});
