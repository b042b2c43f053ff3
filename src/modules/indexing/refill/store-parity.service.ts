import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { IndexRef, ScoredChunkId, VectorStore } from '#libs/vector-store';
import { ChunkSetRepository } from '../../content/index.js';
import { toIndexedChunk } from '../rows/indexed-chunk.js';
import type { VisibleDocument } from '../rows/visible-documents.repository.js';

/** Distance of sampled documents: the first, the 51st, the 101st and so on. */
const SAMPLE_EVERY = 50;
const CANDIDATES = 50;
/** Minimum share of sampled searches with the same result in both stores; ties and approximate neighbours may differ. */
const LEAST_SHARE = 0.98;

/** Result of a comparison of two stores. */
export interface ParityReport {
  /** Number of searches in both stores: one by words and one by vector for each sampled chunk. */
  readonly questions: number;
  /** Number of these searches in which the other store finds the chunk too. */
  readonly agreed: number;
}

/** Compares two stores by searching chunks with their own words and their own vector. */
@Injectable()
export class StoreParity {
  constructor(private readonly sets: ChunkSetRepository) {}

  isSampled(position: number): boolean {
    return position % SAMPLE_EVERY === 0;
  }

  isEnough({ questions, agreed }: ParityReport): boolean {
    return questions === 0 || agreed / questions >= LEAST_SHARE;
  }

  /** Compares searches for the first chunk of a document. Searches in which the active store does not find the chunk are not counted. */
  async compare(
    ctx: RequestContext,
    [now, next]: readonly [VectorStore, VectorStore],
    index: IndexRef,
    document: VisibleDocument,
  ): Promise<ParityReport> {
    const [row] = await this.sets.listToIndex(ctx, document.visible_chunk_set_id, index.spaceId, -1, 1);
    if (row === undefined) return { questions: 0, agreed: 0 };
    const { terms, vector, chunkId } = toIndexedChunk(document, document.visible_generation, row, true);
    const proposes = async (search: (store: VectorStore) => Promise<readonly ScoredChunkId[]>): Promise<boolean[]> =>
      Promise.all(
        [now, next].map(async (store) => (await search(store)).some((candidate) => candidate.chunkId === chunkId)),
      );
    const answers = [
      await proposes((store) => store.searchKeyword([index], { terms, limit: CANDIDATES })),
      await proposes((store) => store.searchVector([index], { vector, limit: CANDIDATES })),
    ].filter(([byNow]) => byNow);
    return { questions: answers.length, agreed: answers.filter(([, byNext]) => byNext).length };
  }
}
