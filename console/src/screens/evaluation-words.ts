import type { Schema } from '../api/client';
import { currentLanguage, formatNumber, t } from '../texts/i18n';
import type { Look } from '../ui/counts';

type Head = Pick<Schema<'EvaluationJobHead'>, 'status' | 'verdict' | 'progress'>;

/** What `GET /evaluations/metrics` lists, from what is asked first to what few ask. */
const METRICS = [
  'hit_rate',
  'recall',
  'precision',
  'mrr',
  'map',
  'ndcg',
  'citation_precision',
  'citation_recall',
  'citation_exactness',
  'answer_containment',
  'token_f1',
  'refusal_precision',
  'refusal_recall',
  'refusal_accuracy',
  'faithfulness',
  'response_relevancy',
  'context_precision',
  'context_recall',
  'factual_correctness',
] as const;

/** What a measure is called, with the number of first results that it looks at; one of a later version by its own name. */
export function metricWords(metric: string): string {
  const [name, k] = metric.split('@');
  const known = METRICS.find((one) => one === name);
  const words = known === undefined ? (name ?? metric) : t(`metric.${known}`);
  return k === undefined ? words : t('evaluation.first', { name: words, count: formatNumber(Number(k)) });
}

/** Measures as they are read: what is found first, then what is answered; those that are not known here at the end. */
export function inOrder(metrics: readonly string[]): readonly string[] {
  const placeOf = (metric: string): number => {
    const place = METRICS.findIndex((name) => name === metric.split('@')[0]);
    return place < 0 ? METRICS.length : place;
  };
  return metrics.toSorted((one, other) => placeOf(one) - placeOf(other));
}

export const formatPercent = (value: number): string =>
  new Intl.NumberFormat(currentLanguage(), { style: 'percent', maximumFractionDigits: 0 }).format(value);

const valueOf = (value: number | null): string => (value === null ? t('evaluation.noValue') : formatPercent(value));

/** "80 % (62 %–91 %)": the mean, and the interval where there is one. */
export function figureWords({ mean, low, high }: Schema<'MetricFigureDto'>): string {
  const interval = low === null || high === null ? '' : ` (${formatPercent(low)}–${formatPercent(high)})`;
  return `${valueOf(mean)}${interval}`;
}

/** What had to be reached, and what was. */
export function gateWords({ kind, threshold, value, against }: Schema<'GateResultDto'>): string {
  const values = { limit: formatPercent(threshold), value: valueOf(value) };
  return kind === 'min' ? t('evaluation.atLeast', values) : t('evaluation.noLoss', { ...values, other: against ?? '' });
}

const LOOK_OF_VERDICT = { pass: 'ready', fail: 'failed', inconclusive: 'held' } as const;
const LOOK_OF_STATE = {
  pending: 'waiting',
  running: 'working',
  completed: 'ready',
  failed: 'failed',
  cancelled: 'stopped',
} as const;

export const lookOfVerdict = (verdict: keyof typeof LOOK_OF_VERDICT): Look => LOOK_OF_VERDICT[verdict];

/** How it looks, and in words: the verdict of its gates where it has some, else how far it is. */
export function stateOf({ status, verdict, progress: { steps, steps_done: done } }: Head): {
  readonly look: Look;
  readonly words: string;
} {
  if (status === 'completed' && verdict !== null)
    return { look: lookOfVerdict(verdict), words: t(`evaluationVerdict.${verdict}`) };
  const words = t(`evaluationState.${status}`);
  const isHalf = status === 'running' || status === 'cancelled';
  const far = t('evaluations.done', { done: formatNumber(done), count: formatNumber(steps) });
  return { look: LOOK_OF_STATE[status], words: isHalf ? `${words}, ${far}` : words };
}

/** Whether its figures may change. */
export const isGoing = ({ status }: Pick<Head, 'status'>): boolean => status === 'pending' || status === 'running';

const HIT_RATE = /^hit_rate@/;

/** The main figures of a variant: what was found of what should be, what was refused, and what could not be asked. */
export function summaryWords(variant: Schema<'VariantSummaryDto'>): readonly string[] {
  const hits = Object.entries(variant.metrics).find(([name]) => HIT_RATE.test(name))?.[1];
  const refused = variant.answers?.refused ?? 0;
  const count = hits?.n ?? 0;
  const found = { found: formatNumber(Math.max(0, count - variant.misses)), count: formatNumber(count) };
  return [
    ...(count > 0 ? [t('evaluations.found', found)] : []),
    ...(refused > 0 ? [t('evaluations.refusals', { count: refused })] : []),
    ...(variant.errors > 0 ? [t('evaluations.errors', { count: variant.errors })] : []),
  ];
}

/** How many results of cases lack what the case names. */
export const missesOf = (summary: Schema<'EvaluationJob'>['summary']): number =>
  (summary?.variants ?? []).reduce((sum, { misses }) => sum + misses, 0);

/** Why no case is listed as not found: nothing was missing, or no case names what should be found. */
export function noMissesWords(summary: Schema<'EvaluationJob'>['summary']): string {
  const isNamed = (summary?.variants ?? []).some(({ metrics }) =>
    Object.entries(metrics).some(([name, { n }]) => HIT_RATE.test(name) && n > 0),
  );
  return t(isNamed ? 'evaluation.noMisses' : 'evaluation.noneNamed');
}

/** What came of a case, and whether that is as it should be. */
export function caseWords(result: Schema<'CaseResult'>): {
  readonly isGood: boolean;
  readonly words: readonly string[];
} {
  if (result.error_code !== null) return { isGood: false, words: [t('evaluation.notAsked')] };
  const { answer, metrics, results, miss } = result;
  const rank = results.findIndex(({ relevant }) => relevant) + 1;
  const isRight = metrics['refusal_accuracy'] !== 0;
  const contained = metrics['answer_containment'] ?? null;
  const words = [
    ...(rank > 0 ? [t('evaluation.foundAt', { rank: formatNumber(rank) })] : []),
    ...(miss === null ? [] : [t('evaluation.notFound')]),
    ...(rank === 0 && miss === null && answer === null ? [t('evaluation.nothingToFind')] : []),
    ...(answer === null ? [] : answerWords(answer, isRight)),
    ...(contained === null || answer?.refusal !== null ? [] : [containedWords(contained)]),
  ];
  const isAsked = answer === null || answer.error_code === null;
  return { isGood: isAsked && miss === null && isRight && contained !== 0, words };
}

function answerWords({ refusal, error_code: code }: Schema<'AnswerRecordDto'>, isRight: boolean): readonly string[] {
  if (code !== null) return [t('evaluation.notAsked')];
  if (refusal !== null) return [t(isRight ? 'evaluation.rightlyRefused' : 'evaluation.refused')];
  return [t(isRight ? 'evaluation.answered' : 'evaluation.wronglyAnswered')];
}

const containedWords = (share: number): string => t(share === 0 ? 'evaluation.containsNot' : 'evaluation.contains');
