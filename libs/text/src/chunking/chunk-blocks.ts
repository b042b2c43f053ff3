import type { BlockKind } from '../blocks/block.js';
import { isWhitespace, trimRange } from '../language/characters.js';
import type { Passage } from './borders.js';
import { resolveChunkingOptions, type Chunk, type ChunkingOptions, type TextSegment } from './chunk.js';
import { countTokens, MAX_CHARS_PER_TOKEN, weigh, WEIGHT_PER_TOKEN } from './count-tokens.js';
import { chooseCut, chooseOverlap, isRigid, type Stretch } from './cut.js';
import { RunReader, type Run } from './run-reader.js';
import { STRATEGIES, type ChunkingRules } from './strategies.js';

/**
 * Cuts a document into chunks, in order, reading its segments once and holding a few chunk sizes and one segment at a time.
 *
 * Every chunk's text is `canonical.slice(start, end)`, trimmed and not empty; all text other than white space (and the text of
 * `page_break` blocks, where they separate) is in some chunk. Neither surrogate pairs nor, where it can be avoided, graphemes
 * are split. Headings stay with the text below them, tables and code in one piece when they fit, small pieces are merged.
 * The same segments' text and options give the same chunks however the text is segmented.
 *
 * @throws RangeError for options out of range (`resolveChunkingOptions`) or segments that are not consecutive.
 */
export async function* chunkBlocks(
  source: AsyncIterable<TextSegment> | Iterable<TextSegment>,
  options: Partial<ChunkingOptions> = {},
): AsyncGenerator<Chunk, void, undefined> {
  const resolved = resolveChunkingOptions(options);
  const rules = STRATEGIES[resolved.strategy](resolved);
  const reader = new RunReader(source);
  const rows = new RowCounter();
  try {
    let ordinal = 0;
    let position = { start: 0, fresh: 0 };
    for (;;) {
      const stretch = await nextStretch(reader, position, rules);
      if (stretch === null) return;
      const cut = chooseCut(reader, stretch, rules);
      const chunk = describe(reader, stretch, cut.at, rows);
      yield { ordinal: ordinal++, ...chunk, headingPath: resolved.heading_context ? chunk.headingPath : [] };
      const start = cut.overlaps ? chooseOverlap(reader, stretch.start, cut.at, rules) : cut.at;
      position = { start, fresh: cut.at };
    }
  } finally {
    await reader.close();
  }
}

/** Reads on to the next text that is in no chunk yet; null at the end of the document. */
async function nextStretch(
  reader: RunReader,
  position: { start: number; fresh: number },
  rules: ChunkingRules,
): Promise<Stretch | null> {
  const lookahead = ((2 * rules.maxWeight) / WEIGHT_PER_TOKEN) * MAX_CHARS_PER_TOKEN;
  let { start, fresh } = position;
  for (;;) {
    await reader.ensure(start + lookahead);
    const run = reader.runs.find((candidate) => candidate.end > fresh);
    const content = run === undefined ? reader.ready : skipWhitespace(reader, Math.max(fresh, run.start), run.end);
    if (run !== undefined && content < Math.min(run.end, reader.ready)) {
      const repeats = start < fresh && content - fresh < lookahead / 4 && !(isRigid(run) && run.start >= fresh);
      const first = repeats ? skipWhitespace(reader, start, fresh) : content;
      await reader.ensure(first + lookahead);
      reader.discardBefore(first);
      return limitStretch(reader, first, content, first + lookahead, rules);
    }
    if (reader.atEnd && content >= reader.ready) return null;
    start = fresh = content;
    reader.discardBefore(start);
  }
}

/** Ends the stretch at the first border that no chunk may cross, or where two chunks' worth of text has been seen. */
function limitStretch(reader: RunReader, start: number, fresh: number, horizon: number, rules: ChunkingRules): Stretch {
  const { runs, text, base } = reader;
  const end = Math.min(horizon, reader.ready);
  let weightBefore = 0;
  let weighed = fresh;
  for (let i = 1; i < runs.length; i++) {
    const previous = runs[i - 1] as Run;
    const next = runs[i] as Run;
    if (next.start <= fresh) continue;
    if (next.start >= end || weightBefore > 2 * rules.maxWeight) break;
    weightBefore += weigh(text, weighed - base, next.start - base);
    weighed = next.start;
    const sectionWeight = (): number => weighSection(reader, i, end);
    if (rules.separates({ previous, next, weightBefore, sectionWeight })) {
      return { start, fresh, end: next.start, closed: true };
    }
  }
  return { start, fresh, end, closed: reader.atEnd && end === reader.ready };
}

/** Weight from the heading at `index` to the next heading that has text of its own above it. */
function weighSection(reader: RunReader, index: number, end: number): number {
  const { runs, text, base } = reader;
  const start = (runs[index] as Run).start;
  for (let i = index + 1; i < runs.length; i++) {
    const run = runs[i] as Run;
    if (run.start >= end) return Infinity;
    if (run.kind === 'heading' && runs[i - 1]?.kind !== 'heading') return weigh(text, start - base, run.start - base);
  }
  return reader.atEnd && end === reader.ready ? weigh(text, start - base, end - base) : Infinity;
}

function skipWhitespace(reader: RunReader, from: number, to: number): number {
  const limit = Math.min(to, reader.ready);
  let at = from;
  while (at < limit && isWhitespace(reader.text.charCodeAt(at - reader.base))) at++;
  return at;
}

function describe(passage: Passage, stretch: Stretch, cut: number, rows: RowCounter): Omit<Chunk, 'ordinal'> {
  const { text: window, base, runs } = passage;
  const range = trimRange(window, stretch.start - base, cut - base);
  const text = window.slice(range.start, range.end);
  const own = runs.filter((run) => run.end > stretch.fresh && run.start < cut);
  const first = own[0] as Run;
  const body = own.find((run) => run.kind !== 'heading') ?? own.at(-1)!;
  const row = rows.rowAt(passage, first, stretch.fresh);
  return {
    start: base + range.start,
    end: base + range.end,
    text,
    tokenCount: countTokens(text),
    headingPath: [...body.headingPath],
    ...(first.page !== undefined && { page: first.page }),
    ...(first.sheet !== undefined && { sheet: first.sheet }),
    ...(row !== undefined && { row }),
    kind: mainKind(own, stretch.fresh, cut),
  };
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
    for (; this.at < offset; this.at++) if (passage.text.charCodeAt(this.at - passage.base) === 10) this.row++;
    return this.row;
  }
}
