import { Injectable, Optional } from '@nestjs/common';
import type { ChunkId, DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { QueryTerms } from '#libs/ranking';
import { matchesFilter, VectorStore, type Filter, type ScoredChunkId, type ChunkMetadata } from '#libs/vector-store';
import { toFilterFacts } from '../../documents/index.js';
import type { VisibleDataset } from '../../datasets/index.js';
import { CANDIDATE_LIMIT_MAX, candidateLimit } from './candidate-limits.js';
import type { SearchMethod } from '../request/search-options.dto.js';
import { GraphNeighbourhood } from '../graph/graph-neighbourhood.port.js';
import { ProposedChunks, type VisibleChunk } from './proposed-chunks.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import type { Scoring } from './scoring.js';
import type { QueryVectors } from './query-vectors.js';
import { vectorsOf, type EffectiveOptions } from '../request/search-options.js';
import type { StepTimer } from '../request/step-timer.js';
import type { DatasetContents } from '../snapshot/held-dataset.js';
import { PostingsKeeper } from '../postings/postings-keeper.service.js';
import { VectorProposer } from '../vectors/vector-proposer.service.js';
import { VectorTables } from '../vectors/vector-tables.service.js';
import { WordProposer } from './word-proposer.service.js';

/** Factor by which more candidates are requested of a channel with too few visible ones, and how often that is repeated. */
const WIDENING = 4;
const ROUNDS = 3;

/** What candidates are sought for. */
export interface CandidateRequest {
  readonly datasets: readonly VisibleDataset[];
  readonly searchMethod: SearchMethod;
  readonly terms: QueryTerms;
  /** Embeddings of the query by space; empty for a keyword search. */
  readonly queries: QueryVectors;
  readonly candidateK: number;
  /** `ordering` vectors propose only when words find fewer visible candidates than `enough`. */
  readonly usage: Pick<EffectiveOptions, 'vectors' | 'bySpace'>;
  readonly enough: number;
  readonly filter: Filter | null;
  /** What the datasets show, in their order. */
  readonly contents: readonly DatasetContents[];
  /** The keyword scores of all chunks of datasets whose postings are kept, as the candidates will be scored by. */
  readonly posted: Scoring['posted'];
}

export interface FoundCandidates {
  /** Each visible chunk that a channel proposed, once, in no order. */
  readonly chunks: readonly VisibleChunk[];
  /** Chunks that the store proposed. */
  readonly proposed: number;
  /** Their documents. */
  readonly documents: ReadonlySet<DocumentId>;
  /** Change of each dataset asked as of which its documents were looked at. */
  readonly seqs: readonly bigint[];
  /** A document got other chunks while they were sought: some of the old ones were proposed, and the new ones are shown. */
  readonly isTorn: boolean;
}

/** As data, for comparison only. */
export interface CandidateParameters {
  /** Kind of the vector store: nearest neighbours may differ from one to another. */
  readonly store: string;
  /** Up to this many rows per index the nearest neighbours are exact. */
  readonly exactVectorsBelow: number;
  /** How many candidates a channel is first asked for when 200 are ranked. */
  readonly firstOf200: number;
  readonly widening: number;
  readonly rounds: number;
  /** Who compares vectors, and with how much memory, where it was set. */
  readonly vectorSearch?: string;
  readonly vectorBytes?: number;
  /** Datasets whose postings take no more bytes than this are ranked whole by words. */
  readonly postingsBytes: number;
}

/** What every call that leaves the process is given. */
export interface SearchCall {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  readonly timer: StepTimer;
}

/** Finds candidates: the store proposes them by channel, and those that the database confirms are kept. */
@Injectable()
export class CandidateFinder {
  constructor(
    private readonly store: VectorStore,
    private readonly repository: RetrievalRepository,
    private readonly words: WordProposer,
    private readonly vectors: VectorProposer,
    private readonly keeper: PostingsKeeper,
    private readonly tables: VectorTables,
    /** Absent where nothing knows graphs. */
    @Optional() readonly graph?: GraphNeighbourhood,
  ) {}

  /** Properties of the installation that decide which candidates there are; part of the fingerprint of a search. */
  get parameters(): CandidateParameters {
    const { kind, exactVectorsBelow } = this.store.capabilities;
    const limits = { firstOf200: candidateLimit(200), widening: WIDENING, rounds: ROUNDS };
    return {
      store: kind,
      exactVectorsBelow,
      ...this.tables.parameters,
      ...limits,
      postingsBytes: this.keeper.maxBytes,
    };
  }

  async find(ctx: RequestContext, request: CandidateRequest, call: SearchCall): Promise<FoundCandidates> {
    let limit = candidateLimit(request.candidateK);
    const storeFilter = await call.timer.measure('candidates', () => this.filterForStore(ctx, request));
    const collected = new ProposedChunks(request.datasets, request.contents);
    for (let round = 1; ; round += 1) {
      const channels = await call.timer.measure('candidates', () =>
        this.propose(ctx, { ...request, storeFilter }, limit, call),
      );
      const rows = channels.flat();
      collected.add(rows);
      const proposed = collected.asOfNow(rows);
      const visible = await call.timer.measure('visibility', () => this.matching(ctx, proposed.chunks, request.filter));
      const isStarved = (channel: readonly ScoredChunkId[]): boolean =>
        channel.length >= limit && channel.filter((row) => visible.has(row.chunkId)).length < request.candidateK;
      if (round === ROUNDS || limit === CANDIDATE_LIMIT_MAX || !channels.some(isStarved)) {
        if (!addsNeighbours(request, visible.size)) return foundIn(visible, rows, proposed);
        return this.addNeighbours(ctx, { ...request, storeFilter, proposed }, rows, call);
      }
      limit = Math.min(CANDIDATE_LIMIT_MAX, limit * WIDENING);
    }
  }

  /** Rows that were found without the store, as far as the contents of this moment confirm them and they meet the filter. */
  async admit(
    ctx: RequestContext,
    rows: readonly ScoredChunkId[],
    { datasets, filter, timer }: Pick<CandidateRequest, 'datasets' | 'filter'> & Pick<SearchCall, 'timer'>,
    { contents }: { readonly contents: readonly DatasetContents[] },
  ): Promise<FoundCandidates> {
    const proposed = new ProposedChunks(datasets, contents);
    proposed.add(rows);
    const visible = await timer.measure('visibility', () => this.matching(ctx, proposed.chunks, filter));
    return foundIn(visible, rows, proposed);
  }

  /** What words found, and the nearest of all visible chunks. */
  private async addNeighbours(
    ctx: RequestContext,
    request: CandidateRequest & { readonly proposed: ProposedChunks; readonly storeFilter: Filter | null },
    rows: readonly ScoredChunkId[],
    call: SearchCall,
  ): Promise<FoundCandidates> {
    const { proposed, candidateK } = request;
    const options = { signal: call.signal, deadlineMs: call.deadlineMs };
    const nearest = await call.timer.measure('candidates', async () => {
      const found: ScoredChunkId[] = [];
      for (const [space, vector] of ordering(request)) {
        const sought = { ...request, space, vector, usage: 'ordering' } as const;
        found.push(...(await this.vectors.propose(ctx, sought, candidateLimit(candidateK), options)));
      }
      return found;
    });
    const all = [...rows, ...nearest];
    proposed.add(nearest);
    const together = proposed.asOfNow(all);
    const visible = await call.timer.measure('visibility', () => this.matching(ctx, together.chunks, request.filter));
    return foundIn(visible, all, together);
  }

  /** The store may not yet know the latest metadata of a document: such documents are requested by their ids. */
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
    request: CandidateRequest & { readonly storeFilter: Filter | null },
    limit: number,
    call: SearchCall,
  ): Promise<(readonly ScoredChunkId[])[]> {
    const options = { signal: call.signal, deadlineMs: call.deadlineMs };
    const searches: Promise<readonly ScoredChunkId[]>[] = [];
    const proposing = [...request.queries].filter(
      ([space]) =>
        vectorsOf(request.usage, space) === 'proposing' &&
        request.datasets.some(({ embeddingSpace }) => embeddingSpace === space),
    );
    const isAlone = proposing.length === 0;
    if (request.searchMethod !== 'vector')
      searches.push(this.words.propose(ctx, { ...request, isAlone }, limit, options));
    for (const [space, vector] of proposing)
      searches.push(this.vectors.propose(ctx, { ...request, space, vector, usage: 'proposing' }, limit, options));
    return Promise.all(searches);
  }

  /** Rows whose documents currently meet the filter; the store may lag behind. */
  private async matching(
    ctx: RequestContext,
    chunks: ReadonlyMap<ChunkId, VisibleChunk>,
    filter: Filter | null,
  ): Promise<ReadonlyMap<ChunkId, VisibleChunk>> {
    if (filter === null) return chunks;
    const documents = [...new Set([...chunks.values()].map(({ documentId }) => documentId))];
    const facts = await this.repository.listFilterFacts(ctx, documents);
    const passing = new Set(facts.filter((row) => matchesFilter(filter, toFilterFacts(row))).map(({ id }) => id));
    return new Map([...chunks].filter(([, { documentId }]) => passing.has(documentId)));
  }
}

