import { Injectable } from '@nestjs/common';
import { inTurns, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { measureGraph, type NodeMetrics } from './graph-metrics.js';
import { selectPart, type GraphPart, type GraphSelection } from './graph-view.js';
import { KgEvidenceRepository } from './kg-evidence.repository.js';
import { buildGraph, type KnowledgeGraph } from './knowledge-graph.js';

/** Places of all graphs that are kept at most; some 100 bytes each. */
const PLACES_KEPT = 300_000;
/** Parts of one graph that are kept: what a page shows is asked for again when it is looked at again. */
const PARTS_KEPT = 8;

/** A graph with the metrics of its nodes. */
export interface BuiltGraph {
  readonly graph: KnowledgeGraph;
  readonly metrics: ReadonlyMap<string, NodeMetrics>;
  /** A part of it; the same one where the same is asked for again. */
  readonly part: (selection: GraphSelection) => Promise<GraphPart>;
}

interface Kept extends BuiltGraph {
  readonly stamp: string;
  readonly places: number;
}

/**
 * Graphs as their evidence makes them. A graph is kept until its evidence changes: each time it is asked of the database, as the
 * caller sees it, what documents show at that moment, and what was built of anything else is not given. Anyone who asks has seen the dataset.
 */
@Injectable()
export class BuiltGraphs {
  /** By tenant and dataset; the order is that of their last use. */
  private readonly kept = new Map<string, Kept>();
  private readonly building = new Map<string, Promise<Kept>>();

  constructor(private readonly evidence: KgEvidenceRepository) {}

  async read(ctx: RequestContext, datasetId: DatasetId): Promise<BuiltGraph> {
    const key = `${ctx.tenantId}/${datasetId}`;
    const stamp = await this.evidence.stampOf(ctx, datasetId);
    const known = this.kept.get(key);
    if (known?.stamp === stamp) return this.keep(key, known);
    const built = await this.buildOnce(ctx, datasetId, `${key}/${stamp}`);
    return this.keep(key, built);
  }

  /** Those who ask for the same evidence at the same time wait for one build. It may be of newer evidence, never of older. */
  private buildOnce(ctx: RequestContext, datasetId: DatasetId, key: string): Promise<Kept> {
    const building = this.building.get(key) ?? this.build(ctx, datasetId).finally(() => this.building.delete(key));
    this.building.set(key, building);
    return building;
  }

  private async build(ctx: RequestContext, datasetId: DatasetId): Promise<Kept> {
    const { stamp, mentions, relations, truncated } = await this.evidence.read(ctx, datasetId);
    const party = ctx.tenantId;
    const graph = await inTurns(buildGraph(datasetId, mentions, relations, truncated), { party });
    const metrics = await measureGraph(graph, party);
    const parts = new Map<string, Promise<GraphPart>>();
    const part = async (selection: GraphSelection): Promise<GraphPart> => {
      const key = JSON.stringify(selection);
      const selected = parts.get(key) ?? inTurns(selectPart(graph, metrics, selection), { party });
      selected.catch(() => parts.delete(key));
      parts.delete(key);
      parts.set(key, selected);
      if (parts.size > PARTS_KEPT) parts.delete(parts.keys().next().value!);
      return selected;
    };
    return { stamp, graph, metrics, part, places: mentions.length + placesOf(graph) };
  }

  /** The one that was used longest ago goes first; a graph that is too large for all is not kept. */
  private keep(key: string, graph: Kept): Kept {
    this.kept.delete(key);
    this.kept.set(key, graph);
    let places = [...this.kept.values()].reduce((sum, each) => sum + each.places, 0);
    for (const [other, { places: own }] of this.kept) {
      if (places <= PLACES_KEPT) break;
      this.kept.delete(other);
      places -= own;
    }
    return graph;
  }
}

function placesOf({ edges }: KnowledgeGraph): number {
  return edges.reduce((sum, { evidence }) => sum + evidence.length, 0);
}
