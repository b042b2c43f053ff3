import {
  blockBorder,
  headingBorder,
  lineBorder,
  paragraphBorder,
  sentenceBorder,
  separatorBorder,
  spaceBorder,
  wordBorder,
  type BorderFinder,
} from './borders.js';
import { MIN_CHUNK_TOKENS, WHOLE_MAX_TOKENS, type ChunkingOptions, type ChunkingStrategy } from './chunk.js';
import { codeBorder } from './code-border.js';
import { WEIGHT_PER_TOKEN } from './count-tokens.js';
import { PairGuide } from './pairs.js';
import type { Run } from './run.js';

/** What lies around a possible border between two runs; weights as `weigh` counts. */
export interface Surroundings {
  previous: Run;
  next: Run;
  /** Text of the chunk so far that is not overlap. */
  weightBefore: number;
  /** Weight of the section that `next` opens, `Infinity` when it does not end within sight. */
  sectionWeight: () => number;
  /** The next run, or the first one after it that is neither heading nor caption; undefined when none is within sight. */
  content: () => Run | undefined;
}

/** How a strategy cuts. */
export interface ChunkingRules {
  maxWeight: number;
  overlapWeight: number;
  /** True when no chunk may hold text of both runs. */
  separates: (around: Surroundings) => boolean;
  /** Sorts of borders, best first; the last one always finds a cut. */
  borders: readonly BorderFinder[];
  /** Whether a paragraph that fits into a chunk is kept whole, and a longer one is not mixed with its neighbours. */
  keepsUnits: boolean;
  /** Those of the borders at which a cut can leave paragraphs whole. */
  unitBorders: readonly BorderFinder[];
  /** Borders at which repeated text may begin. */
  overlapBorders: readonly BorderFinder[];
  /** Whether a line that introduces a list or a table (it ends with a colon) stays with the beginning of it, and goes with its later parts as context. */
  keepsIntroductions?: boolean;
  /** How a chunk is cut once more: then the chunks are those, and it is their parent. */
  children?: ChunkingRules;
  /** Ends stretches besides; made again for each document. */
  guide?: PairGuide;
}

/** A section below this share of the chunk size is joined with its neighbour by `markdown`. */
const SMALL_SECTION = 0.25;
/** A following section below this share is taken into the chunk before it when it fits. */
const TINY_SECTION = 0.125;

/** Sections of this many tokens together are one chunk of `section`, where they have the same parent. */
const JOINED_SECTIONS = 128;

const otherSheet = ({ previous, next }: Surroundings): boolean => previous.sheet !== next.sheet;

function recursive(options: ChunkingOptions): ChunkingRules {
  const marks = options.separators.filter((separator) => separator !== '').map(separatorBorder);
  const unitBorders = [headingBorder, blockBorder, codeBorder(false), paragraphBorder, lineBorder, sentenceBorder];
  const overlapBorders = [lineBorder, sentenceBorder, spaceBorder, wordBorder];
  return {
    maxWeight: options.chunk_size * WEIGHT_PER_TOKEN,
    overlapWeight: options.chunk_overlap * WEIGHT_PER_TOKEN,
    separates: otherSheet,
    borders: [...marks, ...unitBorders, spaceBorder, wordBorder],
    keepsUnits: marks.length === 0,
    unitBorders,
    overlapBorders,
  };
}

function markdown(options: ChunkingOptions): ChunkingRules {
  const rules = recursive(options);
  const separates = (around: Surroundings): boolean => {
    if (otherSheet(around)) return true;
    const { previous, next, weightBefore, sectionWeight } = around;
    if (next.kind !== 'heading' || previous.kind === 'heading') return false;
    if (weightBefore < rules.maxWeight * SMALL_SECTION) return false;
    const section = sectionWeight();
    return section > rules.maxWeight * TINY_SECTION || weightBefore + section > rules.maxWeight;
  };
  return { ...rules, separates };
}

function bySection(options: ChunkingOptions): ChunkingRules {
  const rules = recursive(options);
  const small = Math.min(JOINED_SECTIONS * WEIGHT_PER_TOKEN, rules.maxWeight);
  const separates = (around: Surroundings): boolean => {
    if (otherSheet(around)) return true;
    const { previous, next, weightBefore, sectionWeight } = around;
    if (next.kind !== 'heading' || previous.kind === 'heading') return false;
    return !isUnderSameParent(previous, next) || weightBefore + sectionWeight() > small;
  };
  return { ...rules, separates, keepsIntroductions: true };
}

/** Whether a heading opens a sibling of the section that ends before it, or the first part of that section. */
function isUnderSameParent({ headingPath: before }: Run, { headingPath: after }: Run): boolean {
  const parent = after.slice(0, -1);
  const isPart = before.length === parent.length;
  if (!isPart && before.length !== after.length) return false;
  return parent.every((title, at) => before[at] === title);
}

function sentence(options: ChunkingOptions): ChunkingRules {
  return {
    ...recursive(options),
    keepsUnits: false,
    borders: [sentenceBorder, blockBorder, lineBorder, spaceBorder, wordBorder],
    overlapBorders: [sentenceBorder],
  };
}

function page(options: ChunkingOptions): ChunkingRules {
  const separates = (around: Surroundings): boolean =>
    otherSheet(around) || around.next.afterPageBreak || around.previous.page !== around.next.page;
  return { ...recursive(options), separates };
}

function whole(options: ChunkingOptions): ChunkingRules {
  return {
    ...recursive({ ...options, chunk_size: WHOLE_MAX_TOKENS, chunk_overlap: 0 }),
    keepsUnits: false,
    separates: () => false,
  };
}

/** A parent holds this many children. */
const CHILDREN = 4;

function parentChild(options: ChunkingOptions): ChunkingRules {
  const children = recursive({
    ...options,
    chunk_size: Math.max(MIN_CHUNK_TOKENS, Math.floor(options.chunk_size / CHILDREN)),
    chunk_overlap: Math.floor(options.chunk_overlap / CHILDREN),
  });
  return { ...recursive({ ...options, chunk_overlap: 0 }), children };
}

function tableRows(options: ChunkingOptions): ChunkingRules {
  const leads = (run: Run): boolean => run.kind === 'heading' || run.kind === 'caption';
  const separates = (around: Surroundings): boolean => {
    if (otherSheet(around) || around.previous.kind === 'table') return true;
    return !leads(around.previous) && around.content()?.kind === 'table';
  };
  return { ...recursive(options), separates };
}

function qa(options: ChunkingOptions): ChunkingRules {
  return { ...recursive(options), guide: new PairGuide() };
}

function code(options: ChunkingOptions): ChunkingRules {
  const rules = recursive({ ...options, chunk_overlap: 0 });
  const unitBorders = [headingBorder, blockBorder, codeBorder(true), lineBorder];
  const marks = rules.borders.slice(0, -rules.unitBorders.length - 2);
  return { ...rules, borders: [...marks, ...unitBorders, sentenceBorder, spaceBorder, wordBorder], unitBorders };
}

/** Every strategy of the contract. */
export const STRATEGIES: Readonly<Record<ChunkingStrategy, (options: ChunkingOptions) => ChunkingRules>> = {
  recursive,
  markdown,
  section: bySection,
  sentence,
  page,
  parent_child: parentChild,
  table_rows: tableRows,
  qa,
  code,
  whole,
};
