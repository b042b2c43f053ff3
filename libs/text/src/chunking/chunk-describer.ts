import type { BlockKind } from '../blocks/block.js';
import { trimRange } from '../language/characters.js';
import type { Passage, Stretch } from './borders.js';
import type { Chunk } from './chunk.js';
import { countTokens } from './count-tokens.js';
import type { Run } from './run.js';

/** Makes chunks of cuts, in document order. */
export class ChunkDescriber {
  private ordinal = 0;
  private readonly rows = new RowCounter();

  constructor(
    private readonly passage: Passage,
    private readonly headingContext: boolean,
    private readonly listContext = false,
  ) {}

  /** The chunk from the stretch's start to the cut; `context` is the question that its text goes on to answer. */
  describe(stretch: Stretch, cut: number, context: string | undefined): Chunk {
    const { text: window, base, runs } = this.passage;
    const range = trimRange(window, stretch.start - base, cut - base);
    const text = window.slice(range.start, range.end);
    const own = runs.filter((run) => run.end > stretch.fresh && run.start < cut);
    const first = own[0] as Run;
    const body = own.find((run) => run.kind !== 'heading') ?? own.at(-1)!;
    const row = this.rows.rowAt(this.passage, first, stretch.fresh);
    const headings = this.headingContext ? body.headingPath : [];
    const introduction = this.listContext && first === body ? first.introduction : undefined;
    const above = context ?? headerAbove(first, stretch.fresh) ?? introduction ?? '';
    return {
      ordinal: this.ordinal++,
      start: base + range.start,
      end: base + range.end,
      text,
      tokenCount: countTokens(text),
      headingPath: above === '' || headings.at(-1) === above ? [...headings] : [...headings, above],
      ...pagesOf(own),
      ...(first.sheet !== undefined && { sheet: first.sheet }),
      ...(row !== undefined && { row }),
      kind: mainKind(own, stretch.fresh, cut),
    };
  }
}

/** First and last page of the runs, which are in the order of the text; those without a page say nothing. */
function pagesOf(own: readonly Run[]): Pick<Chunk, 'page' | 'pageEnd'> {
  const paged = own.flatMap(({ page }) => page ?? []);
  return paged.length === 0 ? {} : { page: paged[0]!, pageEnd: paged.at(-1)! };
}

/** The header of a table in whose body a chunk begins. */
function headerAbove({ table }: Run, fresh: number): string | undefined {
  return table !== undefined && fresh >= table.bodyStart ? table.header : undefined;
}

function mainKind(own: readonly Run[], from: number, to: number): BlockKind {
  const lengths = new Map<BlockKind, number>();
  for (const run of own) {
    if (run.kind === 'heading') continue;
    const length = Math.min(run.end, to) - Math.max(run.start, from);
    lengths.set(run.kind, (lengths.get(run.kind) ?? 0) + length);
  }
  let main: BlockKind = 'heading';
  for (const [kind, length] of lengths) if (main === 'heading' || length > (lengths.get(main) ?? 0)) main = kind;
  return main;
}

/** Counts the lines of a long table as it passes by, each once. */
class RowCounter {
  private run: Run | undefined;
  private at = 0;
  private row = 0;

  /** The row of `run` on which `offset` lies; undefined when the run has no rows. Offsets must not decrease. */
  rowAt(passage: Passage, run: Run, offset: number): number | undefined {
    if (run.row === undefined) return undefined;
    if (this.run !== run) {
      this.run = run;
      this.at = Math.max(run.start, passage.base);
      this.row = run.row;
    }
    const { start, end } = run.table?.delimiter ?? { start: 0, end: 0 };
    for (; this.at < offset; this.at++) {
      const isRow = passage.text.charCodeAt(this.at - passage.base) === 10 && !(this.at >= start && this.at < end);
      if (isRow) this.row++;
    }
    return this.row;
  }
}
