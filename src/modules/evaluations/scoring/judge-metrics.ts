import type { MetricDefinition } from './metric-definition.js';

interface JudgeMetricDefinition extends MetricDefinition {
  /** Whether only cases with `expected_answer` have a value. */
  readonly needsExpected: boolean;
  /** Whether only answers from fragments have a value. */
  readonly needsFragments: boolean;
}

const RAGAS = 'RAGAS (Es et al. 2024), judged by the installation’s chat model';

/** Metrics of answers judged by a chat model. Each answer is judged twice, and the mean counts. Refusals have no value. */
export const JUDGE_METRICS = {
  faithfulness: {
    needsExpected: false,
    needsFragments: true,
    definition: 'Share of the statements of an answer that follow from the fragments that the chat was given.',
    formula: '|statements that follow from the fragments| / |statements|',
    source: `${RAGAS}: faithfulness`,
  },
  response_relevancy: {
    needsExpected: false,
    needsFragments: false,
    definition: 'Similarity of the question to questions that a model makes from the answer.',
    formula:
      'mean cosine between the embedding of the question and those of three questions made from the answer; 0 for an evasive answer',
    source: `${RAGAS}: response relevancy, with the installation’s embedding model`,
  },
  context_precision: {
    needsExpected: true,
    needsFragments: true,
    definition: 'Whether fragments that help towards the expected answer are ranked before others.',
    formula: 'Σ precision at the place of each helpful fragment / |helpful fragments|; 0 without any',
    source: `${RAGAS}: context precision with reference`,
  },
  context_recall: {
    needsExpected: true,
    needsFragments: true,
    definition: 'Share of the statements of the expected answer that follow from the fragments.',
    formula: '|statements of expected_answer that follow from the fragments| / |statements of expected_answer|',
    source: `${RAGAS}: context recall`,
  },
  factual_correctness: {
    needsExpected: true,
    needsFragments: false,
    definition: 'Agreement of the statements of answer and expected answer.',
    formula: '2 · TP / (2 · TP + FP + FN) over statements of both; TP and FP of the answer, FN of expected_answer',
    source: `${RAGAS}: factual correctness, F1`,
  },
} as const satisfies Readonly<Record<string, JudgeMetricDefinition>>;

export type JudgeMetricName = keyof typeof JUDGE_METRICS;
export const JUDGE_METRIC_NAMES = Object.keys(JUDGE_METRICS) as JudgeMetricName[];
