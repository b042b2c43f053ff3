import { Injectable } from '@nestjs/common';
import type { ChunkId } from '#libs/common';
import { unpackTerms, type EncodedTerms } from '#libs/ranking';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { CandidateScorer, type ScopedCandidate } from '../ranking/candidate-scorer.service.js';
import { ChunkFeatures } from '../ranking/chunk-features.service.js';
import type { SearchTrace } from '../results/search-trace.js';
import type { IndexState } from './diagnosis.js';
import type { ExplainedChunkRow, ExplainedDocumentRow } from './explain.repository.js';
import type { LocatedExpectation } from './expected-locator.service.js';
import { ExplainRepository } from './explain.repository.js';
import { byScores, furthestCandidate, isExpectedResult, reachableChunks, traceTarget, type Target } from './target.js';
import { searchedSpace } from '../candidates/scoring.js';

/** The expected chunk that got furthest, with its scores. */
export interface FoundTarget {
  readonly target: Target;
  readonly scored: ScopedCandidate | null;
}

/** Finds which expected chunk got furthest in a search, and what the stores hold of it. */
@Injectable()
export class TargetFinder {
  constructor(
    private readonly repository: ExplainRepository,
    private readonly scorer: CandidateScorer,
    private readonly features: ChunkFeatures,
    private readonly store: VectorStore,
  ) {}

  async find(ctx: RequestContext, located: LocatedExpectation, trace: SearchTrace | null): Promise<FoundTarget> {
    const first = [...located.documents.values()][0]!;
    if (trace === null) return bare(first, located.chunks[0] ?? null);
    const result = trace.outcome.results.find((one) => isExpectedResult(located, one));
    const candidate =
      trace.candidates.find(({ id }) => id === result?.chunkId) ?? furthestCandidate(located, trace) ?? undefined;
    const scored = candidate ?? (await this.scoreBest(ctx, located, trace));
    if (scored === null) return { target: traceTarget(first, null, null, trace), scored: null };
    const chunk = await this.rowOf(ctx, located, scored.id);
    const document = (await this.documentOf(ctx, located, scored)) ?? first;
    return { target: traceTarget(document, chunk ?? null, scored, trace), scored };
  }

  /** All terms of a chunk; a search may have read only those that it looks at. Undefined for a chunk that is gone. */
  async termsOf(ctx: RequestContext, id: ChunkId): Promise<EncodedTerms | undefined> {
    const [record] = await this.features.loadTerms(ctx, [id]);
    return record && unpackTerms(record.slab.words, record.at);
  }

  /** What the vector store and the database hold of a chunk that is shown. */
  async readIndex(
    ctx: RequestContext,
    chunk: ExplainedChunkRow,
    document: ExplainedDocumentRow,
    trace: SearchTrace,
    signal: AbortSignal,
  ): Promise<IndexState> {
    const dataset = trace.datasets.find(({ id }) => id === document.dataset_id);
    const space = searchedSpace(trace.scoring, document.dataset_id);
    const spaces = await this.repository.listSpaces(ctx, chunk.id);
    const indexes = new Set(
      trace.options.searchMethod === 'vector' ? [space] : [space, dataset?.embeddingSpace ?? space],
    );
    let isInStore = false;
    for (const one of indexes) {
      const rows = this.store.listIds(indexRef(ctx, document.dataset_id, one), { chunkIds: [chunk.id] }, { signal });
      for await (const row of rows) if (row.generation === document.shown_generation) isInStore = true;
    }
    return { isInStore, spaces };
  }

  /** Of the expected chunks that were no candidates, the one that the search scores highest. */
  private async scoreBest(
    ctx: RequestContext,
    located: LocatedExpectation,
    trace: SearchTrace,
  ): Promise<ScopedCandidate | null> {
    const chunks = reachableChunks(located, trace).map(({ id, document_id: documentId, chunk_set_id: chunkSetId }) => {
      const datasetId = located.documents.get(documentId)!.dataset_id;
      return { id, documentId, datasetId, chunkSetId };
    });
    const scored = await this.scorer.score(ctx, chunks, trace.scoring);
    return scored.toSorted(byScores)[0] ?? null;
  }

  private async rowOf(
    ctx: RequestContext,
    located: LocatedExpectation,
    id: ChunkId,
  ): Promise<ExplainedChunkRow | undefined> {
    return located.chunks.find((chunk) => chunk.id === id) ?? this.repository.findChunk(ctx, id);
  }

  private async documentOf(
    ctx: RequestContext,
    located: LocatedExpectation,
    { documentId }: ScopedCandidate,
  ): Promise<ExplainedDocumentRow | undefined> {
    return located.documents.get(documentId) ?? (await this.repository.listDocuments(ctx, [documentId]))[0];
  }
}

function bare(document: ExplainedDocumentRow, chunk: ExplainedChunkRow | null): FoundTarget {
  return { target: traceTarget(document, chunk, null, null), scored: null };
}
