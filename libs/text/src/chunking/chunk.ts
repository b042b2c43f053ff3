import type { Block, BlockKind } from '../blocks/block.js';

/**
 * A piece of a document's canonical text. Segments are consecutive: each starts where the one before ended. A block is listed
 * in the segment that holds its first character and may end in a later one; a repeated listing is ignored.
 */
export interface TextSegment {
  /** Offset of `text` in the canonical text, in UTF-16 code units. */
  start: number;
  text: string;
  /** Ordered blocks that start in this segment, with offsets in the canonical text. */
  blocks: readonly Block[];
}

/** A part of a document that is searched and cited: `text === canonical.slice(start, end)`, no white space around it. */
export interface Chunk {
  /** 0, 1, 2 … in document order. */
  ordinal: number;
  /** UTF-16 code units of the canonical text; `end` exclusive. */
  start: number;
  end: number;
  text: string;
  /** `countTokens(text)`; never above the chunk size. */
  tokenCount: number;
  /**
   * Headings above the chunk's first own text, outermost first, without Markdown marks; none without `heading_context`. Last,
   * where the chunk begins below it, the header row of its table (`Name | City | Year`), the line that introduces its list
   * (`section` only) or the question that it answers.
   */
  headingPath: string[];
  /** Pages on which the chunk's own text begins and ends; both or neither. */
  page?: number;
  pageEnd?: number;
  sheet?: string;
  /** Row of a table on which the chunk's own text begins, counted by lines from the block's first row. */
  row?: number;
  /** Kind of the blocks that most of the chunk's own text comes from; `heading` only when there is nothing else. */
  kind: BlockKind;
  /** Strategy `parent_child`: the text around the chunk that is to be read with it; `start <= chunk.start`, `end >= chunk.end`. */
  parent?: { start: number; end: number };
}

/** All strategies of the policy's contract. */
export const CHUNKING_STRATEGIES = [
  'recursive',
  'markdown',
  'section',
  'sentence',
  'page',
  'parent_child',
  'table_rows',
  'qa',
  'code',
  'whole',
] as const;
export type ChunkingStrategy = (typeof CHUNKING_STRATEGIES)[number];

/** How to chunk; names and units are those of the ingestion policy's `chunking`, so that it can be passed as it is. */
export interface ChunkingOptions {
  /**
   * `recursive`: paragraphs are kept whole and joined up to the size; what is longer is cut at the best border (line, sentence, word)
   * and not mixed with its neighbours. `markdown`: besides, a chunk does not run on into the next section, except that tiny
   * sections are merged. `section`: besides, every section is a chunk, and sections are joined only under the same parent and up to
   * 128 tokens together; a line that introduces a list stays with it. `sentence`: as many whole sentences as fit. `page`: at least one chunk a page, none across pages.
   * `parent_child`: chunks of a quarter of the size, at least 64, each with the `parent` it lies in, a chunk of `recursive`.
   * `table_rows`: whole rows of one table, as many as fit; other text as `recursive`. `qa`: a question with its answer; other text as
   * `recursive`. `code`: cut between definitions, else between statements. `whole`: one chunk, up to `WHOLE_MAX_TOKENS`;
   * `chunk_size` has no effect.
   */
  strategy: ChunkingStrategy;
  /** Most tokens of a chunk, 64–4096 (`countTokens`). */
  chunk_size: number;
  /**
   * Most tokens repeated from the chunk before, less than half of `chunk_size`, where a cut had to be made within a block: nothing
   * is repeated between paragraphs, pages or sheets, nor of tables and code, nor by `code` and `whole`.
   */
  chunk_overlap: number;
  /** Preferred cut marks, best first; a cut is made after the mark, which stays in the text. Empty: the built-in borders. */
  separators: readonly string[];
  /** Whether chunks carry their heading path. */
  heading_context: boolean;
}

/** The contract's defaults. */
export const DEFAULT_CHUNKING_OPTIONS: Readonly<ChunkingOptions> = {
  strategy: 'section',
  chunk_size: 512,
  chunk_overlap: 64,
  separators: [],
  heading_context: true,
};

export const MIN_CHUNK_TOKENS = 64;
export const MAX_CHUNK_TOKENS = 4096;

/** Longest chunk of strategy `whole`; a longer document is cut there as `recursive` cuts, so that memory stays bounded. */
export const WHOLE_MAX_TOKENS = 32_768;

/**
 * Completes options with the defaults. An overlap that was left out shrinks to stay below half of a small chunk size.
 * @throws RangeError for an unknown strategy, a size outside 64–4096, or an overlap that is not below half of the size.
 */
export function resolveChunkingOptions(options: Partial<ChunkingOptions> = {}): ChunkingOptions {
  const merged = { ...DEFAULT_CHUNKING_OPTIONS, ...options };
  if (!CHUNKING_STRATEGIES.includes(merged.strategy)) {
    throw new RangeError(`there is no chunking strategy ${String(merged.strategy)}`);
  }
  const size = merged.chunk_size;
  if (!Number.isInteger(size) || size < MIN_CHUNK_TOKENS || size > MAX_CHUNK_TOKENS) {
    throw new RangeError(`chunk_size must be a whole number from ${MIN_CHUNK_TOKENS} to ${MAX_CHUNK_TOKENS}`);
  }
  if (options.chunk_overlap === undefined) {
    merged.chunk_overlap = Math.min(DEFAULT_CHUNKING_OPTIONS.chunk_overlap, Math.ceil(size / 2) - 1);
  }
  const overlap = merged.chunk_overlap;
  if (!Number.isInteger(overlap) || overlap < 0 || overlap * 2 >= size) {
    throw new RangeError('chunk_overlap must be a whole number from 0 to less than half of chunk_size');
  }
  return merged;
}
