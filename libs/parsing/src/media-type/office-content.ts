import type { ContentFamily } from './known-types.js';
import { OFFICE_OLE_EXTENSIONS, OFFICE_ZIP_EXTENSIONS, RTF, XLS } from './office-types.js';
import { typeOfText } from './text-likeness.js';

interface Claim {
  mediaType: string;
  family: ContentFamily;
}

/** Whether text begins as RTF does. */
export function looksLikeRtf(head: Buffer): boolean {
  return /^(?:\u00ef\u00bb\u00bf)?\s*\{\\rtf/.test(head.subarray(0, 64).toString('latin1'));
}

/**
 * The type of a file with the extension of an office program whose content is another document that is read all the
 * same: a .doc that is RTF, HTML or a renamed .docx, an .xls that is an HTML table, XML or tab-separated text.
 * Undefined when the name is right, and when it is wrong in a way that nobody means.
 */
export function officeContent(extension: string, claim: Claim, content: Claim, head: Buffer): string | undefined {
  const isOld = Object.hasOwn(OFFICE_OLE_EXTENSIONS, extension);
  const isOffice = isOld || Object.hasOwn(OFFICE_ZIP_EXTENSIONS, extension) || claim.mediaType === RTF;
  if (!isOffice) return undefined;
  if (content.family === 'text') return officeText(isOld, claim, head);
  if (content.family === claim.family) return undefined;
  return content.family === 'ole' || content.family === 'zip' ? content.mediaType : undefined;
}

function officeText(isOld: boolean, claim: Claim, head: Buffer): string | undefined {
  if (looksLikeRtf(head)) return RTF;
  if (!isOld) return undefined;
  const type = typeOfText(head);
  if (type === 'text/html' || type === 'application/xml') return type;
  // Programs on the web like to call a table with tabs a spreadsheet.
  return claim.mediaType === XLS && head.includes(0x09) ? 'text/tab-separated-values' : undefined;
}
