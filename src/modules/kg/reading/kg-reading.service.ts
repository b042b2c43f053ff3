import { Injectable } from '@nestjs/common';
import {
  inTurns,
  isUuid,
  jsonPieces,
  MadeList,
  mapSteps,
  piecesInTurns,
  type DatasetId,
  type FieldProblem,
} from '#libs/common';
import { entityKeyOf } from '../entity-rules/entity-key.js';
import { validationFailed, type ListQueryDto } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import type {
  FindPathQuery,
  KgEdge,
  KgEntity,
  KgEntityPage,
  KgGraphPart,
  KgNode,
  KgPath,
  ListEntitiesQuery,
  ReadGraphQuery,
  ViewGraphQuery,
} from './kg-reading.dto.js';
import { kgErrors } from '../kg.errors.js';
import { KgService } from '../building/kg.service.js';
import { graphCsv, graphMl } from './graph-export.js';
import { shortestPath, type GraphPart, type GraphSelection, type MeasuredNode } from './graph-view.js';
import { BuiltGraphs, type BuiltGraph } from './built-graphs.service.js';
import { type GraphEdge, type KnowledgeGraph } from './knowledge-graph.js';

/** Number of places listed for an edge; those of an entity are read page by page. */
const PLACES_OF_EDGE = 5;
const EDGES_OF_ENTITY = 100;

/** A graph as it is at one moment, with the metrics of its nodes. */
interface Measured extends BuiltGraph {
  readonly id: string;
  readonly datasetId: DatasetId;
}

/** A part of a graph with all of its evidence. */
export interface SelectedPart extends GraphPart {
  /** The cached part: the same object for the same filter as long as its graph is cached. */
  readonly of: GraphPart;
  readonly id: string;
  readonly datasetId: DatasetId;
  /** Whether the documents name more entities than a graph holds. */
  readonly truncated: boolean;
}

/** Reads graphs. Each is built from the evidence of the documents that searches show at that moment, so that nothing else can be in the answer. */
@Injectable()
export class KgReadingService {
  constructor(
    private readonly graphs: KgService,
    private readonly built: BuiltGraphs,
  ) {}

  /** @throws `kg.not_found`, `kg.entity_not_found` */
  async readPart(ctx: RequestContext, id: string, query: ReadGraphQuery): Promise<KgGraphPart> {
    const { id: graphId, datasetId, nodes, edges, total, truncated } = await this.select(ctx, id, query);
    const turns = { party: ctx.tenantId };
    const shownNodes = await inTurns(mapSteps(nodes, showNode), turns);
    const shownEdges = await inTurns(mapSteps(edges, showEdge), turns);
    return { id: graphId, dataset_id: datasetId, nodes: shownNodes, edges: shownEdges, total, truncated };
  }

  /** `readPart` as JSON, which may have megabytes: it is written piece by piece while it is read. @throws as `readPart` */
  async writePart(ctx: RequestContext, id: string, query: ReadGraphQuery): Promise<AsyncIterable<Buffer>> {
    const { id: graphId, datasetId, nodes, edges, total, truncated } = await this.select(ctx, id, query);
    const lists = { nodes: new MadeList(nodes, showNode), edges: new MadeList(edges, showEdge) };
    const pieces = jsonPieces({ id: graphId, dataset_id: datasetId, ...lists, total, truncated });
    return piecesInTurns(pieces, { party: ctx.tenantId });
  }

  /** The part of a graph as a file. @throws `kg.not_found`, `kg.entity_not_found` */
  async exportPart(ctx: RequestContext, id: string, query: ReadGraphQuery, format: 'graphml' | 'csv'): Promise<string> {
    const part = await this.select(ctx, id, query);
    return format === 'csv' ? graphCsv(part) : graphMl(part);
  }

  /** The part of a graph with every place of its evidence. @throws `kg.not_found`, `kg.entity_not_found` */
  async select(ctx: RequestContext, id: string, query: ViewGraphQuery): Promise<SelectedPart> {
    const measured = await this.measure(ctx, id);
    const part = await measured.part(selectionOf(measured, query));
    return { id: measured.id, datasetId: measured.datasetId, truncated: measured.graph.truncated, of: part, ...part };
  }

