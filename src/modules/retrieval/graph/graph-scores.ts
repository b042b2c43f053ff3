import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import type { LeadingEntity, LinkedEntity } from './graph-neighbourhood.port.js';

/** The numbers of the channel; a change of any changes results, so they are part of a search's configuration. */
export const GRAPH_PARAMETERS = {
  version: 1,
  /** Chunks that name an entity of the question from which neighbours are followed: the best by the channels of the search. */
  followed: 10,
  /** What a chunk counts that has nothing of the question but the entity, beside one that has as much of it as the best candidate. */
  unsupported: 0.05,
  /** How much more of the question a chunk must have to be followed before others. */
  sharpness: 2,
  /** The same for the chunks that neighbours lead to. */
  agreement: 0.2,
  /** Weight of chunks that name an entity of the question beside those that its neighbours lead to. */
  named: 0.2,
  /** Ranks of the other channels that the graph leaves as they are. */
  kept: 4,
  /** Chunks that it moves up behind them at most. */
  lifted: 5,
} as const;

/** One way from the question to a chunk. */
export interface GraphPath {
  /** The entity as the question names it, and its label in the graph. */
  readonly form: string;
  readonly entity: string;
  /** The chunk that names both; null where the chunk itself names the entity. */
  readonly from: { readonly chunkId: ChunkId; readonly documentId: DocumentId } | null;
  /** Label of the entity by which it goes on; null where the chunk itself names the entity of the question. */
  readonly via: string | null;
  /** Share of the chunk's score. */
  readonly weight: number;
}

/** Score and ways by which the graph reaches a chunk. */
export interface GraphScore {
  /** Share of the greatest score of this search, above 0, at most 1. */
  readonly score: number;
  /** Greatest weight first, at most three. */
  readonly paths: readonly GraphPath[];
}

/** Result of the graph for a question. */
export interface GraphFindings {
  readonly entities: readonly LinkedEntity[];
  readonly withoutGraph: readonly DatasetId[];
  /** Of every candidate that it reaches. */
  readonly scores: ReadonlyMap<ChunkId, GraphScore>;
}

/** What is known of a candidate without the graph: its part of what the best candidate has of the question, 0 to 1. */
export type Support = (chunk: ChunkId) => number;

/** A chunk from which neighbours are followed. */
export interface FollowedChunk {
  readonly chunkId: ChunkId;
  readonly documentId: DocumentId;
  readonly weight: number;
  readonly entity: LinkedEntity;
}

const PATHS_SHOWN = 3;

/** How much an entity tells: the fewer of the chunks of its dataset name it, the more. */
function telling(chunksInDataset: number, naming: number): number {
  return Math.log(1 + Math.max(chunksInDataset, naming) / naming);
}

/** The chunks that name entities of the question, best first; of each the entity that weighs most. `visible` are those that count. */
export function weighNamed(
  entities: readonly LinkedEntity[],
  visible: ReadonlySet<ChunkId>,
  support: Support,
  sizeOf: (entity: LinkedEntity) => number,
): FollowedChunk[] {
  const { unsupported, sharpness } = GRAPH_PARAMETERS;
  const best = new Map<ChunkId, FollowedChunk>();
  for (const entity of entities) {
    const chunks = entity.chunks.filter(({ chunkId }) => visible.has(chunkId));
    const base = entity.weight * telling(sizeOf(entity), entity.chunks.length);
    for (const { chunkId, documentId } of chunks) {
      const weight = base * (unsupported + support(chunkId)) ** sharpness;
      if (weight > (best.get(chunkId)?.weight ?? 0)) best.set(chunkId, { chunkId, documentId, weight, entity });
    }
  }
  return [...best.values()].sort((a, b) => b.weight - a.weight || order(a.chunkId, b.chunkId));
}

/** Scores of all chunks that the graph reaches; `named` as `weighNamed` gives them. */
export function scoreReached(
  named: readonly FollowedChunk[],
  leading: readonly LeadingEntity[],
  visible: ReadonlySet<ChunkId>,
  support: Support,
  sizeOf: (entity: LeadingEntity) => number,
): Map<ChunkId, GraphScore> {
  const ways = new Map<ChunkId, GraphPath[]>();
  const add = (chunk: ChunkId, path: GraphPath): unknown => ways.set(chunk, [...(ways.get(chunk) ?? []), path]);
  const followed = new Map(named.slice(0, GRAPH_PARAMETERS.followed).map((one) => [one.chunkId, one]));
  const isNamed = new Set(named.map(({ chunkId }) => chunkId));
  for (const { chunkId, weight, entity } of named) {
    const way = { form: entity.form, entity: entity.label, from: null, via: null };
    add(chunkId, { ...way, weight: weight * GRAPH_PARAMETERS.named });
  }
  for (const next of leading) {
    const share = telling(sizeOf(next), next.chunks.length) / next.chunks.length;
    const reached = next.chunks.filter(({ chunkId }) => visible.has(chunkId) && !isNamed.has(chunkId));
    for (const id of next.from) {
      const start = followed.get(id);
      if (start === undefined || isOfQuestion(next, named)) continue;
      const { chunkId, documentId, entity } = start;
      const way = { form: entity.form, entity: entity.label, from: { chunkId, documentId }, via: next.label };
      for (const chunk of reached) add(chunk.chunkId, { ...way, weight: start.weight * share });
    }
  }
  const sums = [...ways].map(([id, paths]) => {
    const sum = paths.reduce((total, { weight }) => total + weight, 0);
    return { id, paths, sum, score: sum * (GRAPH_PARAMETERS.agreement + support(id)) };
  });
  const greatest = sums.reduce((most, { score }) => Math.max(most, score), 0);
  return new Map(sums.map(({ id, paths, sum, score }) => [id, { score: score / greatest, paths: shown(paths, sum) }]));
}

function isOfQuestion({ datasetId, key }: LeadingEntity, named: readonly FollowedChunk[]): boolean {
  return named.some(({ entity }) => entity.key === key && entity.datasetId === datasetId);
}

function shown(paths: readonly GraphPath[], sum: number): GraphPath[] {
  return paths
    .map((path) => ({ ...path, weight: path.weight / sum }))
    .sort((a, b) => b.weight - a.weight || order(a.via ?? '', b.via ?? '') || order(a.form, b.form))
    .slice(0, PATHS_SHOWN);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
