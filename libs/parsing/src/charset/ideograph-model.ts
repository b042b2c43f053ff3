import { CharacterClass, classOf, isLetterClass } from './character-classes.js';
import { LanguageModel, nonLetterProbability } from './language-model.js';

/** Shares of a text: frequent characters, others of the charset's first level, of its second, and of none. */
const SHARES = [0.78, 0.2, 0.005, 0.0005] as const;
/** Characters outside of both levels among which the last share is divided. */
const OTHERS = 15_000;
/** Flattens the frequencies at the top of the list. */
const RANK_OFFSET = 12;
const PUNCTUATION = new Map(
  [...'，。、！？：；「」（）・ー．“”『』《》　'].map((character) => [character.charCodeAt(0), -4.5]),
);
const OTHER_PUNCTUATION = -8;
/** Half-width katakana: old data alone has them, and then in rows. */
const HALF_WIDTH = { first: -10, next: -5 };
/** A Latin letter behind others, behind a space, and right behind an East Asian character. */
const LATIN = { within: -2.8, first: -4.5, joined: -6 };
/** An East Asian character right behind a small Latin letter or a capital. */
const BEHIND_LATIN = { small: -4, capital: -2 };
const FOREIGN = -10;

/** How many characters of a charset's two levels there are, and where they lie. */
export interface CharsetLevels {
  readonly encoding: string;
  /** Lead bytes, both ends included. */
  readonly first: readonly [number, number];
  readonly second: readonly [number, number];
  /** The lowest trail byte. */
  readonly trail: number;
}

/** A language of thousands of characters: each for itself, by its rank or by the level of its charset that it is in. */
export class IdeographModel extends LanguageModel {
  private readonly logs = new Map<number, number>();

  constructor(frequent: string, levels: CharsetLevels) {
    super();
    this.addLevel(levels, levels.second, SHARES[2]);
    this.addLevel(levels, levels.first, SHARES[1]);
    const ranked = [...new Set(frequent)];
    const weights = ranked.map((_, rank) => 1 / (rank + RANK_OFFSET));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    ranked.forEach((character, rank) =>
      this.logs.set(character.charCodeAt(0), Math.log((SHARES[0] * weights[rank]!) / sum)),
    );
  }

  logProbability(previous: number, unit: number): number {
    const of = classOf(unit);
    const before = classOf(previous);
    if (of === CharacterClass.eastAsian) return this.ownProbability(previous, before, unit);
    if (of === CharacterClass.latin && unit < 0x80) {
      if (before === of) return LATIN.within;
      return before === CharacterClass.eastAsian ? LATIN.joined : LATIN.first;
    }
    return isLetterClass(of) || of === CharacterClass.mark ? FOREIGN : nonLetterProbability(previous, unit);
  }

  private ownProbability(previous: number, before: CharacterClass, unit: number): number {
    const isBehindLatin = before === CharacterClass.latin;
    const extra = isBehindLatin ? (previous >= 0x61 ? BEHIND_LATIN.small : BEHIND_LATIN.capital) : 0;
    if (isHalfWidth(unit)) return extra + (isHalfWidth(previous) ? HALF_WIDTH.next : HALF_WIDTH.first);
    const known = this.logs.get(unit);
    if (known !== undefined) return known + extra;
    if (unit < 0x3040 || unit >= 0xff00) return extra + (PUNCTUATION.get(unit) ?? OTHER_PUNCTUATION);
    return Math.log(SHARES[3] / OTHERS) + extra;
  }

  private addLevel(levels: CharsetLevels, [from, to]: readonly [number, number], share: number): void {
    const letters = charactersOf(levels, from, to);
    for (const unit of letters) this.logs.set(unit, Math.log(share / letters.length));
  }
}

function isHalfWidth(unit: number): boolean {
  return unit >= 0xff61 && unit <= 0xff9f;
}

/** The letters that a two-byte charset has under a range of lead bytes. */
function charactersOf({ encoding, trail: lowest }: CharsetLevels, from: number, to: number): number[] {
  const decoder = new TextDecoder(encoding);
  const units: number[] = [];
  for (let lead = from; lead <= to; lead += 1) {
    for (let trail = lowest; trail <= 0xfe; trail += 1) {
      const text = decoder.decode(Uint8Array.of(lead, trail));
      const isOne = text.length === 1 && classOf(text.charCodeAt(0)) === CharacterClass.eastAsian;
      if (isOne) units.push(text.charCodeAt(0));
    }
  }
  return units;
}
