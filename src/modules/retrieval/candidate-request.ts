import type { CandidateRequest } from './candidate-finder.service.js';
import type { QueryVectors } from './query-vectors.js';
import { enoughByWords } from './search-options.js';
import type { SearchPlan } from './search-plan.js';
import type { ScopeFacts } from './search-scopes.service.js';

/** What differs between the searches for candidates of one plan. */
export type SoughtHow = Pick<CandidateRequest, 'candidateK' | 'filter' | 'scoring' | 'onProposed'>;

/** What candidates are sought for. */
export function candidateRequestOf(
  { datasets, terms, options, topK }: SearchPlan,
  queries: QueryVectors,
  scope: Promise<ScopeFacts>,
  { candidateK, filter, scoring, onProposed = () => undefined }: SoughtHow,
): CandidateRequest {
  const { searchMethod } = options;
  const enough = enoughByWords(options, topK);
  const sought = { datasets, searchMethod, terms, queries, usage: options, enough, candidateK, filter };
  return { ...sought, scope, scoring, onProposed };
}
