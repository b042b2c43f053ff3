/** Boxes of one answer. */
export const MOST_BOXES = 4096;

/** A stretch of the canonical text of a page, as a block of it says where it lies. */
export interface PlacedText {
  /** Offset of its first code unit in the canonical text. */
  readonly start: number;
  readonly text: string;
  /** Rectangle on the page, `[x0, y0, x1, y1]` in points from its top left corner. */
  readonly box?: readonly [number, number, number, number];
}

/** Where on a page is a stretch of the canonical text? */
export interface LocateRequest {
  /** Absolute path of the PDF on the local disk; it is only read. */
  path: string;
  /** From 1. */
  page: number;
  /** The text of the page, in its order; of a long page what lies around the stretch. */
  blocks: readonly PlacedText[];
  /** First code unit of the stretch. */
  start: number;
  /** One past its last code unit. */
  end: number;
}

/** A rectangle on a page as it is shown, in points, from its top left corner. */
export interface PageRectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A rectangle, and the stretch of the canonical text that it shows. */
export interface TextBox extends PageRectangle {
  readonly start: number;
  readonly end: number;
  /** Degrees by which its line is turned clockwise, 0 to 359. */
  readonly rotation: number;
  /** `words`: what is covered, to the letter as far as letters are of one width. `block`: the block that holds it, since its words have no places (OCR). */
  readonly precision: 'words' | 'block';
}

/** A page of a PDF as it is shown (its own rotation applied, cropped), and where a stretch of its text is. */
export interface PagePlaces {
  /** Pages of the file. */
  readonly pageCount: number;
  /** Points; null: the file has no such page, or it cannot be read. */
  readonly size: { readonly width: number; readonly height: number } | null;
  /** In the order of the text; one for each line. */
  readonly boxes: readonly TextBox[];
}
