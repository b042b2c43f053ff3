import type { JsonObject } from '#libs/common';
import type { QueryTerms } from '#libs/ranking';
import type { VisibleDataset } from '../../datasets/index.js';
import type { ScopedCandidate } from '../ranking/candidate-scorer.service.js';
import type { ExpandedQuery } from '../expansion/expanded-query.js';
import type { GraphFindings } from '../graph/graph-scores.js';
import type { Scoring } from '../candidates/scoring.js';
import type { Ranked } from '../ranking/ranking.js';
import type { RetrievalOutcome } from './retrieval-outcome.js';
import type { EffectiveOptions } from '../request/search-options.js';
import type { AppliedDefaults } from '../request/request-defaults.js';

type RankedCandidates = readonly Ranked<ScopedCandidate>[];

/** The lists of a search's ranking, each best first. */
export interface RankingTrace {
  /** What the candidates were scored by; scores another chunk alike. */
  readonly scoring: Scoring;
  /** The visible candidates, scored, in no order. */
  readonly candidates: readonly ScopedCandidate[];
  /** The one list that the channels became. */
  readonly merged: RankedCandidates;
  /** The list after reranking; `merged` without it. */
  readonly ranked: RankedCandidates;
  /** What was returned, before it was read: after the threshold, the choice among what is alike, and `top_k`. */
  readonly chosen: RankedCandidates;
}

/** A trace of a search, for explaining and recording it. In memory only. */
export interface SearchTrace extends RankingTrace {
  /** As they stood when the search began. */
  readonly datasets: readonly VisibleDataset[];
  /** What `config_fingerprint` is the hash of. */
  readonly config: JsonObject;
  readonly options: EffectiveOptions;
  /** What held where the request was silent. */
  readonly defaults: AppliedDefaults;
  readonly topK: number;
  readonly terms: QueryTerms;
  readonly expanded: ExpandedQuery;
  /** Null where no graph was asked. */
  readonly graph: GraphFindings | null;
  readonly outcome: RetrievalOutcome;
}
