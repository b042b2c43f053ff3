import type { GraphEntityType } from '../../ingestion-policy/index.js';
import { mapSteps, type DocumentId, type Steps } from '#libs/common';
import type { Position } from '../reading/graph-layout.js';
import type { MeasuredNode } from '../reading/graph-view.js';
import type { GraphEdge, Place } from '../reading/knowledge-graph.js';
import type { SelectedPart } from '../reading/kg-reading.service.js';

/** A quoted place: the name with the text around it. */
export interface Quote {
  readonly before: string;
  readonly named: string;
  readonly after: string;
}

/** A place of a drawing: number of its document, offsets in the canonical text, and the quoted text if there is one. */
export interface DrawnPlace extends Partial<Quote> {
  readonly document: number;
  readonly start: number;
  readonly end: number;
}

export interface DrawnNode extends Position {
  readonly id: string;
  readonly label: string;
  readonly type: GraphEntityType;
  readonly aliases: readonly string[];
  readonly degree: number;
  readonly community: number;
  /** Places that name it, of which some are in `places`. */
  readonly count: number;
  readonly places: readonly DrawnPlace[];
}

/** Numbers of both nodes, relation, number of places, and the first one: number of its document, start and end. There are many, so they are short. */
export type DrawnEdge = readonly [number, number, string, number, number, number, number];

/** Everything that the page shows; data only, whatever the documents say. */
export interface Drawing {
  readonly dataset: string;
  readonly total: { readonly nodes: number; readonly edges: number };
  readonly truncated: boolean;
  /** Ids, each with its name where the reader may read documents. */
  readonly documents: readonly (readonly [DocumentId, string | null])[];
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

/** What a reader may see of documents besides the graph. */
export interface Known {
  readonly names: ReadonlyMap<DocumentId, string>;
  readonly quotes: ReadonlyMap<Place, Quote>;
}

/** Places of an entity that are shown. */
const PLACES = 3;
/** Number of entities, by PageRank, of which all these places are quoted; of the others only the first place is. */
const WELL_QUOTED_ENTITIES = 300;
const ALIASES = 5;
/** Characters around a name that are quoted with it. */
const AROUND = 90;
const LONGEST_NAME = 100;

/** Places whose text is quoted when it may be. */
export function quotedPlaces({ nodes }: Pick<SelectedPart, 'nodes'>): readonly Place[] {
  return nodes.flatMap(({ evidence }, at) => evidence.slice(0, at < WELL_QUOTED_ENTITIES ? PLACES : 1));
}

/** Documents of all places that are shown, each once. */
export function shownDocuments({ nodes, edges }: Pick<SelectedPart, 'nodes' | 'edges'>): readonly DocumentId[] {
  const places = [...nodes.flatMap(({ evidence }) => evidence.slice(0, PLACES)), ...edges.map(firstPlace)];
  return [...new Set(places.map(({ document_id: id }) => id))];
}

/** The text at a place of a chunk, shortened where it is long; undefined where the place is not in the chunk. */
export function quoteOf(place: Place, chunk: { readonly start: number; readonly text: string }): Quote | undefined {
  const [start, end] = [place.char_start - chunk.start, place.char_end - chunk.start];
  if (start < 0 || end > chunk.text.length || start >= end) return undefined;
  const last = Math.min(end, start + LONGEST_NAME);
  return {
    before: chunk.text.slice(Math.max(0, start - AROUND), start),
    named: chunk.text.slice(start, last),
    after: chunk.text.slice(last, last + AROUND),
  };
}

/** The drawing of a part; `positions` are those of its nodes, in their order. */
export function* drawingOf(
  part: SelectedPart,
  dataset: string,
  positions: readonly Position[],
  { names, quotes }: Known,
): Steps<Drawing> {
  const documents = shownDocuments(part);
  yield;
  const numberOf = new Map(documents.map((id, number) => [id, number]));
  const placeOf = (place: Place): DrawnPlace => ({
    document: numberOf.get(place.document_id)!,
    start: place.char_start,
    end: place.char_end,
    ...quotes.get(place),
  });
  const nodes = yield* mapSteps(part.nodes, (node, at) => drawNode(node, positions[at]!, placeOf));
  const edges = yield* drawEdges(part, placeOf);
  return {
    dataset,
    total: part.total,
    truncated: part.truncated,
    documents: documents.map((id) => [id, names.get(id) ?? null] as const),
    nodes,
    edges,
  };
}

function drawNode(node: MeasuredNode, { x, y }: Position, placeOf: (place: Place) => DrawnPlace): DrawnNode {
  const { id, label, type, aliases, degree, community, evidence } = node;
  const places = evidence.slice(0, PLACES).map(placeOf);
  return {
    id,
    label,
    type,
    aliases: aliases.slice(0, ALIASES),
    degree,
    community,
    count: evidence.length,
    places,
    x,
    y,
  };
}

function* drawEdges({ nodes, edges }: SelectedPart, placeOf: (place: Place) => DrawnPlace): Steps<DrawnEdge[]> {
  const numberOf = new Map(nodes.map(({ id }, number) => [id, number]));
  return yield* mapSteps(edges, (edge): DrawnEdge => {
    const { document, start, end } = placeOf(firstPlace(edge));
    const { source, target, relation, evidence } = edge;
    return [numberOf.get(source)!, numberOf.get(target)!, relation, evidence.length, document, start, end];
  });
}

function firstPlace({ evidence }: GraphEdge): Place {
  return evidence[0]!;
}
