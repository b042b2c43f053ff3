import { csvLine } from '#libs/common';
import type { AnswerRecord } from '../scoring/job-spec.js';
import type { ReportContent } from './report-content.js';

const ANSWER = ['refusal', 'citations', 'answer_latency_ms', 'answer_error_code'];

/** A row for each case and variant: RFC 4180 with a header row, in UTF-8. */
export function* reportCsv({ job, cases, scores, summary }: ReportContent): Generator<string> {
  yield csvLine([
    'case',
    'query',
    'tags',
    'variant',
    ...job.metrics,
    'latency_ms',
    'miss_code',
    'error_code',
    ...ANSWER,
  ]);
  for (const { ordinal, variant, metrics, latency_ms: latency, miss, error_code: error, answer } of scores) {
    const { query = '', tags = [] } = cases[ordinal] ?? {};
    const values = job.metrics.map((key) => metrics[key] ?? null);
    const name = summary.variants[variant]?.name ?? '';
    yield csvLine([
      ordinal,
      query,
      tags.join('|'),
      name,
      ...values,
      latency,
      miss?.code ?? null,
      error,
      ...answerOf(answer),
    ]);
  }
}

function answerOf(answer: AnswerRecord | null): (string | number | null)[] {
  if (answer === null) return ANSWER.map(() => null);
  return [answer.refusal, answer.citations.length, answer.latency_ms, answer.error_code];
}
