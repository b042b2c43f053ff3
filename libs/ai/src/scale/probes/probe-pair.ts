/** A question in somebody's own words, and a passage in the words of an office that answers it. */
export type ProbePair = readonly [question: string, passage: string];
