/** A question in someone's own words, and a passage in the words of an office that answers it. */
export type ProbePair = readonly [question: string, passage: string];
