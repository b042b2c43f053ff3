declare module 'snowball-stemmers' {
  /** Removes what inflects a lower-case word. One call after the other: it keeps the word that it works on. */
  interface Stemmer {
    stem(word: string): string;
  }
  const snowball: { newStemmer(algorithm: 'arabic' | 'russian' | 'turkish'): Stemmer };
  export default snowball;
}
