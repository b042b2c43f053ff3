import { toNormalForm } from '#libs/common';
import { CharacterClass, classOf } from './character-class.js';
import { FUNCTION_CHARACTERS, FUNCTION_WORDS } from './function-words.js';

/** Numbers of one vector. */
export const HASHED_DIMENSIONS = 384;

/*
 * Weights of one occurrence, found by measuring over several collections and languages. All are sums of powers of two, so that
 * every sum below is exact whatever its order, and the vector is the same to the bit on every machine.
 */
const WORD = 1;
const WORD_GRAM = 0.5;
const CHARACTER = 0.25;
const BIGRAM = 1;
const TRIGRAM = 0.5;
const SYMBOL = 1;
const FUNCTION_FACTOR = 0.125;
const SHORT_FACTOR = 0.5;
/** Each doubling of a feature's count adds this much to its factor. */
const PER_DOUBLING = 0.6875;

/** Letters of a piece of a word; words are framed by one border sign on each side first. */
const GRAM_LENGTH = 4;
const BORDER = 0x20;
/** Words up to this length say less. */
const SHORT_WORD = 3;

/** Kinds of features, so that equal letters of different kinds get different hashes. */
enum Kind {
  Word = 1,
  Gram = 2,
  Character = 3,
  Bigram = 4,
  Trigram = 5,
  Symbol = 6,
}

/** How often each feature occurs in one text: open addressing over its 32-bit hash, reused from text to text. */
class FeatureCounts {
  private capacity = 1 << 12;
  private hashes = new Int32Array(this.capacity);
  private counts = new Int32Array(this.capacity);
  private weights = new Float64Array(this.capacity);
  private used: number[] = [];

  get size(): number {
    return this.used.length;
  }

  add(feature: number, weight: number): void {
    let slot = feature & (this.capacity - 1);
    while (this.counts[slot] !== 0 && this.hashes[slot] !== feature) slot = (slot + 1) & (this.capacity - 1);
    if (this.counts[slot]!++ > 0) return;
    this.hashes[slot] = feature;
    this.weights[slot] = weight;
    this.used.push(slot);
    if (this.used.length * 2 > this.capacity) this.grow();
  }

  /** Adds every feature to the vector with its sign and damped count, in the order of first occurrence, and forgets them all. */
  drainInto(vector: Float64Array): void {
    for (const slot of this.used) {
      const feature = this.hashes[slot]!;
      const value = this.weights[slot]! * dampedCount(this.counts[slot]!);
      const index = (feature >>> 1) % HASHED_DIMENSIONS;
      vector[index]! += (feature & 1) === 0 ? value : -value;
      this.counts[slot] = 0;
    }
    this.used.length = 0;
  }

  private grow(): void {
    const { hashes, counts, weights, used } = this;
    this.capacity *= 2;
    this.hashes = new Int32Array(this.capacity);
    this.counts = new Int32Array(this.capacity);
    this.weights = new Float64Array(this.capacity);
    this.used = used.map((from) => {
      let slot = hashes[from]! & (this.capacity - 1);
      while (this.counts[slot] !== 0) slot = (slot + 1) & (this.capacity - 1);
      this.hashes[slot] = hashes[from]!;
      this.counts[slot] = counts[from]!;
      this.weights[slot] = weights[from]!;
      return slot;
    });
  }
}

const features = new FeatureCounts();

/** A text's code points, and each as `mix` takes it: a letter is part of up to six features, and scrambled once. */
interface Points {
  points: Int32Array;
  scrambled: Int32Array;
}

/**
 * The hashed vector of a text, of length 1: words and their 4-letter pieces where words are separated by spaces; characters,
 * pairs and triples where they are not; symbols where there is nothing else. A text of white space alone (or none) gives the first unit
 * vector. The same text gives the same bits.
 */
export function hashText(text: string): Float32Array {
  const read = readPoints(toNormalForm(text, 'NFKC').toLowerCase());
  addRuns(read);
  if (features.size === 0) addSymbols(read);
  const vector = new Float64Array(HASHED_DIMENSIONS);
  features.drainInto(vector);
  return normalised(vector);
}

function readPoints(text: string): Points {
  const points = new Int32Array(text.length);
  const scrambled = new Int32Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at)!;
    if (point > 0xffff) at++;
    scrambled[length] = scramble(point);
    points[length++] = point;
  }
  return { points: points.subarray(0, length), scrambled: scrambled.subarray(0, length) };
}

