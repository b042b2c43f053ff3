import { readByteOrderMark } from '../charset/unicode-patterns.js';
import { OLE_MAGIC } from './compound-file.js';
import type { ContentFamily } from '../formats/format-definition.js';
import { extensionIn } from './file-extension.js';
import { DOCX, RTF } from './office-types.js';
import { looksLikeRtf, officeContent } from './office-content.js';
import { looksLikeHtml, looksLikeText, typeOfText } from './text-likeness.js';
import { extensionOf, isTextType, OLE, typeOfExtension, ZIP } from './known-types.js';

/** Bytes from the beginning of a file that are enough for `detectMediaType`. */
export const DETECTION_HEAD_BYTES = 8192;

/** The decision about a file's type. */
export interface MediaTypeDecision {
  mediaType: string;
  /** What decided: the bytes, the file name's extension or the uploader's declaration. */
  basis: 'content' | 'extension' | 'declaration';
  /** Set when the file cannot be what its name says; `detail` tells the user what to change. */
  problem?: { code: 'EMPTY_FILE' | 'TYPE_MISMATCH' | 'ENCRYPTED'; detail: string };
}

interface Content {
  family: ContentFamily;
  mediaType: string;
  description: string;
}

const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le');
const FALLBACK = 'application/octet-stream';

/**
 * Decides the media type: magic bytes first, then the extension, then the declared type. A PDF, an archive and a file of an office
 * program are taken for what they begin as, whatever they are called. Where the name promises such a file and the content is text
 * or data of another kind, the decision carries a problem and the content's type: a page that asks to log in is no report. Looks at the first `DETECTION_HEAD_BYTES` only; `head` must hold the whole file when the file is shorter. Never throws for bad input.
 */
export async function detectMediaType(head: Buffer, fileName: string, declared?: string): Promise<MediaTypeDecision> {
  if (head.length === 0) return emptyFile(fileName, declared);
  const extension = extensionIn(fileName);
  const claimed = typeOfExtension(extension);
  const content = await readContent(head.subarray(0, DETECTION_HEAD_BYTES), claimed?.family);
  if (content.family === 'ole' && head.includes(ENCRYPTED_PACKAGE)) return encryptedPackage(claimed?.mediaType);
  const other = claimed === undefined ? undefined : officeContent(claimed, content, head);
  if (other !== undefined) return { mediaType: other, basis: 'content' };
  if (claimed === undefined) return decideWithoutName(content, head, declared);
  if (claimed.mediaType === PLAIN && looksLikeRtf(head)) return { mediaType: RTF, basis: 'content' };
  if (claimed.family === content.family) return { mediaType: claimed.mediaType, basis: 'extension' };
  if (SURE.includes(content.family)) return { mediaType: content.mediaType, basis: 'content' };
  return { mediaType: content.mediaType, basis: 'content', problem: mismatch(extension, content) };
}

function emptyFile(fileName: string, declared: string | undefined): MediaTypeDecision {
  const mediaType = typeOfExtension(extensionIn(fileName))?.mediaType ?? essence(declared) ?? FALLBACK;
  const detail = 'The file has no content (0 bytes); upload it again from its source.';
  return { mediaType, basis: 'extension', problem: { code: 'EMPTY_FILE', detail } };
}

/** What is at the very beginning outranks every mark further in: a container may hold whole files of other kinds. */
async function readContent(head: Buffer, claimed: ContentFamily | undefined): Promise<Content> {
  if (head.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4])) || head.subarray(0, 4).equals(EMPTY_ZIP)) {
    return { family: 'zip', mediaType: ZIP, description: 'a ZIP archive' };
  }
  if (head.subarray(0, 8).equals(OLE_MAGIC)) {
    return { family: 'ole', mediaType: OLE, description: 'an old Microsoft Office file' };
  }
  const pdfMark = head.subarray(0, MOST_BYTES_BEFORE_PDF).indexOf('%PDF-');
  const mayBePdf =
    pdfMark >= 0 && (pdfMark === 0 || ((claimed === 'pdf' || !looksLikeText(head)) && !looksLikeHtml(head)));
  if (mayBePdf && looksLikeText(head.subarray(0, pdfMark))) return PDF_CONTENT;
  const isText = !mayBePdf && looksLikeText(head);
  if (isText && !beginsAsData(head)) return TEXT_CONTENT;
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(head);
  if (isText && found === undefined) return TEXT_CONTENT;
  if (mayBePdf && (found === undefined || found.mime === 'application/pdf')) return PDF_CONTENT;
  if (found === undefined) return { family: 'binary', mediaType: FALLBACK, description: 'binary data' };
  return { family: 'binary', mediaType: found.mime, description: `binary data (${found.mime})` };
}

const PLAIN = 'text/plain';
const TEXT_CONTENT: Content = { family: 'text', mediaType: PLAIN, description: 'plain text' };
/** The mark of a file, and the numbers behind it such as the size of a picture, stand within its first bytes. */
const MARK_BYTES = 32;

/**
 * Whether there are NUL bytes where the mark of a file of another kind would be: pixels and sound that are not compressed may have no other
 * byte that a text has not, or look like text of two bytes for a character. Such text begins with none of the marks.
 */
function beginsAsData(head: Buffer): boolean {
  return head.subarray(0, MARK_BYTES).includes(0) && readByteOrderMark(head) === undefined;
}
/** What begins so is nothing else, whatever its name says. */
const SURE: readonly ContentFamily[] = ['pdf', 'zip', 'ole'];
const EMPTY_ZIP = Buffer.from([0x50, 0x4b, 5, 6]);
const PDF_CONTENT: Content = { family: 'pdf', mediaType: 'application/pdf', description: 'a PDF document' };
/** The mark of a PDF may come after other bytes when these begin no other kind of file: readers accept it within the first kilobyte. */
const MOST_BYTES_BEFORE_PDF = 1024;

function encryptedPackage(claimed: string | undefined): MediaTypeDecision {
  const detail = 'The file is protected by a password; remove the password and upload it again.';
  return { mediaType: claimed ?? DOCX, basis: 'content', problem: { code: 'ENCRYPTED', detail } };
}

function decideWithoutName(content: Content, head: Buffer, declared: string | undefined): MediaTypeDecision {
  if (content.family !== 'text') return { mediaType: content.mediaType, basis: 'content' };
  if (looksLikeRtf(head)) return { mediaType: RTF, basis: 'content' };
  const word = essence(declared);
  if (word !== undefined && isTextType(word)) return { mediaType: word, basis: 'declaration' };
  return { mediaType: typeOfText(head), basis: 'content' };
}

/** A declared type without parameters, in lower case. */
function essence(declared: string | undefined): string | undefined {
  const word = declared?.split(';')[0]?.trim().toLowerCase();
  return word === undefined || word === '' ? undefined : word;
}

function mismatch(extension: string, content: Content): MediaTypeDecision['problem'] {
  const better = content.family === 'binary' || content.family === 'ole' ? undefined : extensionOf(content.mediaType);
  const advice =
    better === undefined
      ? 'upload it under the extension of its real format'
      : `rename it to .${better} or upload the real .${extension} file`;
  const detail = `The file is named .${extension} but its content is ${content.description}; ${advice}.`;
  return { code: 'TYPE_MISMATCH', detail };
}
