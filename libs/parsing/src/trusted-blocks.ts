import type { Block, BlockKind } from '#libs/text';
import { ParseError } from './parse-error.js';

const KINDS: Readonly<Record<BlockKind, true>> = {
  heading: true,
  paragraph: true,
  list_item: true,
  table: true,
  code: true,
  quote: true,
  caption: true,
  page_break: true,
};
const NUMBERS = ['level', 'page', 'row', 'headerRows'] as const;
const TEXTS = ['sheet', 'language'] as const;

const UNUSABLE =
  'The output of the parser of this format cannot be used; save the file in another format, and report this to the maker of the parser.';

/** Another try would end in the same way. */
export function unusableResult(): ParseError {
  return new ParseError('PARSER_CRASHED', UNUSABLE, { retryable: false });
}

/**
 * Reads the blocks of one text in their order. A parser is not trusted, since it may be that of a package or misled by its file: what it
 * wrote must be blocks as `Block` describes them, and its text well-formed. @throws `PARSER_CRASHED` where it is not
 */
export class BlockCheck {
  private readonly textLength: number;
  private end = 0;

  constructor(textLength: number) {
    this.textLength = textLength;
  }

  read(line: string): Block {
    const block = parsedOrNothing(line);
    if (!isBlock(block) || block.start < this.end || block.end > this.textLength) throw unusableResult();
    this.end = block.end;
    return block;
  }
}

/** Looks at the pieces of one text in their order. @throws `PARSER_CRASHED` where a block begins or ends inside of a character */
export class EdgeCheck {
  /** Where the last block ends that goes beyond its piece. */
  private open = -1;

  pass<Piece extends { readonly start: number; readonly text: string; readonly blocks: readonly Block[] }>(
    piece: Piece,
  ): Piece {
    const { start, text, blocks } = piece;
    if (!text.isWellFormed() || text.includes('\0')) throw unusableResult();
    const behind = start + text.length;
    const isCut = (at: number): boolean => at >= start && at < behind && isLowSurrogate(text.charCodeAt(at - start));
    if (isCut(this.open)) throw unusableResult();
    for (const block of blocks) {
      if (isCut(block.start) || isCut(block.end)) throw unusableResult();
      if (block.end >= behind) this.open = block.end;
    }
    return piece;
  }
}

function parsedOrNothing(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isBlock(value: unknown): value is Block {
  if (typeof value !== 'object' || value === null) return false;
  const block = value as Partial<Record<keyof Block, unknown>>;
  return (
    typeof block.kind === 'string' &&
    Object.hasOwn(KINDS, block.kind) &&
    isCount(block.start) &&
    isCount(block.end) &&
    block.end >= block.start &&
    NUMBERS.every((name) => block[name] === undefined || isCount(block[name])) &&
    TEXTS.every((name) => block[name] === undefined || typeof block[name] === 'string') &&
    (block.continues === undefined || typeof block.continues === 'boolean') &&
    (block.box === undefined || isBox(block.box))
  );
}

function isBox(value: unknown): boolean {
  return Array.isArray(value) && value.length === 4 && value.every(Number.isFinite);
}

/** Whether an untrusted value is a whole number from 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
