/** Names that are the same in every language. */
const KINDS: Readonly<Record<string, string>> = {
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/msword': 'Word (.doc)',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/vnd.ms-excel': 'Excel (.xls)',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint',
  'application/vnd.ms-powerpoint': 'PowerPoint (.ppt)',
  'application/vnd.ms-outlook': 'Outlook',
  'application/vnd.oasis.opendocument.text': 'OpenDocument (.odt)',
  'application/vnd.oasis.opendocument.text-flat-xml': 'OpenDocument (.fodt)',
  'application/vnd.oasis.opendocument.spreadsheet': 'OpenDocument (.ods)',
  'application/vnd.oasis.opendocument.spreadsheet-flat-xml': 'OpenDocument (.fods)',
  'application/vnd.oasis.opendocument.presentation': 'OpenDocument (.odp)',
  'application/vnd.oasis.opendocument.presentation-flat-xml': 'OpenDocument (.fodp)',
  'application/epub+zip': 'EPUB',
  'application/json': 'JSON',
  'application/pdf': 'PDF',
  'application/rtf': 'RTF',
  'application/xml': 'XML',
  'text/xml': 'XML',
  'text/html': 'HTML',
  'text/csv': 'CSV',
  'text/markdown': 'Markdown',
  'message/rfc822': 'E-Mail',
  'application/mbox': 'Mailbox',
  'application/zip': 'ZIP',
  'application/x-ipynb+json': 'Jupyter',
};

/** What people call a media type, the same in every language: of one without such a name the middle of it. Undefined: a word says it. */
export function namedKind(type: string): string | undefined {
  if (type === 'application/octet-stream' || type === 'text/plain') return undefined;
  const known = KINDS[type];
  if (known !== undefined) return known;
  const [, name = type] = type.split('/');
  return name
    .replace(/^(?:x-|vnd\.)+/, '')
    .replace(/\+.*$/, '')
    .toUpperCase();
}

/** Longest kind that has room in a row of a list. */
const SHORT = 6;

/** What tells the kind of a file in a few letters: the end of its name, else what people call its kind; empty where both are too long. */
export function shortKind(name: string, kind: string): string {
  const [, end] = /\.([a-z][a-z\d]*)$/i.exec(name) ?? [];
  return [end, kind].find((one) => one !== undefined && one.length <= SHORT)?.toUpperCase() ?? '';
}

/** Endings that belong to one kind of file alone. */
const ENDINGS: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  doc: 'application/msword',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ppt: 'application/vnd.ms-powerpoint',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  zip: 'application/zip',
};

/** The ending of a name that belongs to another kind of file than this one; undefined where it fits, or any kind may have it. */
export function strayEnding(name: string, type: string): string | undefined {
  const ending = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const own = ENDINGS[ending];
  return own === undefined || own === type ? undefined : ending;
}
