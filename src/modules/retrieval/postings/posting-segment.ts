import { inTurns, mapSteps, type ChunkId, type ChunkSetId, type DocumentId } from '#libs/common';
import { LEGS, LegPostings, type EncodedTerms, type Leg } from '#libs/ranking';

/** A chunk as it was read; it never changes under its id. */
export interface LoadedChunk {
  readonly id: ChunkId;
  readonly documentId: DocumentId;
  readonly chunkSetId: ChunkSetId;
  readonly ordinal: number;
  readonly terms: EncodedTerms;
}

/** A chunk and where its postings lie; they move when segments are merged. */
export interface PostedChunk extends Omit<LoadedChunk, 'terms'> {
  segment: PostingSegment | null;
  number: number;
}

type Postings = Readonly<Record<Leg, LegPostings>>;

/** The postings of some thousand chunks. They do not change, except that a chunk that is gone is marked as removed. */
export class PostingSegment {
  /** Chunks that are not struck out. */
  shown: number;

  constructor(
    readonly postings: Postings,
    /** By number; null for one that was struck out. */
    readonly chunks: (PostedChunk | null)[],
  ) {
    this.shown = chunks.length;
  }

  get bytes(): number {
    return LEGS.reduce((sum, leg) => sum + this.postings[leg].bytes, 0);
  }

  strike(number: number): void {
    if (this.chunks[number] !== null) this.shown -= 1;
    this.chunks[number] = null;
  }
}

/** A segment of new chunks and of what is left of others. Others get their turns meanwhile. */
export async function buildSegment(
  loaded: readonly LoadedChunk[],
  merged: readonly PostingSegment[],
  isGone: (chunk: PostedChunk) => boolean,
): Promise<PostingSegment> {
  const chunks: PostedChunk[] = loaded.map(({ terms: _terms, ...chunk }, number) => ({
    ...chunk,
    segment: null,
    number,
  }));
  const places = merged.map((segment) => {
    const numbers = new Int32Array(segment.chunks.length).fill(-1);
    segment.chunks.forEach((chunk, number) => {
      if (chunk !== null && !isGone(chunk)) numbers[number] = chunks.push(chunk) - 1;
    });
    return { segment, numbers };
  });
  const own = Int32Array.from(loaded, (_, number) => number);
  const postings: Partial<Record<Leg, LegPostings>> = {};
  for (const leg of LEGS) {
    // The n-grams of a chunk are counted when they are first read.
    const legs = await inTurns(mapSteps(loaded, ({ terms }) => terms[leg]));
    const fresh = await inTurns(LegPostings.of(legs));
    const parts = places.map(({ segment, numbers }) => ({ postings: segment.postings[leg], numbers }));
    postings[leg] =
      parts.length === 0
        ? fresh
        : await inTurns(LegPostings.merge([{ postings: fresh, numbers: own }, ...parts], chunks.length));
  }
  return new PostingSegment(postings as Postings, chunks);
}
