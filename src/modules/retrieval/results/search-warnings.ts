import type { QueryTerms } from '#libs/ranking';
import type { VisibleDataset } from '../../datasets/index.js';
import type { SearchCounts, SearchWarning } from '../request/search-response.dto.js';
import type { DatasetContents } from '../snapshot/held-dataset.js';
import type { ExpandedQuery } from '../expansion/expanded-query.js';
import type { GraphFindings } from '../graph/graph-scores.js';
import type { EffectiveOptions } from '../request/search-options.js';
import type { AppliedDefaults } from '../request/settled-request.js';
import type { LookFailure } from './retrieval-outcome.js';

/** What warnings are drawn from. */
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

/** What may explain a result that is missing, in a fixed order. */
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
    const detail = `The policies of the datasets differ in retrieval_defaults about: ${differing.join(', ')}. The built-in defaults were used; name the options in the request to choose.`;
    warnings.push({ code: 'RETRIEVAL_DEFAULTS_DIFFER', detail });
  }
  if (unavailable.length > 0) {
    const detail = `This installation cannot do what retrieval_defaults of the policy say about: ${unavailable.join(', ')}. The built-in defaults were used; change the policy.`;
    warnings.push({ code: 'RETRIEVAL_DEFAULTS_UNAVAILABLE', detail });
  }
  return warnings;
}

function warningsOfDatasets({ datasets, contents, pendingDocuments, known, options }: SearchFacts): SearchWarning[] {
  const warnings: SearchWarning[] = [];
  const empty = datasets.filter((_, index) => contents[index]!.statistics.chunkCount === 0);
  if (empty.length > 0) {
    const detail = `Nothing can be found in: ${idsOf(empty)}. Upload documents, or wait until they are completed.`;
    warnings.push({ code: 'DATASET_EMPTY', detail });
  }
  if (pendingDocuments > 0) {
    const detail = `Documents still being ingested: ${pendingDocuments}. Search again when they are completed.`;
    warnings.push({ code: 'DOCUMENTS_PENDING', detail });
  }
  const former = datasets.filter(({ embeddingSpace }) => !known.has(embeddingSpace));
  if (former.length > 0 && options.searchMethod !== 'keyword') {
    const detail = `Made for another embedding model: ${idsOf(former)}. They are searched by keywords only until POST /datasets/{id}/reembeddings has made new vectors.`;
    warnings.push({ code: 'STALE_EMBEDDING', detail });
  }
  return warnings;
}

function warningsOfGraph({ graph, datasets }: SearchFacts): SearchWarning[] {
  if (graph === null) return [];
  const { withoutGraph, entities } = graph;
  const warnings: SearchWarning[] = [];
  if (withoutGraph.length > 0) {
    const detail = `No knowledge graph in: ${withoutGraph.join(', ')}. They were searched without one; make it with POST /kg/trigger, or with kg.mode in the policy.`;
    warnings.push({ code: 'KG_EMPTY', detail });
  }
  if (entities.length === 0 && withoutGraph.length < datasets.length) {
    const detail =
      'The query names nothing that is in the knowledge graph; the graph added nothing. Names are found as they are written, with their capitals.';
    warnings.push({ code: 'KG_NO_ENTITY', detail });
  }
  return warnings;
}

function warningsOfRequest(facts: SearchFacts): SearchWarning[] {
  const { terms, options, topK, counts, foundWithoutFilters, embeddingFailure, lookFailure, expanded } = facts;
  const warnings: SearchWarning[] = [];
  if (expanded.failure !== null) {
    const detail = `No further queries were generated (${expanded.failure}); the question was searched for as it is.`;
    warnings.push({ code: 'QUERY_EXPANSION_FAILED', detail });
  }
  if (embeddingFailure !== null) {
    const detail = `The question could not be embedded (${embeddingFailure}); it was searched for by words alone. Search again later.`;
    warnings.push({ code: 'EMBEDDING_FAILED', detail });
  }
  if (lookFailure !== null) warnings.push(warningOfLook(lookFailure));
  const { scoreThreshold, rerank, searchMethod } = options;
  if (searchMethod !== 'vector' && terms.words.length + terms.grams.length === 0) {
    const detail = 'The query holds no word that can be searched for. Ask with letters or digits.';
    warnings.push({ code: 'QUERY_WITHOUT_TERMS', detail });
  }
  if (foundWithoutFilters) {
    const detail = 'Without the filters there would be candidates; no document that meets the filters is one.';
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
    const detail = `Statements of the results could not be compared with the question one by one (${code}); the results are as they were found. Search again later.`;
    return { code: 'STATEMENTS_NOT_COMPARED', detail };
  }
  const detail = `Words of the question that the results lack could not be weighed (${code}); the order of the results is complete, but a passage about something alike may be taken for an answer. Ask again later.`;
  return { code: 'WORDS_NOT_COMPARED', detail };
}

function idsOf(datasets: readonly VisibleDataset[]): string {
  return datasets.map(({ id }) => id).join(', ');
}
