/** Vectors of pairs: of each question, and of its passage. */
export interface EmbeddedPairs {
  readonly questions: readonly Float32Array[];
  readonly passages: readonly Float32Array[];
}
