import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import type { EvaluationJob } from '../records/job.dto.js';
import type { AnswerRecord } from '../scoring/job-spec.js';
import type { ScoreRow } from '../jobs/evaluation-results.repository.js';
import type { Comparison, GateResult, JobSummary, VariantSummary } from '../scoring/job-summary.js';
import type { ReportContent } from './report-content.js';
import { reportCsv } from './report-csv.js';
import { reportJson } from './report-json.js';
import { reportJunit } from './report-junit.js';
import { reportPage } from './report-page.js';

const EVIL = `</title></style><script>alert(1)</script><a href="javascript:x" onclick='y'>&\u0000`;
const KEY = 'hit_rate@3';
const text = (pieces: Iterable<string>): string => [...pieces].join('');

const cases: EvaluationCase[] = ['=cmd()', `${EVIL},"q"`, 'plain'].map((query) => ({
  query,
  relevant: [{ text: 'a' }],
  expected_answer: null,
  answerable: true,
  tags: [EVIL],
  generated: false,
  approved: true,
}));

const ANSWER: AnswerRecord = {
  model: 'model',
  refusal: 'NO_RESULTS',
  characters: 40,
  citations: [],
  latency_ms: 20,
  error_code: null,
};

const score = (variant: number, ordinal: number, value: number): ScoreRow => ({
  variant,
  ordinal,
  metrics: { [KEY]: value },
  latency_ms: 12.5,
  fingerprint: 'f',
  miss: value === 0 ? { code: 'OUTRANKED', verdict: 'model_policy', item: 0, fixes: [] } : null,
  error_code: null,
  answer: ordinal === 2 ? null : ANSWER,
});

const variant = (name: string, misses: number): VariantSummary => ({
  name,
  fingerprints: ['f'],
  metrics: { [KEY]: { mean: 1 - misses / 3, low: 0.1, high: 1, n: 3 } },
  groups: [{ tag: EVIL, metrics: { [KEY]: { mean: 0.5, low: null, high: null, n: 3 } } }],
  latency_ms: { p50: 1, p90: 2, p95: 3, p99: 4, max: 5 },
  answers: { models: ['model'], refused: 1, latency_ms: { p50: 1, p90: 2, p95: 3, p99: 4, max: 5 } },
  judge: {
    model: EVIL,
    prompt_version: 1,
    metrics: [{ metric: 'faithfulness', judged: 2, failed_runs: 1, agreement: 0.9 }],
  },
  errors: 0,
  misses,
  causes: misses === 0 ? [] : [{ code: 'OUTRANKED', meaning: EVIL, count: misses, examples: [1], fix: null }],
});

const comparison: Comparison = {
  metric: KEY,
  variant: EVIL,
  against: 'first',
  against_baseline: false,
  difference: -2 / 3,
  low: -1,
  high: -0.1,
  n: 3,
  p_value: 0.01,
  p_adjusted: 0.01,
  significant: true,
  smallest_detectable: 0.2,
};

function contentOf(verdict: GateResult['verdict'], kind: GateResult['kind'] = 'min'): ReportContent {
  const against = kind === 'min' ? null : 'first';
  const [threshold, figures] = [0.6, { value: 0.3, low: 0.1, high: 0.5, n: 3 }];
  const gate: GateResult = { metric: KEY, kind, variant: EVIL, against, threshold, ...figures, verdict };
  const summary: JobSummary = {
    variants: [variant('first', 0), variant(EVIL, 2)],
    comparisons: [comparison],
    gates: [gate],
    configuration_changed: false,
    content_changed: true,
    changed_documents: [{ document_id: 'd', name: EVIL, deleted: true }],
  };
  const job = { id: 'id', name: EVIL, verdict, case_count: 3, dataset_ids: ['d'], metrics: [KEY], variants: [] };
  const values = (name: string, list: number[]) => ({ name, values: new Map([[KEY, list]]) });
  const pair = { variant: values(EVIL, [1, 0, 0]), against: values('first', [1, 1, 1]), isBaseline: false };
  const scores = [1, 0, 0].flatMap((value, ordinal) => [score(0, ordinal, 1), score(1, ordinal, value)]);
  return {
    job: { ...job, case_set_id: null, baseline_job_id: null } as unknown as EvaluationJob,
    summary,
    cases,
    scores,
    pairs: [pair],
  };
}

