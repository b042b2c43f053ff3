import type { UnseenLook } from '../output/unseen-text.js';

/** A cell with text; columns count from 1. */
export interface SheetCell {
  column: number;
  text: string;
  /** Its text has the colour of its ground. */
  isInGroundColour?: boolean;
  /** How it is kept from the eye. */
  look?: UnseenLook;
}

/** A row that is held before it is written. */
export interface HeldRow {
  readonly row: number;
  readonly cells: readonly SheetCell[];
}

/** Cells that are shown as one; rows and columns count from 1, ends included. */
export interface MergedRange {
  top: number;
  left: number;
  bottom: number;
  right: number;
}
