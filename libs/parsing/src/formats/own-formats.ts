import { OFFICE_FORMATS } from './office-formats.js';
import type { FormatParser } from './format-parser.js';
import type { OwnFormat } from './format-definition.js';
import { SOURCE_EXTENSIONS, SOURCE_MEDIA_TYPES } from '../media-type/source-types.js';

/** Program sources and settings files share a parser; the language comes from the file's name. */
const SOURCE_FORMATS: readonly OwnFormat[] = SOURCE_MEDIA_TYPES.map((mediaType) => ({
  mediaType,
  family: 'text',
  extensions: Object.keys(SOURCE_EXTENSIONS).filter((extension) => SOURCE_EXTENSIONS[extension] === mediaType),
  load: async () => (await import('./source.parser.js')).sourceParser(mediaType),
}));

const delimited = async (): Promise<FormatParser> => (await import('./csv.parser.js')).parseDelimited;
const json = async (): Promise<FormatParser> => (await import('./json.parser.js')).parseJson;
const xml = async (): Promise<FormatParser> => (await import('./xml.parser.js')).parseXml;
const transcript = async (): Promise<FormatParser> => (await import('./transcript.parser.js')).parseTranscript;

const directory = async (): Promise<FormatParser> => (await import('./directory.parser.js')).parseDirectory;

/** Every format of the service: what tells its files, and its parser. A new one is one file here and one entry in this list. */
export const OWN_FORMATS: readonly OwnFormat[] = [
  {
    mediaType: 'text/plain',
    family: 'text',
    extensions: ['txt', 'text', 'log'],
    load: async () => (await import('./text.parser.js')).parsePlainText,
  },
  {
    mediaType: 'text/markdown',
    family: 'text',
    extensions: ['md', 'markdown', 'mdown', 'mkd'],
    load: async () => (await import('./markdown.parser.js')).parseMarkdown,
  },
  {
    mediaType: 'text/html',
    family: 'text',
    extensions: ['html', 'htm', 'xhtml'],
    load: async () => (await import('./html.parser.js')).parseHtml,
  },
  {
    mediaType: 'application/pdf',
    family: 'pdf',
    extensions: ['pdf'],
    load: async () => (await import('./pdf.parser.js')).parsePdf,
  },
  { mediaType: 'text/csv', family: 'text', extensions: ['csv'], load: delimited },
  { mediaType: 'text/tab-separated-values', family: 'text', extensions: ['tsv', 'tab'], load: delimited },
  { mediaType: 'application/json', family: 'text', extensions: ['json'], load: json },
  {
    mediaType: 'application/x-ndjson',
    family: 'text',
    extensions: ['jsonl', 'ndjson'],
    load: async () => (await import('./json-lines.parser.js')).parseJsonLines,
  },
  { mediaType: 'application/geo+json', family: 'text', extensions: ['geojson'], load: json },
  {
    mediaType: 'application/x-ipynb+json',
    family: 'text',
    extensions: ['ipynb'],
    load: async () => (await import('./notebook.parser.js')).parseNotebook,
  },
  { mediaType: 'application/xml', family: 'text', extensions: ['xml', 'xsd', 'rss', 'atom'], load: xml },
  { mediaType: 'image/svg+xml', family: 'text', extensions: ['svg'], load: xml },
  {
    mediaType: 'application/epub+zip',
    family: 'zip',
    extensions: ['epub'],
    load: async () => (await import('./epub.parser.js')).parseEpub,
  },
  {
    mediaType: 'message/rfc822',
    family: 'text',
    extensions: ['eml'],
    load: async () => (await import('./mail/eml.parser.js')).parseEml,
  },
  {
    mediaType: 'application/mbox',
    family: 'text',
    extensions: ['mbox', 'mbx'],
    load: async () => (await import('./mail/mbox.parser.js')).parseMbox,
  },
  {
    mediaType: 'multipart/related',
    family: 'text',
    extensions: ['mhtml', 'mht'],
    load: async () => (await import('./mail/mhtml.parser.js')).parseMhtml,
  },
  { mediaType: 'text/calendar', family: 'text', extensions: ['ics', 'ical'], load: directory },
  { mediaType: 'text/vcard', family: 'text', extensions: ['vcf', 'vcard'], load: directory },
  { mediaType: 'text/vtt', family: 'text', extensions: ['vtt'], load: transcript },
  { mediaType: 'application/x-subrip', family: 'text', extensions: ['srt'], load: transcript },
  {
    mediaType: 'text/x-ssa',
    family: 'text',
    extensions: ['ass', 'ssa'],
    load: async () => (await import('./transcript.parser.js')).parseSubtitleScript,
  },
  {
    mediaType: 'application/vnd.ms-outlook',
    family: 'ole',
    extensions: ['msg'],
    load: async () => (await import('./mail/msg.parser.js')).parseMsg,
  },
  {
    mediaType: 'application/zip',
    family: 'zip',
    extensions: ['zip'],
    load: async () => (await import('./zip.parser.js')).parseZip,
  },
  ...OFFICE_FORMATS,
  ...SOURCE_FORMATS,
];
