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
import { bare } from './pdf/page-text.js';
import { PdfOcr } from './pdf/pdf-ocr.js';
import { PdfPageWriter } from './pdf/pdf-page-writer.js';
import { blocksBeside, textBeside, withBeside, type TextBeside } from './pdf/text-beside.js';
import { added, corrections, turnOf, type Turn } from './pdf/turned-pages.js';
import { withoutHiddenFields } from './pdf/hidden-fields.js';
import { inReadingOrder } from './pdf/right-to-left.js';
import { readAttached } from './pdf/read-attached.js';
import { withOwnRows } from './pdf/glued-rows.js';
import { withWholeParagraphs } from './pdf/split-paragraphs.js';
import { withWholeTables } from './pdf/torn-tables.js';
import { inColumns } from './pdf/vertical-text.js';
import { withoutUnmapped, type ReadablePage } from './pdf/unmapped-text.js';
import type { Ground } from './pdf/unseen-items.js';

/** Pages parsed together; earlier ones are released. */
const BATCH_PAGES = 40;
const MAX_PAGES = 20_000;
/** Texts beside the rest of their pages that are known again. */
const MOST_SAID = 10_000;

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

async function readPages(path: string, { options, embedded }: FormatInput, output: ParseOutput): Promise<FormatResult> {
  const parser = new LiteParse(READING);
  const ocr = options.ocr === 'auto' ? await PdfOcr.create(path) : undefined;
  const source: PdfSource = { path, turns: new Map(), said: new Set() };
  const writer = new PdfPageWriter(
    output,
    async (page, why) => ocr?.read(page, why),
    (page) => readGrounds(source, page),
  );
  const words = new WordCounts();
  const bodies = new PageBodies(options.headerFooterRemoval !== true, words);
  const failed: number[] = [];
  let pageCount = 0;
  const readWords = async (page: number): Promise<readonly TextItem[]> =>
    (await readAgain(source, page, { emitWordBoxes: true, extractTextMetadata: true }))?.textItems ?? [];
  let held: ReadablePage | undefined;
  for await (const { result } of parser.parseBatches(path, { batchSize: BATCH_PAGES })) {
    pageCount = result.totalPages;
    failed.push(...result.pageErrors.map(({ pageNum }) => pageNum));
    const pages: ReadablePage[] = [];
    const upright = await withTextBeside(source, await readUpright(source, withoutHiddenFields(result.pages, path)));
    for (const page of upright) words.add(page.text);
    for (const drawn of upright) {
      const page = await inReadingOrder(drawn, readWords);
      const read = await withTablesOf(source, await inColumns(withoutUnmapped(page), readWords));
      const turned = source.turns.get(page.pageNum);
      pages.push({
        ...read,
        page: withWholeWords(withWholeParagraphs(read.page), words),
        ...(turned !== undefined && { turned }),
      });
    }
    bodies.look(pages.map(({ page }) => page));
    for (const read of pages) {
      if (held !== undefined) await writer.writePage(held, bodies.of(held.page, read.page));
      held = read;
    }
  }
  if (held !== undefined) await writer.writePage(held, bodies.of(held.page, undefined));
  const ocrState = options.ocr !== 'auto' ? 'off' : ocr === undefined ? 'missing' : 'on';
  const { warnings = [], fidelity = {} } = describePdf(writer, pageCount, failed, ocrState);
  const { report, otherForms } = await readAttached(path, embedded, output);
  const described = {
    ...(report.seen === 0 ? fidelity : summed(fidelity, report.fidelity)),
    running_lines_left_out: bodies.leftOutLines,
    ...(otherForms > 0 && { attachments_of_other_form: otherForms }),
  };
  return { pageCount, title: writer.title, warnings: [...warnings, ...report.warnings], fidelity: described };
}

type Counts = Readonly<Record<string, number | string>>;

/** The counts of the pages and of what is attached to them; the pages of attached files are not those of the PDF. */
function summed(own: Counts, attached: Counts): Counts {
  const sum: Record<string, number | string> = { ...own };
  for (const [key, value] of Object.entries(attached)) {
    if (key === 'pages') continue;
    const before = sum[key];
    if (typeof value === 'number') sum[key] = value + (typeof before === 'number' ? before : 0);
    else sum[key] = typeof before === 'string' ? `${before}; ${value}` : value;
  }
  return sum;
}

