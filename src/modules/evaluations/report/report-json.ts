import type { CaseReport } from './report.dto.js';
import type { ScoreRow } from '../jobs/evaluation-results.repository.js';
import { toAnswer } from '../jobs/job-views.js';
import type { ReportContent } from './report-content.js';

/** An `EvaluationReport` in pieces, so that 2,000 cases are never one text in memory. */
export function* reportJson({ job, summary, cases, scores }: ReportContent): Generator<string> {
  yield `{"job":${JSON.stringify(job)},"cases":[`;
  const names = summary.variants.map(({ name }) => name);
  const byCase = new Map<number, ScoreRow[]>();
  for (const row of scores) byCase.set(row.ordinal, [...(byCase.get(row.ordinal) ?? []), row]);
  for (const [ordinal, { query, tags, answerable }] of cases.entries()) {
    const variants = (byCase.get(ordinal) ?? []).map((row) => toScore(row, names[row.variant] ?? ''));
    const one: CaseReport = { case: ordinal, query, tags: [...tags], answerable, variants };
    yield `${ordinal === 0 ? '' : ','}${JSON.stringify(one)}`;
  }
  yield ']}';
}

function toScore(row: ScoreRow, variant: string): CaseReport['variants'][number] {
  const { metrics, latency_ms, miss, error_code, answer } = row;
  return {
    variant,
    metrics: { ...metrics },
    latency_ms,
    miss_code: miss?.code ?? null,
    error_code,
    answer: answer && toAnswer(answer),
  };
}
