import { OFFICE_MEDIA_TYPES, OFFICE_OLE_EXTENSIONS, OFFICE_ZIP_EXTENSIONS } from './office-types.js';
import { extensionOfWholeName, SOURCE_EXTENSIONS, SOURCE_MEDIA_TYPES } from './source-types.js';

/** Media types that this service can parse. */
export const SUPPORTED_MEDIA_TYPES = [
  'text/plain',
  'text/markdown',
  'text/html',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/csv',
  'text/tab-separated-values',
  'application/json',
  'application/x-ndjson',
  'application/geo+json',
  'application/x-ipynb+json',
  'application/xml',
  'image/svg+xml',
  'application/epub+zip',
  'message/rfc822',
  'application/vnd.ms-outlook',
  'application/zip',
  ...OFFICE_MEDIA_TYPES,
  ...SOURCE_MEDIA_TYPES,
] as const;

/** The supported formats in words, for messages to the user. */
export const SUPPORTED_DESCRIPTION =
  'PDF, Word, PowerPoint, Excel, OpenDocument, RTF, EPUB, HTML, Markdown, plain text, CSV, JSON, XML, e-mail, ' +
  'program sources, and ZIP archives of such files';

export type SupportedMediaType = (typeof SUPPORTED_MEDIA_TYPES)[number];

export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const OLE = 'application/x-cfb';
export const ZIP = 'application/zip';

/** How the content of a type looks from outside; decides which contents a file name may claim. */
export type ContentFamily = 'text' | 'pdf' | 'zip' | 'ole' | 'binary';

interface KnownType {
  mediaType: string;
  family: ContentFamily;
}

const TEXT_EXTENSIONS: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  text: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  mdown: 'text/markdown',
  mkd: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'text/html',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  tab: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
  geojson: 'application/geo+json',
  ipynb: 'application/x-ipynb+json',
  xml: 'application/xml',
  xsd: 'application/xml',
  rss: 'application/xml',
  atom: 'application/xml',
  svg: 'image/svg+xml',
  eml: 'message/rfc822',
  rtf: 'application/rtf',
  ...SOURCE_EXTENSIONS,
};

const ZIP_EXTENSIONS: Readonly<Record<string, string>> = {
  ...OFFICE_ZIP_EXTENSIONS,
  epub: 'application/epub+zip',
  zip: ZIP,
};

const OLE_EXTENSIONS: Readonly<Record<string, string>> = {
  ...OFFICE_OLE_EXTENSIONS,
  msg: 'application/vnd.ms-outlook',
};

/** The type that a file name claims; undefined for an extension that says nothing to us. */
export function typeOfExtension(extension: string): KnownType | undefined {
  const lower = extension.toLowerCase();
  if (lower === 'pdf') return { mediaType: 'application/pdf', family: 'pdf' };
  const lists: [Readonly<Record<string, string>>, ContentFamily][] = [
    [TEXT_EXTENSIONS, 'text'],
    [ZIP_EXTENSIONS, 'zip'],
    [OLE_EXTENSIONS, 'ole'],
  ];
  for (const [list, family] of lists) {
    const mediaType = Object.hasOwn(list, lower) ? list[lower] : undefined;
    if (mediaType !== undefined) return { mediaType, family };
  }
  return undefined;
}

/** The extension that decides for a file name, in lower case without its dot; `''` when there is none. */
export function extensionIn(fileName: string): string {
  return extensionOfWholeName(fileName) ?? /\.([^./\\]{1,16})$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** A usual extension of a type, for advice to the user. */
export function extensionOf(mediaType: string): string | undefined {
  if (mediaType === 'application/pdf') return 'pdf';
  const all = { ...TEXT_EXTENSIONS, ...ZIP_EXTENSIONS, ...OLE_EXTENSIONS };
  return Object.keys(all).find((extension) => all[extension] === mediaType);
}

/** Text types that a declaration may choose when the file name says nothing. */
export function isTextType(mediaType: string): boolean {
  return Object.values(TEXT_EXTENSIONS).includes(mediaType);
}

/** Whether there is a parser for a type. */
export function isSupported(mediaType: string): mediaType is SupportedMediaType {
  return (SUPPORTED_MEDIA_TYPES as readonly string[]).includes(mediaType);
}
