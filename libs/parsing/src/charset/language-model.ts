import { CharacterClass, classOf, isLetterClass } from './character-classes.js';

/** Natural logarithms of probabilities. Orders of magnitude matter here, not decimals. */
const FIRST_OF_CLASS: Readonly<Partial<Record<CharacterClass, number>>> = {
  [CharacterClass.space]: -1.8,
  [CharacterClass.digit]: -4,
  [CharacterClass.punctuation]: -3.5,
  [CharacterClass.sign]: -8,
  [CharacterClass.oddity]: -10,
  [CharacterClass.forbidden]: -14,
};
const SIGN_AFTER_LETTER = -10;
const SIGN_AFTER_DIGIT = -6.5;
/** Typography by where it is; `next` is added to a letter that follows at once. */
const TYPOGRAPHY: readonly { characters: string; afterLetter: number; else: number; next: number }[] = [
  { characters: '“„«‚‹‘', afterLetter: -10, else: -5.5, next: 0 },
  { characters: '’', afterLetter: -5.5, else: -8, next: 0 },
  { characters: '”»›…', afterLetter: -6, else: -7, next: -4 },
  { characters: '–—', afterLetter: -7.5, else: -5.5, next: -1 },
  { characters: '\u00a0·•', afterLetter: -7.5, else: -7, next: 0 },
];
const GRAPHICS = { first: -8.5, repeated: -0.7, afterGraphics: -4, afterLetter: -12 };
/** Damage comes in rows: three of these represent one character of three bytes. */
const REPLACEMENT = 0xfffd;
const REPLACEMENT_REPEATED = -5;
/** A letter that the language does not use, of its own script. */
const STRANGE_LETTER = -9.5;
/** A letter of another script at the beginning of a word, and within one. */
const FOREIGN_START = -9;
const FOREIGN_WITHIN = -12.5;
/** An English word in a text of another script, and its later letters. */
const LATIN_START = -4.5;
const LATIN_WITHIN = -2.8;
/** A letter right behind a sign, or behind a letter that the language does not use. */
const AFTER_STRANGER = -2;
/** A letter right behind a digit. */
const AFTER_DIGIT = -3;
/** A capital behind a small letter, behind a capital, and at the beginning of a word; a small letter there. */
const CAPITAL = { afterSmall: -4.5, afterCapital: -1, first: -1.5 };
const SMALL_FIRST = -0.3;
/** How much of a pair's probability comes from the pair itself, the letter alone, and nothing. */
const PAIR_SHARE = 0.8;
const LETTER_SHARE = 0.18;
const REST_SHARE = 0.02;

/** Romanian writers' letters with a comma below are the same as those with a cedilla. */
const SAME_LETTER: Readonly<Record<string, string>> = { ș: 'ş', ț: 'ţ' };

/** Above are neither letters of alphabets nor the signs that texts of alphabets are full of. */
const KNOWN_UNITS = 0x2200;
const NOT_ASKED_YET = 0xff;
const NO_INDEX = 0xfe;

/** How likely one character follows another in texts of one language. */
export abstract class LanguageModel {
  /** Natural logarithm of the probability of a UTF-16 code unit after another. */
  abstract logProbability(previous: number, unit: number): number;
}

/** A language with an alphabet, learnt from a sample of its words. */
export class AlphabetModel extends LanguageModel {
  private readonly indices = new Map<number, number>();
  /** What `indexOf` answered for a code unit. */
  private readonly known = new Uint8Array(KNOWN_UNITS).fill(NOT_ASKED_YET);
  private readonly pairs: Float32Array;
  private readonly size: number;
  private readonly script: CharacterClass;

  /** `script` is the class of the language's letters. */
  constructor(sample: string, script: CharacterClass) {
    super();
    this.script = script;
    const text = ` ${sample.toLowerCase()} `;
    for (const letter of text) {
      const unit = letter.charCodeAt(0);
      if (this.isOwnLetter(unit) && !this.indices.has(unit)) this.indices.set(unit, this.indices.size + 1);
    }
    this.size = this.indices.size + 1;
    this.pairs = this.learn(text);
  }

  logProbability(previous: number, unit: number): number {
    const to = this.indexOf(unit);
    if (to === undefined || to === 0) return this.strangerProbability(previous, unit);
    const from = this.indexOf(previous);
    if (from === undefined) return this.probabilityAfterStranger(classOf(previous), to);
    return this.pair(from, to) + caseOf(previous, unit) + (from === 0 ? beginningAfter(previous) : 0);
  }

  /** Behind what is neither a letter of the language nor a border of words. */
  private probabilityAfterStranger(before: CharacterClass, to: number): number {
    const isOtherScript = isLetterClass(before) && before !== this.script;
    return isOtherScript ? FOREIGN_WITHIN : AFTER_STRANGER + this.pair(0, to);
  }

  private pair(from: number, to: number): number {
    return this.pairs[from * this.size + to]!;
  }

