/** A citation marker in an answer; `end` exclusive. */
export interface Marker {
  number: number;
  start: number;
  end: number;
}

/** An answer with only those markers that point to a source. */
export interface MarkedAnswer {
  answer: string;
  /** Remaining markers in order, with offsets in `answer`. */
  markers: Marker[];
  /** How many pointed nowhere. */
  removed: number;
}

/** `[1]`, `[1, 2]`, `【3】`; not the text of a Markdown link. */
const MARKER = /[[【［](\d{1,3}(?:\s?[,;，、]\s?\d{1,3})*)[\]】］](?!\()/g;
const WRITTEN_MARKER = /[[【［](\d{1,3}(?:\s?[,;，、]\s?\d{1,3})*)[\]】］]/g;
const SPACED_MARKER = new RegExp(`[ \\t]?${MARKER.source}`, 'g');

/** Code, in which brackets with a number are indices. */
const CODE = /```[^]*?(?:```|$)|`[^`\n]+`/g;

/** A marker as it is written, with its numbers; `end` exclusive. */
export interface WrittenMarker {
  readonly start: number;
  readonly end: number;
  readonly numbers: readonly number[];
}

/** All markers of a text that holds no code, in order. */
export function findMarkers(text: string): WrittenMarker[] {
  if (!/[[【［]/.test(text)) return [];
  return [...text.matchAll(WRITTEN_MARKER)].map(({ index, 0: written, 1: numbers }) => ({
    start: index,
    end: index + written.length,
    numbers: numbers!.split(/\D+/).map(Number),
  }));
}

/** Finds the markers of an answer, writes each as `[n]` and removes those without a source together with the space before. */
export function resolveMarkers(answer: string, numbers: ReadonlySet<number>): MarkedAnswer {
  const code = [...answer.matchAll(CODE)].map((match) => [match.index, match.index + match[0].length] as const);
  const markers: Marker[] = [];
  const written = new WrittenText();
  let [read, removed, nextCode] = [0, 0, 0];
  for (const match of answer.matchAll(MARKER)) {
    while (nextCode < code.length && code[nextCode]![1] <= match.index) nextCode += 1;
    if (nextCode < code.length && code[nextCode]![0] <= match.index) continue;
    const wanted = (match[1] as string).split(/\D+/).map(Number);
    const known = wanted.filter((number) => numbers.has(number));
    removed += wanted.length - known.length;
    const after = match.index + match[0].length;
    written.append(answer.slice(read, match.index));
    if (known.length === 0 && /^(?:[\s\p{P}]|$)/u.test(answer.slice(after, after + 2))) written.dropSpace();
    for (const number of known) {
      const start = written.length;
      written.append(`[${number}]`);
      markers.push({ number, start, end: written.length });
    }
    read = after;
  }
  written.append(answer.slice(read));
  return { answer: written.toString(), markers, removed };
}

/** A text in pieces: to look at the end of a long one would read all of it, for every marker again. */
class WrittenText {
  length = 0;
  private readonly pieces: string[] = [];

  append(piece: string): void {
    if (piece === '') return;
    this.pieces.push(piece);
    this.length += piece.length;
  }

  /** Takes one space from the end. */
  dropSpace(): void {
    const last = this.pieces.at(-1);
    if (last === undefined || !/[ \t]/.test(last.at(-1)!)) return;
    this.pieces.pop();
    this.length -= last.length;
    this.append(last.slice(0, -1));
  }

  toString(): string {
    return this.pieces.join('');
  }
}

/** The text without any marker and the space before it; offsets are not kept. */
export function stripMarkers(text: string): string {
  return text.replace(SPACED_MARKER, '');
}
