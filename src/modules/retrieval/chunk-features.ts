import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { ChunkId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { decodeTerms, LEGS, type EncodedTerms } from '#libs/text';
import { ByteBoundedCache } from './byte-bounded-cache.js';
import type { ChunkPlaceRow } from './retrieval.entity.js';
import { RetrievalRepository } from './retrieval.repository.js';
import { measureVector, type MeasuredVector } from './vector-similarity.js';

const TERMS_BYTES_MAX = 96 * 1024 * 1024;
const VECTORS_BYTES_MAX = 32 * 1024 * 1024;
const PLACES_BYTES_MAX = 8 * 1024 * 1024;
/** What the objects around the arrays of one entry take. */
const TERMS_OVERHEAD = 1_000;
const VECTOR_OVERHEAD = 300;
const PLACE_BYTES = 500;
/** Chunks read by one statement; other requests get a turn between two. */
const CHUNKS_PER_READ = 500;

/**
 * Places, terms and vectors of chunks, from the database or from memory. None of them ever changes under a chunk's id, so that nothing is
 * ever out of date; whether a chunk may be used is asked elsewhere, each time.
 */
@Injectable()
export class ChunkFeatures {
  private readonly terms = new ByteBoundedCache<EncodedTerms>(TERMS_BYTES_MAX);
  private readonly vectors = new ByteBoundedCache<MeasuredVector>(VECTORS_BYTES_MAX);

  private readonly places = new ByteBoundedCache<ChunkPlaceRow>(PLACES_BYTES_MAX);

  constructor(private readonly repository: RetrievalRepository) {}

  /** Where the chunks belong; a chunk that is gone may be missing. */
  async loadPlaces(ctx: RequestContext, ids: readonly ChunkId[]): Promise<ReadonlyMap<ChunkId, ChunkPlaceRow>> {
    const { found, missing } = lookUp(this.places, ids, (id) => id);
    for (const batch of batchesOf(missing)) {
      for (const row of await this.repository.listPlaces(ctx, batch)) {
        found.set(row.id, row);
        this.places.set(row.id, row, PLACE_BYTES);
      }
    }
    return found;
  }

  /** Terms by chunk; a chunk that is gone is missing. */
  async loadTerms(ctx: RequestContext, ids: readonly ChunkId[]): Promise<ReadonlyMap<ChunkId, EncodedTerms>> {
    const { found, missing } = lookUp(this.terms, ids, (id) => id);
    for (const batch of batchesOf(missing)) {
      for (const row of await this.repository.listTerms(ctx, batch)) {
        const terms = decodeTerms(row.terms);
        found.set(row.id, terms);
        this.terms.set(row.id, terms, sizeOf(terms));
      }
      await nextTurn();
    }
    return found;
  }

  /** Vectors of an embedding space by chunk; a chunk that has none is missing. */
  async loadVectors(
    ctx: RequestContext,
    ids: readonly ChunkId[],
    space: string,
  ): Promise<ReadonlyMap<ChunkId, MeasuredVector>> {
    const keyOf = (id: ChunkId): string => `${space}/${id}`;
    const { found, missing } = lookUp(this.vectors, ids, keyOf);
    for (const batch of batchesOf(missing)) {
      for (const row of await this.repository.listVectors(ctx, batch, space)) {
        const vector = measureVector(readVector(row.vector));
        found.set(row.id, vector);
        this.vectors.set(keyOf(row.id), vector, vector.values.byteLength + VECTOR_OVERHEAD);
      }
      await nextTurn();
    }
    return found;
  }
}

function lookUp<V>(
  cache: ByteBoundedCache<V>,
  ids: readonly ChunkId[],
  keyOf: (id: ChunkId) => string,
): { found: Map<ChunkId, V>; missing: ChunkId[] } {
  const found = new Map<ChunkId, V>();
  const missing: ChunkId[] = [];
  for (const id of ids) {
    const value = cache.get(keyOf(id));
    if (value === undefined) missing.push(id);
    else found.set(id, value);
  }
  return { found, missing };
}

function* batchesOf(ids: readonly ChunkId[]): Generator<readonly ChunkId[]> {
  for (let from = 0; from < ids.length; from += CHUNKS_PER_READ) yield ids.slice(from, from + CHUNKS_PER_READ);
}

function sizeOf(terms: EncodedTerms): number {
  return LEGS.reduce(
    (sum, leg) => sum + terms[leg].hashes.byteLength + terms[leg].frequencies.byteLength,
    TERMS_OVERHEAD,
  );
}

/** The float32 numbers in bytes of `chunk_vectors`; copies, because a buffer of the driver need not be aligned. */
function readVector(bytes: Buffer): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
