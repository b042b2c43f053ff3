import type { JsonObject, JsonValue } from '#libs/common';
import { toFilterFacts } from '../../documents/index.js';
import { CANDIDATE_K_MAX, type RetrievalDefaults } from '../../ingestion-policy/index.js';
import { DATASETS_MAX } from '../request/search-request.dto.js';
import type { SearchRequest } from '../search/retrieval.service.js';
import type { SearchTrace } from '../results/search-trace.js';
import type { ExplainCode, SuggestedAction } from './explain-codes.js';
import { relaxFilter } from './filter-evidence.js';
import type { Target } from './target.js';

/** A change of a request that may return what is expected. */
export interface Proposal {
  readonly action: SuggestedAction;
  /** JSON Merge Patch of the request. */
  readonly change: JsonObject;
}

/** Values that switch off an option which holds although the request does not name it. */
export const NEUTRAL = {
  filters: { type: 'and', filters: [] },
  score_threshold: 0,
  mmr: { lambda: 1 },
  rerank: { enabled: false },
} as const satisfies RetrievalDefaults;

/** The change of a request that switches an option off: the option is removed, or, where a default would take its place, set to its neutral value. */
function without(option: keyof typeof NEUTRAL, defaults: RetrievalDefaults | undefined): JsonObject {
  return { [option]: defaults?.[option] === undefined ? null : NEUTRAL[option] };
}

/** A threshold is shown with this many digits, rounded down. */
const THRESHOLD_DIGITS = 4;

/** The action that each kind of an easier search is suggested as. */
const EASIER = {
  filters: 'REMOVE_FILTERS',
  threshold: 'REMOVE_THRESHOLD',
  method: 'CHANGE_SEARCH_METHOD',
  all: 'COMBINED',
} as const satisfies Readonly<Record<EasierSearch['kind'], SuggestedAction>>;

/** Changes that are worth a try, the most likely first. None is shown before it has been tried. */
export function proposeChanges(
  code: ExplainCode,
  request: SearchRequest,
  target: Target,
  trace: SearchTrace | null,
): Proposal[] {
  switch (code) {
    case 'OUT_OF_SCOPE':
      return proposeDatasets(request, target);
    case 'STALE_EMBEDDING':
    case 'VECTOR_MISSING':
      return [{ action: 'CHANGE_SEARCH_METHOD', change: { search_method: 'keyword' } }];
    case 'METADATA_FILTER':
      return trace === null ? [] : proposeFilters(request, target, trace);
    case 'BELOW_SCORE_THRESHOLD':
      return proposeThresholds(target, trace);
    case 'NOT_IN_CANDIDATES':
    case 'FUSION_DEMOTED':
    case 'RERANK_DEMOTED':
    case 'MMR_REMOVED':
    case 'OUTRANKED':
      return trace === null ? [] : proposeRanking(code, request, target, trace);
    case 'REFUSED':
      return trace === null ? [] : easierSearches(trace).map(({ kind, change }) => ({ action: EASIER[kind], change }));
    default:
      return [];
  }
}

/** A search without one of the things that narrow it. */
export interface EasierSearch {
  readonly kind: 'filters' | 'threshold' | 'method' | 'all';
  /** JSON Merge Patch of the request. */
  readonly change: JsonObject;
}

/** Searches without one of the things that narrow the search, each by itself, and last without all of them. */
export function easierSearches({ options, defaults }: Pick<SearchTrace, 'options' | 'defaults'>): EasierSearch[] {
  const easier: EasierSearch[] = [];
  if (options.filter !== null) easier.push({ kind: 'filters', change: without('filters', defaults.options) });
  if (options.scoreThreshold !== null)
    easier.push({ kind: 'threshold', change: without('score_threshold', defaults.options) });
  if (options.searchMethod !== 'hybrid') easier.push({ kind: 'method', change: { search_method: 'hybrid' } });
  if (easier.length < 2) return easier;
  return [...easier, { kind: 'all', change: Object.assign({}, ...easier.map(({ change }) => change)) as JsonObject }];
}

/** The search without all the things that narrow it. */
export function proposeEverything(request: SearchRequest, defaults: RetrievalDefaults): Proposal {
  const change: Record<string, JsonObject[string]> = {};
  for (const option of ['filters', 'score_threshold', 'mmr', 'rerank'] as const) {
    if (request[option] !== undefined || defaults[option] !== undefined)
      Object.assign(change, without(option, defaults));
  }
  if (request.candidate_k !== CANDIDATE_K_MAX) change['candidate_k'] = CANDIDATE_K_MAX;
  return { action: 'COMBINED', change };
}

