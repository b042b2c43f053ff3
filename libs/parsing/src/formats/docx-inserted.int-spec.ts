import { describe, expect, it } from 'vitest';
import { makeDocx, wordParagraph as p, type Parts } from '../testing/make-ooxml.js';
import { parseBytes, type ParsedBytes } from '../testing/parse-bytes.js';

const PAGE =
  '<html><body><h2>Terms</h2><p>The page says Käse.</p><table><tr><th>City</th><th>Sum</th></tr><tr><td>Bern</td><td>5</td></tr></table></body></html>';
const SAVED =
  'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<h1>Saved</h1><p>page</p>\r\n--b--\r\n';

/** A document whose body has these files in it: `@name` between paragraphs. */
function withFiles(body: string, files: Parts): Buffer {
  const names = Object.keys(files);
  const relations = Object.fromEntries(names.map((name) => [name, ['aFChunk', name] as const]));
  const parts = Object.fromEntries(names.map((name) => [`word/${name}`, files[name]!]));
  const chunks = body.replace(/@([\w.]+)/g, '<w:altChunk r:id="$1"/>');
  return makeDocx(chunks, parts, relations);
}

const read = (body: string, files: Parts): Promise<ParsedBytes> => parseBytes(withFiles(body, files), 'a.docx');

describe('files that a program inserted into a Word document (w:altChunk)', () => {
  it('are read in their place, whatever they are', async () => {
    const files = {
      'page.htm': PAGE,
      'text.rtf': '{\\rtf1\\ansi Rich {\\b text} with \\u228?.\\par}',
      'other.docx': makeDocx(p('Of another document')),
      'plain.dat': 'Plain words',
      'saved.mht': SAVED,
    };
    const { outline, document, text, blocks } = await read(
      `${p('Before')}@page.htm@text.rtf${p('Between')}@other.docx@plain.dat@saved.mht${p('After')}`,
      files,
    );
    expect(outline).toEqual([
      'paragraph: Before',
      'heading: Terms',
      'paragraph: The page says Käse.',
      'table: City | Sum\nBern | 5',
      'paragraph: Rich text with ä.',
      'paragraph: Between',
      'paragraph: Of another document',
      'paragraph: Plain words',
      'heading: Saved',
      'paragraph: page',
      'paragraph: After',
    ]);
    expect(document.title).toBe('Terms');
    expect(document.warnings).toEqual([]);
    expect(document.fidelity).toMatchObject({ tables: 1, table_rows: 2 });
    expect(text).not.toMatch(/\n{3}|^\s|\s$/);
    expect(blocks.find(({ kind }) => kind === 'table')).toMatchObject({ headerRows: 1 });
  });

  it('are the whole text where a program made the document of nothing else', async () => {
    expect((await read('@saved.mht', { 'saved.mht': SAVED })).outline).toEqual(['heading: Saved', 'paragraph: page']);
  });

  it('are words of the cell that they are in', async () => {
    const cell = (content: string): string => `<w:tc>${content}</w:tc>`;
    const row = (...cells: string[]): string => `<w:tr>${cells.map(cell).join('')}</w:tr>`;
    const table = `<w:tbl>${row(p('Clause'), p('Text'))}${row(p('1'), '@a.htm<w:p/>')}</w:tbl>`;
    const { outline } = await read(table, { 'a.htm': '<p>The <b>rich</b> words</p><p>of it</p>' });
    expect(outline).toEqual(['table: Clause | Text\n1 | The rich words of it']);
  });

  it('are named in a warning where they cannot be read, and the rest stays', async () => {
    const { outline, document } = await read(`${p('Before')}@bad.docx@gone${p('After')}`, {
      'bad.docx': 'PK\u0003\u0004 no archive',
    });
    expect(outline).toEqual(['paragraph: Before', 'paragraph: After']);
    expect(document.warnings).toMatchObject([
      { code: 'PARTIAL_CONTENT', detail: expect.stringMatching(/^2 inserted files .*damaged/) },
    ]);
  });

  it('are read to a bounded depth and each once', async () => {
    let inner = makeDocx(p('Level 0'));
    for (let level = 1; level <= 6; level += 1)
      inner = withFiles(`${p(`Level ${level}`)}@in.docx@in.docx`, { 'in.docx': inner });
    const { text } = await parseBytes(inner, 'a.docx');
    expect(text.split('\n\n')).toEqual(['Level 6', 'Level 5', 'Level 4', 'Level 3']);
  });
});
