import { makeZip } from './make-zip.js';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  `xmlns:r="${OFFICE}" ` +
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ' +
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" ' +
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ' +
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" ' +
  'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" ' +
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" ' +
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" ' +
  'xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" ' +
  'xmlns:v="urn:schemas-microsoft-com:vml"';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Relations of a part: id to the last word of the type and the target. */
export type Relations = Readonly<Record<string, readonly [type: string, target: string]>>;

/** A file of named parts, as text. */
export type Parts = Readonly<Record<string, string | Buffer>>;

/** An archive of these parts. */
export function makePackage(parts: Parts): Buffer {
  return makeZip(Object.entries(parts).map(([name, data]) => ({ name, data: Buffer.from(data) })));
}

/** A part with relations. */
export function relationsXml(relations: Relations): string {
  const items = Object.entries(relations).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items.join('')}</Relationships>`;
}

/** An element of a word processor or a presentation as a part of its own. */
export function partXml(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${name} ${NAMESPACES}>${content}</${name}>`;
}

/** A DOCX file with this body; `parts` are further ones, `relations` those of the body. */
export function makeDocx(body: string, parts: Parts = {}, relations: Relations = {}): Buffer {
  return makePackage({
    '_rels/.rels': relationsXml({ rId1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': partXml('w:document', `<w:body>${body}</w:body>`),
    'word/_rels/document.xml.rels': relationsXml(relations),
    ...parts,
  });
}

/** A paragraph of plain text; `properties` are the content of its `w:pPr`. */
export function wordParagraph(text: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A PPTX file; each slide is the content of its shape tree, `parts` may replace any part. */
export function makePptx(slides: readonly string[], parts: Parts = {}): Buffer {
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`);
  // The order of the presentation is that of its list, not that of the names.
  const targets = slides.map((_, index): [string, readonly [string, string]] => [
    `rId${index + 1}`,
    ['slide', `slides/slide${slides.length - index}.xml`],
  ]);
  const files = slides.map((content, index): [string, string] => [
    `ppt/slides/slide${slides.length - index}.xml`,
    partXml('p:sld', `<p:cSld><p:spTree>${content}</p:spTree></p:cSld>`),
  ]);
  return makePackage({
    '_rels/.rels': relationsXml({ rId1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': partXml('p:presentation', `<p:sldIdLst>${ids.join('')}</p:sldIdLst>`),
    'ppt/_rels/presentation.xml.rels': relationsXml(Object.fromEntries(targets)),
    ...Object.fromEntries(files),
    ...parts,
  });
}

/** A shape with paragraphs; `placeholder` holds the attributes of its `p:ph`. */
export function slideShape(paragraphs: readonly string[], placeholder?: string): string {
  const place = placeholder === undefined ? '' : `<p:nvSpPr><p:nvPr><p:ph ${placeholder}/></p:nvPr></p:nvSpPr>`;
  const texts = paragraphs.map((text) =>
    text.startsWith('<a:p>') ? text : `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`,
  );
  return `<p:sp>${place}<p:txBody><a:bodyPr/>${texts.join('')}</p:txBody></p:sp>`;
}

/** A sheet of a workbook: its rows, or everything behind `<worksheet>` when it begins with another element. */
export interface SheetSource {
  name: string;
  xml: string;
  state?: string;
  /** Relations of the sheet. */
  relations?: Relations;
}

/** An XLSX file. */
export function makeXlsx(sheets: readonly SheetSource[], parts: Parts = {}, workbook = ''): Buffer {
  const list = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" ${state === undefined ? '' : `state="${state}"`} r:id="rId${index + 1}"/>`,
  );
  const relations = sheets.map((_, index): [string, readonly [string, string]] => [
    `rId${index + 1}`,
    ['worksheet', `worksheets/sheet${index + 1}.xml`],
  ]);
  const files = sheets.flatMap(({ xml, relations: own }, index): [string, string][] => [
    [
      `xl/worksheets/sheet${index + 1}.xml`,
      sheetPart('worksheet', xml.startsWith('<row') ? `<sheetData>${xml}</sheetData>` : xml),
    ],
    [`xl/worksheets/_rels/sheet${index + 1}.xml.rels`, relationsXml(own ?? {})],
  ]);
  return makePackage({
    '_rels/.rels': relationsXml({ rId1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': sheetPart('workbook', `${workbook}<sheets>${list.join('')}</sheets>`),
    'xl/_rels/workbook.xml.rels': relationsXml({
      ...Object.fromEntries(relations),
      strings: ['sharedStrings', 'sharedStrings.xml'],
      styles: ['styles', 'styles.xml'],
      people: ['person', 'persons/person.xml'],
    }),
    ...Object.fromEntries(files),
    ...parts,
  });
}

/** A part of a workbook. */
export function sheetPart(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="${SHEET}" xmlns:r="${OFFICE}">${content}</${name}>`;
}

/** A row of inline strings and numbers, from column A. */
export function sheetRow(row: number, cells: readonly (string | number | null)[]): string {
  const items = cells.map((cell, index) => {
    const address = `${String.fromCharCode(65 + index)}${row}`;
    if (cell === null) return '';
    if (typeof cell === 'number') return `<c r="${address}"><v>${cell}</v></c>`;
    return `<c r="${address}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row r="${row}">${items.join('')}</row>`;
}
