import { utils, write } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../parse-error.js';
import { makeOdf } from '../testing/make-odf.js';
import {
  makeDocx,
  makePackage,
  makePptx,
  makeXlsx,
  relationsXml,
  sheetRow,
  slideShape,
  wordParagraph as p,
  type Parts,
} from '../testing/make-ooxml.js';
import { parseBytes } from '../testing/parse-bytes.js';

const RUNS = 200;
const INNER_RUNS = 100;

/** Numbers that are the same in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A copy that is cut, or has some bytes changed, repeated or left out. */
function damage(bytes: Buffer, random: (below: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  const at = random(copy.length);
  switch (random(4)) {
    case 0:
      return copy.subarray(0, at);
    case 1:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + 1 + random(40))]);
    case 2:
      return Buffer.concat([copy.subarray(0, at + 30), copy.subarray(at)]);
    default:
      for (let count = random(12); count >= 0; count -= 1) copy[random(copy.length)] = random(256);
      return copy;
  }
}

/** Parses and checks: either the blocks of a result are in order, or the error is one that a user is shown. */
async function survives(bytes: Buffer, fileName: string): Promise<'read' | 'refused'> {
  try {
    const { blocks, text } = await parseBytes(bytes, fileName);
    let end = 0;
    for (const block of blocks) {
      expect(block.start).toBeGreaterThanOrEqual(end);
      expect(block.end).toBeLessThanOrEqual(text.length);
      end = block.end;
    }
    return 'read';
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return 'refused';
  }
}

const cell = (text: string): string => `<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${p(text)}</w:tc>`;
const WORD =
  p('Title', '<w:pStyle w:val="Heading1"/>') +
  `<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr></w:tbl>${p('text &amp; more')}`;
const TABLE =
  '<table:table table:name="T"><table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="3"><text:p>x</text:p></table:table-cell></table:table-row></table:table>';

function makeXls(): Buffer {
  const workbook = utils.book_new();
  utils.book_append_sheet(
    workbook,
    utils.aoa_to_sheet([
      ['a', 1],
      ['b', 2.5],
    ]),
    'One',
  );
  return Buffer.from(write(workbook, { type: 'buffer', bookType: 'biff8' }) as Buffer);
}

const RTF = Buffer.from(
  String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset204 A;}}{\stylesheet{\s1 heading 1;}}\s1 H\'cf\par\pard{\listtext 1.}a\u8364?\par\trowd\cellx1\cellx2\intbl x\cell y{\footnote n}\cell\row\pard\bin3 {}}end}`,
);

const FILES: [name: string, bytes: Buffer][] = [
  ['a.docx', makeDocx(WORD)],
  ['a.pptx', makePptx([slideShape(['Title'], 'type="title"') + slideShape(['one', 'two'])])],
  ['a.xlsx', makeXlsx([{ name: 'S', xml: sheetRow(1, ['a', 1]) + sheetRow(2, ['b', 2]) }])],
  ['a.xls', makeXls()],
  [
    'a.odt',
    makeOdf(
      'text',
      '<text:h text:outline-level="1">H</text:h><text:list><text:list-item><text:p>a</text:p></text:list-item></text:list>',
    ),
  ],
  ['a.ods', makeOdf('spreadsheet', TABLE)],
  [
    'a.odp',
    makeOdf(
      'presentation',
      '<draw:page><draw:frame presentation:class="title"><text:p>T</text:p></draw:frame></draw:page>',
    ),
  ],
  ['a.rtf', RTF],
];

/** Files whose archive is whole while one of its parts is damaged. */
const INNER: [name: string, part: string, content: string, make: (parts: Parts) => Buffer][] = [
  [
    'a.docx',
    'word/document.xml',
    `<w:document xmlns:w="w"><w:body>${WORD}</w:body></w:document>`,
    (parts) => makeDocx('', parts),
  ],
  [
    'a.xlsx',
    'xl/worksheets/sheet1.xml',
    `<worksheet><sheetData>${sheetRow(1, ['a', 1])}${sheetRow(2, ['b', 2])}</sheetData><mergeCells><mergeCell ref="A1:B2"/></mergeCells></worksheet>`,
    (parts) => makeXlsx([{ name: 'S', xml: '' }], parts),
  ],
  [
    'a.pptx',
    'ppt/_rels/presentation.xml.rels',
    relationsXml({ rId1: ['slide', 'slides/slide1.xml'] }),
    (parts) => makePptx([slideShape(['x'])], parts),
  ],
  [
    'a.ods',
    'content.xml',
    `<office:document-content><office:body><office:spreadsheet>${TABLE}</office:spreadsheet></office:body></office:document-content>`,
    (parts) => makePackage({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', ...parts }),
  ],
];

describe('parsers of office formats', () => {
  it.each(FILES)(`end %s, damaged in ${RUNS} ways, in a result or an error with a code`, async (name, bytes) => {
    const random = createRandom(bytes.length);
    expect(await survives(bytes, name)).toBe('read');
    const outcomes: string[] = [];
    for (let run = 0; run < RUNS; run += 1) outcomes.push(await survives(damage(bytes, random), name));
    expect(outcomes).toContain('refused');
  });

  it.each(INNER)(
    `end %s with a part (%s) damaged in ${INNER_RUNS} ways likewise`,
    async (name, part, content, make) => {
      const random = createRandom(content.length);
      const outcomes: string[] = [];
      for (let run = 0; run < INNER_RUNS; run += 1) {
        outcomes.push(await survives(make({ [part]: damage(Buffer.from(content), random) }), name));
      }
      expect(outcomes).toContain('refused');
    },
  );
});
