import { ArchiveParts } from '../archive/archive-parts.js';
import { canonicalCharset } from '../charset/charset-names.js';
import { createDecoder } from '../charset/decode-file.js';
import { readByteOrderMark } from '../charset/unicode-patterns.js';
import type { ParseWarning } from '../document-parser.port.js';
import { readContainer, readEncryptedPaths, readPackage, type EpubPackage } from '../epub/package-document.js';
import { xhtmlToHtml } from '../epub/xhtml-to-html.js';
import { writeHtml } from '../html/html-walker.js';
import type { ParseOutput } from '../output/parse-output.js';
import { ParseError } from '../parse-error.js';
import type { FormatParser } from './format-parser.js';
import { readMetaCharset } from './html.parser.js';

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
const MAX_CHAPTER_BYTES = 64 * 1024 * 1024;
const HEAD_BYTES = 1024;
const MAX_NAMED = 10;

/** EPUB 2 and 3: the chapters in reading order, read as HTML; tables of contents are left out. */
export const parseEpub: FormatParser = async (input, output) => {
  const parts = await ArchiveParts.open(input.path, input.sizeBytes);
  try {
    const book = await openBook(parts);
    return { title: book.title, ...(await writeChapters(parts, book, output)) };
  } finally {
    parts.close();
  }
};

/** Finds the package document and refuses a book that is locked. */
async function openBook(parts: ArchiveParts): Promise<EpubPackage> {
  const container = parts.has(CONTAINER) ? await readContainer(parts.stream(CONTAINER)) : undefined;
  const path = container ?? findPackage(parts);
  if (path === undefined || !parts.has(path)) {
    throw new ParseError('MALFORMED', 'The EPUB has no package document; export the book again and upload that.');
  }
  const book = await readPackage(parts.stream(path), path);
  const encrypted = parts.has(ENCRYPTION) ? await readEncryptedPaths(parts.stream(ENCRYPTION)) : new Set<string>();
  if (book.spine.some((chapter) => encrypted.has(chapter))) {
    throw new ParseError('ENCRYPTED', 'The EPUB is protected by digital rights management; upload a copy without it.');
  }
  if (book.spine.length === 0) {
    throw new ParseError('MALFORMED', 'The EPUB names no chapters; export the book again and upload that.');
  }
  return book;
}

async function writeChapters(
  parts: ArchiveParts,
  book: EpubPackage,
  output: ParseOutput,
): Promise<{ warnings: ParseWarning[]; fidelity: Record<string, number | string> }> {
  const missing: string[] = [];
  let tables = 0;
  let tableRows = 0;
  let images = 0;
  for (const path of book.spine) {
    const bytes = await parts.read(path, MAX_CHAPTER_BYTES);
    if (bytes === undefined) {
      missing.push(path);
      continue;
    }
    const findings = writeHtml(xhtmlToHtml(decodeChapter(bytes)), output, { keepsAll: true });
    tables += findings.tables;
    tableRows += findings.tableRows;
    images += findings.images;
  }
  const detail = `${missing.length} chapters are missing from the archive: ${missing.slice(0, MAX_NAMED).join(', ')}.`;
  return {
    warnings: missing.length > 0 ? [{ code: 'PARTIAL_CONTENT', detail }] : [],
    fidelity: {
      chapters: book.spine.length - missing.length,
      tables,
      table_rows: tableRows,
      images_seen: images,
      images_extracted: 0,
      ...(book.language !== undefined && { declared_language: book.language }),
    },
  };
}

/** Content documents are UTF-8 or UTF-16 by the standard; a declaration of anything else is believed. */
function decodeChapter(bytes: Buffer): string {
  const decoder = createDecoder(charsetOf(bytes));
  const text = decoder.decode(bytes) + decoder.end();
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function charsetOf(bytes: Buffer): string {
  const mark = readByteOrderMark(bytes);
  if (mark !== undefined) return mark.encoding;
  const declared = readMetaCharset(bytes.subarray(0, HEAD_BYTES));
  const known = declared === undefined ? undefined : canonicalCharset(declared);
  // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
  return known === undefined || /^utf-(?:16|32)/.test(known) ? 'utf-8' : known;
}

/** A book whose container is missing still has its package document somewhere. */
function findPackage(parts: ArchiveParts): string | undefined {
  return [...parts.names].find((name) => name.endsWith('.opf'));
}
