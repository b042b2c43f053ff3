/** A guess at a text's language. */
export interface DetectedLanguage {
  /** BCP 47 primary tag (`en`, `de`, `zh` …); `und` when there are no letters or no language is ahead of the others. */
  language: string;
  /** 0..1; how clearly it is ahead of the next language, less for short texts. Not a probability. */
  confidence: number;
}
