import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { IndexRef, ScoredChunkId, VectorStore } from '#libs/vector-store';
import { ChunkSetRepository } from '../../content/index.js';
import { toIndexedChunk } from '../rows/indexed-chunk.js';
import type { VisibleDocument } from '../rows/visible-documents.repository.js';

/** Every this many-th document of an index is asked for, beginning with the first. */
const SAMPLE_EVERY = 50;
const CANDIDATES = 50;
/** Part of the sampled questions that both stores have to answer alike; the rest are ties and approximate neighbours. */
const LEAST_SHARE = 0.98;

/** How alike two stores answered. */
export interface ParityReport {
  /** Questions asked of both: one by words and one by vector for each sampled chunk. */
  readonly questions: number;
  /** Of these, those for which the other store proposes the chunk too. */
  readonly agreed: number;
}

/** Asks two stores for chunks by their own words and their own vector. */
@Injectable()
export class StoreParity {
  constructor(private readonly sets: ChunkSetRepository) {}

  isSampled(position: number): boolean {
    return position % SAMPLE_EVERY === 0;
  }

  isEnough({ questions, agreed }: ParityReport): boolean {
    return questions === 0 || agreed / questions >= LEAST_SHARE;
  }

  /** The questions for the first chunk of a document. What the store that answers now does not propose is no question. */
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
