import { isUtf8 } from 'node:buffer';
import { FREQUENT_CHARACTERS } from './languages/east-asian-samples.js';

/** Encodings that are told by their first bytes alone. */
export type UnicodeEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** The encoding named by a byte order mark, and the mark's length in bytes. */
export function readByteOrderMark(head: Uint8Array): { encoding: UnicodeEncoding; length: number } | undefined {
  const [a, b, c, d] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', length: 3 };
  if (a === 0xff && b === 0xfe) {
    return c === 0 && d === 0 ? { encoding: 'utf-32le', length: 4 } : { encoding: 'utf-16le', length: 2 };
  }
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', length: 2 };
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { encoding: 'utf-32be', length: 4 };
  return undefined;
}

/** Bytes looked at for the pattern of zero bytes. */
const PATTERN_BYTES = 8192;
const MINIMUM_BYTES = 4;
/** A stray NUL or two in ordinary text prove nothing. */
const MINIMUM_ZEROS = 3;

/**
 * UTF-16 or UTF-32 without a byte order mark. Latin text has a zero in one half of its units; text of other scripts has
 * none, but its spaces, line ends and digits do, and reading it in the wrong order gives unassigned characters.
 */
export function detectWideEncoding(head: Uint8Array): Exclude<UnicodeEncoding, 'utf-8'> | undefined {
  const length = Math.min(head.length, PATTERN_BYTES) & ~3;
  if (length < MINIMUM_BYTES) return undefined;
  const zeros = [0, 0, 0, 0];
  for (let at = 0; at < length; at += 1) if (head[at] === 0) zeros[at & 3]! += 1;
  const [z0 = 0, z1 = 0, z2 = 0, z3 = 0] = zeros;
  if (z0 + z1 + z2 + z3 === 0 && isUtf8(head.subarray(0, length - 3))) return undefined;
  const units = length / 4;
  if (z3 === units && z2 > units * 0.9 && z0 + z1 < units) return 'utf-32le';
  if (z0 === units && z1 > units * 0.9 && z2 + z3 < units) return 'utf-32be';
  return detectUtf16(head.subarray(0, length), z0 + z2, z1 + z3);
}

function detectUtf16(bytes: Uint8Array, evenZeros: number, oddZeros: number): 'utf-16le' | 'utf-16be' | undefined {
  const units = bytes.length / 2;
  if (oddZeros >= MINIMUM_ZEROS && oddZeros > units * 0.4 && evenZeros < oddZeros * 0.1) return 'utf-16le';
  if (evenZeros >= MINIMUM_ZEROS && evenZeros > units * 0.4 && oddZeros < evenZeros * 0.1) return 'utf-16be';
  const alphabetic = detectAlphabetic(bytes);
  if (alphabetic !== undefined) return alphabetic;
  const little = read(bytes, 'utf-16le');
  const big = read(bytes, 'utf-16be');
  const [best, other] = little.strange <= big.strange ? [little, big] : [big, little];
  if (best.strange > MOST_STRANGE) return undefined;
  if (evenZeros + oddZeros >= MINIMUM_ZEROS && other.strange >= 0.05) return best.encoding;
  const likelier = little.frequent >= big.frequent ? little : big;
  return likelier.frequent >= LEAST_FREQUENT && likelier.strange <= MOST_STRANGE ? likelier.encoding : undefined;
}

/** Alphabets and syllabaries from Greek to Cherokee lie below U+2000: one half of their units has nothing but small bytes. */
function detectAlphabetic(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const small = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at]! < 0x20) small[at & 1]! += 1;
  const [even = 0, odd = 0] = small;
  const most = Math.max(even, odd);
  if (most < MINIMUM_ZEROS || most < bytes.length * 0.45 || even + odd - most > bytes.length * 0.25) return undefined;
  const encoding = odd > even ? 'utf-16le' : 'utf-16be';
  return read(bytes, encoding).strange <= MOST_STRANGE ? encoding : undefined;
}

/** Of ordinary text, so much is strange at most. */
const MOST_STRANGE = 0.02;
/** Share of frequent ideographs, kana and hangul that text of those scripts has, and chance has not. */
const LEAST_FREQUENT = 0.25;
const FREQUENT = new Set(Object.values(FREQUENT_CHARACTERS).flatMap((characters) => [...characters]));

/**
 * A reading of bytes as UTF-16. `strange`: share of characters that no ordinary text has (controls, private use, unassigned,
 * broken surrogates); `frequent`: share of the most frequent East Asian characters, whose text may hold no zero byte at all.
 */
function read(
  bytes: Uint8Array,
  encoding: 'utf-16le' | 'utf-16be',
): { encoding: 'utf-16le' | 'utf-16be'; strange: number; frequent: number } {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  let strange = 0;
  let frequent = 0;
  let all = 0;
  for (const character of text) {
    all += 1;
    if (FREQUENT.has(character)) frequent += 1;
    else if (/[^\t\n\r\f\P{C}]|[\uFFFD]/u.test(character)) strange += 1;
  }
  return { encoding, strange: strange / Math.max(all, 1), frequent: frequent / Math.max(all, 1) };
}
