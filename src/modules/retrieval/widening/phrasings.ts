import type { RequestContext } from '#libs/tenancy';
import { analyzeQuery, EVIDENCE_CHUNKS, measureEvidence, type QueryTerms } from '#libs/ranking';
import type { FoundCandidates } from '../candidates/candidate-finder.service.js';
import type { CandidateScorer, ScopedCandidate } from '../ranking/candidate-scorer.service.js';
import type { CandidateScores } from '../ranking/candidate-scores.js';
import type { GraphFindings } from '../graph/graph-scores.js';
import { liftNeighbours } from './lifted-neighbours.js';
import { rankCandidates, type Candidate, type Ranked, type RankingOptions } from '../ranking/ranking.js';
import type { QueryVectors } from '../candidates/query-vectors.js';
import { fitTerms, makeScoring, statisticsOf, trustBySpace, type Scoring } from '../candidates/scoring.js';
import type { AllRanked, SearchPlan } from '../results/search-plan.js';
import type { ReadScope, ScopeFacts } from '../candidates/search-scopes.service.js';
import { joinRanked } from './joined-phrasings.js';

/** A further phrasing of the question, which is searched for like the question itself. */
export interface Phrasing {
  readonly terms: QueryTerms;
  readonly vectors: QueryVectors;
  readonly scoring: Scoring;
}

/** The phrasings of a plan with their vectors, and what they are scored by. */
export function phrasingsOf(
  plan: SearchPlan,
  phrasings: readonly QueryVectors[],
  [{ contents }, calibrations]: ReadScope,
  known: ReadonlySet<string>,
): Phrasing[] {
  return phrasings.map((vectors, at) => {
    const terms = fitTerms(analyzeQuery(plan.expanded.texts[at]!), contents);
    return { terms, vectors, scoring: makeScoring({ ...plan, terms }, contents, vectors, known, calibrations) };
  });
}

/** The lists of the query, and the one that they and those of further phrasings became. */
export async function rankPhrasings(
  ctx: RequestContext,
  { options, timer }: SearchPlan,
  found: FoundCandidates,
  query: { readonly scores: CandidateScores; readonly scorer: CandidateScorer },
  phrasings: readonly Phrasing[],
  graph: GraphFindings | null,
): Promise<AllRanked> {
  const { scoring } = query.scores;
  const candidates = await timer.measure('features', () => query.scores.of(found.chunks));
  const others = await timer.measure('features', () =>
    Promise.all(phrasings.map((one) => query.scorer.score(ctx, found.chunks, one.scoring))),
  );
  return timer.measure('ranking', () => {
    const reached = new Set<string>(graph?.scores.keys());
    const facts = { reached, trust: trustBySpace(scoring) };
    const lists = rankCandidates(candidates, options, facts);
    const beside = others.map((scored) => rankCandidates(scored, options, facts).merged);
    const joined = { ...lists, merged: joinRanked(lists.merged, beside, candidates) };
    const how = { candidateK: options.candidateK, isAdded: beside.length > 0 ? () => false : isAddedBy(options) };
    const lifted = graph === null ? joined : liftNeighbours(joined, candidates, graph.scores, how);
    return { ...lifted, scoring, candidates };
  });
}

/** Whether the chosen candidates, best first, can answer the question, as the phrasing sees it that sees most evidence. */
export function evidenceOf(
  { terms }: SearchPlan,
  phrasings: readonly Phrasing[],
  chosen: readonly Ranked<ScopedCandidate>[],
  scope: ScopeFacts,
): number {
  const statistics = statisticsOf(scope.contents);
  const shown = chosen.slice(0, EVIDENCE_CHUNKS).map(({ item }) => item.terms);
  const asked = [terms, ...phrasings.map((one) => one.terms)];
  return Math.max(...asked.map((one) => measureEvidence(one, shown, statistics)));
}

/** Tells what vectors added to what words found, where they only order it. */
function isAddedBy({
  searchMethod,
  vectors,
  bySpace,
}: Pick<RankingOptions, 'searchMethod' | 'vectors' | 'bySpace'>): (entry: Ranked<Candidate>) => boolean {
  return ({ item, ranks }) =>
    searchMethod === 'hybrid' &&
    ranks.keyword === null &&
    (bySpace === undefined ? vectors : bySpace[item.space ?? '']?.vectors) === 'ordering';
}
