import type { ExplainStage } from './explain-response.dto.js';
import type { SearchTrace } from '../results/search-trace.js';
import { isSearched } from './diagnosis.js';
import { EXPLAIN_STAGES, verdictOf, type ExplainCode, type ExplainStageName } from './explain-codes.js';
import { graphStage, hasReached } from './graph-stage.js';
import { UNUSED, type StageFacts } from './stage-facts.js';
import type { Target } from './target.js';

/** What each stage made of the chunk; empty for what is unknown. */
export function reportStages(code: ExplainCode, target: Target, trace: SearchTrace | null): ExplainStage[] {
  const end = removedAt(code, target, trace);
  const stages = EXPLAIN_STAGES.map((name) => ({ name, facts: factsOf(name, code, target, trace) }));
  const last = end === null ? EXPLAIN_STAGES.length : EXPLAIN_STAGES.indexOf(end);
  return stages.map(({ name, facts }, index) => toStage(name, facts, index > last));
}

function toStage(stage: ExplainStageName, facts: StageFacts, isBehindEnd: boolean): ExplainStage {
  const outcome = !facts.isUsed ? 'not_used' : isBehindEnd ? 'not_reached' : facts.passes ? 'passed' : 'removed';
  const words = { not_used: 'Not part of this search.', not_reached: 'It did not get so far.', ...facts };
  return {
    stage,
    outcome,
    rank: outcome === 'passed' || outcome === 'removed' ? (facts.rank ?? null) : null,
    score: facts.isUsed ? (facts.score ?? null) : null,
    limit: facts.isUsed ? (facts.limit ?? null) : null,
    list_length: facts.isUsed ? (facts.listLength ?? null) : null,
    detail: words[outcome],
  };
}

/** The stage that removed the chunk; null when it is returned. */
function removedAt(code: ExplainCode, target: Target, trace: SearchTrace | null): ExplainStageName | null {
  if (verdictOf(code) === 'not_indexed') return 'indexed';
  switch (code) {
    case 'OUT_OF_SCOPE':
    case 'ACL':
      return 'scope';
    case 'METADATA_FILTER':
      return 'filters';
    case 'NOT_IN_CANDIDATES':
      return trace !== null && trace.graph !== null ? 'kg' : 'vector';
    case 'BELOW_SCORE_THRESHOLD':
      return 'threshold';
    case 'MMR_REMOVED':
      return 'mmr';
    case 'RERANK_DEMOTED':
    case 'FUSION_DEMOTED':
    case 'OUTRANKED':
      return target.finalRank === null ? 'rerank' : 'top_k';
    default:
      return null;
  }
}

function factsOf(name: ExplainStageName, code: ExplainCode, target: Target, trace: SearchTrace | null): StageFacts {
  switch (name) {
    case 'indexed':
      return indexed(code);
    case 'scope':
      return scope(code, target, trace);
    case 'filters':
      return filters(code, trace);
    case 'keyword':
    case 'vector':
      return channel(name, target, trace);
    case 'kg':
      return graphStage(target, trace);
    case 'fusion':
      return fusion(target, trace);
    default:
      return trace === null ? UNUSED : choice(name, target, trace);
  }
}

function indexed(code: ExplainCode): StageFacts {
  const passed = 'The document is searchable, and the stores hold the chunk as far as the search needs it.';
  return {
    isUsed: true,
    passes: verdictOf(code) !== 'not_indexed',
    passed,
    removed: 'It cannot be found by this search.',
  };
}

function scope(code: ExplainCode, target: Target, trace: SearchTrace | null): StageFacts {
  const passes = code !== 'ACL' && trace !== null && isSearched(trace, target);
  const removed =
    code === 'ACL' ? 'The account does not see the dataset.' : 'Its dataset is not among those that were searched.';
  return { isUsed: true, passes, passed: 'Its dataset was searched.', removed };
}

function filters(code: ExplainCode, trace: SearchTrace | null): StageFacts {
  if (trace === null || trace.options.filter === null) return UNUSED;
  const passed = 'The document meets the filters.';
  return {
    isUsed: true,
    passes: code !== 'METADATA_FILTER',
    passed,
    removed: 'The document does not meet the filters.',
  };
}

