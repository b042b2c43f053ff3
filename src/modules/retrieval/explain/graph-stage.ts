import type { SearchTrace } from '../results/search-trace.js';
import { UNUSED, type StageFacts } from './stage-facts.js';
import type { Target } from './target.js';

/** What the knowledge graph made of the chunk. */
export function graphStage({ chunk, merged }: Target, trace: SearchTrace | null): StageFacts {
  if (trace === null || trace.graph === null) return UNUSED;
  const { entities, scores } = trace.graph;
  const rank = merged?.ranks.kg ?? null;
  const listLength = trace.outcome.report.counts.kg;
  const removed =
    entities.length === 0
      ? 'The query names nothing that is in the knowledge graph.'
      : 'The chunk names no entity of the query and none that is related to one.';
  return {
    isUsed: true,
    passes: rank !== null,
    rank,
    score: chunk === null ? null : (scores.get(chunk.id)?.score ?? null),
    limit: trace.options.candidateK,
    listLength,
    passed: `At place ${rank} of ${listLength}.`,
    removed,
  };
}

/** Whether the graph has a list of its own. */
export function hasReached({ outcome }: SearchTrace): boolean {
  return outcome.report.counts.kg > 0;
}
