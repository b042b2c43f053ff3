/** What a block is; decides how a chunker may cut it (tables and code stay whole when they fit, headings are never alone). */
export type BlockKind = 'heading' | 'paragraph' | 'list_item' | 'table' | 'code' | 'quote' | 'caption' | 'page_break';

/**
 * A structural unit of a document, as emitted by a parser and consumed by a chunker.
 *
 * Offsets are UTF-16 code units of the document's canonical text (`end` exclusive). Blocks come in ascending order, do not
 * overlap, lie within the canonical text and never split a surrogate pair. Text between blocks (blank lines) belongs to none.
 */
export interface Block {
  kind: BlockKind;
  /** First code unit of the block in the canonical text. */
  start: number;
  /** One past the last code unit of the block in the canonical text. */
  end: number;
  /** Heading level 1..6, or list depth from 1. */
  level?: number;
  /** Page (or slide) number, from 1. */
  page?: number;
  /** Name of the worksheet the block comes from. */
  sheet?: string;
  /** First row of a table block, from 1. */
  row?: number;
  /** The rows of a table block go on with those of the table on the page before; `row` counts on. */
  continues?: boolean;
  /** First rows of a table block that the file itself marks as its header; 0: it marks that no row is one. Left out: it says nothing. */
  headerRows?: number;
  /**
   * Programming language of a code block, when the source names it. The blocks of a source file come in order and each
   * begins at a definition (or statement) of the outermost level it could be cut at, comments and decorators above it
   * included; so a chunker that keeps them whole cuts code by its structure.
   */
  language?: string;
  /** Rectangle on the page, `[x0, y0, x1, y1]` in points (1/72 inch) from its top left corner. PDF only. */
  box?: readonly [number, number, number, number];
}
