import type { Schema } from '../api/client';
import { filterWords } from '../search/filter-words';
import { currentLanguage, formatNumber, t } from '../texts/i18n';

type Stage = Schema<'ExplainStage'>;

const CODES = [
  'RETRIEVED',
  'DOCUMENT_UNKNOWN',
  'DELETED',
  'QUARANTINED',
  'NOT_COMPLETED',
  'ZERO_CHUNKS',
  'LOST_AT_PARSE',
  'LOST_AT_CHUNKING',
  'STALE_EMBEDDING',
  'VECTOR_MISSING',
  'OUT_OF_SCOPE',
  'METADATA_FILTER',
  'ACL',
  'BELOW_SCORE_THRESHOLD',
  'NOT_IN_CANDIDATES',
  'RERANK_DEMOTED',
  'FUSION_DEMOTED',
  'MMR_REMOVED',
  'OUTRANKED',
  'CONTEXT_BUDGET',
  'REFUSED',
] as const;
const NOTICES = [
  'DATASET_EMPTY',
  'DOCUMENTS_PENDING',
  'STALE_EMBEDDING',
  'KG_EMPTY',
  'KG_NO_ENTITY',
  'RETRIEVAL_DEFAULTS_DIFFER',
  'RETRIEVAL_DEFAULTS_UNAVAILABLE',
  'EMBEDDING_FAILED',
  'STATEMENTS_NOT_COMPARED',
  'WORDS_NOT_COMPARED',
  'QUERY_EXPANSION_FAILED',
  'QUERY_WITHOUT_TERMS',
  'FILTERS_TOO_STRICT',
  'BELOW_SCORE_THRESHOLD',
  'RERANK_LIMITS_RESULTS',
  'CONTEXT_BUDGET',
  'HISTORY_CUT',
  'QUESTION_CUT',
  'TABLES_NOT_ASKED',
] as const;
const ACTIONS = [
  'ADD_DATASET',
  'SEARCH_ITS_DATASET_ONLY',
  'RELAX_FILTERS',
  'REMOVE_FILTERS',
  'LOWER_THRESHOLD',
  'REMOVE_THRESHOLD',
  'RAISE_CANDIDATE_K',
  'CHANGE_SEARCH_METHOD',
  'CHANGE_FUSION',
  'SWITCH_RERANK_ON',
  'SWITCH_RERANK_OFF',
  'RERANK_MORE',
  'SWITCH_MMR_OFF',
  'RAISE_TOP_K',
  'COMBINED',
] as const;
const REFUSALS = ['NO_RESULTS', 'INSUFFICIENT_EVIDENCE', 'NOT_ANSWERED', 'UNGROUNDED'] as const;

/** Why a passage is found or not, in words; the service's sentence for a code of a later version. */
export function reasonWords(code: string, sentence: string): string {
  const known = CODES.find((name) => name === code);
  return known === undefined ? sentence : t(`reason.${known}`);
}

/** What became of a passage. One that no list has was not found, whoever decides that. */
export function verdictWords(verdict: Schema<'ExplainResponse'>['verdict'], code: string): string {
  if (code === 'REFUSED') return t('verdict.refused');
  return t(code === 'NOT_IN_CANDIDATES' ? 'verdict.notFound' : `verdict.${verdict}`);
}

/** Why no list has a passage, by the words of the question that stand in it. */
export function farWords(words: readonly Schema<'ExplainedWord'>[]): string {
  if (words.length === 0) return t('reason.NOT_IN_CANDIDATES');
  return t(words.some(({ in_chunk: isThere }) => isThere) ? 'reason.othersNearer' : 'reason.noWord');
}

/** What a warning of a search means. */
export function noticeWords({ code, detail }: Schema<'SearchWarning'>): string {
  const known = NOTICES.find((name) => name === code);
  return known === undefined ? detail : t(`notice.${known}`);
}

/** What a suggestion does. */
export function actionWords({ action, description }: Schema<'ExplainSuggestion'>): string {
  const known = ACTIONS.find((name) => name === action);
  return known === undefined ? description : t(`action.${known}`);
}

/** What a suggestion brought when it was tried; of an answer too, where one was looked at. A model that writes may decline all the same. */
export function triedWords(
  { rank, is_refused: isRefused }: Pick<Schema<'ExplainSuggestion'>, 'rank' | 'is_refused'>,
  { answer }: Pick<Schema<'ExplainResponse'>, 'answer'>,
): string {
  const place = { rank: formatNumber(rank) };
  if (isRefused === null) return t('why.tried', place);
  if (isRefused) return t('why.triedRefused', place);
  return t(answer?.measure.name === 'evidence' ? 'why.triedEnough' : 'why.triedAnswered', place);
}

/** Why a question is refused. */
export function refusalWords(code: string | null): string {
  const known = REFUSALS.find((name) => name === code);
  return known === undefined ? t('why.isRefused') : t(`refusal.${known}`);
}

/** A condition that a document does not meet. */
export function unmetWords({ condition }: Schema<'UnmetFilterCondition'>): string {
  return filterWords(condition) ?? t('why.ownFilter');
}

/** Why the passage got no further than a stage. */
export function removedWords({ stage, score, rank, limit }: Stage): string {
  switch (stage) {
    case 'keyword':
    case 'vector':
    case 'kg':
      return score === null || score <= 0
        ? t('removed.alike')
        : t('removed.channel', { limit: formatNumber(limit ?? 0) });
    case 'rerank':
      return t('removed.rerank', { limit: formatNumber(limit ?? 0) });
    case 'threshold':
      return t('removed.threshold', { score: formatShare(score ?? 0), limit: formatShare(limit ?? 0) });
    case 'top_k':
      return rank === null
        ? t('removed.mmr')
        : t('removed.top_k', { rank: formatNumber(rank), limit: formatNumber(limit ?? 0) });
    case 'mmr':
      return t('removed.mmr');
    case 'fusion':
      return t('removed.fusion');
    default:
      return t(`removed.${stage}`);
  }
}

/** A score between 0 and 1, so exactly that it differs from its threshold. */
export function formatShare(value: number): string {
  return new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: 4 }).format(value);
}

/** How much of a bar a number of passages fills, where `most` fill it: twice as many are twice as long, and few of many are seen too. */
export function widthOf(count: number | null, most: number): string {
  return count === null || count === 0 ? '0' : `max(2px, ${(100 * count) / most}%)`;
}
