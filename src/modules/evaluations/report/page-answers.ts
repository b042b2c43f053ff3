import type { EvaluationCase } from '../cases/evaluation-case.js';
import type { AnswerRecord } from '../scoring/job-spec.js';
import type { VariantSummary } from '../scoring/job-summary.js';
import { each, markup, NOTHING, type Markup } from './markup.js';
import { queryOf } from './page-cases.js';
import { tableOf } from './page-tables.js';
import { figure, type ReportContent } from './report-content.js';

/** Cases of one kind that are listed of each variant. */
const MOST_LISTED = 100;

/** What each variant that chats refused although it should answer, and answered although it should refuse; how far its judge agrees with itself. */
export function answersSection(content: ReportContent): Markup {
  if (content.summary.variants.every(({ answers }) => (answers ?? null) === null))
    return markup`<p>No variant was asked as a chat.</p>`;
  return each(content.summary.variants, (variant, index) => {
    const { name, answers = null } = variant;
    if (answers === null) return NOTHING;
    const refused = (_one: EvaluationCase, { refusal }: AnswerRecord): boolean => refusal !== null;
    const wrongly = listed(content, index, (one, answer) => one.answerable && refused(one, answer));
    const answered = listed(content, index, (one, answer) => !one.answerable && !refused(one, answer));
    return markup`<h3><bdi>${name}</bdi>: ${answers.refused} refusals</h3>${casesOf('Refused, and should be answered', wrongly)}${casesOf('Answered, and should be refused', answered)}${judgeOf(variant)}`;
  });
}

interface Listed {
  readonly ordinal: number;
  readonly query: string;
  readonly code: string;
}

function listed(
  { cases, scores }: ReportContent,
  index: number,
  isListed: (one: EvaluationCase, answer: AnswerRecord) => boolean,
): Listed[] {
  return scores.flatMap(({ variant, ordinal, answer }) => {
    const one = cases[ordinal];
    if (variant !== index || answer === null || one === undefined || answer.error_code !== null) return [];
    return isListed(one, answer) ? [{ ordinal, query: one.query, code: answer.refusal ?? '–' }] : [];
  });
}

function casesOf(title: string, all: readonly Listed[]): Markup {
  if (all.length === 0) return markup`<p>${title}: none.</p>`;
  const more = all.length > MOST_LISTED ? markup`<p>The first ${MOST_LISTED} of ${all.length}.</p>` : NOTHING;
  const rows = all
    .slice(0, MOST_LISTED)
    .map(({ ordinal, query, code }) => [ordinal, queryOf(query), markup`<code>${code}</code>`]);
  return markup`${more}${tableOf(`${title}: ${all.length}`, ['Case', 'Query', 'Code of the refusal'], rows)}`;
}

function judgeOf({ judge = null }: VariantSummary): Markup {
  if (judge === null) return NOTHING;
  const { model, prompt_version: version, metrics } = judge;
  return tableOf(
    `Judged twice by ${model}, version ${version} of the prompts; 1 is full agreement of both runs`,
    ['Metric', 'Answers judged', 'Failed runs', 'Agreement'],
    metrics.map(({ metric, judged, failed_runs: failed, agreement }) => [metric, judged, failed, figure(agreement)]),
  );
}
