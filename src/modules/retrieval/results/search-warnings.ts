import type { QueryTerms } from '#libs/ranking';
import type { VisibleDataset } from '../../datasets/index.js';
import type { SearchCounts, SearchWarning } from '../request/search-response.dto.js';
import type { DatasetContents } from '../snapshot/held-dataset.js';
import type { ExpandedQuery } from '../expansion/expanded-query.js';
import type { GraphFindings } from '../graph/graph-scores.js';
import type { EffectiveOptions } from '../request/search-options.js';
import type { AppliedDefaults } from '../request/request-defaults.js';
import type { LookFailure } from './retrieval-outcome.js';

/** Inputs of the warnings. */
export interface SearchFacts {
  readonly datasets: readonly VisibleDataset[];
  /** Of each dataset, in the same order. */
  readonly contents: readonly DatasetContents[];
  /** The embedding spaces whose models the installation has. */
  readonly known: ReadonlySet<string>;
  readonly terms: QueryTerms;
  readonly options: EffectiveOptions;
  readonly defaults: AppliedDefaults;
  readonly topK: number;
  /** Documents that could not be found yet. */
  readonly pendingDocuments: number;
  readonly counts: SearchCounts;
  /** Whether there would be candidates without the filters; asked only when there are none with them. */
  readonly foundWithoutFilters: boolean;
  /** As the plan has it. */
  readonly embeddingFailure: string | null;
  /** What a second look could not compare. */
  readonly lookFailure: LookFailure | null;
  readonly expanded: ExpandedQuery;
  readonly graph: GraphFindings | null;
}

/** Possible reasons for missing results, in a fixed order. */
export function warningsOf(facts: SearchFacts): SearchWarning[] {
  return [
    ...warningsOfDatasets(facts),
    ...warningsOfDefaults(facts.defaults),
    ...warningsOfGraph(facts),
    ...warningsOfRequest(facts),
  ];
}

function warningsOfDefaults({ differing, unavailable }: AppliedDefaults): SearchWarning[] {
  const warnings: SearchWarning[] = [];
  if (differing.length > 0) {
    const detail = `The retrieval_defaults of the datasets' policies differ in: ${differing.join(', ')}. The built-in defaults were used for these options; set them in the request to choose.`;
    warnings.push({ code: 'RETRIEVAL_DEFAULTS_DIFFER', detail });
  }
  if (unavailable.length > 0) {
    const detail = `These options of the policy's retrieval_defaults are not available in this installation: ${unavailable.join(', ')}. The built-in defaults were used; change the policy.`;
    warnings.push({ code: 'RETRIEVAL_DEFAULTS_UNAVAILABLE', detail });
  }
  return warnings;
}

function warningsOfDatasets({ datasets, contents, pendingDocuments, known, options }: SearchFacts): SearchWarning[] {
  const warnings: SearchWarning[] = [];
  const empty = datasets.filter((_, index) => contents[index]!.statistics.chunkCount === 0);
  if (empty.length > 0) {
    const detail = `These datasets have no searchable documents: ${idsOf(empty)}. Upload documents, or wait until their ingestion is completed.`;
    warnings.push({ code: 'DATASET_EMPTY', detail });
  }
  if (pendingDocuments > 0) {
    const detail = `Number of documents still being ingested: ${pendingDocuments}. Search again when they are completed.`;
    warnings.push({ code: 'DOCUMENTS_PENDING', detail });
  }
  const former = datasets.filter(({ embeddingSpace }) => !known.has(embeddingSpace));
  if (former.length > 0 && options.searchMethod !== 'keyword') {
    const detail = `The vectors of these datasets are of an embedding model that is no longer installed: ${idsOf(former)}. They are searched by keywords only until POST /datasets/{id}/reembeddings has made new vectors.`;
    warnings.push({ code: 'STALE_EMBEDDING', detail });
  }
  return warnings;
}

function warningsOfGraph({ graph, datasets }: SearchFacts): SearchWarning[] {
  if (graph === null) return [];
  const { withoutGraph, entities } = graph;
  const warnings: SearchWarning[] = [];
  if (withoutGraph.length > 0) {
    const detail = `These datasets have no knowledge graph: ${withoutGraph.join(', ')}. They were searched without one; build it with POST /kg/trigger, or with kg.mode in the policy.`;
    warnings.push({ code: 'KG_EMPTY', detail });
  }
  if (entities.length === 0 && withoutGraph.length < datasets.length) {
    const detail =
      'The query names no entity of the knowledge graph, so the graph added no candidates. Entities are matched as they are written, with capitals.';
    warnings.push({ code: 'KG_NO_ENTITY', detail });
  }
  return warnings;
}

function warningsOfRequest(facts: SearchFacts): SearchWarning[] {
  const { terms, options, topK, counts, foundWithoutFilters, embeddingFailure, lookFailure, expanded } = facts;
  const warnings: SearchWarning[] = [];
  if (expanded.failure !== null) {
    const detail = `The question was not expanded (${expanded.failure}); only the question itself was searched for.`;
    warnings.push({ code: 'QUERY_EXPANSION_FAILED', detail });
  }
  if (embeddingFailure !== null) {
    const detail = `The question could not be embedded (${embeddingFailure}), so the search was by words only. Search again later.`;
    warnings.push({ code: 'EMBEDDING_FAILED', detail });
  }
  if (lookFailure !== null) warnings.push(warningOfLook(lookFailure));
  const { scoreThreshold, rerank, searchMethod } = options;
  if (searchMethod !== 'vector' && terms.words.length + terms.grams.length === 0) {
    const detail = 'The query has no word that can be searched for. Use letters or digits.';
    warnings.push({ code: 'QUERY_WITHOUT_TERMS', detail });
  }
  if (foundWithoutFilters) {
    const detail = 'There are candidates without the filters, but none in the documents that meet the filters.';
    warnings.push({ code: 'FILTERS_TOO_STRICT', detail });
  }
  if (scoreThreshold !== null && counts.visible > 0 && counts.passed === 0) {
    warnings.push({ code: 'BELOW_SCORE_THRESHOLD', detail: `No candidate reaches score_threshold ${scoreThreshold}.` });
  }
  if (rerank !== null && rerank.topN < topK) {
    const detail = `Only the ${rerank.topN} best candidates are reranked and returned (rerank.top_n), fewer than top_k ${topK}.`;
    warnings.push({ code: 'RERANK_LIMITS_RESULTS', detail });
  }
  return warnings;
}

/** What a search lacks for what a second look could not compare: its order, or only a sign of near misses. */
export function warningOfLook({ code, of }: LookFailure): SearchWarning {
  if (of === 'statements') {
    const detail = `The statements of the results could not be compared with the question (${code}), so the results keep the order in which they were found. Search again later.`;
    return { code: 'STATEMENTS_NOT_COMPARED', detail };
  }
  const detail = `The words of the question that the results lack could not be weighed (${code}). The order of the results is not affected, but a passage about something similar may be taken for an answer. Ask again later.`;
  return { code: 'WORDS_NOT_COMPARED', detail };
}

function idsOf(datasets: readonly VisibleDataset[]): string {
  return datasets.map(({ id }) => id).join(', ');
}