/** Cuts the text where spaced and unspaced writing, or anything else, meet. */
function addRuns(read: Points): void {
  const { points } = read;
  let start = 0;
  while (start < points.length) {
    const first = classOf(points[start]!);
    if (first === CharacterClass.Other) {
      start++;
      continue;
    }
    const unspaced = isUnspaced(first);
    let end = start + 1;
    for (; end < points.length; end++) {
      const next = classOf(points[end]!);
      if (next === CharacterClass.Other || isUnspaced(next) !== unspaced) break;
    }
    if (unspaced) addUnspaced(read, start, end);
    else addWord(read, start, end);
    start = end;
  }
}

function isUnspaced(kind: CharacterClass): boolean {
  return kind === CharacterClass.Han || kind === CharacterClass.Unspaced;
}

function addWord({ points, scrambled }: Points, start: number, end: number): void {
  const length = end - start;
  const word = hash(Kind.Word, scrambled, start, end);
  const factor = wordFactor(word, length);
  features.add(word, WORD * factor);
  if (classOf(points[start]!) === CharacterClass.Hangul) {
    for (let at = start; at + 2 <= end; at++) features.add(hash(Kind.Bigram, scrambled, at, at + 2), WORD_GRAM);
    return;
  }
  if (length + 2 < GRAM_LENGTH) return;
  for (let at = start - 1; at + GRAM_LENGTH <= end + 1; at++) {
    features.add(gramHash(scrambled, at, start, end), WORD_GRAM * factor);
  }
}

function wordFactor(word: number, length: number): number {
  if (length > LONGEST_FUNCTION_WORD) return 1;
  if (FUNCTION_WORD_HASHES.has(word)) return FUNCTION_FACTOR;
  return length <= SHORT_WORD ? SHORT_FACTOR : 1;
}

function addUnspaced({ points, scrambled }: Points, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const han = classOf(points[at]!) === CharacterClass.Han;
    const factor = FUNCTION_CHARACTERS.has(points[at]!) ? FUNCTION_FACTOR : 1;
    if (han || end - start === 1) features.add(hash(Kind.Character, scrambled, at, at + 1), CHARACTER * factor);
    if (at + 2 > end) continue;
    const pairFactor = FUNCTION_CHARACTERS.has(points[at + 1]!) ? Math.min(factor, SHORT_FACTOR) : factor;
    features.add(hash(Kind.Bigram, scrambled, at, at + 2), BIGRAM * pairFactor);
    if (!han && at + 3 <= end) features.add(hash(Kind.Trigram, scrambled, at, at + 3), TRIGRAM);
  }
}

function addSymbols({ points, scrambled }: Points): void {
  for (let at = 0; at < points.length; at++) {
    const isSpace = /\s/u.test(String.fromCodePoint(points[at]!));
    if (!isSpace) features.add(hash(Kind.Symbol, scrambled, at, at + 1), SYMBOL);
  }
}

/** Murmur's hash over scrambled code points; integer arithmetic only. */
function hash(kind: Kind, scrambled: Int32Array, start: number, end: number): number {
  let value = Math.imul(kind, 0x9e3779b1);
  for (let at = start; at < end; at++) value = mix(value, scrambled[at]!);
  return finish(value);
}

/** The piece of a word that begins at `at`, with a border sign where it reaches beyond the word. */
function gramHash(scrambled: Int32Array, at: number, start: number, end: number): number {
  let value = Math.imul(Kind.Gram, 0x9e3779b1);
  for (let next = at; next < at + GRAM_LENGTH; next++) {
    value = mix(value, next < start || next >= end ? SCRAMBLED_BORDER : scrambled[next]!);
  }
  return finish(value);
}

function scramble(point: number): number {
  const scrambled = Math.imul(point, 0xcc9e2d51);
  return Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593);
}

function mix(value: number, scrambled: number): number {
  const turned = value ^ scrambled;
  return (Math.imul((turned << 13) | (turned >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** 1 + c·log2(count), the logarithm linear between powers of two: exact, where `Math.log` may differ in its last bit. */
function dampedCount(count: number): number {
  const exponent = 31 - Math.clz32(count);
  return 1 + PER_DOUBLING * (exponent + count / 2 ** exponent - 1);
}

function normalised(vector: Float64Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const result = new Float32Array(HASHED_DIMENSIONS);
  if (squares === 0) {
    // Nothing to hash, or features that cancel out: a vector that has a direction all the same.
    result[0] = 1;
    return result;
  }
  const length = Math.sqrt(squares);
  for (let index = 0; index < HASHED_DIMENSIONS; index++) result[index] = vector[index]! / length;
  return result;
}

const SCRAMBLED_BORDER = scramble(BORDER);
const LONGEST_FUNCTION_WORD = Math.max(...[...FUNCTION_WORDS].map((word) => word.length));
const FUNCTION_WORD_HASHES: ReadonlySet<number> = new Set(
  [...FUNCTION_WORDS].map((word) => {
    const { scrambled } = readPoints(word);
    return hash(Kind.Word, scrambled, 0, scrambled.length);
  }),
);
