import type { SupportedMediaType } from '../media-type/known-types.js';
import { OFFICE_PARSERS } from './office-registry.js';
import { SOURCE_MEDIA_TYPES, type SourceMediaType } from '../media-type/source-types.js';
import type { FormatParser } from './format-parser.js';

type Loader = () => Promise<FormatParser>;

const delimited: Loader = async () => (await import('./csv.parser.js')).parseDelimited;
const json: Loader = async () => (await import('./json.parser.js')).parseJson;
const xml: Loader = async () => (await import('./xml.parser.js')).parseXml;

/** All source types share a parser; the language comes from the file's name. */
const SOURCE_PARSERS = Object.fromEntries(
  SOURCE_MEDIA_TYPES.map((type) => [type, async () => (await import('./source.parser.js')).sourceParser(type)]),
) as Record<SourceMediaType, Loader>;

/**
 * Every supported media type with its parser, loaded at first use. A new format is one file here and one line in
 * `SUPPORTED_MEDIA_TYPES`; the type of this map refuses one without the other.
 */
export const FORMAT_PARSERS: Readonly<Record<SupportedMediaType, Loader>> = {
  'text/plain': async () => (await import('./text.parser.js')).parsePlainText,
  'text/markdown': async () => (await import('./markdown.parser.js')).parseMarkdown,
  'text/html': async () => (await import('./html.parser.js')).parseHtml,
  'application/pdf': async () => (await import('./pdf.parser.js')).parsePdf,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': async () =>
    (await import('./docx.parser.js')).parseDocx,
  'text/csv': delimited,
  'text/tab-separated-values': delimited,
  'application/json': json,
  'application/geo+json': json,
  'application/x-ndjson': async () => (await import('./json-lines.parser.js')).parseJsonLines,
  'application/x-ipynb+json': async () => (await import('./notebook.parser.js')).parseNotebook,
  'application/xml': xml,
  'image/svg+xml': xml,
  'application/epub+zip': async () => (await import('./epub.parser.js')).parseEpub,
  'message/rfc822': async () => (await import('./mail/eml.parser.js')).parseEml,
  'application/vnd.ms-outlook': async () => (await import('./mail/msg.parser.js')).parseMsg,
  'application/zip': async () => (await import('./zip.parser.js')).parseZip,
  ...OFFICE_PARSERS,
  ...SOURCE_PARSERS,
};
