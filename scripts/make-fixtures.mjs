// Writes the PDF and DOCX fixtures of test/fixtures/documents: `node scripts/make-fixtures.mjs`. The same input gives the
// same bytes. The text files beside them are written by hand.
import { writeFileSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';

const target = new URL('../test/fixtures/documents/', import.meta.url);

const REPORT_PAGES = [
  [
    ['title', 'Northwind Observatory: Annual Report 2025'],
    ['text', 'The year 2025 brought 212 clear nights, 17 more than the year before.'],
    ['text', 'The telescope was in use for 1,846 hours; technical faults cost 31 hours.'],
    ['heading', 'Discoveries'],
    ['text', 'The survey team discovered 19 new asteroids. One of them, found on 8 March,'],
    ['text', 'was named Kestrelina after the village below the summit.'],
    ['text', 'Two comets were recovered on their return to the inner solar system.'],
  ],
  [
    ['heading', 'Instruments'],
    ['text', 'The new primary mirror has a diameter of 1.8 metres and replaces the mirror of 1994.'],
    ['text', 'The spectrograph FALKE reaches a resolving power of 65,000.'],
    ['heading', 'Energy'],
    ['text', 'The consumption of electricity fell by 23 percent, because the dome is cooled at'],
    ['text', 'night with outside air only. Solar panels supplied 41 percent of what was used.'],
  ],
  [
    ['heading', 'Visitors and finance'],
    ['text', 'The observatory welcomed 9,350 visitors, among them 122 school classes.'],
    ['text', 'Income was 4.2 million euros, of which ticket sales made 96,000 euros.'],
    ['heading', 'Outlook'],
    ['text', 'In 2026 the library building will be renovated; it reopens in October.'],
  ],
];

const GUIDE = [
  ['Title', 'Dome Maintenance Guide'],
  ['p', 'This guide is for the technicians of Northwind Observatory. Switch the main breaker off before any work.'],
  ['Heading1', 'Service intervals'],
  ['p', 'The dome motor is serviced every 180 days. The slit shutter is inspected every 60 days.'],
  [
    'table',
    ['Part', 'Interval', 'Material'],
    ['Dome motor', '180 days', 'Bearing grease NW-2'],
    ['Rotation rail', '90 days', 'Dry graphite'],
    ['Slit shutter', '60 days', 'Silicone seal'],
  ],
  ['Heading1', 'Weather limits'],
  ['li', 'Close the dome when the wind is stronger than 54 kilometres per hour.'],
  ['li', 'Close the dome when the humidity is above 88 percent.'],
  ['li', 'Do not open the dome before the snow on the slit has been removed.'],
  ['Heading1', 'Mirror'],
  ['Heading2', 'Cleaning'],
  ['p', 'Dust is blown off with carbon dioxide snow every 14 days; nobody touches the mirror.'],
  ['Heading2', 'Coating'],
  ['p', 'The primary mirror is coated with aluminium anew every 30 months. The work takes 9 days.'],
];

writeFileSync(new URL('report.pdf', target), makePdf(REPORT_PAGES));
writeFileSync(new URL('guide.docx', target), makeDocx(GUIDE));

/** A PDF 1.4 file with one Helvetica text line per entry. */
function makePdf(pages) {
  const objects = [];
  const add = (body) => objects.push(body);
  const firstPage = 5;
  const kids = pages.map((_, index) => `${firstPage + index * 2} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>');
  pages.forEach((lines, index) => {
    const content = pageContent(lines);
    const resources = '<< /Font << /F1 3 0 R /F2 4 0 R >> >>';
    const contents = `${firstPage + index * 2 + 1} 0 R`;
    add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources ${resources} /Contents ${contents} >>`);
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  });
  let body = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(`${body}xref\n0 ${size}\n0000000000 65535 f \n${rows}${trailer}`, 'latin1');
}

function pageContent(lines) {
  const styles = { title: ['F2', 20, 40], heading: ['F2', 14, 32], text: ['F1', 11, 15] };
  let y = 780;
  let previous = 'title';
  return lines
    .map(([kind, words]) => {
      const [font, size, gap] = styles[kind];
      y -= kind === 'text' && previous !== 'text' ? gap + 8 : gap;
      previous = kind;
      return `BT /${font} ${size} Tf 60 ${y} Td (${words.replace(/[\\()]/g, '\\$&')}) Tj ET`;
    })
    .join('\n');
}

/** A DOCX file with headings, paragraphs, one bulleted list and tables. */
function makeDocx(content) {
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packageNs = 'http://schemas.openxmlformats.org/package/2006';
  const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const xml = (text) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`;
  const style = (id, name) => `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  const level = '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="&#8226;"/></w:lvl>';
  return makeZip({
    '[Content_Types].xml': xml(
      `<Types xmlns="${packageNs}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${main}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${main}.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="${main}.numbering+xml"/></Types>`,
    ),
    '_rels/.rels': xml(
      `<Relationships xmlns="${packageNs}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    'word/_rels/document.xml.rels': xml(
      `<Relationships xmlns="${packageNs}/relationships"><Relationship Id="rId1" Type="${office}/styles" Target="styles.xml"/><Relationship Id="rId2" Type="${office}/numbering" Target="numbering.xml"/></Relationships>`,
    ),
    'word/styles.xml': xml(
      `<w:styles ${word}>${style('Title', 'Title')}${style('Heading1', 'heading 1')}${style('Heading2', 'heading 2')}</w:styles>`,
    ),
    'word/numbering.xml': xml(
      `<w:numbering ${word}><w:abstractNum w:abstractNumId="0">${level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    ),
    'word/document.xml': xml(`<w:document ${word}><w:body>${content.map(docxBlock).join('')}</w:body></w:document>`),
  });
}

function docxBlock([kind, ...rest]) {
  const run = (text) =>
    `<w:r><w:t xml:space="preserve">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</w:t></w:r>`;
  const paragraph = (text, properties) => `<w:p><w:pPr>${properties}</w:pPr>${run(text)}</w:p>`;
  if (kind === 'table') {
    const cell = (text) => `<w:tc><w:p>${run(text)}</w:p></w:tc>`;
    return `<w:tbl>${rest.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`;
  }
  if (kind === 'li') return paragraph(rest[0], '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
  return paragraph(rest[0], kind === 'p' ? '' : `<w:pStyle w:val="${kind}"/>`);
}

/** A ZIP archive of deflated members, without times. */
function makeZip(files) {
  const local = [];
  const central = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text, 'utf8');
    const stored = deflateRawSync(data, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(stored.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    local.push(Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), stored);
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + stored.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(central.length / 4, 8);
  end.writeUInt16LE(central.length / 4, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}
