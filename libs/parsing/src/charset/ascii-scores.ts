import type { BytePairs } from './byte-pairs.js';
import { isLatinLanguage, MODELLED_LANGUAGES, modelOf } from './languages.js';

/** A few words of another script among Latin ones are less likely than accents. */
const FOREIGN_WORDS = -5;

/** What the ASCII part of a sample says about the languages; it is the same under every encoding. */
export class AsciiScores {
  private readonly latin = new Map<string, number>();
  private readonly highest: number;

  constructor(pairs: BytePairs) {
    const ascii = pairs.ascii.reduce((sum, { count }) => sum + count, 0);
    const isMostlyLatin = ascii > pairs.highPairs;
    for (const language of MODELLED_LANGUAGES.filter(isLatinLanguage)) {
      const model = modelOf(language);
      let sum = 0;
      for (const { first, second, count } of pairs.ascii) sum += count * model.logProbability(first, second);
      this.latin.set(language, sum);
    }
    this.highest = Math.max(...this.latin.values()) + (isMostlyLatin ? FOREIGN_WORDS : 0);
  }

  /** Other languages' texts have Latin words of any language between their own: those count as well as they can. */
  of(language: string): number {
    return this.latin.get(language) ?? this.highest;
  }
}
