/** The words of a language that frame a question over a table: the rules of this library read English. */
export interface QuestionWords {
  /** What only a question of this language has. */
  readonly asks: RegExp;
  /** Whether 1.000,50 is a thousand and a half. */
  readonly hasDecimalComma: boolean;
  /** Phrases (sources of patterns between borders of words) with what they are in English, in the order in which they are tried. */
  readonly phrases: readonly (readonly [string, string])[];
  /** English words, each with the words of the language that stand for it. */
  readonly words: Readonly<Record<string, string>>;
}