describe('the page of a report', () => {
  const page = text(reportPage(contentOf('fail')));

  it('contains no markup of users, no scripts and no external resources', () => {
    expect(page).toContain('&lt;script&gt;alert(1)');
    const tags = page.replace(/="[^"]*"/g, '=""');
    expect(tags).not.toMatch(/<(?:script|img|link|iframe|object|form)\b|<[^>]*\s(?:on\w+|style)=|url\(|@import/i);
    expect(page).not.toMatch(/<a href="(?!#)/);
    expect(page).not.toContain('\u0000');
    expect(page.match(/<\/title><style>/g)).toHaveLength(1);
  });

  it('lists wrong refusals, answers that should be refusals, and how far the judge agrees with itself', () => {
    expect(page).toContain('Refused, and should be answered: 2');
    expect(page).toContain('Answered, and should be refused: none.');
    expect(page).toMatch(/faithfulness<[^]*?>2<[^]*?>1<[^]*?>0\.900</);
    const content = contentOf('fail');
    const scores = content.scores.map((row) => ({ ...row, answer: row.answer && { ...row.answer, refusal: null } }));
    const without = content.cases.map((one) => ({ ...one, answerable: false }));
    const other = text(reportPage({ ...content, scores, cases: without }));
    expect(other).toContain('Answered, and should be refused: 2');
    expect(other).toContain('Refused, and should be answered: none.');
  });

  it('names the hash of its own styles in its policy', () => {
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page).toContain(`style-src &#39;sha256-${hash}&#39;`);
  });

  it('has a title for every plot, and a table beside it', () => {
    const plots = page.split('<figure>').slice(1);
    expect(plots.length).toBeGreaterThanOrEqual(5);
    for (const plot of plots) {
      const [, id] = /role="img" aria-labelledby="([^"]+)"><title id="\1">/.exec(plot) ?? [];
      expect(id).toBeDefined();
      expect(plot.split('</figure>')[0]).toContain('<table>');
    }
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("JUnit's form of a report", () => {
  it.each(['min', 'max_regression'] as const)(
    'names the gate that failed and the cases that count against it: %s',
    (kind) => {
      const xml = text(reportJunit(contentOf('fail', kind)));
      expect(xml).toMatch(/^<\?xml[^\n]+\n<testsuites name="[^"]*" tests="7" failures="3" errors="0" skipped="0"/);
      expect(xml).toContain(`<failure type="${kind}" message="fail: `);
      expect(xml).toMatch(/<failure type="OUTRANKED" message="hit_rate@3 -?[01]\.000 counts against the gate/);
      expect(xml).not.toContain('<script');
      expect(xml).toMatch(/2 plain: -?[01]\.000/);
    },
  );

  it.each(['inconclusive', 'pass'] as const)('has no failure where no gate fails: %s', (verdict) => {
    const xml = text(reportJunit(contentOf(verdict)));
    expect(xml).toContain('failures="0"');
    expect(xml).not.toContain('<failure');
    expect(xml).toContain('<skipped message="nothing relevant was found: OUTRANKED"/>');
    expect(xml.includes('<skipped message="inconclusive: ')).toBe(verdict === 'inconclusive');
  });
});

describe('the other forms of a report', () => {
  it('are CSV without formulas', () => {
    const rows = text(reportCsv(contentOf('fail'))).split('\r\n');
    const answer = 'refusal,citations,answer_latency_ms,answer_error_code';
    expect(rows[0]).toBe(`case,query,tags,variant,hit_rate@3,latency_ms,miss_code,error_code,${answer}`);
    expect(rows[1]).toMatch(/^0,'=cmd\(\),.*,12\.5,,,NO_RESULTS,0,20,$/);
    expect(rows[3]).toContain('""q""');
    expect(rows).toHaveLength(8);
  });

  it('are JSON with every case', () => {
    const { cases: told } = JSON.parse(text(reportJson(contentOf('pass')))) as { cases: object[] };
    expect(told[1]).toMatchObject({
      case: 1,
      query: cases[1]!.query,
      variants: [
        { variant: 'first', miss_code: null },
        { variant: EVIL, metrics: { [KEY]: 0 }, miss_code: 'OUTRANKED' },
      ],
    });
  });
});
