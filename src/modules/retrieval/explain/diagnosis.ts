import { matchesFilter } from '#libs/vector-store';
import { toFilterFacts } from '../../documents/index.js';
import type { SearchTrace } from '../results/search-trace.js';
import type { ExplainCode } from './explain-codes.js';
import type { ExplainedDocumentRow } from './explain.repository.js';
import type { LocatedExpectation } from './expected-locator.service.js';
import type { Target, TargetPlaces } from './target.js';
import { searchedSpace } from '../candidates/scoring.js';

/** What the stores hold of the expected chunk. */
export interface IndexState {
  /** Whether the vector store has its row under the generation that is shown. */
  readonly isInStore: boolean;
  /** Embedding spaces in which it has a vector. */
  readonly spaces: readonly string[];
}

/** Reasons that lie in the ranking. */
export type RankingCode = Extract<
  ExplainCode,
  'NOT_IN_CANDIDATES' | 'BELOW_SCORE_THRESHOLD' | 'MMR_REMOVED' | 'RERANK_DEMOTED' | 'FUSION_DEMOTED' | 'OUTRANKED'
>;

/** What a diagnosis is made from. */
export interface DiagnosisFacts {
  readonly located: LocatedExpectation;
  readonly target: Target;
  /** Null when nothing could be searched, because the account sees none of the datasets. */
  readonly trace: SearchTrace | null;
  /** Whether the account whose search is explained sees the dataset of the document; the caller always does. */
  readonly isSeen: boolean;
  /** Null: not examined, since an earlier reason decides. */
  readonly index: IndexState | null;
}

/** The first reason, in the order of the stages, why what is expected is not among the results. */
export function diagnose(facts: DiagnosisFacts): ExplainCode {
  const { target, trace, isSeen } = facts;
  if (!isSeen) return 'ACL';
  if (target.resultRank !== null) return 'RETRIEVED';
  return (
    diagnoseDocument(target.document) ??
    diagnoseText(facts) ??
    (trace === null || !isSearched(trace, target) ? 'OUT_OF_SCOPE' : diagnoseSearch(facts, trace))
  );
}

/** Whether the dataset of the document was searched. */
export function isSearched(trace: SearchTrace, { document }: Pick<Target, 'document'>): boolean {
  return trace.datasets.some(({ id }) => id === document.dataset_id);
}

function diagnoseDocument(document: ExplainedDocumentRow): ExplainCode | undefined {
  if (document.is_deleted) return 'DELETED';
  if (document.is_quarantined || document.status === 'quarantined') return 'QUARANTINED';
  if (document.shown_chunk_set_id === null || document.shown_generation === null) return 'NOT_COMPLETED';
  return document.visible_chunks === 0 ? 'ZERO_CHUNKS' : undefined;
}

function diagnoseText({ located, target }: DiagnosisFacts): ExplainCode | undefined {
  if (target.chunk !== null) return undefined;
  return located.lostAt === 'parse' ? 'LOST_AT_PARSE' : 'LOST_AT_CHUNKING';
}

function diagnoseSearch(facts: DiagnosisFacts, trace: SearchTrace): ExplainCode {
  return diagnoseIndex(facts, trace) ?? diagnoseFilter(facts.target, trace) ?? diagnoseRanking(facts.target, trace);
}

function diagnoseIndex({ index, target }: DiagnosisFacts, trace: SearchTrace): ExplainCode | undefined {
  if (index === null) return undefined;
  const { searchMethod, fusion } = trace.options;
  const space = searchedSpace(trace.scoring, target.document.dataset_id);
  const needsVector = searchMethod === 'vector' || (searchMethod === 'hybrid' && fusion.vectorWeight > 0);
  if (needsVector && !index.spaces.includes(space))
    return index.spaces.length > 0 ? 'STALE_EMBEDDING' : 'VECTOR_MISSING';
  return index.isInStore || target.isCandidate ? undefined : 'VECTOR_MISSING';
}

/** Whether the filters keep a document out. */
export function diagnoseFilter(
  { document }: Pick<Target, 'document'>,
  { options: { filter } }: SearchTrace,
): 'METADATA_FILTER' | undefined {
  return filter !== null && !matchesFilter(filter, toFilterFacts(document)) ? 'METADATA_FILTER' : undefined;
}

/** Why the ranking did not return a chunk. */
export function diagnoseRanking(places: TargetPlaces, trace: SearchTrace): RankingCode {
  const { merged, mergedRank, final, finalRank } = places;
  const { options, topK } = trace;
  if (merged === null || mergedRank === null) return 'NOT_IN_CANDIDATES';
  const { scoreThreshold } = options;
  if (final !== null && scoreThreshold !== null && final.score < scoreThreshold) return 'BELOW_SCORE_THRESHOLD';
  if (finalRank !== null && finalRank <= topK && options.mmr !== null) return 'MMR_REMOVED';
  if (options.rerank !== null && mergedRank <= topK) return 'RERANK_DEMOTED';
  const { keyword, vector } = merged.ranks;
  const best = Math.min(keyword ?? Infinity, vector ?? Infinity);
  return options.searchMethod === 'hybrid' && best <= topK ? 'FUSION_DEMOTED' : 'OUTRANKED';
}