  /** @throws `kg.not_found` */
  async listEntities(ctx: RequestContext, graphId: string, query: ListEntitiesQuery): Promise<KgEntityPage> {
    const { graph, part } = await this.measure(ctx, graphId);
    const { q, entity_type: type, document_id: id, skip, limit } = query;
    const types = type === undefined ? undefined : [type];
    const wanted = { q, types, document: id?.toLowerCase(), depth: 0, limit: graph.nodes.size };
    const { nodes, total } = await part(wanted);
    return { items: nodes.slice(skip, skip + limit).map(showNode), total: total.nodes, skip, limit };
  }

  /** @throws `kg.not_found`, `kg.entity_not_found` */
  async readEntity(ctx: RequestContext, id: string, entity: string, page: ListQueryDto): Promise<KgEntity> {
    const { graph, metrics } = await this.measure(ctx, id);
    const node = isUuid(entity) ? graph.nodes.get(entity.toLowerCase()) : undefined;
    if (node === undefined) throw kgErrors.entity_not_found({ entity });
    const edges = graph.edges.filter(({ source, target }) => source === node.id || target === node.id);
    const { skip, limit } = page;
    return {
      ...showNode({ ...node, ...metrics.get(node.id)! }),
      aliases: [...node.aliases],
      evidence: { items: node.evidence.slice(skip, skip + limit), total: node.evidence.length, skip, limit },
      edges: edges.slice(0, EDGES_OF_ENTITY).map(showEdge),
    };
  }

  /** @throws `kg.not_found`, `http.validation_failed` without both ends, `kg.entity_not_found` */
  async findPath(ctx: RequestContext, id: string, query: FindPathQuery): Promise<KgPath> {
    const { from, to, max_length: most } = query;
    const { graph, metrics } = await this.measure(ctx, id);
    if (from === undefined || to === undefined) throw validationFailed(missingEnds(query));
    const [start, end] = [requireNode(graph, from), requireNode(graph, to)];
    const edges = await inTurns(shortestPath(graph, start, end, most), { party: ctx.tenantId });
    if (edges === null) return { nodes: [], edges: [], length: null };
    const along = [start];
    for (const { source, target } of edges) along.push(along.at(-1) === source ? target : source);
    const nodes = along.map((at) => showNode({ ...graph.nodes.get(at)!, ...metrics.get(at)! }));
    return { nodes, edges: edges.map(showEdge), length: edges.length };
  }

  private async measure(ctx: RequestContext, id: string): Promise<Measured> {
    const { datasetId, graph: row } = await this.graphs.require(ctx, id);
    return { id: row?.id ?? datasetId, datasetId, ...(await this.built.read(ctx, datasetId)) };
  }
}

function missingEnds(query: FindPathQuery): FieldProblem[] {
  return (['from', 'to'] as const)
    .filter((name) => query[name] === undefined)
    .map((name) => ({ pointer: `/${name}`, code: 'required', detail: `${name} is missing; name an entity` }));
}

function selectionOf({ graph }: Measured, query: ViewGraphQuery): GraphSelection {
  const { q, entity_type: type, center, depth, limit } = query;
  const near = center === undefined ? undefined : requireNode(graph, center);
  return { q, types: type === undefined ? undefined : [type], center: near, depth, limit };
}

/** Id of the node with this id or name. */
function requireNode({ nodes }: KnowledgeGraph, entity: string): string {
  const byId = nodes.get(entity.toLowerCase());
  if (byId !== undefined) return byId.id;
  const key = entityKeyOf(entity);
  const all = [...nodes.values()];
  const found =
    all.find(({ label }) => entityKeyOf(label) === key) ??
    all.find(({ aliases }) => aliases.some((alias) => entityKeyOf(alias) === key));
  if (key === '' || found === undefined) throw kgErrors.entity_not_found({ entity });
  return found.id;
}

function showNode({ id, label, type, degree, pagerank, community, evidence }: MeasuredNode): KgNode {
  return { id, label, type, degree, pagerank, community, evidence_count: evidence.length };
}

function showEdge({ source, target, relation, weight, evidence }: GraphEdge): KgEdge {
  const places = evidence.slice(0, PLACES_OF_EDGE);
  return { source, target, relation, weight, evidence_count: evidence.length, evidence: places };
}
