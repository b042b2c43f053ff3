export type { Block, BlockKind } from './blocks/block.js';
export type { Chunk, ChunkingOptions, ChunkingStrategy, TextSegment } from './chunking/chunk.js';
export {
  CHUNKING_STRATEGIES,
  DEFAULT_CHUNKING_OPTIONS,
  MAX_CHUNK_TOKENS,
  MIN_CHUNK_TOKENS,
  WHOLE_MAX_TOKENS,
  resolveChunkingOptions,
} from './chunking/chunk.js';
export { chunkBlocks } from './chunking/chunk-blocks.js';
export { countTokens } from './chunking/count-tokens.js';
export { ANALYSIS_VERSION, analyzeChunk } from './analysis/chunk-terms.js';
export { chunkText, encodeChunk, type EncodedChunk } from './analysis/encode-chunk.js';
export type { ChunkInput, ChunkTerms } from './analysis/chunk-terms.js';
export { decodeTerms, encodeTerms } from './analysis/encoded-terms.js';
export { packTerms, packedSize, unpackTerms } from './analysis/packed-terms.js';
export { wordHashes } from './analysis/word-hashes.js';
export type { EncodedLeg, EncodedTerms } from './analysis/encoded-terms.js';
export { QUERY_PARAMETERS, QUERY_TERM_LIMITS } from './analysis/query-parameters.js';
export { LegPostings, type PresentTerms } from './analysis/leg-postings.js';
export { analyzeQuery, analyzeQuerySteps, candidateTerms } from './analysis/query-terms.js';
export { soughtHashes } from './analysis/sought-hashes.js';
export type { EvidenceUnit, QueryTerms } from './analysis/query-terms.js';
export type { QueryTerm } from './analysis/weighed-terms.js';
export { LEGS, hashTerm } from './analysis/term-hash.js';
export type { Leg } from './analysis/term-hash.js';
export { TermStatistics, summarizeTerms } from './analysis/term-statistics.js';
export type { StatisticsView } from './analysis/term-statistics.js';
export { maximalMarginalRelevance } from './ranking/diversity.js';
export type { DiversityOptions } from './ranking/diversity.js';
export { EVIDENCE_THRESHOLD, measureEvidence } from './ranking/evidence.js';
export { DEFAULT_RRF_K, compareScored, fuseByReciprocalRank, fuseByWeightedSum } from './ranking/fusion.js';
export type { Channel, Fused, Rankable, Scored } from './ranking/fusion.js';
export { KEYWORD_PARAMETERS, KeywordScorer, LEG_WEIGHTS, explainKeyword, scoreKeyword } from './ranking/keyword.js';
export type { TermContribution } from './ranking/keyword.js';
export { averagePrecisionAt, hitRateAt, ndcgAt, precisionAt, recallAt, reciprocalRankAt } from './ranking/metrics.js';
export type { Relevance } from './ranking/metrics.js';
export {
  SUPPORTED_SCORE,
  citeMarkers,
  measureGrounding,
  resolveCitations,
  verifyCitation,
} from './answering/citations.js';
export type { AnswerCitation, CitationSource, CitedAnswer, Grounding } from './answering/citations.js';
export {
  answerContainment,
  citationExactness,
  citationPrecision,
  citationRecall,
  tokenF1,
} from './answering/answer-metrics.js';
export type { MeasuredCitation } from './answering/answer-metrics.js';
export { findMarkers, stripMarkers } from './answering/markers.js';
export type { Marker } from './answering/markers.js';
export { AnswerUnits, type AnswerUnit } from './answering/answer-units.js';
export { StatementJudge, type Objection, type StatementSource } from './answering/statement-judge.js';
export { answerExtractively } from './answering/answer-extractively.js';
export { answerExtractivelySteps } from './answering/extractive.js';
export type { ExtractiveAnswer, ExtractiveOptions, ExtractiveSource } from './answering/extractive.js';
export { dateOfMetadata, dateOfText, type StatedDate } from './answering/source-date.js';
export { splitSentences, type TextRange } from './language/split-sentences.js';
export { MAX_CONDENSED_LENGTH, condenseQuestion, dependsOnHistory } from './answering/condense.js';
export type { ConversationTurn } from './answering/condense.js';
export { detectLanguage, type DetectedLanguage } from './language/detect-language.js';
export { languageOfQuestion, type QuestionSurroundings } from './language/question-language.js';
export { storeQueryTerms, storeTerms, type StoreTerms } from './analysis/store-terms.js';
export { splitStatements, statementText } from './answering/statements.js';
export { ANSWERED_THRESHOLD, findEvidence, judgeAnswered, measureAnswered } from './answering/answered.js';
export type { AnswerEvidence, JudgedSource } from './answering/answered.js';
export { findMissing, MISSING_KINDS, type Missing, type MissingKind } from './answering/missing.js';
export { isEverydayWord } from './answering/thesaurus.js';
export type { QuestionProfile, QuestionTerm } from './answering/question-profile.js';
export { profileQuestion } from './answering/question-profile.js';
export {
  DEFAULT_CONFIDENCE,
  DEFAULT_RESAMPLES,
  bootstrapInterval,
  bootstrapSteps,
  meanOf,
} from './statistics/bootstrap.js';
export type { BootstrapOptions, Interval } from './statistics/bootstrap.js';
export {
  DEFAULT_PERMUTATIONS,
  holmAdjusted,
  pairedPermutationSteps,
  pairedPermutationTest,
  smallestDetectableDifference,
} from './statistics/paired-test.js';
export type { PairedTestOptions } from './statistics/paired-test.js';
export { seededRandom, type RandomSource } from './statistics/seeded-random.js';
export { SIGNATURE_LENGTH, TextSketch } from './similarity/min-hash.js';
export { NearDuplicateFinder } from './similarity/near-duplicates.js';
export { countEncodingDamage } from './similarity/encoding-damage.js';
export {
  readPredicate,
  type ConditionReader,
  type Predicate,
  type SoughtStatement,
  type StatementFrame,
} from './predicates/predicate.js';
export {
  StatementReader,
  type FoundSentence,
  type LexicalRule,
  type LexicalVerdict,
  type ReadSubject,
  type StatementReading,
} from './predicates/statement-reading.js';
export { QUESTION_LANGUAGES, makeQuestion } from './questions/make-question.js';
export type { MadeQuestion } from './questions/question-rules.js';
