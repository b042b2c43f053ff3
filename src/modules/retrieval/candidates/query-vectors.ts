/** The vectors of a question, by embedding space. */
export type QueryVectors = ReadonlyMap<string, Float32Array>;
