import type { OfficeMediaType } from '../media-type/office-types.js';
import type { FormatParser } from './format-parser.js';

const openDocument = async (): Promise<FormatParser> => (await import('./odf.parser.js')).parseOpenDocument;
const binaryWorkbook = async (): Promise<FormatParser> => (await import('./xls.parser.js')).parseBinaryWorkbook;

/** The parsers of office formats besides DOCX. */
export const OFFICE_PARSERS: Readonly<Record<OfficeMediaType, () => Promise<FormatParser>>> = {
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': async () =>
    (await import('./pptx.parser.js')).parsePptx,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': async () =>
    (await import('./xlsx.parser.js')).parseXlsx,
  'application/vnd.ms-excel.sheet.binary.macroenabled.12': binaryWorkbook,
  'application/vnd.ms-excel': binaryWorkbook,
  'application/vnd.oasis.opendocument.text': openDocument,
  'application/vnd.oasis.opendocument.spreadsheet': openDocument,
  'application/vnd.oasis.opendocument.presentation': openDocument,
  'application/rtf': async () => (await import('./rtf.parser.js')).parseRtf,
  'application/msword': async () => (await import('./legacy.parser.js')).parseLegacyDocument,
  'application/vnd.ms-powerpoint': async () => (await import('./legacy.parser.js')).parseLegacyPresentation,
};
