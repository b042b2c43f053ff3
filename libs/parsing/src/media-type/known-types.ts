/** Media types that this service can parse. */
export const SUPPORTED_MEDIA_TYPES = [
  'text/plain',
  'text/markdown',
  'text/html',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
] as const;

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
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  eml: 'message/rfc822',
  rtf: 'application/rtf',
};

const ZIP_EXTENSIONS: Readonly<Record<string, string>> = {
  docx: DOCX,
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  zip: ZIP,
};

const OLE_EXTENSIONS: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
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
