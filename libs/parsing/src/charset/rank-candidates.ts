import { MULTI_BYTE_CANDIDATES, SINGLE_BYTE_CANDIDATES, type CharsetCandidate } from './candidates.js';
import { AsciiScores } from './ascii-scores.js';
import { countBytePairs, type BytePairs } from './byte-pairs.js';
import { CharacterClass, classOf } from './character-classes.js';
import { createDecoder } from './decode-file.js';
import type { LanguageModel } from './language-model.js';
import { MODELLED_LANGUAGES, modelOf, rarityOf } from './languages.js';

/** How well one reading of a sample fits a language. */
export interface RankedCharset {
  name: string;
  /** Natural logarithm of the sample's probability, its ASCII stretches left out where they say nothing. */
  score: number;
  /** `score` per pair of bytes, without what is said about encodings and languages as such. */
  plausibility: number;
  /** What decides whether two readings are the same text. */
  reading: string;
}

/** Characters of a piece that decide where its first one begins. */
const ALIGNMENT_UNITS = 256;
/** Share of unreadable characters that takes an encoding of several bytes out of the race. */
const BROKEN_SHARE = 0.02;
/** Bytes of 0x80 and above are all that the encodings differ in. */
const HIGH = 0x80;
const ABOVE_ASCII = /[^\0-\x7f]/g;

/**
 * Ranks the encodings that a sample of bytes may be written in, the best first. A reading scores by how likely its pairs of
 * neighbouring characters are in the best of the languages that the encoding is used for.
 */
export function rankCandidates(pieces: readonly Buffer[], isDamagedUtf8: boolean): RankedCharset[] {
  const pairs = countBytePairs(pieces);
  const ascii = new AsciiScores(pairs);
  const ranked = SINGLE_BYTE_CANDIDATES.filter(({ name }) => isPossible(name, pairs)).map((candidate) =>
    rankSingleByte(candidate, pairs, ascii),
  );
  const wide: readonly CharsetCandidate[] = isDamagedUtf8
    ? [...MULTI_BYTE_CANDIDATES, { name: 'utf-8', languages: MODELLED_LANGUAGES, rarity: 0 }]
    : MULTI_BYTE_CANDIDATES;
  for (const candidate of wide) {
    const result = rankMultiByte(candidate, pieces, pairs.highPairs);
    if (result !== undefined) ranked.push(result);
  }
  return ranked.toSorted((a, b) => b.score - a.score);
}

/** Whether an encoding has characters for the bytes; a few of them may be damage. */
function isPossible(name: string, { high }: BytePairs): boolean {
  const units = unitsOf(name);
  let all = 0;
  let forbidden = 0;
  for (const { second, count } of high) {
    if (second < HIGH) continue;
    all += count;
    if (classOf(units[second]!) === CharacterClass.forbidden) forbidden += count;
  }
  return forbidden <= 1 + all * BROKEN_SHARE;
}

function rankSingleByte(
  { name, languages, rarity }: CharsetCandidate,
  pairs: BytePairs,
  ascii: AsciiScores,
): RankedCharset {
  const units = unitsOf(name);
  const scored = languages.map((language) => {
    const model = modelOf(language);
    let sum = 0;
    for (const { first, second, count } of pairs.high)
      sum += count * model.logProbability(units[first]!, units[second]!);
    return { sum, total: sum + ascii.of(language) + rarityOf(language) };
  });
  return {
    name,
    ...best(scored, rarity, pairs.highPairs),
    reading: pairs.usedHighBytes.map((byte) => String.fromCharCode(units[byte]!)).join(''),
  };
}

function rankMultiByte(
  candidate: CharsetCandidate,
  pieces: readonly Buffer[],
  bytePairs: number,
): RankedCharset | undefined {
  const text = decodePieces(candidate, pieces);
  const pairs = countTextPairs(text);
  const ascii = new AsciiScores(countBytePairs([Buffer.from(text.replace(ABOVE_ASCII, '\x80'), 'latin1')]));
  const isUtf8 = candidate.name === 'utf-8';
  if (!isUtf8 && pairs.broken > 1 + pairs.high * BROKEN_SHARE) return undefined;
  const scored = candidate.languages.map((language) => {
    const model = modelOf(language);
    let sum = 0;
    for (const [key, count] of pairs.counts)
      sum += count * model.logProbability(Math.floor(key / 0x10000), key % 0x10000);
    return { sum, total: sum + ascii.of(language) + rarityOf(language) };
  });
  return { name: candidate.name, ...best(scored, candidate.rarity, bytePairs), reading: text };
}

function best(
  scored: readonly { sum: number; total: number }[],
  rarity: number,
  pairs: number,
): { score: number; plausibility: number } {
  const top = scored.reduce((a, b) => (b.total > a.total ? b : a));
  return { score: top.total + rarity, plausibility: top.sum / Math.max(pairs, 1) };
}

const tables = new Map<string, Uint16Array>();

/** The UTF-16 code unit of every byte. */
function unitsOf(encoding: string): Uint16Array {
  let table = tables.get(encoding);
  if (table === undefined) {
    const text = createDecoder(encoding).decode(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)));
    table = Uint16Array.from(text, (character) => character.charCodeAt(0));
    tables.set(encoding, table);
  }
  return table;
}

/** Pieces begin anywhere, perhaps in the middle of a character: the more likely of two beginnings is taken. */
function decodePieces({ name, languages }: CharsetCandidate, pieces: readonly Buffer[]): string {
  const model = modelOf(languages[0]!);
  return pieces
    .map((piece, at) => {
      const decode = (from: number): string => {
        const decoder = createDecoder(name);
        const text = decoder.decode(piece.subarray(from));
        return at === pieces.length - 1 ? text + decoder.end() : text;
      };
      if (name === 'utf-8') return decode(at === 0 ? 0 : continuationBytes(piece));
      const aligned = decode(0);
      if (at === 0) return aligned;
      const shifted = decode(1);
      return meanOf(model, shifted) > meanOf(model, aligned) ? shifted : aligned;
    })
    .join('');
}

function continuationBytes(piece: Buffer): number {
  let at = 0;
  while (at < 3 && (piece[at]! & 0xc0) === 0x80) at += 1;
  return at;
}

function meanOf(model: LanguageModel, text: string): number {
  let sum = 0;
  const length = Math.min(text.length, ALIGNMENT_UNITS);
  for (let at = 1; at < length; at += 1) sum += model.logProbability(text.charCodeAt(at - 1), text.charCodeAt(at));
  return sum / Math.max(length, 1);
}

function countBroken(text: string): number {
  let broken = 0;
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', at + 1)) broken += 1;
  return broken;
}

/** Pairs of neighbours of which one is above ASCII. */
function countTextPairs(text: string): { counts: Map<number, number>; high: number; broken: number } {
  const counts = new Map<number, number>();
  let high = 0;
  let previous = 0x20;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= HIGH) high += 1;
    if (unit >= HIGH || previous >= HIGH) {
      const key = previous * 0x10000 + unit;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    previous = unit;
  }
  return { counts, high, broken: countBroken(text) };
}