interface PdfSource {
  readonly path: string;
  /** Pages that are turned upright. */
  readonly turns: Map<number, Turn>;
  /** What stood beside the rest of a page: on page after page it is said once. */
  readonly said: Set<string>;
}

/** Some pages, those again whose text is sideways or on its head: lines are found on upright pages only. */
async function readUpright(source: PdfSource, pages: readonly ParsedPage[]): Promise<readonly ParsedPage[]> {
  const turns = new Map<number, Turn>();
  for (const page of pages) {
    const turn = turnOf(page);
    if (turn !== undefined) turns.set(page.pageNum, turn);
  }
  const upright = await readTurned(source.path, turns);
  return pages.map((page) => {
    const turned = upright.get(page.pageNum);
    if (turned === undefined) return page;
    source.turns.set(page.pageNum, turns.get(page.pageNum)!);
    return turned;
  });
}

/** Some pages with the text that their layout leaves out, since it is not upright as the rest is. */
async function withTextBeside(source: PdfSource, pages: readonly ParsedPage[]): Promise<readonly ParsedPage[]> {
  const beside = new Map<number, TextBeside>();
  const turns = new Map<number, 0 | Turn>();
  for (const page of pages) {
    const found = textBeside(page);
    if (found === undefined) continue;
    beside.set(page.pageNum, found);
    if (found.turn !== undefined) turns.set(page.pageNum, added(source.turns.get(page.pageNum) ?? 0, found.turn));
  }
  const turned = await readTurned(source.path, turns);
  return pages.map((page) => {
    const found = beside.get(page.pageNum);
    if (found === undefined) return page;
    const repeated = new Set<string>();
    const blocks = blocksBeside(found, turned.get(page.pageNum)).filter(({ text = '' }) => {
      const said = bare(text);
      const isNew = !source.said.has(said);
      if (!isNew) repeated.add(said);
      else if (source.said.size < MOST_SAID) source.said.add(said);
      return isNew;
    });
    const lines = page.text.split('\n').map((line) => (repeated.has(bare(line)) ? '' : line));
    return { ...page, text: lines.join('\n'), blocks: withBeside(page.blocks ?? [], blocks) };
  });
}

/** Pages turned upright by these angles, by their number. */
async function readTurned(
  path: string,
  turns: ReadonlyMap<number, 0 | Turn>,
): Promise<ReadonlyMap<number, ParsedPage>> {
  if (turns.size === 0) return new Map();
  const again = { targetPages: [...turns.keys()].join(','), pageOrientationCorrections: corrections(turns) };
  const { pages } = await new LiteParse({ ...READING, ...again }).parse(path);
  return new Map(pages.map((page) => [page.pageNum, page]));
}

/** A page with its tables in one, where all that it draws has a meaning. */
async function withTablesOf(source: PdfSource, read: ReadablePage): Promise<ReadablePage> {
  if (read.kept < read.drawn || read.columns !== undefined) return read;
  const wanted = { extractVectorGraphics: true, emitWordBoxes: true, extractTextMetadata: true };
  const { page, isTorn } = await withWholeTables(read.page, (number) => readAgain(source, number, wanted));
  return { ...read, page: withOwnRows(page), ...(isTorn && { isTorn }) };
}

/** What is filled on one page: only asked for where something is white, because a drawing has many shapes. */
async function readGrounds(source: PdfSource, page: number): Promise<readonly Ground[] | undefined> {
  const read = await readAgain(source, page, { extractVectorGraphics: true });
  return read?.vectorGraphics?.shapes.filter(({ fill }) => fill) ?? [];
}

/** One page once more, with what few pages are asked for. */
async function readAgain(
  { path, turns }: PdfSource,
  page: number,
  wanted: Partial<LiteParseConfig>,
): Promise<ParsedPage | undefined> {
  const config = { ocrEnabled: false, quiet: true, outputFormat: 'json', imageMode: 'off', ...wanted } as const;
  const turn = turns.get(page);
  const turned = turn === undefined ? {} : { pageOrientationCorrections: corrections(new Map([[page, turn]])) };
  const { pages } = await new LiteParse({ ...config, ...turned, targetPages: String(page) }).parse(path);
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
