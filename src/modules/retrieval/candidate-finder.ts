import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { storeQueryTerms, type QueryTerms } from '#libs/text';
import {
  indexRef,
  matchesFilter,
  VectorStore,
  type Filter,
  type IndexRef,
  type ScoredChunkId,
} from '#libs/vector-store';
import { toFilterFacts } from '../documents/index.js';
import type { VisibleDataset } from '../datasets/index.js';
import { bridgeLag } from './bridge-lag.js';
import { ChunkFeatures } from './chunk-features.js';
import type { SearchMethod } from './dto/search-options.dto.js';
import type { ShowingDocumentRow } from './retrieval.entity.js';
import { RetrievalRepository } from './retrieval.repository.js';
import type { StepTimer } from './step-timer.js';

/** Asked of the store beyond what is ranked: its scores are not the application's, and some of its rows may be out of date. */
const OVERFETCH = 2;
/** A channel of which too little was visible is asked for so much more, so often. */
const WIDENING = 4;
const ROUNDS = 3;
const LIMIT_MAX = 10_000;

/** What candidates are sought for. */
export interface CandidateRequest {
  readonly datasets: readonly VisibleDataset[];
  readonly searchMethod: SearchMethod;
  readonly terms: QueryTerms;
  /** Embedding of the query; null for a keyword search. */
  readonly vector: Float32Array | null;
  readonly candidateK: number;
  readonly filter: Filter | null;
}

/** A chunk that the caller may see now. */
export interface VisibleChunk {
  readonly id: ChunkId;
  readonly documentId: DocumentId;
  readonly datasetId: DatasetId;
  readonly ordinal: number;
}

export interface FoundCandidates {
  /** Each visible chunk that a channel proposed, once, in no order. */
  readonly chunks: readonly VisibleChunk[];
  /** Chunks that the store proposed. */
  readonly proposed: number;
  /** A document got other chunks while they were sought: some of the old ones were proposed, and the new ones are shown. */
  readonly isTorn: boolean;
}

/** What every call that leaves the process is given. */
export interface SearchCall {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  readonly timer: StepTimer;
}

/** Candidates: proposed by the store per channel, and then believed only as far as the database confirms them. */
@Injectable()
export class CandidateFinder {
  constructor(
    private readonly store: VectorStore,
    private readonly embedder: Embedder,
    private readonly features: ChunkFeatures,
    private readonly repository: RetrievalRepository,
  ) {}

  async find(ctx: RequestContext, request: CandidateRequest, call: SearchCall): Promise<FoundCandidates> {
    let limit = Math.min(LIMIT_MAX, request.candidateK * OVERFETCH);
    const filter = await call.timer.measure('candidates', () => this.filterForStore(ctx, request));
    for (let round = 1; ; round += 1) {
      const channels = await call.timer.measure('candidates', () =>
        this.propose(ctx, { ...request, filter }, limit, call),
      );
      const { chunks, isTorn } = await call.timer.measure('visibility', () =>
        this.confirm(ctx, request, channels.flat()),
      );
      const proposed = new Set(channels.flat().map((row) => row.chunkId)).size;
      const visible = new Set<ChunkId>(chunks.map(({ id }) => id));
      const isStarved = (channel: readonly ScoredChunkId[]): boolean =>
        channel.length >= limit && channel.filter((row) => visible.has(row.chunkId)).length < request.candidateK;
      if (round === ROUNDS || limit === LIMIT_MAX || !channels.some(isStarved)) {
        return { chunks, proposed, isTorn };
      }
      limit = Math.min(LIMIT_MAX, limit * WIDENING);
    }
  }

  /** The store may not know yet what somebody has just said of a document: such documents are asked for by their ids. */
  private async filterForStore(ctx: RequestContext, { filter, datasets }: CandidateRequest): Promise<Filter | null> {
    if (filter === null) return null;
    const unsynced = await this.repository.listUnsynced(
      ctx,
      datasets.map(({ id }) => id),
    );
    return bridgeLag(filter, unsynced.map(toFilterFacts));
  }

