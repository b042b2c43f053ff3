import type { ParseWarning } from '../../document-parser.port.js';
import type { FormatResult } from '../format-parser.js';
import type { PdfPageWriter } from './pdf-page-writer.js';

const MAX_RANGES = 20;

/** Whether scanned pages were to be read, and whether the program for it is there. */
export type OcrState = 'off' | 'missing' | 'on';

/** Warnings and counts of a PDF whose pages have been written. */
export function describePdf(
  writer: PdfPageWriter,
  pageCount: number,
  failed: readonly number[],
  ocr: OcrState,
): Pick<FormatResult, 'warnings' | 'fidelity'> {
  const unread = writer.scanned.filter((page) => !writer.recognised.includes(page));
  const lost = [...unread, ...failed];
  return {
    warnings: [...scanWarnings(writer, unread, ocr), ...otherWarnings(writer, pageCount, failed)],
    fidelity: {
      pages: pageCount,
      pages_without_text: writer.empty.length,
      pages_scanned: writer.scanned.length,
      pages_compared: writer.compared,
      pages_recognised: writer.recognised.length,
      pages_failed: failed.length,
      pages_read_as_plain_text: writer.plainPages,
      pages_read_in_columns: writer.columnPages,
      characters_left_out: writer.charactersLeftOut,
      fields_and_comments: writer.notes,
      tables: writer.tables,
      table_rows: writer.tableRows,
      images_seen: writer.images,
      images_extracted: writer.recognised.length,
      ...(lost.length > 0 && { skipped: `text of pages ${pageRanges(lost)}` }),
    },
  };
}

function scanWarnings({ scanned, pages }: PdfPageWriter, unread: readonly number[], ocr: OcrState): ParseWarning[] {
  if (unread.length === 0) return [];
  const advice: Readonly<Record<OcrState, string>> = {
    off: 'allow OCR in the ingestion policy, or run OCR on the file first.',
    missing: 'run OCR on the file first.',
    on: 'OCR found no text in them, or ran out of time; run OCR on the file first.',
  };
  const detail = `${unread.length} of ${pages} pages are images without text (pages ${pageRanges(unread)}); ${advice[ocr]}`;
  const warnings: ParseWarning[] = [{ code: 'SCANNED_PAGES', detail }];
  if (ocr === 'missing') {
    const missing = `OCR is allowed, but Tesseract is not installed: ${scanned.length} scanned pages remain without text.`;
    warnings.push({ code: 'OCR_UNAVAILABLE', detail: missing });
  }
  return warnings;
}

function otherWarnings(writer: PdfPageWriter, pageCount: number, failed: readonly number[]): ParseWarning[] {
  const warnings: ParseWarning[] = [];
  const { sparse, empty, scanned, garbled, lossy, vertical, torn, differing } = writer;
  if (sparse.length > pageCount / 2 || (empty.length === pageCount && scanned.length === 0)) {
    const detail = `${sparse.length + empty.length} of ${pageCount} pages have almost no text (pages ${pageRanges([...sparse, ...empty])}).`;
    warnings.push({ code: 'LOW_TEXT_DENSITY', detail });
  }
  if (garbled.length > 0) {
    const detail = `The fonts of pages ${pageRanges(garbled)} do not say what their characters mean: unknown characters were left out, and the others may be wrong.`;
    warnings.push({ code: 'GARBLED_TEXT', detail });
  }
  const unnamed = lossy.filter((page) => !garbled.includes(page));
  if (unnamed.length > 0) {
    const detail = `More than a tenth of the characters on pages ${pageRanges(unnamed)} have no meaning and were left out; run OCR on the file first.`;
    warnings.push({ code: 'CHARACTERS_LOST', detail });
  }
  if (vertical.length > 0) {
    const detail = `Pages ${pageRanges(vertical)} have vertical text in fonts that are not embedded in the file, so it cannot be read in order; embed the fonts, or run OCR for vertical text on the file first.`;
    warnings.push({ code: 'VERTICAL_TEXT', detail });
  }
  if (torn.length > 0) {
    const detail = `Cells of tables on pages ${pageRanges(torn)} stand as text of their own, because their rows and columns could not be told; look at the original before you rely on them.`;
    warnings.push({ code: 'TABLE_CELLS_LOOSE', detail });
  }
  if (differing.length > 0) {
    const detail = `The text of pages ${pageRanges(differing)} differs from what OCR reads on their pictures; the text was used. If it is wrong, run OCR on the file again.`;
    warnings.push({ code: 'TEXT_LAYER_DIFFERS', detail });
  }
  if (failed.length > 0) {
    warnings.push({ code: 'PAGES_FAILED', detail: `Pages ${pageRanges(failed)} could not be read and were left out.` });
  }
  return warnings;
}

/** Page numbers as people write them: `3, 5–9`. Long lists end with how many ranges are left out. */
function pageRanges(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && page <= last[1] + 1) last[1] = page;
    else ranges.push([page, page]);
  }
  const shown = ranges.slice(0, MAX_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  const more = ranges.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} further ranges` : ''}`;
}
