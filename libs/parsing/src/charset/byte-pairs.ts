/** How often two bytes are side by side in a sample. */
export interface BytePairs {
  /** Pairs of which at least one is above ASCII: what the encodings read differently. */
  readonly high: readonly BytePair[];
  /** Pairs of ASCII in and beside words that have other characters: what tells the language. */
  readonly ascii: readonly BytePair[];
  /** How many pairs `high` counts. */
  readonly highPairs: number;
  /** Bytes above ASCII, each once. */
  readonly usedHighBytes: readonly number[];
}

export interface BytePair {
  readonly first: number;
  readonly second: number;
  readonly count: number;
}

const SPACE = 0x20;
const HIGH = 0x80;

/** Counts the pairs of all pieces; each piece begins as after a space. */
export function countBytePairs(pieces: readonly Buffer[]): BytePairs {
  const high: PairCounts = new Map();
  const ascii: PairCounts = new Map();
  const used = new Set<number>();
  let highPairs = 0;
  for (const piece of pieces) {
    let previous = SPACE;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at]!;
      if (byte >= HIGH) used.add(byte);
      if (byte >= HIGH || previous >= HIGH) {
        count(high, previous, byte);
        highPairs += 1;
      }
      previous = byte;
    }
    for (const [start, end] of tellingStretches(piece)) countAscii(piece, start, end, ascii);
  }
  return {
    high: listPairs(high),
    ascii: listPairs(ascii),
    highPairs,
    usedHighBytes: [...used].toSorted((a, b) => a - b),
  };
}

type PairCounts = Map<number, number>;

function count(counts: PairCounts, first: number, second: number): void {
  const key = first * 0x100 + second;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function countAscii(piece: Buffer, start: number, end: number, counts: PairCounts): void {
  for (let at = start; at < end; at += 1) {
    const first = at === 0 ? SPACE : piece[at - 1]!;
    if (first < HIGH && piece[at]! < HIGH) count(counts, first, piece[at]!);
  }
}

/** Words with a byte above ASCII, each with the word before and the word after it, without overlaps. */
function tellingStretches(piece: Buffer): [number, number][] {
  const words = findWords(piece);
  const stretches: [number, number][] = [];
  words.forEach((word, index) => {
    if (!word.isHigh) return;
    const start = Math.max(words[index - 1]?.start ?? word.start, stretches.at(-1)?.[1] ?? 0);
    stretches.push([start, words[index + 1]?.end ?? word.end]);
  });
  return stretches;
}

function findWords(piece: Buffer): { start: number; end: number; isHigh: boolean }[] {
  const words: { start: number; end: number; isHigh: boolean }[] = [];
  let word: { start: number; end: number; isHigh: boolean } | undefined;
  for (let at = 0; at < piece.length; at += 1) {
    const byte = piece[at]!;
    if (byte <= SPACE) {
      word = undefined;
      continue;
    }
    if (word === undefined) {
      word = { start: at, end: at, isHigh: false };
      words.push(word);
    }
    word.end = at + 1;
    word.isHigh ||= byte >= HIGH;
  }
  return words;
}

function listPairs(counts: PairCounts): BytePair[] {
  return Array.from(counts, ([key, times]) => ({ first: key >> 8, second: key & 0xff, count: times }));
}
