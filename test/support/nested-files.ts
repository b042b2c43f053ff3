import { makeDocx, makePptx, makeXlsx, sheetRow, wordParagraph } from '../../libs/parsing/src/testing/make-ooxml.js';
import { makeOdf } from '../../libs/parsing/src/testing/make-odf.js';
import { makeZip } from '../../libs/parsing/src/testing/make-zip.js';
import type { UploadFile } from './api-client.js';

type Text = (depth: number) => string;
type Make = (depth: number) => string | Buffer;

const WORDS = 'Some words at the bottom of it.';

const around =
  (open: string, close: string, words = WORDS): Text =>
  (depth) =>
    `${open.repeat(depth)}${words}${close.repeat(depth)}`;

const html =
  (open: string, close: string): Text =>
  (depth) =>
    `<!doctype html><html><body><p>Above.</p>${around(open, close)(depth)}</body></html>`;

const word =
  (open: string, close: string): Make =>
  (depth) =>
    makeDocx(wordParagraph('Above.') + around(open, close, wordParagraph(WORDS))(depth));

const odf =
  (open: string, close: string): Make =>
  (depth) =>
    makeOdf('text', `<text:p>Above.</text:p>${around(open, close, `<text:p>${WORDS}</text:p>`)(depth)}`);

/** Each message holds the next one as an attachment. */
function mails(depth: number): string {
  const head = (n: number): string =>
    `From: a@example.com\r\nTo: b@example.com\r\nSubject: Number ${n}\r\nMIME-Version: 1.0\r\n`;
  const text = `${head(0)}Content-Type: text/plain\r\n\r\n${WORDS}\r\n`;
  return `${Array.from({ length: depth }, (_, n) => `${head(depth - n)}Content-Type: message/rfc822\r\n\r\n`).join('')}${text}`;
}

/** Each part of the body holds one part. */
function parts(depth: number): string {
  const open = Array.from({ length: depth }, (_, n) => {
    const begin = n === 0 ? 'Subject: Parts\r\nMIME-Version: 1.0\r\n' : `--b${n - 1}\r\n`;
    return `${begin}Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n`;
  });
  const close = Array.from({ length: depth }, (_, n) => `\r\n--b${depth - 1 - n}--`);
  return `${open.join('')}--b${depth - 1}\r\nContent-Type: text/plain\r\n\r\n${WORDS}${close.join('')}\r\n`;
}

function archives(depth: number): Buffer {
  let inner = makeZip([{ name: 'words.txt', data: Buffer.from(WORDS) }]);
  for (let n = 0; n < depth; n += 1) inner = makeZip([{ name: `inner-${n}.zip`, data: inner }]);
  return inner;
}

