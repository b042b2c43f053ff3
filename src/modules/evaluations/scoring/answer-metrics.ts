import {
  answerContainment,
  citationExactness,
  citationPrecision,
  citationRecall,
  tokenF1,
  type MeasuredCitation,
} from '#libs/answering';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import type { MetricDefinition } from './metric-definition.js';

/** The measured parts of an answer. */
export interface MeasuredAnswer {
  readonly text: string;
  readonly isRefusal: boolean;
  readonly citations: readonly MeasuredCitation[];
}

/** Null where the metric says nothing about such a case or answer. */
type AnswerMetric = (one: EvaluationCase, answer: MeasuredAnswer) => number | null;

const ALCE = 'ALCE (Gao et al. 2023); support is measured by words (0.6 of a statement), not by a model';
const SQUAD = 'SQuAD (Rajpurkar et al. 2016); scripts without spaces by characters, as MLQA does';
const REFUSALS = 'Refusing as a classification of the cases, as in SQuAD 2.0 (Rajpurkar et al. 2018)';

/** Metrics of answers without a judging model. */
export const ANSWER_METRICS = {
  citation_precision: {
    compute: (_one, { isRefusal, citations }) => (isRefusal ? null : citationPrecision(citations)),
    definition: 'Share of the citations of an answer whose text supports the statement that they are attached to.',
    formula: '|supporting citations| / |citations|; none for refusals and for answers without citations',
    source: ALCE,
  },
  citation_recall: {
    compute: (_one, { isRefusal, text, citations }) => (isRefusal ? null : citationRecall(text, citations)),
    definition: 'Share of the statements of an answer that are supported by the texts cited for them.',
    formula: '|statements supported by their citations together| / |statements|; none for refusals',
    source: ALCE,
  },
  citation_exactness: {
    compute: (_one, { isRefusal, citations }) => (isRefusal ? null : citationExactness(citations)),
    definition: 'Share of the citations whose text is, byte for byte, in the document at the offsets that they name.',
    formula: '|verified citations| / |citations|; none for refusals and for answers without citations',
    source: 'verified of POST /chat/completions',
  },
  answer_containment: {
    compute: (one, { isRefusal, text }) =>
      compareWith(one, (expected) => (isRefusal ? 0 : answerContainment(text, expected))),
    definition: 'Whether the answer contains the expected answer, without regard to case, spaces and punctuation.',
    formula: '1 if answer contains expected_answer, else 0, and 0 for a refusal; none without expected_answer',
    source: 'Exact containment, as for open questions in Mallen et al. 2023',
  },
  token_f1: {
    compute: (one, { isRefusal, text }) => compareWith(one, (expected) => (isRefusal ? 0 : tokenF1(text, expected))),
    definition: 'Overlap of the words of answer and expected answer: the harmonic mean of precision and recall.',
    formula:
      '2 · |common words| / (|words of answer| + |words of expected_answer|), 0 for a refusal; none without expected_answer',
    source: SQUAD,
  },
  refusal_precision: {
    compute: ({ answerable }, { isRefusal }) => (isRefusal ? toShare(!answerable) : null),
    definition: 'Share of the refusals whose case is not answerable.',
    formula: '|refused ∩ not answerable| / |refused|',
    source: REFUSALS,
  },
  refusal_recall: {
    compute: ({ answerable }, { isRefusal }) => (answerable ? null : toShare(isRefusal)),
    definition: 'Share of the unanswerable cases that are refused.',
    formula: '|refused ∩ not answerable| / |not answerable|',
    source: REFUSALS,
  },
  refusal_accuracy: {
    compute: ({ answerable }, { isRefusal }) => toShare(isRefusal !== answerable),
    definition: 'Share of the cases that are answered if they are answerable and refused if they are not.',
    formula: '1 if refused = not answerable, else 0',
    source: REFUSALS,
  },
} as const satisfies Readonly<Record<string, MetricDefinition & { readonly compute: AnswerMetric }>>;

function compareWith({ expected_answer: expected, answerable }: EvaluationCase, compare: (expected: string) => number) {
  return expected === null || !answerable ? null : compare(expected);
}

function toShare(isRight: boolean): number {
  return isRight ? 1 : 0;
}
