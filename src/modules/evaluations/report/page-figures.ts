import { meaningOfMetric } from '../scoring/metric-catalogue.js';
import type { Comparison, LatencyFigures } from '../scoring/job-summary.js';
import { each, markup, NOTHING, type Markup } from './markup.js';
import { tableOf } from './page-tables.js';
import { figure, type ReportContent } from './report-content.js';
import { barPlot, intervalPlot } from './report-plots.js';

/** Each metric of every variant with its interval, then the same by tag. */
export function metricsSection({ job, summary }: ReportContent): Markup {
  const { variants, gates } = summary;
  return markup`${each(job.metrics, (key, index) => {
    const rows = variants.map(({ name, metrics }) => ({ label: name, ...(metrics[key] ?? NO_FIGURE) }));
    const lines = gates.flatMap(({ kind, metric, threshold }) =>
      kind === 'min' && metric === key ? [{ at: threshold, kind: 'gate' as const }] : [],
    );
    const plotted = rows.map(({ mean, ...row }) => ({ ...row, value: mean }));
    const title = `${key} by variant, mean with 95 % interval${lines.length > 0 ? '; the dashed line is a gate' : ''}`;
    return markup`<figure><figcaption>${key}</figcaption><p class="note">${meaningOfMetric(key)}</p>${intervalPlot(
      plotted,
      { id: `metric-${index}`, title, from: 0, to: 1, lines },
    )}${tableOf(
      title,
      ['Variant', 'Mean', 'Low', 'High', 'Cases'],
      rows.map(({ label, mean, low, high, n }) => [
        markup`<bdi>${label}</bdi>`,
        figure(mean),
        figure(low),
        figure(high),
        n,
      ]),
    )}</figure>`;
  })}${tagsOf({ job, summary })}`;
}

const NO_FIGURE = { mean: null, low: null, high: null, n: 0 };

function tagsOf({ job, summary }: Pick<ReportContent, 'job' | 'summary'>): Markup {
  return each(summary.variants, ({ name, groups }) => {
    if (groups.length === 0) return NOTHING;
    const rows = groups.map(({ tag, metrics }) => [
      markup`<bdi>${tag}</bdi>`,
      Math.max(0, ...Object.values(metrics).map(({ n }) => n)),
      ...job.metrics.map((key) => intervalText(metrics[key] ?? NO_FIGURE)),
    ]);
    return markup`<h3>By tag: <bdi>${name}</bdi></h3>${tableOf(`${name}: mean and 95 % interval of the cases of each tag`, ['Tag', 'Cases', ...job.metrics], rows)}`;
  });
}

function intervalText({ mean, low, high }: { mean: number | null; low: number | null; high: number | null }): string {
  return `${figure(mean)} (${figure(low)} to ${figure(high)})`;
}

/** Differences of the means with their intervals: right of zero is better. */
export function comparisonsSection({ job, summary: { comparisons } }: ReportContent): Markup {
  if (comparisons.length === 0) return markup`<p>There is nothing to compare with: one variant, no baseline.</p>`;
  return each(job.metrics, (key, index) => {
    const rows = comparisons.filter(({ metric }) => metric === key);
    const most = Math.max(0.05, ...rows.flatMap(({ low, high, difference }) => [low, high, difference].map(absolute)));
    const title = `${key}: difference of the means with 95 % interval`;
    const plotted = rows.map((one) => ({ label: pairOf(one), value: one.difference, low: one.low, high: one.high }));
    const lines = [{ at: 0, kind: 'zero' as const }];
    const options = { id: `comparison-${index}`, title, from: -most, to: most, lines };
    return markup`<figure><figcaption>${key}</figcaption>${intervalPlot(plotted, options)}${tableOf(
      title,
      ['Pair', 'Difference', 'Low', 'High', 'p', 'p corrected', 'Significant', 'Smallest detectable', 'Cases'],
      rows.map(toRow),
    )}</figure>`;
  });
}

function toRow(one: Comparison): (string | number | Markup)[] {
  return [
    markup`<bdi>${pairOf(one)}</bdi>`,
    figure(one.difference),
    figure(one.low),
    figure(one.high),
    figure(one.p_value, 4),
    figure(one.p_adjusted, 4),
    one.significant ? 'yes' : 'no',
    figure(one.smallest_detectable),
    one.n,
  ];
}

function pairOf({ variant, against, against_baseline: isBaseline }: Comparison): string {
  return `${variant} – ${against}${isBaseline ? ' (baseline)' : ''}`;
}

function absolute(value: number | null): number {
  return Math.abs(value ?? 0);
}

/** Milliseconds of the searches, and of the answers, of each variant. */
export function latencySection({ summary: { variants } }: ReportContent): Markup {
  const searches = variants.flatMap(({ name, latency_ms: ms }) => (ms === null ? [] : [{ label: name, ms }]));
  const answers = variants.flatMap(({ name, answers: of }) => {
    const ms = of?.latency_ms ?? null;
    return ms === null ? [] : [{ label: name, ms }];
  });
  if (searches.length === 0) return markup`<p>No search succeeded.</p>`;
  return markup`${latencyFigure(searches, 'a search')}${answers.length === 0 ? NOTHING : latencyFigure(answers, 'an answer')}`;
}

interface MeasuredLatency {
  readonly label: string;
  readonly ms: LatencyFigures;
}

function latencyFigure(measured: readonly MeasuredLatency[], what: 'a search' | 'an answer'): Markup {
  const title = `95th percentile of the milliseconds of ${what} by variant`;
  const to = Math.max(1, ...measured.map(({ ms }) => ms.p95));
  const columns: readonly (keyof LatencyFigures)[] = ['p50', 'p90', 'p95', 'p99', 'max'];
  return markup`<figure><figcaption>Milliseconds of ${what}</figcaption>${barPlot(
    measured.map(({ label, ms }) => ({ label, value: ms.p95 })),
    { id: what === 'a search' ? 'latency-plot' : 'latency-of-answers', title, from: 0, to, digits: to < 10 ? 1 : 0 },
  )}${tableOf(
    `Percentiles of the milliseconds of ${what} by variant`,
    ['Variant', ...columns],
    measured.map(({ label, ms }) => [markup`<bdi>${label}</bdi>`, ...columns.map((key) => figure(ms[key], 1))]),
  )}</figure>`;
}
