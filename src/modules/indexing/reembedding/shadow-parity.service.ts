import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import { analyzeQuery, storeQueryTerms } from '#libs/ranking';
import { indexRef, VectorStore, vectorOf, type IndexRef, type ScoredChunkId } from '#libs/vector-store';
import type { ReembeddingParity } from '../spaces/reembedding.dto.js';
import type { ReembeddingRow } from '../spaces/reembeddings.repository.js';
import { DatasetSpaces } from '../../documents/index.js';
import { SampledChunks, type SampledChunk } from './sampled-chunks.repository.js';

const NEIGHBOURS = 10;
/** Number of results among which the chunk itself, or one equally near, must be; a chunk may have duplicates. */
const TWIN_SIMILARITY = 0.9999;
const KEYWORD_LIMIT = 50;
const QUERY_WORDS = 12;
const QUERY_CHARS = 200;
const STORE_DEADLINE_MS = 30_000;

/** Compares searches in the new index with the former one before the switch. Calls no model. */
@Injectable()
export class ShadowParity {
  constructor(
    private readonly chunks: SampledChunks,
    private readonly store: VectorStore,
    private readonly spaces: DatasetSpaces,
  ) {}

  /** Null for a dataset without shown chunks. The sample of a re-embedding stays the same as long as the dataset does not change. */
  async check(ctx: RequestContext, row: ReembeddingRow): Promise<ReembeddingParity | null> {
    const sample = await this.chunks.list(ctx, row);
    if (sample.length === 0) return null;
    const own = indexRef(ctx, row.dataset_id, row.to_space);
    const spaces = (await this.spaces.list(ctx, row.dataset_id)).filter((space) => space !== own.spaceId);
    const others = spaces.map((space) => indexRef(ctx, row.dataset_id, space));
    const former = others.find(({ spaceId }) => spaceId === row.from_space);
    const counts = { vector: 0, keyword: 0, askedKeyword: 0 };
    const shared: number[] = [];
    for (const chunk of sample) {
      const near = await this.nearest(own, chunk.vector);
      if (near.some(({ chunkId, score }) => chunkId === chunk.id || score > TWIN_SIMILARITY)) counts.vector += 1;
      if (others.length > 0 && (await this.asksByWords(others, chunk)) === 'found') {
        const answer = await this.asksByWords([own], chunk);
        if (answer !== 'crowded') counts.askedKeyword += 1;
        if (answer === 'found') counts.keyword += 1;
      }
      if (former !== undefined && chunk.former !== null) {
        shared.push(shareOf(near, await this.nearest(former, chunk.former)));
      }
    }
    return {
      sampled: sample.length,
      found_by_vector: counts.vector / sample.length,
      found_by_keyword: counts.askedKeyword === 0 ? 1 : counts.keyword / counts.askedKeyword,
      neighbours_shared: shared.length === 0 ? null : shared.reduce((sum, one) => sum + one, 0) / shared.length,
    };
  }

  private nearest(index: IndexRef, bytes: Buffer): Promise<readonly ScoredChunkId[]> {
    const query = { vector: vectorOf(bytes), limit: NEIGHBOURS };
    return this.store.searchVector([index], query, { deadlineMs: STORE_DEADLINE_MS });
  }

  /** `crowded`: as many other chunks as the limit allows match as well, so it means nothing that this one is not among them. */
  private async asksByWords(
    indexes: readonly IndexRef[],
    { id, body }: SampledChunk,
  ): Promise<'found' | 'missing' | 'crowded'> {
    const words = body.split(/\s+/, QUERY_WORDS).join(' ').slice(0, QUERY_CHARS);
    const query = { terms: storeQueryTerms(analyzeQuery(words)), limit: KEYWORD_LIMIT };
    const found = await this.store.searchKeyword(indexes, query, { deadlineMs: STORE_DEADLINE_MS });
    if (found.some(({ chunkId }) => chunkId === id)) return 'found';
    return found.length < KEYWORD_LIMIT ? 'missing' : 'crowded';
  }
}

function shareOf(some: readonly ScoredChunkId[], others: readonly ScoredChunkId[]): number {
  const known = new Set(others.map(({ chunkId }) => chunkId));
  const most = Math.min(some.length, others.length);
  return most === 0 ? 1 : some.filter(({ chunkId }) => known.has(chunkId)).length / most;
}