/** The embeddings of the query whose vectors only order. */
function ordering({ queries, usage }: CandidateRequest): [string, Float32Array][] {
  return [...queries].filter(([space]) => vectorsOf(usage, space) === 'ordering');
}

/** Whether vectors that only order have to propose too. */
function addsNeighbours(request: CandidateRequest, found: number): boolean {
  const { searchMethod, enough } = request;
  return ordering(request).length > 0 && (searchMethod === 'vector' || found < enough);
}

function foundIn(
  visible: ReadonlyMap<ChunkId, VisibleChunk>,
  rows: readonly ScoredChunkId[],
  { isTorn, seqs }: ProposedChunks,
): FoundCandidates {
  const ids = new Set(rows.map((row) => row.chunkId));
  const documents = new Set(rows.map((row) => row.documentId));
  return { chunks: [...visible.values()], proposed: ids.size, documents, isTorn, seqs };
}

/**
 * A filter that selects from a store with outdated metadata what `filter` selects from the current metadata. `unsynced`: the current properties
 * of every document whose properties in the store are outdated.
 */
export function bridgeLag(filter: Filter, unsynced: readonly ChunkMetadata[]): Filter {
  if (unsynced.length === 0) return filter;
  const others: Filter = { type: 'nin', key: 'document_id', value: unsynced.map(({ documentId }) => documentId) };
  const matching = unsynced.filter((document) => matchesFilter(filter, document)).map(({ documentId }) => documentId);
  const synced: Filter = { type: 'and', filters: [others, filter] };
  if (matching.length === 0) return synced;
  return { type: 'or', filters: [synced, { type: 'in', key: 'document_id', value: matching }] };
}
