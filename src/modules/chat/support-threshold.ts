import { SUPPORTED_SCORE } from '#libs/text';

/** How it is measured whether a source supports a sentence. */
export const GROUNDING_METHODS = ['lexical', 'reranker'] as const;
export type GroundingMethod = (typeof GROUNDING_METHODS)[number];

/**
 * From this measure on a sentence counts as supported. Lexical: the share of its words that a source says, weighted. Reranker: the
 * score that it gives a source for the sentence as a query; the middle of a cross-encoder's scale.
 */
export const SUPPORT_THRESHOLDS: Readonly<Record<GroundingMethod, number>> = {
  lexical: SUPPORTED_SCORE,
  reranker: 0.5,
};
