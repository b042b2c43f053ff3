import type { ChunkId, DatasetId } from '#libs/common';
import { matchesFilter } from '#libs/vector-store';
import { toFilterFacts } from '../../documents/index.js';
import type { ScopedCandidate } from '../ranking/candidate-scorer.service.js';
import type { Ranked } from '../ranking/ranking.js';
import type { RetrievedChunk } from '../results/retrieval-outcome.js';
import type { SearchTrace } from '../results/search-trace.js';
import type { ExplainedChunkRow, ExplainedDocumentRow } from './explain.repository.js';
import type { LocatedExpectation } from './expected-locator.service.js';
import { foldText } from './folded-text.js';

/** Where a chunk is in the lists of a search. */
export type TargetPlaces = Pick<Target, 'merged' | 'mergedRank' | 'final' | 'finalRank' | 'resultRank'>;

/** What a search made of the expected chunk that got furthest. */
export interface Target {
  readonly document: ExplainedDocumentRow;
  /** Null when the document shows no chunk of what is expected. */
  readonly chunk: ExplainedChunkRow | null;
  /** The scores that the search gives it; null when nothing was searched or there is no chunk. */
  readonly scored: Pick<ScopedCandidate, 'keyword' | 'cosine' | 'vector'> | null;
  /** Whether the store proposed it and it was visible. */
  readonly isCandidate: boolean;
  readonly merged: Ranked<ScopedCandidate> | null;
  /** Rank in the merged list, from 1. */
  readonly mergedRank: number | null;
  readonly final: Ranked<ScopedCandidate> | null;
  /** Rank in the final list, after reranking, from 1. */
  readonly finalRank: number | null;
  /** Rank among the results, from 1. */
  readonly resultRank: number | null;
}

/** Whether a result is what was expected. */
export function isExpectedResult(located: LocatedExpectation, result: RetrievedChunk): boolean {
  if (located.chunks.some(({ id }) => id === result.chunkId)) return true;
  if (located.wholeDocuments.has(result.documentId)) return true;
  const { text, textDocuments } = located;
  if (text === null || textDocuments?.has(result.documentId) === false) return false;
  return foldText(result.text).includes(text);
}

/** Of the expected chunks that were candidates, the one that got furthest; undefined when there is none. */
export function furthestCandidate(located: LocatedExpectation, trace: SearchTrace): ScopedCandidate | undefined {
  const ids = new Set<ChunkId>(located.chunks.map(({ id }) => id));
  const isExpected = ({ id, documentId }: ScopedCandidate): boolean =>
    ids.has(id) || located.wholeDocuments.has(documentId);
  for (const list of [trace.chosen, trace.ranked, trace.merged]) {
    const entry = list.find(({ item }) => isExpected(item));
    if (entry !== undefined) return entry.item;
  }
  return trace.candidates.filter(isExpected).toSorted(byScores)[0];
}

/** Greatest keyword score first, then the nearest by vector. */
export function byScores(
  a: Pick<ScopedCandidate, 'keyword' | 'cosine' | 'id'>,
  b: Pick<ScopedCandidate, 'keyword' | 'cosine' | 'id'>,
): number {
  return (
    (b.keyword ?? 0) - (a.keyword ?? 0) ||
    (b.cosine ?? -1) - (a.cosine ?? -1) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** The expected chunks in datasets that were searched and in documents that meet the filters; all expected chunks where there are no such ones. */
export function reachableChunks(located: LocatedExpectation, trace: SearchTrace): readonly ExplainedChunkRow[] {
  const searched = new Set<DatasetId>(trace.datasets.map(({ id }) => id));
  const { filter } = trace.options;
  const isReachable = ({ document_id }: ExplainedChunkRow): boolean => {
    const document = located.documents.get(document_id);
    if (document === undefined || !searched.has(document.dataset_id)) return false;
    return filter === null || matchesFilter(filter, toFilterFacts(document));
  };
  const reachable = located.chunks.filter(isReachable);
  return reachable.length > 0 ? reachable : located.chunks;
}

/** What a search made of one chunk. */
export function traceTarget(
  document: ExplainedDocumentRow,
  chunk: ExplainedChunkRow | null,
  scored: ScopedCandidate | null,
  trace: SearchTrace | null,
): Target {
  if (chunk === null || trace === null) return { document, chunk, scored, isCandidate: false, ...NOWHERE };
  const isCandidate = trace.candidates.some(({ id }) => id === chunk.id);
  return { document, chunk, scored, isCandidate, ...placesOf(trace, chunk.id) };
}

/** Where a chunk is in the lists of a search. */
export function placesOf(trace: SearchTrace, chunkId: ChunkId): TargetPlaces {
  const placeIn = (list: readonly Ranked<ScopedCandidate>[]): number =>
    list.findIndex(({ item }) => item.id === chunkId);
  const rankOf = (index: number): number | null => (index < 0 ? null : index + 1);
  const merged = placeIn(trace.merged);
  const final = placeIn(trace.ranked);
  return {
    merged: trace.merged[merged] ?? null,
    mergedRank: rankOf(merged),
    final: trace.ranked[final] ?? null,
    finalRank: rankOf(final),
    resultRank: rankOf(trace.outcome.results.findIndex((result) => result.chunkId === chunkId)),
  };
}

const NOWHERE = { merged: null, mergedRank: null, final: null, finalRank: null, resultRank: null } as const;
