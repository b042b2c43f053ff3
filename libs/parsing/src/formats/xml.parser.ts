import { decodeFile } from '../charset/decode-file.js';
import { detectCharset } from '../charset/detect-charset.js';
import { readHead } from '../charset/file-chunks.js';
import { looksLikeHtml } from '../media-type/text-likeness.js';
import { ParseError } from '../parse-error.js';
import { onlyWordsOfDrawing } from '../xml/drawing-text.js';
import { HTML_ENTITIES } from '../xml/html-entities.js';
import { HiddenSheetsReader, isSpreadsheetXml, SpreadsheetXmlReader } from '../xml/spreadsheet-xml.js';
import { XmlDocumentWriter } from '../xml/xml-document-writer.js';
import { readXml, type XmlHandler } from '../xml/xml-reader.js';
import type { FormatInput, FormatParser } from './format-parser.js';
import { parseHtml, readMetaCharset } from './html.parser.js';
import { parsePlainText } from './text.parser.js';

const HEAD_BYTES = 4096;

/**
 * XML of any vocabulary, streamed: titles become headings, repeated flat records tables, everything else the text of the
 * elements in order. What is no well-formed XML is read as plain text, with a warning.
 */
export const parseXml: FormatParser = async (input, output) => {
  const head = readHead(input.path, HEAD_BYTES);
  if (looksLikeHtml(withoutDeclaration(head))) return parseHtml(input, output);
  const charset = await detectCharset(input.path, {
    explicit: input.options.charset,
    declared: readMetaCharset(head),
  });
  // Read once to know that the whole document is well-formed: what is written cannot be taken back.
  const isWellFormed = await read(input, charset.name, { open: () => undefined });
  if (!isWellFormed) {
    const detail = 'The file is not well-formed XML; it was read as plain text.';
    return { ...(await parsePlainText(input, output)), warnings: [{ code: 'MALFORMED_XML', detail }] };
  }
  if (isFlatOpenDocument(head)) {
    const { parseFlatOpenDocument } = await import('./odf.parser.js');
    return parseFlatOpenDocument(input, output);
  }
  if (isSpreadsheetXml(head)) {
    const sheets = new HiddenSheetsReader();
    await read(input, charset.name, sheets);
    const reader = new SpreadsheetXmlReader(output, sheets.hidden, input.options.hidden);
    await read(input, charset.name, reader);
    return {
      charset: { ...charset, replacedCharacters: output.replacedCharacters },
      warnings: reader.hidden.warnings(),
      fidelity: { ...reader.counts, ...reader.hidden.counts },
    };
  }
  const writer = new XmlDocumentWriter(output);
  await read(input, charset.name, isDrawing(head) ? onlyWordsOfDrawing(writer) : writer);
  writer.finish();
  return {
    charset: { ...charset, replacedCharacters: output.replacedCharacters },
    title: writer.title,
    fidelity: {
      elements: writer.elements,
      tables: writer.tables,
      table_rows: writer.tableRows,
      ...(writer.encodedFiles > 0 && { embedded_files_left_out: writer.encodedFiles }),
    },
  };
};

async function read(input: FormatInput, charset: string, handler: XmlHandler): Promise<boolean> {
  try {
    await readXml(decodeFile(input.path, charset), handler, { entities: HTML_ENTITIES });
    return true;
  } catch (error) {
    if (error instanceof ParseError && error.code === 'MALFORMED') return false;
    throw error;
  }
}

/** Whether the root is that of an OpenDocument file which is one XML document, under the prefix that all programs write. */
function isFlatOpenDocument(head: Buffer): boolean {
  return /<office:document\s[^>]{0,4000}urn:oasis:names:tc:opendocument:/.test(
    head.toString('latin1').replaceAll('\0', ''),
  );
}

/** Whether the root is SVG's. */
function isDrawing(head: Buffer): boolean {
  const start = head.toString('latin1').replaceAll('\0', '');
  return /^[^<]*(?:<(?:\?|!)[^>]*>[^<]*)*<(?:\w+:)?svg[\s>]/i.test(start);
}

/** XHTML begins as HTML does, after its XML declaration. */
function withoutDeclaration(head: Buffer): Buffer {
  return Buffer.from(head.toString('latin1').replace(/^\s*<\?xml[^>]*\?>/, ''), 'latin1');
}
