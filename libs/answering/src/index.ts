export { answerExtractively } from './answer-extractively.js';
export { lacksPart } from './answerer-notes.js';
export {
  answerContainment,
  citationExactness,
  citationPrecision,
  citationRecall,
  tokenF1,
  type MeasuredCitation,
} from './answer-metrics.js';
export { AnswerUnits, type AnswerUnit } from './answer-units.js';
export {
  ANSWERED_THRESHOLD,
  findEvidence,
  judgeAnswered,
  measureAnswered,
  type AnswerEvidence,
  type JudgedSource,
} from './answered.js';
export {
  SUPPORTED_SCORE,
  citeMarkers,
  measureGrounding,
  resolveCitations,
  verifyCitation,
  type AnswerCitation,
  type CitationSource,
  type CitedAnswer,
  type Grounding,
} from './citations.js';
export { toldBefore } from './told-before.js';
export {
  MAX_CONDENSED_LENGTH,
  completeQuestion,
  condenseQuestion,
  dependsOnHistory,
  type ConversationTurn,
} from './condense.js';
export {
  answerExtractivelySteps,
  type ExtractiveAnswer,
  type ExtractiveOptions,
  type ExtractiveSource,
} from './extractive.js';
export { findMarkers, stripMarkers, type Marker } from './markers.js';
export { findMissing, MISSING_KINDS, type Missing, type MissingKind } from './missing.js';
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
export { answerPartsSteps, partsOfQuestion, type QuestionPart } from './question-parts.js';
export { asFollowUp, type QuestionProfile, type QuestionTerm, profileQuestion } from './question-profile.js';
export { type QuestionWord, type QuestionWordInText, wordsInText, wordsOfQuestion } from './question-words.js';
export { dateOfMetadata, dateOfText, type StatedDate } from './source-date.js';
export { StatementJudge, type Objection, type StatementSource } from './statement-judge.js';
export { splitStatements, statementText } from './statements.js';
export { partlySaid, questionsWithout, type PartlySaid } from './strange-words.js';
export { isEverydayWord } from './thesaurus.js';
