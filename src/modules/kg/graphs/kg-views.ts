import type { DatasetId } from '#libs/common';
import type { KgDocuments, KgGraph, KgSkipped, KgUsage } from './kg.dto.js';
import type { GraphRow } from './kg-graphs.repository.js';

const NO_USAGE: KgUsage = { calls: 0, input_tokens: 0, output_tokens: 0, cost: 0, cached_chunks: 0 };

/** A graph as callers read it. */
export function toGraph(datasetId: DatasetId, graph: GraphRow | undefined, documents: KgDocuments): KgGraph {
  return {
    id: graph?.id ?? datasetId,
    dataset_id: datasetId,
    status: graph?.status ?? 'empty',
    mode: graph?.mode ?? null,
    model: graph?.model ?? null,
    max_tokens: numberOf(graph?.budget_tokens ?? null),
    usage: graph === undefined ? NO_USAGE : usageOf(graph),
    skipped: graph === undefined ? [] : skippedOf(graph),
    remaining: graph?.remaining ?? null,
    waiting_reason: (graph?.waiting_since ?? null) === null ? null : 'provider_backoff',
    progress: graph === undefined ? null : { done: graph.done, total: graph.total },
    entity_types: graph?.entity_types ?? null,
    documents,
    error: graph?.error ?? null,
    triggered_at: graph?.triggered_at.toISOString() ?? null,
    ended_at: graph?.ended_at?.toISOString() ?? null,
  };
}

function usageOf(graph: GraphRow): KgUsage {
  const { calls, input_tokens: input, output_tokens: output, cost, cached_chunks: cached } = graph;
  return { calls, input_tokens: Number(input), output_tokens: Number(output), cost, cached_chunks: cached };
}

/** In the order of names. */
function skippedOf({ skipped }: Pick<GraphRow, 'skipped'>): KgSkipped[] {
  return Object.entries(skipped)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => {
      const [what = '', reason = ''] = name.split('.');
      return { what, reason, count };
    });
}

function numberOf(value: string | null): number | null {
  return value === null ? null : Number(value);
}
