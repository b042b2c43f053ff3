/** Media types of office programs. */
export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const XLSB = 'application/vnd.ms-excel.sheet.binary.macroenabled.12';
export const ODT = 'application/vnd.oasis.opendocument.text';
export const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
export const ODP = 'application/vnd.oasis.opendocument.presentation';
export const FODT = 'application/vnd.oasis.opendocument.text-flat-xml';
export const FODS = 'application/vnd.oasis.opendocument.spreadsheet-flat-xml';
export const FODP = 'application/vnd.oasis.opendocument.presentation-flat-xml';
export const RTF = 'application/rtf';
export const DOC = 'application/msword';
export const XLS = 'application/vnd.ms-excel';
export const PPT = 'application/vnd.ms-powerpoint';
