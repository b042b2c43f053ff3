import { makeMsg } from '../../../libs/parsing/src/testing/make-msg.js';
import { makeOdf, odfPart } from '../../../libs/parsing/src/testing/make-odf.js';
import {
  makeDocx,
  makePptx,
  makeXlsx,
  partXml,
  relationsXml,
  sheetRow,
  slideShape,
  wordParagraph,
} from '../../../libs/parsing/src/testing/make-ooxml.js';
import { makePdf } from '../../../libs/parsing/src/testing/make-pdf.js';
import { makeZip } from '../../../libs/parsing/src/testing/make-zip.js';
import { plantedSentences, type PlantedValues } from './planted-values.js';

const TITLE = 'Plan of the hut';
const CORE =
  '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">';

/** Each format with what makes a file of it that holds the values: in its text, and wherever else it has words. */
export const PLANTED_FORMATS: Readonly<Record<string, (values: PlantedValues) => Buffer | string>> = {
  txt: (values) => plantedSentences(values).join('\n\n'),
  log: (values) => plantedSentences(values).join('\n'),
  md: (values) => {
    const [first, ...rest] = plantedSentences(values);
    const [mail, card] = [values.emails[0]!, values.cards[0]!];
    return `# ${TITLE} of ${mail}\n\n${first}\n\n| Who | Card |\n|---|---|\n| [${mail}](mailto:${mail}) | ${card} |\n\n- ${rest.join('\n- ')}`;
  },
  html: (values) => {
    const [mail] = values.emails;
    const head = `<title>${TITLE} ${mail}</title><meta name="author" content="${mail}">`;
    const link = `<p><a href="mailto:${mail}">the warden</a> <img alt="${values.cards[0]}" src="a.png"></p>`;
    const table = `<table><caption>${mail}</caption><tr><th>Card</th><th>Rent</th></tr><tr><td>${values.cards[1]}</td><td>${values.accounts[1]}</td></tr></table>`;
    return `<html><head>${head}</head><body><h1>${TITLE} ${mail}</h1>${paragraphs(values, 'p')}${link}${table}</body></html>`;
  },
  pdf: (values) => {
    const lines = [`${TITLE} ${values.emails[0]}`, ...plantedSentences(values)];
    return makePdf([{ lines: lines.map((text) => ({ text, size: 11 })) }]);
  },
  csv: (values) => rowsOf(values, ','),
  tsv: (values) => rowsOf(values, '\t'),
  json: (values) =>
    JSON.stringify({ title: TITLE, [values.emails[0]!]: records(values), number: Number(values.cards[0]) }),
  jsonl: (values) =>
    records(values)
      .map((record) => JSON.stringify(record))
      .join('\n'),
  geojson: (values) =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: plantedSentences(values).map((note, n) => ({
        type: 'Feature',
        properties: { note, name: values.emails[n % 3] },
        geometry: { type: 'Point', coordinates: [11.5, 47.2] },
      })),
    }),
  ipynb: (values) => {
    const source = [`# ${TITLE} ${values.emails[0]}\n`, ...plantedSentences(values).map((line) => `${line}\n`)];
    const cells = [
      { cell_type: 'markdown', metadata: { author: values.emails[1] }, source },
      { cell_type: 'code', execution_count: 1, metadata: {}, source: [`token = "${values.secrets[0]}"`], outputs: [] },
    ];
    return JSON.stringify({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: { authors: [{ name: values.emails[0] }] },
      cells,
    });
  },
  xml: (values) =>
    `<?xml version="1.0"?><plan owner="${values.emails[0]}"><title>${TITLE}</title>${paragraphs(values, 'note')}</plan>`,
  svg: (values) =>
    `<svg xmlns="http://www.w3.org/2000/svg"><title>${values.emails[0]}</title><desc>${values.cards[0]}</desc>${paragraphs(values, 'text')}</svg>`,
  epub: bookOf,
  eml: (values) => {
    const [from, to, copy] = values.emails;
    return `From: Warden <${from}>\r\nTo: ${to}\r\nCc: ${copy}\r\nSubject: ${TITLE} ${from}\r\nContent-Type: text/plain\r\n\r\n${plantedSentences(values).join('\r\n\r\n')}`;
  },
  msg: (values) => {
    const [from, to] = values.emails;
    const body = plantedSentences(values).join('\r\n\r\n');
    return makeMsg({ subject: `${TITLE} ${from}`, body, from: from!, to: to! }, [
      { name: `${from}.txt`, content: Buffer.from(body) },
    ]);
  },
  zip: (values) =>
    makeZip([
      { name: `${values.emails[0]}/plan.txt`, data: Buffer.from(plantedSentences(values).join('\n\n')) },
      { name: `${values.emails[1]}.bin`, data: Buffer.from([0, 1, 2, 3, 0xff]) },
    ]),
  docx: (values) => {
    const [mail] = values.emails;
    const comment = `<w:comment w:id="1" w:author="${mail}">${wordParagraph(`Ask ${values.cards[0]}`)}</w:comment>`;
    const anchor = '<w:p><w:r><w:t>Seen.</w:t></w:r><w:r><w:commentReference w:id="1"/></w:r></w:p>';
    const body = [`${TITLE} ${mail}`, ...plantedSentences(values)].map((text) => wordParagraph(text));
    return makeDocx(
      `${body.join('')}${anchor}`,
      { ...coreOf(mail!), 'word/comments.xml': partXml('w:comments', comment) },
      {
        rId9: ['comments', 'comments.xml'],
      },
    );
  },
  pptx: (values) =>
    makePptx([slideShape([`${TITLE} ${values.emails[0]}`], 'type="title"') + slideShape(plantedSentences(values))]),
  xlsx: (values) => {
    const rows = plantedSentences(values).map((text, n) => sheetRow(n + 2, [text, Number(values.cards[n % 3])]));
    return makeXlsx([{ name: values.emails[0]!, xml: sheetRow(1, ['Note', 'Card']) + rows.join('') }]);
  },
  odt: (values) => {
    const meta = `<office:meta><dc:title>${TITLE} ${values.emails[0]}</dc:title><dc:creator>${values.emails[1]}</dc:creator></office:meta>`;
    return makeOdf('text', paragraphs(values, 'text:p'), '', { 'meta.xml': odfPart('office:document-meta', meta) });
  },
  ods: (values) => {
    const rows = plantedSentences(values).map(
      (text) => `<table:table-row><table:table-cell><text:p>${text}</text:p></table:table-cell></table:table-row>`,
    );
    return makeOdf('spreadsheet', `<table:table table:name="${values.emails[0]}">${rows.join('')}</table:table>`);
  },
  odp: (values) =>
    makeOdf(
      'presentation',
      `<draw:page draw:name="${values.emails[0]}"><draw:frame><draw:text-box>${paragraphs(values, 'text:p')}</draw:text-box></draw:frame></draw:page>`,
    ),
  rtf: (values) =>
    String.raw`{\rtf1\ansi{\info{\title ${values.emails[0]}}{\author ${values.emails[1]}}}` +
    `${plantedSentences(values).join('\\par ')}\\par}`,
  py: (values) =>
    `"""${TITLE} of ${values.emails[0]}."""\n\n${plantedSentences(values)
      .map((text, n) => `NOTE_${n} = "${text}"`)
      .join('\n')}\n`,
};