  /** 0 for what may be around a word, undefined for what is no letter of the language and no border of words. */
  private indexOf(unit: number): number | undefined {
    const known = this.known[unit] ?? NOT_ASKED_YET;
    if (known !== NOT_ASKED_YET) return known === NO_INDEX ? undefined : known;
    const index = this.findIndex(unit);
    if (unit < KNOWN_UNITS) this.known[unit] = index ?? NO_INDEX;
    return index;
  }

  private findIndex(unit: number): number | undefined {
    const of = classOf(unit);
    if (of <= CharacterClass.typography) return 0;
    return isLetterClass(of) || of === CharacterClass.mark ? this.indices.get(foldCase(unit)) : undefined;
  }

  private isOwnLetter(unit: number): boolean {
    const of = classOf(unit);
    return of === this.script || of === CharacterClass.mark;
  }

  private strangerProbability(previous: number, unit: number): number {
    const of = classOf(unit);
    const before = classOf(previous);
    if (!isLetterClass(of) && of !== CharacterClass.mark) return nonLetterProbability(previous, unit);
    if (of === CharacterClass.mark) return FOREIGN_WITHIN;
    if (of === this.script) return STRANGE_LETTER + caseOf(previous, unit);
    const isWithin = isLetterClass(before) && before !== of;
    if (isWithin) return FOREIGN_WITHIN;
    if (of === CharacterClass.latin && unit < 0x80) return before === of ? LATIN_WITHIN : LATIN_START;
    return FOREIGN_START;
  }

  /** Counts pairs of letters, index 0 standing for everything between words. */
  private learn(text: string): Float32Array {
    const { size } = this;
    const counts = new Float32Array(size * size);
    const letters = new Float32Array(size);
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const to = this.indexOf(text.charCodeAt(at)) ?? 0;
      if (from !== 0 || to !== 0) counts[from * size + to]! += 1;
      letters[to]! += 1;
      from = to;
    }
    return logShares(counts, letters);
  }
}

function logShares(counts: Float32Array, letters: Float32Array): Float32Array {
  const size = letters.length;
  const all = letters.reduce((sum, count) => sum + count, 0);
  const result = new Float32Array(size * size);
  for (let from = 0; from < size; from += 1) {
    const row = counts.subarray(from * size, (from + 1) * size);
    const total = row.reduce((sum, count) => sum + count, 0);
    for (let to = 0; to < size; to += 1) {
      const pair = total === 0 ? 0 : row[to]! / total;
      const share = PAIR_SHARE * pair + (LETTER_SHARE * letters[to]!) / all + REST_SHARE / size;
      result[from * size + to] = Math.log(share);
    }
  }
  return result;
}

/** Probability of what is no letter, the same in every language. */
export function nonLetterProbability(previous: number, unit: number): number {
  const of = classOf(unit);
  const before = classOf(previous);
  const isAfterLetter = isLetterClass(before) || before === CharacterClass.mark;
  if (unit === REPLACEMENT && previous === REPLACEMENT) return REPLACEMENT_REPEATED;
  if (of === CharacterClass.graphics) {
    if (before === CharacterClass.graphics) return previous === unit ? GRAPHICS.repeated : GRAPHICS.afterGraphics;
    return isAfterLetter ? GRAPHICS.afterLetter : GRAPHICS.first;
  }
  if (of === CharacterClass.typography) {
    const place = typographyOf.get(unit);
    return (isAfterLetter ? place?.afterLetter : place?.else) ?? SIGN_AFTER_LETTER;
  }
  if (of === CharacterClass.sign && isAfterLetter) return SIGN_AFTER_LETTER;
  if (of === CharacterClass.sign && before === CharacterClass.digit) return SIGN_AFTER_DIGIT;
  return FIRST_OF_CLASS[of] ?? FIRST_OF_CLASS[CharacterClass.oddity]!;
}

const typographyOf = new Map(
  TYPOGRAPHY.flatMap((place) => [...place.characters].map((character) => [character.charCodeAt(0), place] as const)),
);

/** Added to a letter for what is right before it, when that is no letter. */
function beginningAfter(unit: number): number {
  if (unit < 0x80) return unit >= 0x30 && unit <= 0x39 ? AFTER_DIGIT : 0;
  return typographyOf.get(unit)?.next ?? 0;
}

/** The small letter of a capital; itself otherwise. */
function foldCase(unit: number): number {
  const lower = String.fromCharCode(unit).toLowerCase();
  return (SAME_LETTER[lower] ?? lower).charCodeAt(0);
}

/** 0: not asked yet, 1: no, 2: yes. */
const capitals = new Uint8Array(0x10000);

function isCapital(unit: number): boolean {
  if (capitals[unit] === 0) {
    const character = String.fromCharCode(unit);
    capitals[unit] = character.toLowerCase() === character ? 1 : 2;
  }
  return capitals[unit] === 2;
}

function caseOf(previous: number, unit: number): number {
  const isWithin = isLetterClass(classOf(previous));
  if (!isCapital(unit)) return isWithin ? 0 : SMALL_FIRST;
  if (!isWithin) return CAPITAL.first;
  return isCapital(previous) ? CAPITAL.afterCapital : CAPITAL.afterSmall;
}