function book(depth: number): Buffer {
  const page = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head><body>${around('<div>', '</div>')(depth)}</body></html>`;
  const opf =
    '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>T</dc:title></metadata>' +
    '<manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>';
  const container =
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="p.opf" media-type="application/oebps-package+xml"/></rootfiles></container>';
  const members = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': container,
    'p.opf': opf,
    'a.xhtml': page,
  };
  return makeZip(Object.entries(members).map(([name, data]) => ({ name, data: Buffer.from(data) })));
}

/** A PDF of one page with a further object; `tree` puts nodes of pages between the catalogue and the page. */
function pdf(extra: string, tree = 0): string {
  const objects = [`<</Type/Catalog/Pages 2 0 R/X 5 0 R/Outlines 5 0 R>>`];
  const first = 6;
  const parent = (n: number): number => (n === 0 ? 2 : first + n - 1);
  const kid = (n: number): number => (n === tree ? 3 : first + n);
  objects.push(`<</Type/Pages/Kids[${kid(0)} 0 R]/Count 1>>`);
  objects.push(
    `<</Type/Page/Parent ${parent(tree)} 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>`,
  );
  const drawn = `BT /F 24 Tf 60 700 Td (${WORDS}) Tj ET`;
  objects.push(`<</Length ${drawn.length}>>stream\n${drawn}\nendstream`);
  objects.push(extra);
  for (let n = 0; n < tree; n += 1) {
    objects.push(`<</Type/Pages/Parent ${parent(n)} 0 R/Kids[${kid(n + 1)} 0 R]/Count 1>>`);
  }
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
}

const notebook: Make = (depth) =>
  `{"nbformat":4,"nbformat_minor":5,"metadata":{"deep":${around('[', ']', '1')(depth)}},"cells":[{"cell_type":"markdown","metadata":{},"source":["${WORDS}"]}]}`;

/** By the name of the file: what is nested without end in it. Hostile depth where a reader with a call for each level runs out of stack. */
const FILES: Readonly<Record<string, Make>> = {
  'lists.json': around('[', ']', '1'),
  'objects.json': around('{"a":', '}', '"x"'),
  'open.json': (depth) => '['.repeat(depth),
  'records.json': (depth) => `[{"name":"a","deep":${around('[', ']', '1')(depth)}},{"name":"b"}]`,
  'lines.jsonl': (depth) => `{"text":"Above."}\n${around('{"a":', '}', '"x"')(depth)}\n`,
  'book.ipynb': notebook,
  'page.geojson': (depth) =>
    `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"a"},"geometry":{"type":"MultiPolygon","coordinates":${around('[', ']', '1')(depth)}}}]}`,
  'divisions.html': html('<div>', '</div>'),
  'tables.html': html('<table><tr><td>', '</td></tr></table>'),
  'lists.html': html('<ul><li>', '</li></ul>'),
  'quotes.html': html('<blockquote>', '</blockquote>'),
  'emphasis.html': html('<b><i>', '</i></b>'),
  'links.html': html('<a href="/x">', '</a>'),
  'drawing.html': html('<svg><g>', '</g></svg>'),
  'templates.html': html('<template>', '</template>'),
  'frames.html': html('<select><option>', '</option></select>'),
  'elements.xml': (depth) => `<?xml version="1.0"?><root><first>Above.</first>${around('<a>', '</a>')(depth)}</root>`,
  'open.xml': (depth) => `<?xml version="1.0"?><root>${'<a>'.repeat(depth)}`,
  'entities.xml': (depth) =>
    `<?xml version="1.0"?><!DOCTYPE r [${Array.from({ length: Math.min(depth, 20_000) }, (_, n) => `<!ENTITY e${n + 1} "&e${n};">`).join('')}]><r>&e9;${WORDS}</r>`,
  'tables.docx': word('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>'),
  'controls.docx': word('<w:sdt><w:sdtContent>', '</w:sdtContent></w:sdt>'),
  'insertions.docx': word('<w:p><w:ins>', '</w:ins></w:p>'),
  'boxes.docx': word(
    '<w:p><w:r><mc:AlternateContent><mc:Fallback><w:pict><v:textbox><w:txbxContent>',
    '</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>',
  ),
  'formulas.docx': word('<m:oMath><m:f><m:num>', '</m:num></m:f></m:oMath>'),
  'groups.pptx': (depth) =>
    makePptx([
      around(
        '<p:grpSp>',
        '</p:grpSp>',
        '<p:sp><p:txBody><a:p><a:r><a:t>Words</a:t></a:r></a:p></p:txBody></p:sp>',
      )(depth),
    ]),
  'strings.xlsx': (depth) =>
    makeXlsx([{ name: 'One', xml: sheetRow(1, ['Words', 1]) }], {
      'xl/sharedStrings.xml': `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${around('<si><r>', '</r></si>', '<t>x</t>')(depth)}</sst>`,
    }),
  'lists.odt': odf('<text:list><text:list-item>', '</text:list-item></text:list>'),
  'sections.odt': odf('<text:section>', '</text:section>'),
  'spans.odt': odf('<text:p><text:span>', '</text:span></text:p>'),
  'tables.odt': odf(
    '<table:table><table:table-row><table:table-cell>',
    '</table:table-cell></table:table-row></table:table>',
  ),
  'groups.rtf': (depth) => `{\\rtf1\\ansi Above.\\par ${around('{\\b ', '}')(depth)}}`,
  'tables.rtf': (depth) => `{\\rtf1\\ansi Above.\\par ${around('{\\trowd\\intbl ', '\\cell\\row}')(depth)}}`,
  'pages.epub': book,
  'mails.eml': (depth) => mails(Math.min(depth, 5_000)),
  'parts.eml': (depth) => parts(Math.min(depth, 5_000)),
  'comments.eml': (depth) =>
    `From: a@example.com ${around('(', ')', 'x')(depth)}\r\nSubject: S\r\nContent-Type: text/plain\r\n\r\n${WORDS}\r\n`,
  'archives.zip': (depth) => archives(Math.min(depth, 200)),
  'quotes.md': (depth) => `# Above\n\n${'>'.repeat(depth)} ${WORDS}\n`,
  'lists.md': (depth) => `# Above\n\n${'- '.repeat(depth)}${WORDS}\n`,
  'brackets.md': (depth) => `# Above\n\n${around('[', '](x)')(depth)}\n`,
  'stars.md': (depth) => `# Above\n\n${around('*a _b ', ' b_ a*')(depth)}\n`,
  'images.md': (depth) => `# Above\n\n${around('![', '](x)')(depth)}\n`,
  'elements.md': (depth) => `# Above\n\n${around('<div>', '</div>')(depth)}\n`,
  'front.md': (depth) => `---\ntitle: A\ndeep: ${around('[', ']', '1')(depth)}\n---\n\n# Above\n\n${WORDS}\n`,
  'block-front.md': (depth) =>
    `---\n${Array.from({ length: Math.min(depth, 2_000) }, (_, n) => `${' '.repeat(n)}a:\n`).join('')}---\n\n${WORDS}\n`,
  'flow.yaml': (depth) => `title: A\ndeep: ${around('{a: ', '}', '1')(depth)}\n`,
  'program.py': (depth) => `def f():\n    return ${around('(', ')', '1')(depth)}\n`,
  'program.ts': (depth) => `export const a = ${around('{ a: [', '] }', '1')(depth)};\n`,
  'query.sql': (depth) => `SELECT ${around('(', ')', '1')(depth)};\n`,
  'formula.csv': (depth) => `name,formula\na,"=${around('SUM(', ')', '1')(depth)}"\n`,
  'quotes.csv': (depth) => `name,note\na,${'"'.repeat(depth)}\n`,
  'plain.txt': around('(', ')'),
  'lists.pdf': (depth) => pdf(around('[', ']', '1')(depth)),
  'dictionaries.pdf': (depth) => pdf(around('<</A ', '>>', '1')(depth)),
  'tree.pdf': (depth) => pdf('<<>>', Math.min(depth, 20_000)),
};

export const NESTED_FILES: readonly string[] = Object.keys(FILES);

/** The file of this name, nested so deep. */
export function nestedFile(name: string, depth: number): UploadFile {
  return { name, content: FILES[name]!(depth) };
}
