import type { GroundingMethod } from '#libs/ai';
import { SUPPORTED_SCORE } from '#libs/answering';

/**
 * From this measure on a sentence counts as supported. Lexical: the share of its words that a source says, weighted. Reranker: the
 * score that it gives a source for the sentence as a query; the middle of a cross-encoder's scale. NLI: the probability that a source
 * entails it; from a half on entailment is more probable than everything else together.
 */
export const SUPPORT_THRESHOLDS: Readonly<Record<GroundingMethod, number>> = {
  lexical: SUPPORTED_SCORE,
  reranker: 0.5,
  nli: 0.5,
};
