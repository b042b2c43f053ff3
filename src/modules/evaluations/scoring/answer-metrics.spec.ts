import { describe, expect, it } from 'vitest';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import { ANSWER_METRICS, type MeasuredAnswer } from './answer-metrics.js';
import { ANSWER_METRIC_NAMES, kindOfMetric, metricKeys } from './metric-catalogue.js';

const CASE: EvaluationCase = {
  query: 'When is the pump serviced?',
  relevant: [],
  expected_answer: '400 hours',
  answerable: true,
  tags: [],
  generated: false,
  approved: true,
};
const UNANSWERABLE: EvaluationCase = { ...CASE, expected_answer: null, answerable: false };
const REFUSAL: MeasuredAnswer = { text: 'I could not find it.', isRefusal: true, citations: [] };
const text = 'The pump is serviced every 400 hours. [1]';
const cited = { answerStart: 0, answerEnd: 37, citedText: 'Every 400 hours.', supportScore: 0.4, isExact: true };
const ANSWER: MeasuredAnswer = { text, isRefusal: false, citations: [cited] };

describe('metrics of answers', () => {
  it.each([
    ['an answer', CASE, ANSWER, [0, 0, 1, 1, 4 / 8, null, null, 1]],
    ['a wrong refusal', CASE, REFUSAL, [null, null, null, 0, 0, 0, null, 0]],
    ['a right refusal', UNANSWERABLE, REFUSAL, [null, null, null, null, null, 1, 1, 1]],
    ['an answer that should be none', UNANSWERABLE, ANSWER, [0, 0, 1, null, null, null, 0, 0]],
  ] as const)(
    'say of %s what they are defined to say, and nothing where they do not apply',
    (_, one, answer, values) => {
      const computed = ANSWER_METRIC_NAMES.map((name) => ANSWER_METRICS[name].compute(one, answer));
      expect(computed).toEqual(values);
    },
  );

  it('have no k', () => {
    expect(metricKeys(['ndcg', 'token_f1'], [1, 5])).toEqual(['ndcg@1', 'ndcg@5', 'token_f1']);
    expect(kindOfMetric('token_f1')).toBe('answer');
  });
});
