import { DEFAULT_POLICY } from './ingestion-policy.entity.js';
import { section } from './policy-section.js';

const { parsing } = DEFAULT_POLICY;

/** Text formats for which an encoding can be set. */
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
  'text/calendar',
  'text/vcard',
  'text/vtt',
  'application/x-subrip',
  'text/x-ssa',
] as const;

const OCR = {
  type: 'string',
  enum: ['off', 'auto'],
  description: 'Whether text is recognised on scanned pages. `auto`: if a text recogniser is installed.',
} as const;
const HEADER_FOOTER_REMOVAL = {
  type: 'boolean',
  description:
    'Whether lines repeated at the top or bottom of pages are removed completely. `false`: each is kept once, without page numbers. PDF only.',
} as const;
const CHARSET = {
  type: ['string', 'null'],
  minLength: 1,
  maxLength: 40,
  description:
    'Encoding of text files, as a label that the parser knows (for instance `windows-1251`); null: recognised from the bytes. A byte order mark takes precedence.',
} as const;
/** Formats with hidden parts: workbooks (cells) and presentations (slides). */
const TYPES_THAT_HIDE = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-excel',
  'application/vnd.ms-excel.sheet.binary.macroenabled.12',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.spreadsheet-flat-xml',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.presentation',
  'application/vnd.oasis.opendocument.presentation-flat-xml',
] as const;
const HIDDEN = {
  type: 'string',
  enum: ['include', 'exclude'],
  description:
    'Whether hidden cells of workbooks (hidden sheets, rows and columns, text in the colour of its background) and hidden slides of presentations become text. Their number is reported in the warnings `HIDDEN_CELLS` and `HIDDEN_SLIDES` in both cases.',
} as const;

const ARCHIVE = {
  type: 'string',
  enum: ['split', 'whole'],
  description:
    'How a ZIP archive is ingested. `split`: each file in it becomes a document, with `archive_id` and its `path` in the archive; the archive is a document without text, and its status follows from those of its files. `whole`: the archive is one document with the text of all files. New datasets have `split`; a policy without this field means `whole`. A split archive remains split until its next revision.',
} as const;

/** How files become text. */
export const PARSING = section('How files become text. A change takes effect for a document when it is reingested.', {
  ocr: { ...OCR, default: parsing.ocr },
  header_footer_removal: { ...HEADER_FOOTER_REMOVAL, default: parsing.header_footer_removal },
  charset: { ...CHARSET, default: parsing.charset },
  hidden: { ...HIDDEN, default: 'include' },
  archive: { ...ARCHIVE, default: 'whole' },
  types: section(
    'Options of single media types, which take precedence over those above. Files in an archive or e-mail use the options of the archive or e-mail.',
    {
      'application/pdf': {
        type: 'object',
        description: 'Options of PDF files.',
        additionalProperties: false,
        properties: { ocr: OCR, header_footer_removal: HEADER_FOOTER_REMOVAL },
      },
      ...Object.fromEntries(
        TYPES_THAT_HIDE.map((type) => [
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
});
