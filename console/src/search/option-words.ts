import { formatNumber, t, type TextKey } from '../texts/i18n';
import { filterWords } from './filter-words';
import { METHODS, SURROUNDINGS } from './search-options';

const NAMES: Readonly<Record<string, TextKey>> = {
  search_method: 'search.method',
  top_k: 'setting.top_k',
  score_threshold: 'setting.score_threshold',
  'fusion.vector_weight': 'setting.vector_weight',
  'fusion.method': 'option.fusion',
  'fusion.k': 'option.fusion_k',
  'rerank.enabled': 'setting.rerank',
  'rerank.top_n': 'option.top_n',
  'mmr.lambda': 'setting.mmr',
  use_kg: 'setting.use_kg',
  expand: 'setting.expand',
  filters: 'filter.all',
  candidate_k: 'option.candidate_k',
  dataset_ids: 'option.dataset_ids',
  query_expansion: 'option.query_expansion',
  on_embedding_failure: 'option.on_embedding_failure',
  'rerank.provider': 'option.reranker',
};

/** What people call an option of a search; its name in the interface where it is not known here. */
export function optionName(option: string): string {
  const name = NAMES[option];
  return name === undefined ? option : t(name);
}

/** A value of an option in words; undefined where the search leaves it to the dataset. */
export function valueWords(option: string, value: string | undefined): string {
  // A search without filters has none, whatever the dataset has.
  if (value === undefined) return t(option === 'filters' ? 'setting.none' : 'setting.asSet');
  const method = METHODS.find((name) => option === 'search_method' && name === value);
  if (method !== undefined) return t(`method.${method}`);
  const around = SURROUNDINGS.find((name) => option === 'expand' && name === value);
  if (around !== undefined) return t(`around.${around}`);
  if (value === 'true' || value === 'false') return t(value === 'true' ? 'setting.on' : 'setting.off');
  if (/^-?\d+(\.\d+)?$/.test(value)) return formatNumber(Number(value));
  const read = option === 'filters' || option === 'dataset_ids' ? readJson(value) : undefined;
  if (option === 'filters') return filterWords(read) ?? t('why.ownFilter');
  return Array.isArray(read) ? t('ask.over', { count: read.length }) : value;
}

/** Undefined for what is no JSON: an address may hold anything. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
