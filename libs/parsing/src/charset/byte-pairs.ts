/** How often two bytes stand side by side in a sample. */
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
  const high = new Uint32Array(0x10000);
  const ascii = new Uint32Array(0x10000);
  const used = new Uint32Array(0x100);
  for (const piece of pieces) {
    let previous = SPACE;
    for (const byte of piece) {
      if (byte >= HIGH) used[byte]! += 1;
      if (byte >= HIGH || previous >= HIGH) high[previous * 0x100 + byte]! += 1;
      previous = byte;
    }
    for (const [start, end] of tellingStretches(piece)) countAscii(piece, start, end, ascii);
  }
  return {
    high: listPairs(high),
    ascii: listPairs(ascii),
    highPairs: high.reduce((sum, count) => sum + count, 0),
    usedHighBytes: [...used.keys()].filter((byte) => used[byte]! > 0),
  };
}

function countAscii(piece: Buffer, start: number, end: number, counts: Uint32Array): void {
  for (let at = start; at < end; at += 1) {
    const first = at === 0 ? SPACE : piece[at - 1]!;
    if (first < HIGH && piece[at]! < HIGH) counts[first * 0x100 + piece[at]!]! += 1;
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

function listPairs(counts: Uint32Array): BytePair[] {
  const pairs: BytePair[] = [];
  for (let key = 0; key < counts.length; key += 1) {
    const count = counts[key]!;
    if (count > 0) pairs.push({ first: key >> 8, second: key & 0xff, count });
  }
  return pairs;
}
