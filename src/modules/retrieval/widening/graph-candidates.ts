import type { ChunkId, DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { ScoredChunkId } from '#libs/vector-store';
import type { CandidateFinder, FoundCandidates } from '../candidates/candidate-finder.service.js';
import type { ScopedCandidate } from '../ranking/candidate-scorer.service.js';
import type { CandidateScores } from '../ranking/candidate-scores.js';
import type { FoundWithGraph, SearchPlan } from '../results/search-plan.js';
import type { ScopeFacts } from '../candidates/search-scopes.service.js';
import type { GraphEntity, LeadingEntity, LinkedQuestion } from '../graph/graph-neighbourhood.port.js';
import { GRAPH_PARAMETERS, scoreReached, weighNamed, type GraphScore, type Support } from '../graph/graph-scores.js';

/** What a search has when the graph is asked. */
export interface GraphSearch {
  readonly plan: SearchPlan;
  readonly scope: ScopeFacts;
  readonly found: FoundCandidates;
  /** Null where no graph is asked. */
  readonly linked: LinkedQuestion | null;
  readonly scores: CandidateScores;
}

/** What the question names in the graphs of the datasets; null where no graph is asked. */
export async function linkQuestion(
  ctx: RequestContext,
  { graph }: CandidateFinder,
  { datasets, options, query, timer }: SearchPlan,
): Promise<LinkedQuestion | null> {
  if (graph === undefined || options.graph === undefined) return null;
  const ids = datasets.map(({ id }) => id);
  return timer.measure('kg', () => graph.link(ctx, ids, query));
}

/**
 * Follows the graph from the entities of the question: to the chunks that name them, and from the best of these chunks by the other channels to
 * the chunks that share another entity with them. All become candidates if they are visible and meet the filters; other chunks are not followed
 * either.
 */
export async function followGraph(
  ctx: RequestContext,
  finder: CandidateFinder,
  search: GraphSearch,
): Promise<FoundWithGraph> {
  const { plan, found, scope, linked } = search;
  if (linked === null) return { found, graph: null };
  const { entities, withoutGraph } = linked;
  const nothing = { found, graph: { entities, withoutGraph, scores: new Map<ChunkId, GraphScore>() } };
  if (entities.length === 0) return nothing;
  const call = { datasets: plan.datasets, filter: plan.options.filter, timer: plan.timer };
  const sizeOf = ({ datasetId }: GraphEntity): number =>
    scope.contents[plan.datasets.findIndex(({ id }) => id === datasetId)]!.statistics.chunkCount;
  const named = await finder.admit(ctx, rowsOf(entities), call, scope);
  if (named.chunks.length === 0) return nothing;
  const support = await supportOf(search, named);
  const ids = idsOf(named);
  const best = weighNamed(entities, ids, support.of, sizeOf);
  const followed = best.slice(0, GRAPH_PARAMETERS.followed).map(({ chunkId }) => chunkId);
  const datasets = plan.datasets.map(({ id }) => id);
  const leading = await plan.timer.measure('kg', () => followFrom(ctx, finder, datasets, followed));
  const reached = await finder.admit(ctx, rowsOf(leading), call, scope);
  await support.add(reached);
  const scores = scoreReached(best, leading, new Set([...ids, ...idsOf(reached)]), support.of, sizeOf);
  return { found: together([found, named, reached]), graph: { entities, withoutGraph, scores } };
}

async function followFrom(
  ctx: RequestContext,
  { graph }: CandidateFinder,
  datasetIds: readonly DatasetId[],
  chunkIds: readonly ChunkId[],
): Promise<readonly LeadingEntity[]> {
  return graph === undefined ? [] : graph.leadOn(ctx, datasetIds, chunkIds);
}

function rowsOf(entities: readonly GraphEntity[]): ScoredChunkId[] {
  return entities.flatMap(({ chunks }) => chunks.map((chunk) => ({ ...chunk, score: 0 })));
}

function idsOf({ chunks }: FoundCandidates): Set<ChunkId> {
  return new Set(chunks.map(({ id }) => id));
}

/** Of each chunk its score by words, or by vector where words are no part of the search, as a share of the best candidate's. */
async function supportOf(
  { plan, found, scores }: GraphSearch,
  named: FoundCandidates,
): Promise<{ readonly of: Support; readonly add: (more: FoundCandidates) => Promise<void> }> {
  const known = new Map<ChunkId, number>();
  const isByVector = plan.options.searchMethod === 'vector';
  const scoreOf = ({ keyword, cosine }: ScopedCandidate): number => Math.max(0, (isByVector ? cosine : keyword) ?? 0);
  const add = async ({ chunks }: FoundCandidates): Promise<void> => {
    for (const candidate of await plan.timer.measure('features', () => scores.of(chunks)))
      known.set(candidate.id, scoreOf(candidate));
  };
  await add(found);
  await add(named);
  const best = [...known.values()].reduce((most, score) => Math.max(most, score), 0);
  return { of: (id) => (best === 0 ? 0 : Math.min(1, (known.get(id) ?? 0) / best)), add };
}

function together(all: readonly [FoundCandidates, ...FoundCandidates[]]): FoundCandidates {
  const chunks = new Map(all.flatMap((one) => one.chunks).map((chunk) => [chunk.id, chunk]));
  const [first, ...others] = all;
  const seqs = first.seqs.map((seq, at) =>
    others.reduce((least, one) => (one.seqs[at]! < least ? one.seqs[at]! : least), seq),
  );
  return {
    chunks: [...chunks.values()],
    proposed: all.reduce((sum, { proposed }) => sum + proposed, 0),
    documents: new Set(all.flatMap(({ documents }) => [...documents])),
    seqs,
    isTorn: all.some(({ isTorn }) => isTorn),
  };
}
