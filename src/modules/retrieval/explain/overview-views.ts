import { wordsOfQuestion } from '#libs/answering';
import { toFilterFacts } from '../../documents/index.js';
import type { RetrievedChunk } from '../results/retrieval-outcome.js';
import type { SearchTrace } from '../results/search-trace.js';
import { diagnoseFilter, diagnoseRanking } from './diagnosis.js';
import type { ExplainStageName } from './explain-codes.js';
import type { ExplainedDocumentRow } from './explain.repository.js';
import type { FilterCounts, FilterPart } from './filter-counts.js';
import { unmetConditions } from './filter-evidence.js';
import type { OverviewFilters, OverviewPassage, OverviewStage, OverviewWord } from './search-overview.dto.js';
import { isFused } from './stage-report.js';
import { placesOf } from './target.js';

const TEXT_MAX = 600;

/** The stages of a search with what each leaves, in order. */
export function toOverviewStages(trace: SearchTrace): OverviewStage[] {
  const { options, topK, outcome, merged, ranked, graph } = trace;
  const { counts } = outcome.report;
  const { searchMethod, candidateK, scoreThreshold, rerank } = options;
  const stage = (
    name: ExplainStageName,
    isUsed: boolean,
    length: number | null,
    limit?: number | null,
  ): OverviewStage =>
    isUsed
      ? { stage: name, used: true, limit: limit ?? null, list_length: length }
      : { stage: name, used: false, limit: null, list_length: null };
  return [
    stage('scope', true, counts.chunks_in_scope),
    stage('filters', options.filter !== null, null),
    stage('keyword', searchMethod !== 'vector', counts.keyword, candidateK),
    stage('vector', searchMethod !== 'keyword', counts.vector, candidateK),
    stage('kg', graph !== null, counts.kg, candidateK),
    stage('fusion', isFused(trace), merged.length),
    stage('rerank', rerank !== null, ranked.length, rerank?.topN),
    stage('threshold', scoreThreshold !== null, counts.passed, scoreThreshold),
    stage('mmr', options.mmr !== null, counts.returned, topK),
    stage('top_k', true, counts.returned, topK),
  ];
}

export function toOverviewWords(query: string, { outcome }: SearchTrace): OverviewWord[] {
  return wordsOfQuestion(query, outcome.question).map(({ word, isNowhere }) => ({ word, occurs: !isNowhere }));
}

export function toOverviewFilters(
  parts: readonly FilterPart[],
  counts: FilterCounts,
  isComplete: boolean,
): OverviewFilters {
  return {
    documents: counts.examined,
    is_complete: isComplete,
    documents_met: counts.met,
    conditions: parts.map(({ pointer, condition }, at) => {
      const { met, removedAlone } = counts.byPart[at]!;
      return { pointer, condition, documents_met: met, documents_removed_alone: removedAlone };
    }),
  };
}

/** A result. */
export function toReturned(chunk: RetrievedChunk, trace: SearchTrace): OverviewPassage {
  const { finalRank: rank } = placesOf(trace, chunk.chunkId);
  return { ...passageOf(chunk), rank, score: chunk.score, code: null, unmet_conditions: [] };
}

/** What was found without `filters` and the like, with the reason why the search did not return it. */
export function toLeftOut(chunk: RetrievedChunk, document: ExplainedDocumentRow, trace: SearchTrace): OverviewPassage {
  const places = placesOf(trace, chunk.chunkId);
  const { filter } = trace.options;
  const facts = toFilterFacts(document);
  return {
    ...passageOf(chunk),
    rank: places.finalRank,
    score: places.final?.score ?? chunk.score,
    code: diagnoseFilter({ document }, trace) ?? diagnoseRanking(places, trace),
    unmet_conditions: filter === null ? [] : unmetConditions(filter, facts),
  };
}

function passageOf(chunk: RetrievedChunk): Omit<OverviewPassage, 'rank' | 'score' | 'code' | 'unmet_conditions'> {
  const { start, end } = chunk.own ?? chunk;
  return {
    chunk_id: chunk.chunkId,
    document_id: chunk.documentId,
    document_name: chunk.documentName,
    path: chunk.documentPath,
    dataset_id: chunk.datasetId,
    // No half of a pair at the end.
    text: chunk.text
      .slice(start - chunk.start, end - chunk.start)
      .slice(0, TEXT_MAX)
      .replace(/[\ud800-\udbff]$/, ''),
    char_start: start,
    char_end: end,
    page: chunk.page,
  };
}
