/** Texts of made-up words that are as rare and as frequent as those of a language: the same seed always gives the same text. */

/** The most frequent words of English, first in the list: the analysis knows them as function words. */
const FUNCTION_WORDS =
  'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were all her she there would their we him been has when who will no more if out so up said what its about than into them can only other time new some could these two may first then do any like my now over such our'.split(
    ' ',
  );
const ONSETS = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'dr',
  'f',
  'fl',
  'g',
  'gr',
  'h',
  'l',
  'm',
  'n',
  'p',
  'pr',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'w',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ea', 'ou', 'io'];
const CODAS = ['', '', 'n', 'r', 's', 't', 'l', 'nd', 'rt', 'ck', 'm'];
const ENDINGS = ['', '', '', 's', 'ing', 'ed', 'er', 'tion', 'al', 'ly', 'ment'];
const VOCABULARY = 60_000;
/** The exponent of the frequencies and the ranks that are flattened at the top (Zipf and Mandelbrot), as in English prose. */
const EXPONENT = 1.05;
const FLATTENED = 2.7;
const TOPIC_SHARE = 0.25;
const TOPIC_WORDS = 40;

/** Numbers in 0..1, the same for the same seed (mulberry32). */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export class ZipfTexts {
  #words;
  #topics = new Map();
  /** Sum of the shares up to and with each word. */
  #sums = new Float64Array(VOCABULARY);

  constructor() {
    const next = randomNumbers(20_261_121);
    const pick = (list) => list[Math.floor(next() * list.length)];
    const known = new Set(FUNCTION_WORDS);
    while (known.size < VOCABULARY) {
      const syllables = 1 + Math.floor(next() * 3) + (known.size > 3_000 ? 1 : 0);
      let word = '';
      for (let n = 0; n < syllables; n += 1) word += pick(ONSETS) + pick(VOWELS) + pick(CODAS);
      known.add(word + pick(ENDINGS));
    }
    this.#words = [...known];
    let sum = 0;
    for (let rank = 0; rank < VOCABULARY; rank += 1) this.#sums[rank] = sum += 1 / (rank + 1 + FLATTENED) ** EXPONENT;
    for (let rank = 0; rank < VOCABULARY; rank += 1) this.#sums[rank] /= sum;
  }

  /** A text of 100 to 200 words; texts of one topic share rarer words. */
  chunk(topic, seed) {
    const next = randomNumbers(topic * 7_919 + seed * 104_729 + 1);
    const topical = this.#topic(topic);
    const length = 100 + Math.floor(next() * 101);
    const sentences = [];
    for (let count = 0, words = []; count < length; count += 1) {
      words.push(next() < TOPIC_SHARE ? topical[Math.floor(next() ** 2 * topical.length)] : this.#word(next));
      if (words.length < 8 + next() * 16 && count + 1 < length) continue;
      sentences.push(words);
      words = [];
    }
    return sentences
      .map(([first, ...rest]) => `${first[0].toUpperCase()}${first.slice(1)} ${rest.join(' ')}.`)
      .join(' ');
  }

  /** A question of 4 to 10 words about a topic, half of them of it; every tenth is long, of 60 to 120 words. */
  question(topic, seed) {
    const next = randomNumbers(seed * 15_485_863 + 11);
    const topical = this.#topic(topic);
    const length = seed % 10 === 9 ? 60 + Math.floor(next() * 61) : 4 + Math.floor(next() * 7);
    const words = Array.from({ length }, () =>
      next() < 0.5 ? topical[Math.floor(next() ** 2 * topical.length)] : this.#word(next),
    );
    return `What is ${words.join(' ')}?`;
  }

  #topic(topic) {
    const known = this.#topics.get(topic);
    if (known !== undefined) return known;
    const next = randomNumbers(topic * 31_337 + 5);
    const words = Array.from(
      { length: TOPIC_WORDS },
      () => this.#words[200 + Math.floor(next() ** 2 * (VOCABULARY - 200))],
    );
    this.#topics.set(topic, words);
    return words;
  }

  #word(next) {
    const wanted = next();
    let [low, high] = [0, VOCABULARY - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sums[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return this.#words[low];
  }
}