function paragraphs(values: PlantedValues, element: string): string {
  return plantedSentences(values)
    .map((text) => `<${element}>${text}</${element}>`)
    .join('');
}

function records(values: PlantedValues) {
  const notes = plantedSentences(values);
  return values.emails.map((mail, n) => ({
    place: notes[n],
    mail,
    card: values.cards[n],
    account: values.accounts[n],
    token: values.secrets[n],
  }));
}

function rowsOf(values: PlantedValues, separator: string): string {
  const rows = records(values).map((record) => Object.values(record).join(separator));
  return ['place', 'mail', 'card', 'account', 'token'].join(separator) + `\n${rows.join('\n')}\n`;
}

function coreOf(mail: string): Record<string, string> {
  return {
    '_rels/.rels':
      relationsXml({ rId1: ['officeDocument', 'word/document.xml'] }).replace('</Relationships>', '') +
      '<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>',
    'docProps/core.xml': `${CORE}<dc:title>${TITLE} ${mail}</dc:title><dc:creator>${mail}</dc:creator></cp:coreProperties>`,
  };
}

function bookOf(values: PlantedValues): Buffer {
  const [mail, other] = values.emails;
  const part = (name: string, text: string) => ({ name, data: Buffer.from(text) });
  return makeZip([
    part('mimetype', 'application/epub+zip'),
    part(
      'META-INF/container.xml',
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    ),
    part(
      'book.opf',
      `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${TITLE} ${mail}</dc:title><dc:creator>${other}</dc:creator></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="gone" href="${other}.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="gone"/></spine></package>`,
    ),
    part('a.xhtml', `<html><body><h1>${mail}</h1>${paragraphs(values, 'p')}</body></html>`),
  ]);
}
