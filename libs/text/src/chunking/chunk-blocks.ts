import { isWhitespace, trimRange } from '../language/characters.js';
import type { Stretch } from './borders.js';
import { resolveChunkingOptions, type Chunk, type ChunkingOptions, type TextSegment } from './chunk.js';
import { ChunkDescriber } from './chunk-describer.js';
import { MAX_CHARS_PER_TOKEN, weigh, WEIGHT_PER_TOKEN } from './count-tokens.js';
import { chooseCut, chooseOverlap } from './cut.js';
import { RunReader } from './run-reader.js';
import { isRigid, type Run } from './run.js';
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
  const describer = new ChunkDescriber(reader, resolved.heading_context, rules.keepsIntroductions);
  try {
    let position = { start: 0, fresh: 0 };
    for (;;) {
      const next = await nextStretch(reader, position, rules);
      if (next === null) return;
      const stretch = rules.guide?.limit(reader, next) ?? next;
      const cut = chooseCut(reader, stretch, rules);
      if (rules.children === undefined) yield describer.describe(stretch, cut.at, rules.guide?.context);
      else yield* describeChildren(reader, describer, { ...stretch, end: cut.at }, rules.children);
      rules.guide?.taken(cut.at);
      const start = cut.overlaps ? chooseOverlap(reader, stretch.start, cut.at, rules) : cut.at;
      position = { start, fresh: cut.at };
    }
  } finally {
    await reader.close();
  }
}

/** Cuts a chunk once more, and gives its parts with it as their parent. */
function* describeChildren(
  reader: RunReader,
  describer: ChunkDescriber,
  whole: Stretch,
  rules: ChunkingRules,
): Generator<Chunk, void, undefined> {
  const trimmed = trimRange(reader.text, whole.fresh - reader.base, whole.end - reader.base);
  const parent = { start: reader.base + trimmed.start, end: reader.base + trimmed.end };
  const longestGap = lookaheadOf(rules) / 4;
  let start = nextContent(reader, whole.fresh, whole.end);
  for (let fresh = start; fresh < whole.end;) {
    const stretch = { start, fresh, end: whole.end, closed: true };
    const cut = chooseCut(reader, stretch, rules);
    yield { ...describer.describe(stretch, cut.at, undefined), parent };
    fresh = nextContent(reader, cut.at, whole.end);
    const repeats = cut.overlaps && fresh - cut.at < longestGap;
    start = repeats ? skipWhitespace(reader, chooseOverlap(reader, start, cut.at, rules), fresh) : fresh;
  }
}

/** So much text is read beyond the start of a chunk, in UTF-16 units. */
function lookaheadOf(rules: ChunkingRules): number {
  return ((2 * rules.maxWeight) / WEIGHT_PER_TOKEN) * MAX_CHARS_PER_TOKEN;
}

/** The first text of a run at or after `from`, other than white space; `to` when there is none before it. */
function nextContent(reader: RunReader, from: number, to: number): number {
  for (const run of reader.runs) {
    if (run.end <= from) continue;
    const content = skipWhitespace(reader, Math.max(from, run.start), Math.min(run.end, to));
    if (content < Math.min(run.end, to)) return content;
  }
  return to;
}

/** Reads on to the next text that is in no chunk yet; null at the end of the document. */
async function nextStretch(
  reader: RunReader,
  position: { start: number; fresh: number },
  rules: ChunkingRules,
): Promise<Stretch | null> {
  const lookahead = lookaheadOf(rules);
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
    const content = (): Run | undefined => contentFrom(runs, i, end);
    if (rules.separates({ previous, next, weightBefore, sectionWeight, content })) {
      return { start, fresh, end: next.start, closed: true };
    }
  }
  return { start, fresh, end, closed: reader.atEnd && end === reader.ready };
}

/** The first run from `index` on that is neither heading nor caption, as far as it begins before `end`. */
function contentFrom(runs: readonly Run[], index: number, end: number): Run | undefined {
  const found = runs.slice(index).find(({ kind }) => kind !== 'heading' && kind !== 'caption');
  return found !== undefined && found.start < end ? found : undefined;
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