function channel(name: 'keyword' | 'vector', target: Target, trace: SearchTrace | null): StageFacts {
  const others = name === 'keyword' ? 'vector' : 'keyword';
  if (trace === null || trace.options.searchMethod === others) return UNUSED;
  const { candidateK } = trace.options;
  const rank = target.merged?.ranks[name] ?? null;
  const score = name === 'keyword' ? target.scored?.keyword : target.scored?.cosine;
  const isWhole = name === 'keyword' && trace.scoring.posted.has(target.document.dataset_id);
  const isOrdering = name === 'vector' && trace.options.vectors === 'ordering';
  const isCompared = target.isCandidate || isWhole;
  const reason =
    score === undefined || score === null
      ? 'It has no score here.'
      : reasonOf(score, isCompared, candidateK, isOrdering);
  const listLength = trace.outcome.report.counts[name];
  const passed = `At place ${rank} of ${listLength}.`;
  return {
    isUsed: true,
    passes: rank !== null,
    rank,
    score: score ?? null,
    limit: candidateK,
    listLength,
    passed,
    removed: reason,
  };
}

function reasonOf(score: number, isCompared: boolean, candidateK: number, isOrdering: boolean): string {
  if (score <= 0) return 'It has nothing in common with the query here.';
  if (!isCompared && isOrdering)
    return `Words found enough, and this embedding only orders what words find; it is not among the ${candidateK} best of the list.`;
  if (isCompared) return `It is not among the ${candidateK} best of the list.`;
  return `It is not among those that the vector store proposed for the ${candidateK} best.`;
}

function fusion(target: Target, trace: SearchTrace | null): StageFacts {
  if (trace === null || !isFused(trace)) return UNUSED;
  const rank = target.merged?.ranks.fusion ?? null;
  const listLength = trace.merged.length;
  const lists = isJoined(trace) ? 'the lists of all phrasings' : hasReached(trace) ? 'all lists' : 'both lists';
  const passed = `At place ${rank} of ${listLength} when ${lists} are one.`;
  return {
    isUsed: true,
    passes: rank !== null,
    rank,
    score: target.merged?.fusion ?? null,
    listLength,
    passed,
    removed: passed,
  };
}

/** Whether several lists became one. */
export function isFused(trace: SearchTrace): boolean {
  return trace.options.searchMethod === 'hybrid' || isJoined(trace) || hasReached(trace);
}

function isJoined({ options, expanded }: SearchTrace): boolean {
  return options.expansion?.method === 'multi_query' && expanded.texts.length > 0;
}

function choice(name: 'rerank' | 'threshold' | 'mmr' | 'top_k', target: Target, trace: SearchTrace): StageFacts {
  switch (name) {
    case 'rerank':
      return rerank(target, trace);
    case 'threshold':
      return threshold(target, trace);
    case 'mmr':
      return diversity(target, trace);
    case 'top_k':
      return taken(target, trace);
  }
}

function rerank({ finalRank, mergedRank, final }: Target, { options, ranked }: SearchTrace): StageFacts {
  if (options.rerank === null) return UNUSED;
  const { topN } = options.rerank;
  return {
    isUsed: true,
    passes: finalRank !== null,
    rank: finalRank,
    score: final?.score ?? null,
    limit: topN,
    listLength: ranked.length,
    passed: `Reranked from place ${mergedRank} to ${finalRank}.`,
    removed: `At place ${mergedRank}, and only the first ${topN} are reranked; the others are left out.`,
  };
}

function threshold({ finalRank, final }: Target, { options, outcome }: SearchTrace): StageFacts {
  const limit = options.scoreThreshold;
  if (limit === null) return UNUSED;
  const score = final?.score ?? null;
  const words = `Score ${score} against ${limit}.`;
  const facts = { rank: finalRank, score, limit, listLength: outcome.report.counts.passed };
  return { ...facts, isUsed: true, passes: score !== null && score >= limit, passed: words, removed: words };
}

function diversity(target: Target, { options, outcome, topK }: SearchTrace): StageFacts {
  if (options.mmr === null) return UNUSED;
  const { finalRank, resultRank, final } = target;
  const isTaken = resultRank !== null;
  return {
    isUsed: true,
    passes: isTaken || finalRank === null || finalRank > topK,
    rank: resultRank,
    score: final?.score ?? null,
    limit: topK,
    listLength: outcome.report.counts.returned,
    passed: isTaken
      ? `Taken at place ${resultRank}.`
      : 'Not the reason: by its score alone it would not be taken either.',
    removed: `At place ${finalRank} by score, and others were taken that are less like those already taken.`,
  };
}

function taken({ finalRank, resultRank, final }: Target, { outcome, topK }: SearchTrace): StageFacts {
  return {
    isUsed: true,
    passes: resultRank !== null,
    rank: resultRank ?? finalRank,
    score: final?.score ?? null,
    limit: topK,
    listLength: outcome.report.counts.returned,
    passed: `Returned at place ${resultRank}.`,
    removed: `At place ${finalRank}, and top_k is ${topK}.`,
  };
}
