import { isUnspacedScript, isWhitespace, trimRange } from './characters.js';
import { isSentenceMark, sentenceEndAt } from './sentence-borders.js';

/** A half-open range of UTF-16 code units. */
export interface TextRange {
  start: number;
  end: number;
}

/** Longer sentences are cut at a line, a semicolon, a comma or a space, so that every reader's work is bounded. */
const MAX_SENTENCE = 1_000;

/** Phrases of a script that marks no sentences (Thai, Lao, Khmer, Burmese) are joined up to this length. */
const MIN_UNMARKED_PHRASE = 120;

/** A line that is a unit of its own: heading, list item, quotation, table row. */
const MARKED_LINE = /^[ \t]*(?:#{1,6}[ \t]|[-*+•‣▪–][ \t]|\d{1,3}[.)][ \t]|>|\|)/;

/**
 * Splits a text of any script into sentences, in order.
 *
 * Ranges are trimmed and do not overlap; everything outside them is white space, so no text is lost. Blank lines and the
 * borders of headings, list items and table rows end a sentence; a plain line break does not, since converted documents
 * break lines anywhere. Thai and its neighbours, which mark no sentences, are split into phrases at their spaces.
 */
export function splitSentences(text: string): TextRange[] {
  const ranges: TextRange[] = [];
  for (const paragraph of splitLines(text)) {
    for (const sentence of splitAtMarks(text, paragraph)) {
      for (const phrase of splitUnmarked(text, sentence)) pushBounded(text, phrase, ranges);
    }
  }
  return ranges;
}

/** Runs of lines that may share a sentence. */
function splitLines(text: string): TextRange[] {
  const runs: TextRange[] = [];
  let start = 0;
  let lineStart = 0;
  let previous: 'none' | 'plain' | 'marked' | 'closed' = 'none';
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && text.charCodeAt(i) !== 10) continue;
    const line = text.slice(lineStart, Math.min(i, lineStart + 64));
    const kind = isBlank(text, lineStart, i) ? 'none' : lineKind(line);
    const continues = kind === 'plain' && (previous === 'plain' || previous === 'marked');
    if (!continues && lineStart > start) {
      pushTrimmed(text, start, lineStart, runs);
      start = lineStart;
    }
    previous = kind;
    lineStart = i + 1;
  }
  pushTrimmed(text, start, text.length, runs);
  return runs;
}

/** `closed` lines (headings, table rows) do not run on into the next line; list items and quotations may. */
function lineKind(line: string): 'plain' | 'marked' | 'closed' {
  if (!MARKED_LINE.test(line)) return 'plain';
  return /^[ \t]*[#|]/.test(line) ? 'closed' : 'marked';
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!isWhitespace(text.charCodeAt(i))) return false;
  return true;
}

function splitAtMarks(text: string, range: TextRange): TextRange[] {
  const sentences: TextRange[] = [];
  let start = range.start;
  for (let i = range.start; i < range.end; i++) {
    if (!isSentenceMark(text.charCodeAt(i))) continue;
    const end = sentenceEndAt(text, i);
    if (end < 0) continue;
    pushTrimmed(text, start, Math.min(end, range.end), sentences);
    start = Math.min(end, range.end);
    i = start - 1;
  }
  pushTrimmed(text, start, range.end, sentences);
  return sentences;
}

/** Thai to Burmese letters; Chinese and Japanese have marks of their own. */
function isUnmarkedScript(code: number): boolean {
  return code < 0x1800 && isUnspacedScript(code);
}

function splitUnmarked(text: string, range: TextRange): TextRange[] {
  if (range.end - range.start <= MIN_UNMARKED_PHRASE) return [range];
  const phrases: TextRange[] = [];
  let start = range.start;
  for (let i = range.start + 1; i < range.end - 1; i++) {
    if (text.charCodeAt(i) !== 0x20 || i - start < MIN_UNMARKED_PHRASE || range.end - i < MIN_UNMARKED_PHRASE / 2)
      continue;
    if (!isUnmarkedScript(text.charCodeAt(i - 1)) || !isUnmarkedScript(text.charCodeAt(i + 1))) continue;
    pushTrimmed(text, start, i, phrases);
    start = i;
  }
  pushTrimmed(text, start, range.end, phrases);
  return phrases;
}

function pushBounded(text: string, range: TextRange, into: TextRange[]): void {
  let start = range.start;
  while (range.end - start > MAX_SENTENCE) {
    const cut = findCut(text, start + MAX_SENTENCE / 2, start + MAX_SENTENCE);
    pushTrimmed(text, start, cut, into);
    start = cut;
  }
  pushTrimmed(text, start, range.end, into);
}

function findCut(text: string, low: number, high: number): number {
  const window = text.slice(low, high);
  for (const mark of ['\n', '; ', '；', ', ', '，', '、', ' ']) {
    const at = window.lastIndexOf(mark);
    if (at >= 0) return low + at + mark.length;
  }
  const code = text.charCodeAt(high);
  return code >= 0xdc00 && code <= 0xdfff ? high - 1 : high;
}

function pushTrimmed(text: string, start: number, end: number, into: TextRange[]): void {
  const range = trimRange(text, start, end);
  if (range.end > range.start) into.push(range);
}