  private async propose(
    ctx: RequestContext,
    request: CandidateRequest,
    limit: number,
    call: SearchCall,
  ): Promise<(readonly ScoredChunkId[])[]> {
    const options = { signal: call.signal, deadlineMs: call.deadlineMs };
    const filter = request.filter === null ? {} : { filter: request.filter };
    const searches: Promise<readonly ScoredChunkId[]>[] = [];
    if (request.searchMethod !== 'vector') {
      const terms = storeQueryTerms(request.terms);
      searches.push(
        this.store.searchKeyword(this.keywordIndexes(ctx, request.datasets), { terms, limit, ...filter }, options),
      );
    }
    if (request.vector !== null) {
      const query = { vector: request.vector, limit, ...filter };
      searches.push(this.store.searchVector(this.vectorIndexes(ctx, request.datasets), query, options));
    }
    return Promise.all(searches);
  }

  private vectorIndexes(ctx: RequestContext, datasets: readonly VisibleDataset[]): IndexRef[] {
    return datasets.map(({ id }) => indexRef(ctx, id, this.embedder.descriptor.space));
  }

  /** Words do not depend on the embedding: chunks that still lie in the space in which their dataset began are found too. */
  private keywordIndexes(ctx: RequestContext, datasets: readonly VisibleDataset[]): IndexRef[] {
    const { space } = this.embedder.descriptor;
    const former = datasets.filter(({ embeddingSpace }) => embeddingSpace !== space);
    return [
      ...this.vectorIndexes(ctx, datasets),
      ...former.map(({ id, embeddingSpace }) => indexRef(ctx, id, embeddingSpace)),
    ];
  }

  /** Current generation, deletion, quarantine, ACL and the filters once more: the store may lag behind. */
  private async confirm(
    ctx: RequestContext,
    request: CandidateRequest,
    proposals: readonly ScoredChunkId[],
  ): Promise<{ readonly chunks: VisibleChunk[]; readonly isTorn: boolean }> {
    const generations = generationsOf(proposals);
    const places = await this.features.loadPlaces(ctx, [...generations.keys()]);
    const showing = await this.findShowing(ctx, request, [
      ...new Set([...places.values()].map((place) => place.document_id)),
    ]);
    const visible: VisibleChunk[] = [];
    for (const { id, document_id: documentId, chunk_set_id: setId, ordinal } of places.values()) {
      const document = showing.get(documentId);
      if (document === undefined || document.visible_chunk_set_id !== setId) continue;
      if (!generations.get(id)!.has(document.visible_generation)) continue;
      visible.push({ id, documentId, datasetId: document.dataset_id, ordinal });
    }
    const known = new Map(request.datasets.map(({ id, contentSeq }) => [id, BigInt(contentSeq)]));
    // What was ingested for the first time meanwhile showed nothing before.
    const isTorn = [...showing.values()].some(
      (document) => document.attempt > 1 && BigInt(document.visibility_seq) > known.get(document.dataset_id)!,
    );
    return { chunks: visible, isTorn };
  }

  private async findShowing(
    ctx: RequestContext,
    { datasets, filter }: CandidateRequest,
    documentIds: readonly DocumentId[],
  ): Promise<ReadonlyMap<DocumentId, ShowingDocumentRow>> {
    const datasetIds = datasets.map(({ id }) => id);
    const rows =
      filter === null
        ? await this.repository.findShowing(ctx, documentIds, datasetIds)
        : (await this.repository.findShowingWithFacts(ctx, documentIds, datasetIds)).filter((row) =>
            matchesFilter(filter, toFilterFacts(row)),
          );
    return new Map(rows.map((row) => [row.id, row]));
  }
}

/** Under which generations the store has each chunk. */
function generationsOf(proposals: readonly ScoredChunkId[]): ReadonlyMap<ChunkId, ReadonlySet<string>> {
  const generations = new Map<ChunkId, Set<string>>();
  for (const { chunkId, generation } of proposals) {
    const known = generations.get(chunkId);
    if (known === undefined) generations.set(chunkId, new Set([generation]));
    else known.add(generation);
  }
  return generations;
}
