import { symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LiteParse, type LiteParseConfig, type ParsedPage, type TextItem } from '@llamaindex/liteparse';
import type { ParseOutput } from '../output/parse-output.js';
import { ParseError } from '../parse-error.js';
import type { FormatInput, FormatParser, FormatResult } from './format-parser.js';
import { WordCounts } from '../hyphens/word-counts.js';
import { describePdf } from './pdf/describe-pdf.js';
import { withWholeWords } from './pdf/divided-words.js';
import { PageBodies } from './pdf/page-bodies.js';
import { PdfOcr } from './pdf/pdf-ocr.js';
import { PdfPageWriter } from './pdf/pdf-page-writer.js';
import { inColumns } from './pdf/vertical-text.js';
import { withoutUnmapped, type ReadablePage } from './pdf/unmapped-text.js';
import type { Ground } from './pdf/unseen-items.js';

/** Pages parsed together; earlier ones are released. */
const BATCH_PAGES = 40;
const MAX_PAGES = 20_000;

const READING: Partial<LiteParseConfig> = {
  ocrEnabled: false,
  quiet: true,
  outputFormat: 'json',
  maxPages: MAX_PAGES,
  extractBlocks: true,
  // Colours and heights of text.
  extractTextMetadata: true,
  extractLinks: false,
  extractAnnotations: true,
  extractFormFields: true,
  imageMode: 'off',
  continueOnPageError: true,
  includeComplexity: true,
  // Running lines are taken out here, so that blocks and text of a page stay alike.
  keepHeadersFooters: true,
};

/** PDF: layout blocks of each page in reading order, with page numbers and rectangles; scanned pages by OCR, if asked for. */
export const parsePdf: FormatParser = async (input, output) => {
  // liteparse follows the extension, and a stored file has none.
  const named = join(dirname(output.textPath), 'input.pdf');
  await symlink(input.path, named);
  try {
    return await readPages(named, input, output);
  } catch (error) {
    throw asParseError(error);
  } finally {
    await unlink(named);
  }
};

async function readPages(path: string, { options }: FormatInput, output: ParseOutput): Promise<FormatResult> {
  const parser = new LiteParse(READING);
  const ocr = options.ocr === 'auto' ? await PdfOcr.create(path) : undefined;
  const writer = new PdfPageWriter(
    output,
    async (page, why) => ocr?.read(page, why),
    (page) => readGrounds(path, page),
  );
  const words = new WordCounts();
  const bodies = new PageBodies(options.headerFooterRemoval !== true, words);
  const failed: number[] = [];
  let pageCount = 0;
  const readWords = async (page: number): Promise<readonly TextItem[]> =>
    (await readAgain(path, page, { emitWordBoxes: true, extractTextMetadata: true }))?.textItems ?? [];
  let held: ReadablePage | undefined;
  for await (const { result } of parser.parseBatches(path, { batchSize: BATCH_PAGES })) {
    pageCount = result.totalPages;
    failed.push(...result.pageErrors.map(({ pageNum }) => pageNum));
    const pages: ReadablePage[] = [];
    for (const page of result.pages) words.add(page.text);
    for (const page of result.pages) {
      const read = await inColumns(withoutUnmapped(page), readWords);
      pages.push({ ...read, page: withWholeWords(read.page, words) });
    }
    bodies.look(pages.map(({ page }) => page));
    for (const read of pages) {
      if (held !== undefined) await writer.writePage(held, bodies.of(held.page, read.page));
      held = read;
    }
  }
  if (held !== undefined) await writer.writePage(held, bodies.of(held.page, undefined));
  const ocrState = options.ocr !== 'auto' ? 'off' : ocr === undefined ? 'missing' : 'on';
  const { warnings, fidelity } = describePdf(writer, pageCount, failed, ocrState);
  const described = { ...fidelity, running_lines_left_out: bodies.leftOutLines };
  return { pageCount, title: writer.title, warnings, fidelity: described };
}

/** What is filled on one page: only asked for where something is white, because a drawing has many shapes. */
async function readGrounds(path: string, page: number): Promise<readonly Ground[] | undefined> {
  const read = await readAgain(path, page, { extractVectorGraphics: true });
  return read?.vectorGraphics?.shapes.filter(({ fill }) => fill) ?? [];
}

/** One page once more, with what few pages are asked for. */
async function readAgain(
  path: string,
  page: number,
  wanted: Partial<LiteParseConfig>,
): Promise<ParsedPage | undefined> {
  const config = { ocrEnabled: false, quiet: true, outputFormat: 'json', imageMode: 'off', ...wanted } as const;
  const { pages } = await new LiteParse({ ...config, targetPages: String(page) }).parse(path);
  return pages[0];
}

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
