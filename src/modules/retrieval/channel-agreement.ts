import type { Rankable, Scored } from '#libs/text';

/** So many of the first places of both channels are compared. */
const PLACES = 20;
/** Share of them at and below which the vector channel is trusted least, and from which it is trusted wholly. */
const STRANGE = 0.1;
const FAMILIAR = 0.4;
/** What is left of its weight then: enough to order what no word finds. */
const LEAST_TRUST = 0.1;

/** The numbers of the formula: a change of any changes scores. */
export const AGREEMENT_PARAMETERS = { PLACES, STRANGE, FAMILIAR, LEAST_TRUST } as const;

/**
 * How far the vector channel is to be trusted for a question, above 0 to 1: by how many of the first twenty places of both
 * channels hold the same chunks. A model that does not know the language of a question, or its subject, ranks as by chance and
 * agrees with the words on nothing; one that knows it agrees on a good part. Places that the shorter list leaves empty
 * contradict nothing. Only first places count, so that what a store proposes at the end of its lists changes nothing.
 */
export function trustInVectors(keyword: readonly Scored<Rankable>[], vector: readonly Scored<Rankable>[]): number {
  const places = Math.min(PLACES, keyword.length, vector.length);
  const first = new Set(keyword.slice(0, places).map(({ item }) => item.id));
  const common = vector.slice(0, places).filter(({ item }) => first.has(item.id)).length;
  const agreement = (common + PLACES - places) / PLACES;
  return Math.max(LEAST_TRUST, Math.min(1, (agreement - STRANGE) / (FAMILIAR - STRANGE)));
}
