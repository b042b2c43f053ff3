import { DEFAULT_POLICY } from './ingestion-policy.entity.js';
import { section } from './policy-section.js';

const { parsing } = DEFAULT_POLICY;

/** Text formats whose encoding can be named. */
const ENCODED_TYPES = [
  'text/plain',
  'text/markdown',
  'text/html',
  'text/csv',
  'text/tab-separated-values',
  'application/json',
  'application/geo+json',
  'application/x-ndjson',
  'application/x-ipynb+json',
  'application/xml',
  'text/vtt',
  'application/x-subrip',
] as const;

const OCR = {
  type: 'string',
  enum: ['off', 'auto'],
  description: 'Whether scanned pages are read: `auto` does where a text recogniser is installed.',
} as const;
const HEADER_FOOTER_REMOVAL = {
  type: 'boolean',
  description:
    'Whether lines that repeat at the top or bottom of pages are left out altogether; else each stays once, without the numbers of the pages. PDF only.',
} as const;
const CHARSET = {
  type: ['string', 'null'],
  minLength: 1,
  maxLength: 40,
  description:
    'Encoding of text files, by a label that the parser knows (for instance `windows-1251`); null: recognised from the bytes. A byte order mark outranks it.',
} as const;
/** Workbooks, whose cells can be hidden. */
const WORKBOOK_TYPES = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-excel',
  'application/vnd.ms-excel.sheet.binary.macroenabled.12',
  'application/vnd.oasis.opendocument.spreadsheet',
] as const;
const HIDDEN = {
  type: 'string',
  enum: ['include', 'exclude'],
  description:
    'Whether cells of workbooks that a reader does not see (hidden sheets, rows and columns, text in the colour of its ground) become text. They are counted and told (`HIDDEN_CELLS`) either way.',
} as const;

const ARCHIVE = {
  type: 'string',
  enum: ['split', 'whole'],
  description:
    'What a ZIP archive becomes. `split`: each file in it is a document of its own, with `archive_id` and its `path` in the archive; the archive is a document without text whose state follows that of its files. `whole`: one document with the text of all files. New datasets have `split`; a policy that says nothing has `whole`. An archive that was split stays so until its next revision.',
} as const;

/** How files become text. */
export const PARSING = section(
  'How files become text. A change needs a new parse: it reaches a document when it is reingested.',
  {
    ocr: { ...OCR, default: parsing.ocr },
    header_footer_removal: { ...HEADER_FOOTER_REMOVAL, default: parsing.header_footer_removal },
    charset: { ...CHARSET, default: parsing.charset },
    hidden: { ...HIDDEN, default: 'include' },
    archive: { ...ARCHIVE, default: 'whole' },
    types: section(
      'Options of single media types; they outrank those above. Files in an archive or a mail follow those of the archive or mail.',
      {
        'application/pdf': {
          type: 'object',
          description: 'Options of PDF files.',
          additionalProperties: false,
          properties: { ocr: OCR, header_footer_removal: HEADER_FOOTER_REMOVAL },
        },
        ...Object.fromEntries(
          WORKBOOK_TYPES.map((type) => [
            type,
            {
              type: 'object',
              description: `Options of ${type} files.`,
              additionalProperties: false,
              properties: { hidden: HIDDEN },
            },
          ]),
        ),
        ...Object.fromEntries(
          ENCODED_TYPES.map((type) => [
            type,
            {
              type: 'object',
              description: `Options of ${type} files.`,
              additionalProperties: false,
              properties: { charset: CHARSET },
            },
          ]),
        ),
      },
    ),
  },
);
