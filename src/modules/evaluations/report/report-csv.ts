import type { AnswerRecord } from '../jobs/job-spec.js';
import type { ReportContent } from './report-content.js';

const SEPARATOR = ',';
const ANSWER = ['refusal', 'citations', 'answer_latency_ms', 'answer_error_code'];

/** A row for each case and variant: RFC 4180 with a header row, in UTF-8. */
export function* reportCsv({ job, cases, scores, summary }: ReportContent): Generator<string> {
  yield line(['case', 'query', 'tags', 'variant', ...job.metrics, 'latency_ms', 'miss_code', 'error_code', ...ANSWER]);
  for (const { ordinal, variant, metrics, latency_ms: latency, miss, error_code: error, answer } of scores) {
    const { query = '', tags = [] } = cases[ordinal] ?? {};
    const values = job.metrics.map((key) => metrics[key] ?? null);
    const name = summary.variants[variant]?.name ?? '';
    yield line([
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

function line(fields: readonly (string | number | null)[]): string {
  return `${fields.map(toField).join(SEPARATOR)}\r\n`;
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe (OWASP, CSV injection). */
function toField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
