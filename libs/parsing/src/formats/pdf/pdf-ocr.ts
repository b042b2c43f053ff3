import { LiteParse, type ParsedPage } from '@llamaindex/liteparse';
import type { RecognisedParagraph } from '../../ocr/read-tsv.js';
import { Tesseract } from '../../ocr/tesseract.js';

/** What Tesseract is trained for. */
const BEST_DPI = 300;
const LEAST_DPI = 72;
const MAX_SIDE_PIXELS = 5000;
const POINTS_PER_INCH = 72;
/** All scanned pages of one document together; it lies below the deadline of the parse. */
const BUDGET_MS = 75_000;
/** Of those, what may be spent before a page is read only to be compared. */
const CHECK_BUDGET_MS = 30_000;
const MAX_PAGE_MS = 30_000;

/** Reads scanned pages of one PDF: each is rendered and handed to Tesseract, until the time is used up. */
export class PdfOcr {
  private readonly path: string;
  private readonly tesseract: Tesseract;
  private remainingMs = BUDGET_MS;

  private constructor(path: string, tesseract: Tesseract) {
    this.path = path;
    this.tesseract = tesseract;
  }

  /** Undefined where Tesseract is not installed. `path` must end in `.pdf`. */
  static async create(path: string): Promise<PdfOcr | undefined> {
    const tesseract = await Tesseract.find();
    return tesseract === undefined ? undefined : new PdfOcr(path, tesseract);
  }

  /** Paragraphs of a page, boxes in points; undefined when the page could not be read or no time is left. */
  async read(page: ParsedPage, why: 'read' | 'check'): Promise<RecognisedParagraph[] | undefined> {
    if (this.remainingMs <= (why === 'read' ? 0 : BUDGET_MS - CHECK_BUDGET_MS)) return undefined;
    const begun = performance.now();
    const longSide = Math.max(page.width, page.height, 1);
    const dpi = Math.floor(Math.max(LEAST_DPI, Math.min(BEST_DPI, (MAX_SIDE_PIXELS / longSide) * POINTS_PER_INCH)));
    const renderer = new LiteParse({ ocrEnabled: false, quiet: true, dpi });
    const [picture] = await renderer.screenshot(this.path, [page.pageNum]);
    if (picture === undefined || picture.isSolidFill) return undefined;
    const timeoutMs = Math.min(MAX_PAGE_MS, this.remainingMs);
    const paragraphs = await this.tesseract.read(picture.imageBuffer, dpi, timeoutMs);
    this.remainingMs -= performance.now() - begun;
    // By the long side: the page may have been turned upright, the picture is as it is seen.
    const scale = longSide / Math.max(picture.width, picture.height, 1);
    return paragraphs?.map(({ text, box: [x0, y0, x1, y1] }) => ({
      text,
      box: [x0 * scale, y0 * scale, x1 * scale, y1 * scale],
    }));
  }
}
