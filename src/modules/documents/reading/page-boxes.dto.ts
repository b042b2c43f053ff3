import { Answer, Integer } from '#libs/http';

const MAX_OFFSET = 4_294_967_295;
/** Maximum number of code units of one request. */
export const MOST_CHARACTERS = 65_536;

/** A stretch of the canonical text, in UTF-16 code units. */
export class PageBoxesQuery {
  /** Offset of the first code unit, like `source_char_start` of a citation; if left out, the beginning of the page's text. */
  @Integer({ query: true, min: 0, max: MAX_OFFSET })
  start?: number;

  /**
   * Offset just after the last code unit, like `source_char_end` of a citation; at most `start` plus 65,536. If left out, the end of the
   * page's text.
   */
  @Integer({ query: true, min: 1, max: MAX_OFFSET })
  end?: number;
}

/** A rectangle on a page, in points. */
export class PageBox {
  /** Left edge, in points from `origin`. */
  @Answer.Decimal()
  x!: number;

  /** Upper edge, in points from `origin`. */
  @Answer.Decimal()
  y!: number;

  /** Width in points. */
  @Answer.Decimal({ min: 0 })
  width!: number;

  /** Height in points. */
  @Answer.Decimal({ min: 0 })
  height!: number;

  /** Offset of the first code unit of the canonical text in the box. */
  @Answer.Count()
  start!: number;

  /** Offset just after the last code unit of the canonical text in the box. */
  @Answer.Integer({ min: 1 })
  end!: number;

  /** Clockwise rotation of the line on the displayed page, in degrees; mostly 0. */
  @Answer.Integer({ min: 0, max: 359 })
  rotation!: number;

  /**
   * `words`: the box covers the requested words of a line; where a word is requested in part, its width is divided by letters. `block`: the
   * box covers the whole paragraph or table, since the places of its words are unknown (OCR, vertical columns).
   */
  @Answer.Choice(['words', 'block'])
  precision!: 'words' | 'block';
}

/** The rectangles that a stretch of a document's text covers on a page of its PDF. */
export class PageBoxes {
  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Revision that text and page belong to: the one that searches show. */
  @Answer.Integer({ min: 1 })
  revision!: number;

  /** Number of the page in the file, from 1. */
  @Answer.Integer({ min: 1 })
  page!: number;

  /** Number of pages of the file. */
  @Answer.Integer({ min: 1 })
  page_count!: number;

  /** Width of the displayed page in points: after cropping and the rotation that the file sets (`/Rotate`). */
  @Answer.Decimal({ min: 0 })
  width!: number;

  /** Height of the displayed page in points. */
  @Answer.Decimal({ min: 0 })
  height!: number;

  /** Origin of `x` and `y`: the upper left corner of the displayed page; `x` grows to the right, `y` downwards. */
  @Answer.Choice(['top_left'])
  origin!: 'top_left';

  /** Boxes in the order of the text, one for each line, at most 4,096; only for the text on this page. */
  @Answer.NestedList(PageBox)
  boxes!: PageBox[];
}