function proposeDatasets(request: SearchRequest, { document }: Target): Proposal[] {
  const only: Proposal = { action: 'SEARCH_ITS_DATASET_ONLY', change: { dataset_ids: [document.dataset_id] } };
  if (request.dataset_ids.length >= DATASETS_MAX) return [only];
  const dataset_ids = [...request.dataset_ids, document.dataset_id];
  return [{ action: 'ADD_DATASET', change: { dataset_ids } }, only];
}

function proposeFilters(request: SearchRequest, { document }: Target, trace: SearchTrace): Proposal[] {
  const remove: Proposal = { action: 'REMOVE_FILTERS', change: without('filters', trace.defaults.options) };
  const { filter } = trace.options;
  const relaxed = filter === null ? undefined : relaxFilter(filter, toFilterFacts(document));
  if (relaxed === undefined) return [remove];
  const wanted = relaxed as unknown as JsonObject;
  const filters = request.filters === undefined ? wanted : mergePatchOf(request.filters as JsonObject, wanted);
  return [{ action: 'RELAX_FILTERS', change: { filters } }, remove];
}

function proposeThresholds({ final }: Target, trace: SearchTrace | null): Proposal[] {
  const change = without('score_threshold', trace?.defaults.options);
  const remove: Proposal = { action: 'REMOVE_THRESHOLD', change };
  if (final === null) return [remove];
  const scale = 10 ** THRESHOLD_DIGITS;
  const score_threshold = Math.floor(final.score * scale) / scale;
  return [{ action: 'LOWER_THRESHOLD', change: { score_threshold } }, remove];
}

function proposeRanking(code: ExplainCode, request: SearchRequest, target: Target, trace: SearchTrace): Proposal[] {
  const { options, defaults } = trace;
  const off: Proposal[] = [];
  if (options.mmr !== null) off.push({ action: 'SWITCH_MMR_OFF', change: without('mmr', defaults.options) });
  if (options.rerank !== null) {
    off.push({ action: 'SWITCH_RERANK_OFF', change: without('rerank', defaults.options) });
    if (target.finalRank === null && target.mergedRank !== null) {
      off.push({ action: 'RERANK_MORE', change: { rerank: { top_n: target.mergedRank } } });
    }
  }
  const candidates: Proposal[] =
    code === 'NOT_IN_CANDIDATES' && options.candidateK < CANDIDATE_K_MAX
      ? [{ action: 'RAISE_CANDIDATE_K', change: { candidate_k: CANDIDATE_K_MAX } }]
      : [];
  const wider: Proposal[] = [{ action: 'RAISE_TOP_K', change: {} }];
  const fusion = code === 'FUSION_DEMOTED' ? proposeFusion(target) : [];
  const methods = (['hybrid', 'keyword', 'vector'] as const)
    .filter((method) => method !== options.searchMethod)
    .map((search_method): Proposal => ({ action: 'CHANGE_SEARCH_METHOD', change: { search_method } }));
  const rerank: Proposal[] =
    options.rerank === null ? [{ action: 'SWITCH_RERANK_ON', change: { rerank: { enabled: true } } }] : [];
  const [own] = request.dataset_ids.length > 1 ? proposeDatasets({ ...request, dataset_ids: FULL }, target) : [];
  return [...candidates, ...wider, ...off, ...fusion, ...methods, ...rerank, ...(own === undefined ? [] : [own])];
}

/** As many datasets as a request may name: then only a smaller list is proposed. */
const FULL: readonly string[] = Array.from({ length: DATASETS_MAX }, () => '');

/** The weight of the channel that ranks it higher. */
function proposeFusion({ merged }: Target): Proposal[] {
  if (merged === null) return [];
  const { keyword, vector } = merged.ranks;
  const vector_weight = (vector ?? Infinity) < (keyword ?? Infinity) ? 1 : 0;
  return [{ action: 'CHANGE_FUSION', change: { fusion: { vector_weight } } }];
}

/** The JSON Merge Patch (RFC 7396) that makes `before` into `after`. Neither may hold null, which a patch cannot write. */
export function mergePatchOf(before: JsonObject, after: JsonObject): JsonObject {
  const patch: Record<string, JsonValue> = {};
  for (const key of Object.keys(before)) if (after[key] === undefined) patch[key] = null;
  for (const [key, value] of Object.entries(after)) {
    const old = before[key];
    if (JSON.stringify(old) === JSON.stringify(value)) continue;
    patch[key] = isObject(value) ? mergePatchOf(isObject(old) ? old : {}, value) : value;
  }
  return patch;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
