export {
  ADDED_TERMS_VERSION,
  ANALYSIS_VERSION,
  analyzeChunk,
  type ChunkInput,
  type ChunkTerms,
} from './analysis/chunk-terms.js';
export { chunkText, encodeChunk, type EncodedChunk } from './analysis/encode-chunk.js';
export { decodeTerms, decodeWords, encodeTerms, type EncodedLeg, type EncodedTerms } from './analysis/encoded-terms.js';
export { functionCharacters, functionWordsFor } from './analysis/function-words.js';
export { LegPostings, type PostingArrays, type PresentTerms } from './analysis/leg-postings.js';
export { latinLanguageOf, type LatinLanguage } from './analysis/own-stems.js';
export { packTerms, packedSize, unpackTerms } from './analysis/packed-terms.js';
export { QUERY_PARAMETERS, QUERY_TERM_LIMITS } from './analysis/query-parameters.js';
export {
  analyzeQuery,
  analyzeQuerySteps,
  candidateTerms,
  termsFor,
  type EvidenceUnit,
  type QueryTerms,
} from './analysis/query-terms.js';
export { queryHashes } from './analysis/query-hashes.js';
export { storeQueryTerms, storeTerms, type StoreTerms } from './analysis/store-terms.js';
export { LEGS, hashTerm, type Leg } from './analysis/term-hash.js';
export {
  TermStatistics,
  summarizeTerms,
  type StatisticsEntries,
  type StatisticsView,
} from './analysis/term-statistics.js';
export type { QueryTerm } from './analysis/weighed-terms.js';
export { wordForms } from './analysis/word-forms.js';
export { wordHashes } from './analysis/word-hashes.js';
export { shareOfCommonWords, type WordsOfChunk } from './common-words.js';
export { maximalMarginalRelevance, type DiversityOptions } from './diversity.js';
export { EVIDENCE_CHUNKS, EVIDENCE_THRESHOLD, measureEvidence } from './evidence.js';
export {
  DEFAULT_RRF_K,
  compareScored,
  fuseByReciprocalRank,
  fuseByWeightedSum,
  type Channel,
  type Fused,
  type Rankable,
  type Scored,
} from './fusion.js';
export {
  KEYWORD_PARAMETERS,
  KeywordScorer,
  LEG_WEIGHTS,
  explainKeyword,
  scoreKeyword,
  type TermContribution,
  inverseDocumentFrequency,
} from './keyword.js';
