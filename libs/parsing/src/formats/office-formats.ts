import {
  DOC,
  DOCX,
  FODP,
  FODS,
  FODT,
  ODP,
  ODS,
  ODT,
  PPT,
  PPTX,
  RTF,
  XLS,
  XLSB,
  XLSX,
} from '../media-type/office-types.js';
import type { FormatParser } from './format-parser.js';
import type { OwnFormat } from './format-definition.js';

const openDocument = async (): Promise<FormatParser> => (await import('./odf.parser.js')).parseOpenDocument;
const flatDocument = async (): Promise<FormatParser> => (await import('./odf.parser.js')).parseFlatOpenDocument;
const binaryWorkbook = async (): Promise<FormatParser> => (await import('./xls.parser.js')).parseBinaryWorkbook;

/** Formats of office programs. Variants with macros or for templates count as the type they vary; DOC and PPT need LibreOffice. */
export const OFFICE_FORMATS: readonly OwnFormat[] = [
  {
    mediaType: DOCX,
    family: 'zip',
    extensions: ['docx', 'docm', 'dotx', 'dotm'],
    load: async () => (await import('./docx.parser.js')).parseDocx,
  },
  {
    mediaType: PPTX,
    family: 'zip',
    extensions: ['pptx', 'pptm', 'potx', 'potm', 'ppsx', 'ppsm'],
    load: async () => (await import('./pptx.parser.js')).parsePptx,
  },
  {
    mediaType: XLSX,
    family: 'zip',
    extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
    load: async () => (await import('./xlsx.parser.js')).parseXlsx,
  },
  { mediaType: XLSB, family: 'zip', extensions: ['xlsb'], load: binaryWorkbook },
  { mediaType: ODT, family: 'zip', extensions: ['odt', 'ott'], load: openDocument },
  { mediaType: ODS, family: 'zip', extensions: ['ods', 'ots'], load: openDocument },
  { mediaType: ODP, family: 'zip', extensions: ['odp', 'otp'], load: openDocument },
  { mediaType: FODT, family: 'text', extensions: ['fodt'], load: flatDocument },
  { mediaType: FODS, family: 'text', extensions: ['fods'], load: flatDocument },
  { mediaType: FODP, family: 'text', extensions: ['fodp'], load: flatDocument },
  {
    mediaType: RTF,
    family: 'text',
    extensions: ['rtf'],
    load: async () => (await import('./rtf.parser.js')).parseRtf,
  },
  {
    mediaType: DOC,
    family: 'ole',
    extensions: ['doc', 'dot'],
    load: async () => (await import('./legacy.parser.js')).parseLegacyDocument,
  },
  { mediaType: XLS, family: 'ole', extensions: ['xls', 'xlt'], load: binaryWorkbook },
  {
    mediaType: PPT,
    family: 'ole',
    extensions: ['ppt', 'pps', 'pot'],
    load: async () => (await import('./legacy.parser.js')).parseLegacyPresentation,
  },
];
