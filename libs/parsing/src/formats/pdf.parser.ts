import { symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LiteParse } from '@llamaindex/liteparse';
import type { ParseWarning } from '../document-parser.port.js';
import { ParseError } from '../parse-error.js';
import { PdfPageWriter } from './pdf-page-writer.js';
import type { FormatParser } from './format-parser.js';

/** Pages parsed together; earlier ones are released. */
const BATCH_PAGES = 40;
const MAX_PAGES = 20_000;

/** PDF: layout blocks of each page in reading order, with page numbers. No OCR: pages without text are reported. */
export const parsePdf: FormatParser = async (input, output) => {
  const parser = new LiteParse({
    ocrEnabled: false,
    quiet: true,
    outputFormat: 'json',
    maxPages: MAX_PAGES,
    extractBlocks: true,
    extractLinks: false,
    imageMode: 'off',
    continueOnPageError: true,
    includeComplexity: true,
    keepHeadersFooters: input.options.headerFooterRemoval !== true,
  });
  const writer = new PdfPageWriter(output);
  let pageCount = 0;
  let failedPages = 0;
  // liteparse goes by the extension, and a stored file has none.
  const named = join(dirname(output.textPath), 'input.pdf');
  await symlink(input.path, named);
  try {
    for await (const { result } of parser.parseBatches(named, { batchSize: BATCH_PAGES })) {
      pageCount = result.totalPages;
      failedPages += result.pageErrors.length;
      for (const page of result.pages) writer.writePage(page);
    }
  } catch (error) {
    throw asParseError(error);
  } finally {
    await unlink(named);
  }
  const warnings = describeGaps(writer, failedPages);
  const fidelity = {
    pages_without_text: writer.emptyPages,
    pages_failed: failedPages,
    pages_read_as_plain_text: writer.plainPages,
  };
  return { pageCount, title: writer.title, warnings, fidelity };
};

/** What liteparse throws, told apart by its words: it has no codes. */
function asParseError(error: unknown): unknown {
  if (error instanceof ParseError || error instanceof RangeError || !(error instanceof Error)) return error;
  if (/password/i.test(error.message)) {
    return new ParseError('ENCRYPTED', 'The PDF is protected by a password; remove the password and upload it again.');
  }
  return new ParseError(
    'MALFORMED',
    'The PDF is damaged and cannot be read; print or export it again and upload that.',
  );
}

function describeGaps(writer: PdfPageWriter, failedPages: number): ParseWarning[] {
  const warnings: ParseWarning[] = [];
  if (writer.scannedPages > 0) {
    const detail = `${writer.scannedPages} of ${writer.pages} pages are images without text; run OCR on the file first.`;
    warnings.push({ code: 'SCANNED_PAGES', detail });
  } else if (writer.emptyPages > 0 && writer.emptyPages === writer.pages) {
    warnings.push({
      code: 'SCANNED_PAGES',
      detail: 'No page holds text; if pages show text, run OCR on the file first.',
    });
  }
  if (failedPages > 0) {
    warnings.push({ code: 'PAGES_FAILED', detail: `${failedPages} pages could not be read and were left out.` });
  }
  return warnings;
}
