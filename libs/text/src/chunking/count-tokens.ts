/** Weight of one token; the weights of code units are whole numbers of this fraction, so sums are exact. */
export const WEIGHT_PER_TOKEN = 20;

/** No code unit weighs less, so `n` tokens never hold more than `n * MAX_CHARS_PER_TOKEN` code units. */
export const MAX_CHARS_PER_TOKEN = 5;

const SPACE = 4;
const LETTER = 5;
const DIGIT = 8;
const MARK = 10;

/** Weights of ranges of code units, `[first, last, weight]`; what is not listed weighs one token. */
const RANGES: readonly (readonly [number, number, number])[] = [
  [0x00, 0x1f, SPACE],
  [0x20, 0x20, SPACE],
  [0x21, 0x7f, MARK],
  [0x30, 0x39, DIGIT],
  [0x41, 0x5a, LETTER],
  [0x61, 0x7a, LETTER],
  [0x80, 0x36f, MARK],
  [0x370, 0x3ff, MARK],
  [0x400, 0x52f, DIGIT],
  [0x530, 0x8ff, MARK],
  [0x900, 0x109f, 12],
  [0x1780, 0x17ff, 12],
  [0x1e00, 0x1fff, MARK],
  [0x2000, 0x206f, MARK],
  [0xfb1d, 0xfeff, MARK],
];

const WEIGHTS = ((): Uint8Array => {
  const weights = new Uint8Array(0x10000).fill(WEIGHT_PER_TOKEN);
  for (const [first, last, weight] of RANGES) weights.fill(weight, first, last + 1);
  return weights;
})();

/** Weight of `text[from, to)` in twentieths of a token; exactly additive over adjoining ranges. */
export function weigh(text: string, from = 0, to = text.length): number {
  let weight = 0;
  for (let i = from; i < to; i++) weight += WEIGHTS[text.charCodeAt(i)] as number;
  return weight;
}

/** The furthest index `i` in `[from, to]` for which `weigh(text, from, i) <= weight`. */
export function advanceByWeight(text: string, from: number, to: number, weight: number): number {
  let rest = weight;
  let i = from;
  for (; i < to; i++) {
    rest -= WEIGHTS[text.charCodeAt(i)] as number;
    if (rest < 0) return i;
  }
  return i;
}

/** The first index `i` in `[from, to]` for which `weigh(text, i, to) <= weight`. */
export function retreatByWeight(text: string, from: number, to: number, weight: number): number {
  let rest = weight;
  let i = to;
  for (; i > from; i--) {
    rest -= WEIGHTS[text.charCodeAt(i - 1)] as number;
    if (rest < 0) return i;
  }
  return i;
}

/**
 * Estimated number of tokens of a text, without any model's vocabulary: deterministic, the same on every platform.
 *
 * Each UTF-16 unit has a fixed weight: a Latin letter a quarter of a token, white space a fifth, Cyrillic letters and
 * digits 0.4, other alphabets and punctuation 0.5, Indic and Thai letters 0.6, Chinese, Japanese and Korean characters 1,
 * an astral character (emoji) 2. The sum is rounded up. English prose comes out at about 4.1 characters a token. It errs on the
 * high side for prose, so that a chunk of n estimated tokens fits a model's window of n. Parts never sum to less than
 * the whole, and to at most one token more for each part.
 */
export function countTokens(text: string): number {
  return Math.ceil(weigh(text) / WEIGHT_PER_TOKEN);
}
