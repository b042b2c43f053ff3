import type { ModelPurpose } from '#libs/ai';
import type { JsonObject } from '#libs/common';
import type { QueryTerms } from '#libs/ranking';
import type { VisibleDataset } from '../../datasets/index.js';
import type { FoundCandidates, SearchCall } from '../candidates/candidate-finder.service.js';
import type { ScopedCandidate } from '../ranking/candidate-scorer.service.js';
import type { ResultPart } from '../request/search-options.dto.js';
import type { ExpandedQuery } from '../expansion/expanded-query.js';
import type { GraphFindings } from '../graph/graph-scores.js';
import type { RankedLists, selectResults } from '../ranking/ranking.js';
import type { LookFailure, RetrievedChunk, SentenceLikeness } from './retrieval-outcome.js';
import type { EffectiveOptions } from '../request/search-options.js';
import type { AppliedDefaults } from '../request/request-defaults.js';
import type { RankingTrace, SearchTrace } from './search-trace.js';

/** The fixed inputs of one search. */
export interface SearchPlan extends SearchCall {
  readonly query: string;
  readonly topK: number;
  /** What models are called for. Default `search`. */
  readonly purpose?: ModelPurpose;
  /** Whether a model will quote what is found. Default no. */
  readonly isQuoted?: boolean;
  /** Whether the query holds words of earlier questions. Default no. */
  readonly isFollowUp?: boolean;
  readonly options: EffectiveOptions;
  readonly defaults: AppliedDefaults;
  readonly include: readonly ResultPart[] | undefined;
  readonly terms: QueryTerms;
  readonly datasets: readonly VisibleDataset[];
  /** Everything that decides the results but the question and the contents. */
  readonly config: JsonObject;
  /** Code of the error for which the question was not embedded and words alone answer; null: it was, or need not be. */
  readonly embeddingFailure: string | null;
  /** What a chat model made of the question; of its texts only those that are searched for. */
  readonly expanded: ExpandedQuery;
}

/** What a trace tells of the plan. */
export function askedOf(
  plan: SearchPlan,
): Pick<SearchPlan, 'datasets' | 'config' | 'options' | 'defaults' | 'terms' | 'topK' | 'expanded'> {
  const { datasets, config, options, defaults, terms, topK, expanded } = plan;
  return { datasets, config, options, defaults, terms, topK, expanded };
}

/** The lists of a search with what they were made of. */
export type AllRanked = RankedLists<ScopedCandidate> & Pick<RankingTrace, 'scoring' | 'candidates'>;

/** What was found, with what the graph had to say where it was asked. */
export interface FoundWithGraph {
  readonly found: FoundCandidates;
  readonly graph: GraphFindings | null;
}

export interface Selected {
  readonly lists: RankedLists<ScopedCandidate>;
  readonly passed: number;
  readonly results: readonly RetrievedChunk[];
  /** A chosen chunk was not shown any more when it was read. */
  readonly isTorn: boolean;
  /** Documents that could not be found yet. */
  readonly pendingDocuments: number;
  readonly trace: RankingTrace;
  /** What a second look compared; undefined without one. */
  readonly likeness: SentenceLikeness | undefined;
  /** What a second look could not compare. */
  readonly lookFailure: LookFailure | null;
}

export interface Answered {
  readonly trace: SearchTrace;
  /** What was searched changed meanwhile, and the results may be of both states. */
  readonly isTorn: boolean;
}

/** What reaches the threshold, and what is chosen of it. */
export type Selection = ReturnType<typeof selectResults<ScopedCandidate>>;
