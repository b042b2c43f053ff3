import type { ContentFamily } from '../formats/format-definition.js';
import { OFFICE_FORMATS } from '../formats/office-formats.js';
import { RTF, XLS } from './office-types.js';
import { looksLikeHtmlPart, typeOfText } from './text-likeness.js';

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
 * same: a .doc that is RTF, HTML or a renamed .docx, an .xls that is an HTML table (a whole page or the table alone), XML or tab-separated text; wikis export saved pages as .doc.
 * Undefined when the name is right, and when it is wrong in a way that no one means.
 */
export function officeContent(claim: Claim, content: Claim, head: Buffer): string | undefined {
  if (!OFFICE_FORMATS.some(({ mediaType }) => mediaType === claim.mediaType)) return undefined;
  const isOld = claim.family === 'ole';
  return content.family === 'text' ? officeText(isOld, claim, head) : undefined;
}

function officeText(isOld: boolean, claim: Claim, head: Buffer): string | undefined {
  if (looksLikeRtf(head)) return RTF;
  if (!isOld) return undefined;
  const type = typeOfText(head);
  if (type !== 'text/plain' && type !== 'text/vtt') return type;
  if (looksLikeHtmlPart(head)) return 'text/html';
  // Programs on the web like to call a table with tabs a spreadsheet.
  return claim.mediaType === XLS && head.includes(0x09) ? 'text/tab-separated-values' : undefined;
}
