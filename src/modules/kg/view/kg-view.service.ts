import { Injectable } from '@nestjs/common';
import { inTurns, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, type VisibleDataset } from '../../datasets/index.js';
import type { ViewGraphQuery } from '../reading/kg-reading.dto.js';
import { kgErrors } from '../kg.errors.js';
import { placeNodes, type Position } from '../reading/graph-layout.js';
import type { GraphPart } from '../reading/graph-view.js';
import { KgReadingService, type SelectedPart } from '../reading/kg-reading.service.js';
import type { Place } from '../reading/knowledge-graph.js';
import { drawingOf, quotedPlaces, quoteOf, shownDocuments, type Known, type Quote } from './drawing.js';
import { KgPassagesRepository } from './kg-passages.repository.js';
import { graphPage } from './graph-page.js';

/** Draws graphs, each time as documents support them at that moment. */
@Injectable()
export class KgViewService {
  private readonly placed = new WeakMap<GraphPart, Promise<readonly Position[]>>();

  constructor(
    private readonly reading: KgReadingService,
    private readonly passages: KgPassagesRepository,
    private readonly access: DatasetAccess,
  ) {}

  /** The page that draws a part of a graph, as pieces that are made while they are read. @throws `kg.not_found`, `kg.entity_not_found` */
  async draw(ctx: RequestContext, id: string, query: ViewGraphQuery): Promise<AsyncIterable<Buffer>> {
    const selected = await this.reading.select(ctx, id, query);
    const began = await this.requireDataset(ctx, selected.datasetId);
    const placed = await this.place(ctx, selected);
    const dataset = await this.requireDataset(ctx, selected.datasetId);
    // The layout takes long, so the graph is read again after it; nodes that are still there keep their positions.
    const isSame = dataset.contentSeq === began.contentSeq;
    const part = isSame ? selected : restOf(selected, await this.reading.select(ctx, id, query));
    const places = new Map(selected.nodes.map((node, at) => [node.id, placed[at]!]));
    const positions = part.nodes.map((node) => places.get(node.id)!);
    const known = await this.knownOf(ctx, part);
    const turns = { party: ctx.tenantId };
    const drawing = await inTurns(drawingOf(part, dataset.name, positions, known), turns);
    return graphPage(drawing, turns);
  }

  /** A cached part is placed once. */
  private place(ctx: RequestContext, { of: part }: SelectedPart): Promise<readonly Position[]> {
    const placing = this.placed.get(part) ?? placeNodes(part, ctx.tenantId);
    this.placed.set(part, placing);
    placing.catch(() => this.placed.delete(part));
    return placing;
  }

  private async requireDataset(ctx: RequestContext, id: DatasetId): Promise<VisibleDataset> {
    const [dataset] = await this.access.listVisible(ctx, [id]);
    if (dataset === undefined) throw kgErrors.not_found({});
    return dataset;
  }

  /** Names and texts of documents are for those who may read documents; the graph itself is for all who may read datasets. */
  private async knownOf(ctx: RequestContext, part: SelectedPart): Promise<Known> {
    if (!ctx.principal.permissions.has('documents:read')) return { names: new Map(), quotes: new Map() };
    const places = Map.groupBy(quotedPlaces(part), ({ chunk_id: id }) => id);
    const names = await this.passages.listNames(ctx, part.datasetId, shownDocuments(part));
    const quotes = new Map<Place, Quote>();
    for await (const chunk of this.passages.readChunks(ctx, part.datasetId, [...places.keys()])) {
      for (const place of places.get(chunk.id) ?? []) {
        const quote = quoteOf(place, chunk);
        if (quote !== undefined) quotes.set(place, quote);
      }
    }
    return { names, quotes };
  }
}

/** The nodes and edges of `before` that still exist, with their values of `now`. */
function restOf(before: SelectedPart, now: SelectedPart): SelectedPart {
  const placed = new Set(before.nodes.map(({ id }) => id));
  const nodes = now.nodes.filter(({ id }) => placed.has(id));
  const shown = new Set(nodes.map(({ id }) => id));
  return { ...now, nodes, edges: now.edges.filter(({ source, target }) => shown.has(source) && shown.has(target)) };
}
