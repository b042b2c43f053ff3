import type { BlockKind } from '../blocks/block.js';
import type { TableHead } from './table-head.js';

/** Text of a block, or outside of any, with what is above it. Marks belong to their heading, the blocks of a table are one run. */
export interface Run {
  kind: BlockKind;
  start: number;
  /** End of the block; of the last run it may lie beyond the text read so far. */
  end: number;
  headingPath: readonly string[];
  page: number | undefined;
  sheet: string | undefined;
  row: number | undefined;
  /** Of a table: its header. */
  table: TableHead | undefined;
  /** Of a list item: the line above the list that introduces it. */
  introduction: string | undefined;
  /** A page break is between this run and the one before. */
  afterPageBreak: boolean;
}

/** Tables and code are not cut when they fit into a chunk. */
export function isRigid(run: Run): boolean {
  return run.kind === 'table' || run.kind === 'code';
}

/** A longer line introduces nothing. */
const MAX_INTRODUCTION = 200;

/** The text that is in sight; its first character has the offset `base`. */
interface Sight {
  readonly text: string;
  readonly base: number;
}

/** Whether a paragraph introduces what is below it: it is short and ends with a colon. */
export function introduces({ kind, start, end }: Run, sight: Sight): boolean {
  if (kind !== 'paragraph' || end - start > MAX_INTRODUCTION || start < sight.base) return false;
  return /[:：]\s*$/.test(sight.text.slice(start - sight.base, end - sight.base));
}

/** What introduces a list whose next item follows `last`: the paragraph above its first item. */
export function introductionOf(last: Run | undefined, sight: Sight): string | undefined {
  if (last?.kind === 'list_item') return last.introduction;
  if (last === undefined || !introduces(last, sight)) return undefined;
  return sight.text
    .slice(last.start - sight.base, last.end - sight.base)
    .replace(/\s+/g, ' ')
    .trim();
}
