import type { Block } from '#libs/text';

/** A block is closed at a line's end before it would grow beyond this many code units. */
export const MAX_BLOCK_UNITS = 32_768;

/** Finds blocks in a stream of canonical text; blocks leave through a callback in ascending order. */
export interface BlockScanner {
  /** Takes the next piece; pieces are contiguous and divide no surrogate pair. */
  feed(piece: string): void;
  /** Closes the last block. Call once, at the end. */
  finish(): void;
  /** Title found so far, when the format has one. */
  readonly title?: string;
}

export type EmitBlock = (block: Block) => void;
