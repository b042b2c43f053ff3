import { describe, expect, it } from 'vitest';
import { makeOdf } from '../testing/make-odf.js';
import {
  makeDocx,
  makePptx,
  makeXlsx,
  partXml,
  relationsXml,
  sheetRow,
  slideShape,
  wordParagraph as p,
} from '../testing/make-ooxml.js';
import { parseBytes } from '../testing/parse-bytes.js';

const DECORATIVE = '<a:extLst><a:ext uri="{C183D7F6}"><adec:decorative val="1"/></a:ext></a:extLst>';

describe('alternative texts of pictures and shapes are captions', () => {
  const picture = (attributes: string, inside = ''): string =>
    `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" ${attributes}>${inside}</wp:docPr><a:graphic><a:graphicData>` +
    `<pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="image1.png" ${attributes}/></pic:nvPicPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
  const read = async (bytes: Buffer, name: string): Promise<string[]> => (await parseBytes(bytes, name)).outline;

  it('in Word, behind the paragraph or in the cell that the picture is in, once', async () => {
    const cell = (content: string): string => `<w:tc><w:p>${content}</w:p></w:tc>`;
    const text = (words: string): string => `<w:r><w:t>${words}</w:t></w:r>`;
    const table = `<w:tbl><w:tr>${cell(text('Part'))}${cell(text('Certified'))}</w:tr><w:tr>${cell(text('Valve'))}${cell(picture('descr="Yes"'))}</w:tr></w:tbl>`;
    const body =
      `<w:p>${text('Seen ')}${picture('descr="The pump from the left" title="Pump"')}${text('here')}</w:p>` +
      `<w:p>${picture('descr="image1.png"')}${picture('descr="Ornament"', DECORATIVE).replace('name="image1.png" descr="Ornament"', '')}</w:p>` +
      `<w:p><w:r><w:pict><v:shape alt="Plan of the hall"><v:imagedata/></v:shape></w:pict></w:r></w:p>${table}`;
    expect(await read(makeDocx(body + p('End')), 'a.docx')).toEqual([
      'paragraph: Seen here',
      'caption: The pump from the left',
      'caption: Plan of the hall',
      'table: Part | Certified\nValve | Yes',
      'paragraph: End',
    ]);
  });

  it('in PowerPoint, in the order of the shapes, also of charts and groups', async () => {
    const named = (element: string, attributes: string): string =>
      `<p:${element}><p:nvPr><p:cNvPr id="2" name="Picture 1" ${attributes}/></p:nvPr></p:${element}>`;
    const slide =
      named('pic', 'descr="Map of the depots"') +
      slideShape(['Words']) +
      named('graphicFrame', 'descr="Columns by region"') +
      named('grpSp', 'descr="" title="Three boxes"') +
      named('pic', 'descr="Unseen" hidden="1"') +
      named('pic', 'descr="logo.png"');
    expect(await read(makePptx([slide]), 'a.pptx')).toEqual([
      'caption: Map of the depots',
      'paragraph: Words',
      'caption: Columns by region',
      'caption: Three boxes',
    ]);
  });

  it('in Excel, below the rows of the sheet', async () => {
    const drawn = (attributes: string, inside = ''): string =>
      `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="Picture 1" ${attributes}>${inside}</xdr:cNvPr></xdr:nvPicPr></xdr:pic>`;
    const drawing = drawn('descr="The hall in Olten"') + drawn('descr="photo.jpg"') + drawn('descr="Line"', DECORATIVE);
    const sheet = {
      name: 'Data',
      xml: sheetRow(1, ['a', 'b']) + sheetRow(2, [1, 2]),
      relations: { d: ['drawing', '../drawings/drawing1.xml'] } as const,
    };
    const parts = {
      'xl/drawings/drawing1.xml': partXml('xdr:wsDr', drawing),
      'xl/drawings/_rels/drawing1.xml.rels': relationsXml({}),
    };
    const { outline, blocks } = await parseBytes(makeXlsx([sheet], parts), 'a.xlsx');
    expect(outline).toEqual(['heading: Data', 'table: a | b\n1 | 2', 'caption: The hall in Olten']);
    expect(blocks.at(-1)!.sheet).toBe('Data');
  });

  describe('in OpenDocument', () => {
    const frame = (title: string, description: string, attributes = ''): string =>
      `<draw:frame ${attributes}><draw:image/><svg:title>${title}</svg:title><svg:desc>${description}</svg:desc></draw:frame>`;

    it('texts, behind the paragraph and in cells', async () => {
      const cell = (content: string): string => `<table:table-cell><text:p>${content}</text:p></table:table-cell>`;
      const body =
        `<text:p>Seen ${frame('Pump', 'from the left')}here</text:p>${frame('', 'The whole plant')}` +
        `<text:p>${frame('', 'Ornament', 'xmlns:loext="urn:x" loext:decorative="true"')}</text:p>` +
        `<table:table><table:table-row>${cell('a')}${cell('b')}</table:table-row><table:table-row>${cell('c')}${cell(frame('', 'Yes'))}</table:table-row></table:table>`;
      expect(await read(makeOdf('text', body), 'a.odt')).toEqual([
        'paragraph: Seen here',
        'caption: Pump: from the left',
        'caption: The whole plant',
        'table: a | b\nc | Yes',
      ]);
    });

    it('sheets and slides', async () => {
      const row = (...cells: string[]): string =>
        `<table:table-row>${cells.map((text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join('')}</table:table-row>`;
      const shapes = `<table:shapes>${frame('', 'The hall')}${frame('', 'Grafik 1')}</table:shapes>`;
      const sheet = `<table:table table:name="Data">${shapes}${row('a', 'b')}${row('1', '2')}</table:table>`;
      expect(await read(makeOdf('spreadsheet', sheet), 'a.ods')).toEqual([
        'heading: Data',
        'table: a | b\n1 | 2',
        'caption: The hall',
      ]);
      const slide = `<draw:page>${frame('', 'Map of the depots')}</draw:page>`;
      expect(await read(makeOdf('presentation', slide), 'a.odp')).toEqual(['caption: Map of the depots']);
    });
  });
});
