import { splitSentences, type TextRange } from '#libs/text';

/** What is released or withheld as one. */
export interface AnswerUnit {
  readonly kind: 'text' | 'code';
  /** With the white space and the markers behind it; the units of an answer are, joined, the answer. */
  readonly text: string;
}

const FENCE = /^[ \t]*(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)?(`{3,}|~{3,})/;
/** A line that begins a block of its own. */
const MARKED = /^[ \t]*(?:#{1,6}[ \t]|[-*+•‣▪–][ \t]|\d{1,3}[.)][ \t]|>|\||`{3,}|~{3,})/;
/** A heading or table row does not go on in the next line. */
const CLOSED = /^[ \t]*(?:#{1,6}[ \t]|\|)/;
const ITEM = /^[ \t]*(?:[-*+•‣▪–][ \t]|\d{1,3}[.)][ \t])/;
/** So much of a line tells what it begins. */
const TELLING = 6;
/** So much of the next sentence shows that this one has ended. */
const NEXT_SENTENCE = 8;
/** “Yes.” is said together with what follows. */
const OPENING = /^\p{L}{1,5}[.,!:。！]?$/u;
const MARKERS_ONLY = /^(?:\s*[[【［][\d\s,;，、]*[\]】］]?)*\s*$/;
/** A longer block is taken apart before its end, so that nothing is held without bound. */
const MAX_PENDING = 8_000;

/** Cuts an answer that arrives in pieces into sentences, list items, table rows and code blocks, each when it is whole. */
export class AnswerUnits {
  private pending = '';

  /** Takes the next piece and gives the units that are whole. */
  push(piece: string): AnswerUnit[] {
    this.pending += piece;
    return this.take(false);
  }

  /** The rest, when no more pieces come. */
  flush(): AnswerUnit[] {
    return this.take(true);
  }

  private take(isEnd: boolean): AnswerUnit[] {
    const units: AnswerUnit[] = [];
    for (;;) {
      const found = nextUnits(this.pending, isEnd || this.pending.length > MAX_PENDING);
      if (found.length === 0) return units;
      units.push(...found);
      this.pending = this.pending.slice(found.reduce((sum, { text }) => sum + text.length, 0));
    }
  }
}

/** Units at the beginning of a text; none when it must be longer to tell. */
function nextUnits(text: string, isEnd: boolean): AnswerUnit[] {
  if (text === '') return [];
  const start = /^\s*?(?=[^\S\n]*\S)/.exec(text)?.[0].length;
  if (start === undefined) return isEnd ? [{ kind: 'text', text }] : [];
  const body = text.slice(start);
  if (!isEnd && body.length < TELLING && !body.includes('\n')) return [];
  const fence = FENCE.exec(body)?.[1];
  if (fence !== undefined) return codeBlock(text, start, fence, isEnd);
  const { end, isClosed } = blockEnd(text, start, isEnd);
  if (ITEM.test(body)) return isClosed ? [{ kind: 'text', text: text.slice(0, end) }] : [];
  return sentencesOf(text.slice(0, end), isClosed);
}

function codeBlock(text: string, start: number, fence: string, isEnd: boolean): AnswerUnit[] {
  const opening = text.indexOf('\n', start);
  const closing = new RegExp(`\\n[ \\t]*${fence[0]}{${fence.length},}[ \\t]*(?:\\n|$)`, 'g');
  closing.lastIndex = opening < 0 ? text.length : opening;
  const close = closing.exec(text);
  if (close !== null && (close[0].endsWith('\n') || isEnd))
    return [{ kind: 'code', text: text.slice(0, close.index + close[0].length) }];
  return isEnd ? [{ kind: 'code', text }] : [];
}

/** Where the block that begins at `start` ends, and whether that is certain. */
function blockEnd(text: string, start: number, isEnd: boolean): { end: number; isClosed: boolean } {
  let lineEnd = text.indexOf('\n', start);
  const isOneLine = CLOSED.test(text.slice(start, start + 64));
  while (lineEnd >= 0) {
    const next = text.slice(lineEnd + 1, lineEnd + 65);
    const line = next.split('\n', 1)[0]!;
    const isWhole = next.length > line.length || isEnd;
    if (isOneLine || (line.trim() === '' && isWhole)) return { end: lineEnd + 1, isClosed: true };
    if (!isWhole && line.trimStart().length < TELLING) return { end: lineEnd + 1, isClosed: false };
    if (MARKED.test(line)) return { end: lineEnd + 1, isClosed: true };
    lineEnd = text.indexOf('\n', lineEnd + 1);
  }
  return { end: text.length, isClosed: isEnd };
}

/** The sentences of a block, each up to the beginning of the next; without the last one as long as the block may go on. */
function sentencesOf(block: string, isClosed: boolean): AnswerUnit[] {
  const starts = sentenceStarts(block, splitSentences(block));
  const last = starts.at(-1) ?? 0;
  const isLastSure = isClosed || block.length - last >= NEXT_SENTENCE;
  const ends = isClosed ? [...starts.slice(1), block.length] : starts.slice(1, isLastSure ? undefined : -1);
  return ends.map((end, index) => ({ kind: 'text', text: block.slice(index === 0 ? 0 : starts[index], end) }));
}

/** Where sentences begin; markers alone belong to the sentence before, an opening such as “Yes.” to the one behind. */
function sentenceStarts(block: string, ranges: readonly TextRange[]): number[] {
  const starts: number[] = [];
  let opening = false;
  for (const { start, end } of ranges) {
    const text = block.slice(start, end);
    if (!opening && (starts.length === 0 || !MARKERS_ONLY.test(text))) starts.push(start);
    opening = OPENING.test(text.trim());
  }
  return starts;
}
