import { Injectable } from '@nestjs/common';
import { inTurns, mapBounded, type ChunkId, type ChunkSetId, type Steps } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { decodeTerms, packedSize, packTerms } from '#libs/ranking';
import { vectorOf } from '#libs/vector-store';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import { SlabCache, type SlabRecord } from './slab-cache.js';
import { measureVector, type MeasuredVector } from './vector-similarity.js';

/** Terms of a chunk of 150 words take some 6.5 KB, a vector of 384 dimensions 1.5 KB, and what leads to them 0.8 KB. */
const TERMS_SHARE = 0.75;
/** Chunks read by one statement. */
const CHUNKS_PER_READ = 400;
const READS_AT_ONCE = 2;

/** Where a chunk belongs. */
export interface ChunkPlace {
  readonly chunkSetId: ChunkSetId;
  readonly ordinal: number;
}

/** The packed terms of a chunk (`packTerms`) with its place. */
export type ChunkTermsRecord = SlabRecord<ChunkPlace>;

/** Of a vector: a chunk is mostly asked for in one space, that of its dataset, so that one vector of it is kept. */
interface VectorFacts {
  readonly length: number;
  readonly space: string;
}

/** Look-up, reading and caching of one kind of features. */
interface Loading<V, Row> {
  readonly find: (id: ChunkId) => V | undefined;
  readonly read: (batch: readonly ChunkId[]) => Promise<readonly Row[]>;
  readonly keep: (id: ChunkId, row: Row) => V;
}

/**
 * Places, terms and vectors of chunks, from the database or from memory. They never change under a chunk's id, so the cache is never out of date.
 * Whether a chunk may be used is checked elsewhere, each time.
 */
@Injectable()
export class ChunkFeatures {
  private readonly terms: SlabCache<ChunkPlace>;
  private readonly vectors: SlabCache<VectorFacts>;

  /** Keeps up to `cacheBytes` in memory. */
  constructor(
    private readonly repository: RetrievalRepository,
    cacheBytes: number,
  ) {
    this.terms = new SlabCache(cacheBytes * TERMS_SHARE);
    this.vectors = new SlabCache(cacheBytes * (1 - TERMS_SHARE));
  }

  /** Terms and places in the order of `ids`; undefined for a chunk that is gone. */
  async loadTerms(ctx: RequestContext, ids: readonly ChunkId[]): Promise<(ChunkTermsRecord | undefined)[]> {
    return this.load(ctx, ids, {
      find: (id) => this.terms.get(id),
      read: (batch) => this.repository.listTerms(ctx, batch),
      keep: (id, { terms: bytes, text, chunk_set_id: chunkSetId, ordinal }) => {
        const terms = decodeTerms(Buffer.from(bytes, 'base64'), text);
        const record = this.terms.add(id, packedSize(terms), { chunkSetId, ordinal });
        packTerms(terms, record.slab.words, record.at);
        return record;
      },
    });
  }

  /** Vectors of an embedding space in the order of `ids`; undefined for a chunk that has none. */
  async loadVectors(
    ctx: RequestContext,
    ids: readonly ChunkId[],
    space: string,
  ): Promise<(MeasuredVector | undefined)[]> {
    const { vectors } = this;
    return this.load(ctx, ids, {
      find: (id) => {
        const record = vectors.get(id);
        return record?.facts.space === space ? vectorIn(record) : undefined;
      },
      read: (batch) => this.repository.listVectors(ctx, batch, space),
      keep: (id, row) => {
        const vector = measureVector(vectorOf(Buffer.from(row.vector, 'base64')));
        const record = vectors.add(id, vector.values.length, { length: vector.length, space });
        record.slab.floats.set(vector.values, record.at);
        return vector;
      },
    });
  }

  private async load<V, Row extends { readonly place: number }>(
    ctx: RequestContext,
    ids: readonly ChunkId[],
    { find, read, keep }: Loading<V, Row>,
  ): Promise<(V | undefined)[]> {
    const found = ids.map((id) => find(id));
    const missing = ids.flatMap((id, index) => (found[index] === undefined ? [{ id, index }] : []));
    await mapBounded(batchesOf(missing), READS_AT_ONCE, async (batch) => {
      const rows = await read(batch.map(({ id }) => id));
      const keepEach = function* (): Steps<void> {
        for (const row of rows) {
          const { id, index } = batch[row.place - 1]!;
          found[index] = keep(id, row);
          yield;
        }
      };
      await inTurns(keepEach(), { party: ctx.tenantId });
    });
    return found;
  }
}

function batchesOf<T>(items: readonly T[]): (readonly T[])[] {
  const batches = Math.ceil(items.length / CHUNKS_PER_READ);
  return Array.from({ length: batches }, (_, n) => items.slice(n * CHUNKS_PER_READ, (n + 1) * CHUNKS_PER_READ));
}

function vectorIn({ slab, at, size, facts }: SlabRecord<VectorFacts>): MeasuredVector {
  return { values: slab.floats, at, dimensions: size, length: facts.length };
}
