import { answersSection } from './page-answers.js';
import { casesSection, differencesSection } from './page-cases.js';
import { comparisonsSection, latencySection, metricsSection } from './page-figures.js';
import { tableOf } from './page-tables.js';
import { each, markup, Markup, NOTHING } from './markup.js';
import { demandOf, figure, type ReportContent } from './report-content.js';
import { PAGE_POLICY, REPORT_STYLE } from './report-style.js';

const SECTIONS = [
  ['gates', 'Gates'],
  ['metrics', 'Metrics by variant'],
  ['comparisons', 'Comparisons'],
  ['differences', 'Differences by case'],
  ['misses', 'Misses by cause'],
  ['answers', 'Answers'],
  ['latency', 'Latency'],
  ['setup', 'How it was measured'],
] as const;

/** The report as one page without scripts and external resources; every text is escaped. */
export function* reportPage(content: ReportContent): Generator<string> {
  const { name } = content.job;
  yield markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${PAGE_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${name} – evaluation</title><style>${new Markup(REPORT_STYLE)}</style></head>
<body><main><h1><bdi>${name}</bdi></h1>${headOf(content)}
<nav aria-label="Contents"><p>${each(SECTIONS, ([id, title], index) => markup`${index === 0 ? '' : ' · '}<a href="#${id}">${title}</a>`)}</p></nav>`
    .text;
  const bodies = {
    gates: gatesSection,
    metrics: metricsSection,
    comparisons: comparisonsSection,
    differences: differencesSection,
    misses: casesSection,
    answers: answersSection,
    latency: latencySection,
    setup: setupSection,
  } as const;
  for (const [id, title] of SECTIONS)
    yield markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${bodies[id](content)}</section>\n`.text;
  yield '</main></body></html>\n';
}

function headOf({ job, summary }: ReportContent): Markup {
  const errors = summary.variants.reduce((sum, one) => sum + one.errors, 0);
  return markup`<p>Verdict: ${verdictMark(job.verdict)}</p><dl>
<dt>Cases</dt><dd>${job.case_count}</dd><dt>Variants</dt><dd>${each(summary.variants, ({ name: of }, index) => markup`${index === 0 ? '' : ', '}<bdi>${of}</bdi>`)}</dd>
<dt>Started</dt><dd>${job.started_at}</dd><dt>Ended</dt><dd>${job.ended_at}</dd><dt>Evaluation</dt><dd><code>${job.id}</code></dd></dl>
${errors === 0 ? NOTHING : markup`<p class="fail">${errors} searches or chats failed; gates can pass only where none failed.</p>`}
${summary.configuration_changed ? markup`<p class="inconclusive">The configuration changed while the evaluation ran.</p>` : NOTHING}
${summary.content_changed ? changedDocuments({ job, summary }) : NOTHING}`;
}

function changedDocuments({ summary }: Pick<ReportContent, 'job' | 'summary'>): Markup {
  const named = each(
    summary.changed_documents,
    ({ name, document_id: id, deleted }) =>
      markup`<li><bdi>${name}</bdi> <code>${id}</code>${deleted ? ' (deleted)' : ''}</li>`,
  );
  return markup`<p class="inconclusive">Documents changed while the evaluation ran:</p><ul>${named}</ul>`;
}

function verdictMark(verdict: string | null): Markup {
  return verdict === null
    ? markup`none, the evaluation has no gates`
    : markup`<span class="verdict ${verdict}">${verdict}</span>`;
}

function gatesSection({ summary: { gates } }: ReportContent): Markup {
  if (gates.length === 0) return markup`<p>The evaluation has none.</p>`;
  const rows = gates.map((gate) => [
    markup`<bdi>${demandOf(gate)}</bdi>`,
    verdictMark(gate.verdict),
    figure(gate.value),
    `${figure(gate.low)} to ${figure(gate.high)}`,
    gate.n,
  ]);
  return markup`<p class="note">A gate passes when the whole 95 % interval satisfies it, fails when no part of the interval does, and is inconclusive otherwise.</p>${tableOf(
    'Condition and result of each gate',
    ['Gate', 'Verdict', 'Mean or difference', '95 % interval', 'Cases'],
    rows,
  )}`;
}

function setupSection({ job, summary }: ReportContent): Markup {
  const rows = job.variants.map(({ name, retrieval = {}, chat }, index) => [
    markup`<bdi>${name}</bdi>`,
    markup`<code>${JSON.stringify(retrieval)}</code>`,
    markup`<code>${chat === undefined ? 'none' : JSON.stringify(chat)}</code>`,
    markup`<code>${summary.variants[index]?.fingerprints.join(', ') ?? ''}</code>`,
  ]);
  return markup`${tableOf('Options of each variant', ['Variant', 'Options of the search', 'Options of the chat', 'Fingerprint of the configuration'], rows)}
<p class="note">Intervals: 95 %, bootstrap (BCa). p-values: paired permutation test, corrected together (Holm). Metrics by trec_eval's definitions. Datasets:
<code>${job.dataset_ids.join(', ')}</code>.${job.case_set_id === null ? NOTHING : markup` Case set <code>${job.case_set_id}</code>, version ${job.case_set_version}.`}${
    job.baseline_job_id === null ? NOTHING : markup` Baseline <code>${job.baseline_job_id}</code>.`
  }</p>`;
}
