/** Media types of office programs, besides DOCX. Variants with macros or for templates count as the type they vary. */
export const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const XLSB = 'application/vnd.ms-excel.sheet.binary.macroenabled.12';
export const ODT = 'application/vnd.oasis.opendocument.text';
export const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
export const ODP = 'application/vnd.oasis.opendocument.presentation';
export const RTF = 'application/rtf';
export const DOC = 'application/msword';
export const XLS = 'application/vnd.ms-excel';
export const PPT = 'application/vnd.ms-powerpoint';

/** Those that this service can parse; DOC and PPT with the help of LibreOffice. */
export const OFFICE_MEDIA_TYPES = [PPTX, XLSX, XLSB, ODT, ODS, ODP, RTF, DOC, XLS, PPT] as const;

export type OfficeMediaType = (typeof OFFICE_MEDIA_TYPES)[number];

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Extensions of files that are ZIP archives. */
export const OFFICE_ZIP_EXTENSIONS: Readonly<Record<string, string>> = {
  docx: DOCX,
  docm: DOCX,
  dotx: DOCX,
  dotm: DOCX,
  pptx: PPTX,
  pptm: PPTX,
  potx: PPTX,
  potm: PPTX,
  ppsx: PPTX,
  ppsm: PPTX,
  xlsx: XLSX,
  xlsm: XLSX,
  xltx: XLSX,
  xltm: XLSX,
  xlsb: XLSB,
  odt: ODT,
  ott: ODT,
  ods: ODS,
  ots: ODS,
  odp: ODP,
  otp: ODP,
};

/** Extensions of files in the old compound format. */
export const OFFICE_OLE_EXTENSIONS: Readonly<Record<string, string>> = {
  doc: DOC,
  dot: DOC,
  xls: XLS,
  xlt: XLS,
  ppt: PPT,
  pps: PPT,
  pot: PPT,
};
