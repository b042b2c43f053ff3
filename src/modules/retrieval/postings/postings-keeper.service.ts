import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { TermStatistics } from '#libs/ranking';
import { DatasetPostings, type PostingsChange, type PreparedChange } from './dataset-postings.js';
import { PostingsRepository } from './postings.repository.js';

/** Bytes of a posting with its part of the list of terms, and of a chunk beside its postings: measured, rounded up. */
const BYTES_PER_POSTING = 4;
const BYTES_PER_CHUNK = 274;
/** A search waits for the postings of up to this many chunks, which takes about two seconds; larger ones are made in the background. */
const WAITED_CHUNKS = 10_000;
/** Postings of datasets that were searched within this time are not dropped in favour of another dataset. */
const IN_USE_MS = 300_000;

/** A dataset whose postings may be kept. */
export interface PostedDataset {
  readonly statistics: TermStatistics;
  postings: DatasetPostings | null;
  /** When it was last asked, in milliseconds of `performance.now`. */
  usedAt: number;
}

/** Makes postings of datasets, and keeps those that fit into `maxBytes`. */
@Injectable()
export class PostingsKeeper {
  constructor(
    private readonly repository: PostingsRepository,
    readonly maxBytes: number,
    readonly waitedChunks = WAITED_CHUNKS,
  ) {}

  /** What a change needs. Undefined when a chunk set vanished while it was read; null when there are more than `most` chunks. */
  async prepare(
    ctx: RequestContext,
    postings: DatasetPostings,
    change: PostingsChange,
    most = Number.POSITIVE_INFINITY,
  ): Promise<PreparedChange | null | undefined> {
    const sets = [...change.added.values()];
    const sizes = sets.length === 0 ? new Map<never, never>() : await this.repository.sizesOf(ctx, sets);
    if (sizes.size < new Set(sets).size) return undefined;
    const expected = [...sizes.values()].reduce((sum, { chunks }) => sum + chunks, 0);
    if (expected > most) return null;
    const prepared = await postings.prepare(change, this.repository.readChunks(ctx, sizes));
    return prepared.read === expected ? prepared : undefined;
  }

  /** Whether there is room for the postings of a dataset; postings that were not used for a while are dropped to make room. */
  makeRoom(dataset: PostedDataset, others: Iterable<PostedDataset>): boolean {
    const needed = bytesOf(dataset.statistics);
    if (needed > this.maxBytes) return false;
    const held = [...others].filter((other) => other !== dataset && other.postings !== null);
    let used = held.reduce((sum, { statistics }) => sum + bytesOf(statistics), 0);
    const idle = held.filter(({ usedAt }) => performance.now() - usedAt > IN_USE_MS);
    for (const other of idle.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (used + needed <= this.maxBytes) break;
      used -= bytesOf(other.statistics);
      other.postings = null;
    }
    return used + needed <= this.maxBytes;
  }

  /** Gives up the postings of a dataset that has grown beyond the room there is. */
  trim(dataset: PostedDataset, others: Iterable<PostedDataset>): void {
    if (dataset.postings !== null && !this.makeRoom(dataset, others)) dataset.postings = null;
  }
}

function bytesOf(statistics: TermStatistics): number {
  return statistics.postingCount * BYTES_PER_POSTING + statistics.chunkCount * BYTES_PER_CHUNK;
}
