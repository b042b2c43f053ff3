import { finish, type ChunkSetId, type DocumentId, type Steps } from '#libs/common';
import type { TermStatistics } from '#libs/ranking';
import type { ContentsDelta } from './dataset-deltas.js';
import type { DatasetPostings, PostingsChange, PreparedChange } from '../postings/dataset-postings.js';
import type { PostedDataset } from '../postings/postings-keeper.service.js';
import type { ShownSet } from '../rows/retrieval-rows.js';

/** Documents that are noted between two pauses. */
const DOCUMENTS_PER_STEP = 1_024;

/** What a dataset shows, as of the change `seq`. The object changes later, all its fields in one turn of the event loop. */
export interface DatasetContents {
  readonly statistics: TermStatistics;
  readonly counted: ReadonlyMap<DocumentId, ShownSet>;
  /** Null while they are not kept: then the vector store proposes by words. */
  readonly postings: DatasetPostings | null;
  readonly seq: bigint;
}

/** The contents of a dataset in memory. */
export class HeldDataset implements DatasetContents, PostedDataset {
  /** The chunk set by which each document is counted. */
  readonly counted = new Map<DocumentId, ShownSet>();
  postings: DatasetPostings | null = null;
  usedAt = performance.now();

  /** `seq`: the `content_seq` up to which changes are counted. */
  constructor(
    public seq: bigint,
    readonly statistics: TermStatistics,
  ) {}

  /** Applies changes to statistics and postings. Without a prepared change the postings are given up. */
  apply({ documents, added, removed }: ContentsDelta, prepared: PreparedChange | null): void {
    this.statistics.addAll(added);
    this.statistics.removeAll(removed);
    finish(this.showing(documents));
    if (prepared === null) this.postings = null;
    else this.postings?.apply(prepared);
  }

  /** Applies changes up to `seq` to contents that no search reads yet. False when they never held what is to be taken back: then they are of no use. */
  *following({ documents, added, removed }: ContentsDelta, seq: bigint): Steps<boolean> {
    this.statistics.addAll(added);
    yield;
    try {
      this.statistics.removeAll(removed);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    yield* this.showing(documents);
    this.seq = seq;
    return true;
  }

  /** Notes the chunk sets of documents whose statistics are counted already. */
  *showing(documents: ContentsDelta['documents']): Steps<void> {
    for (const [number, { document, shown }] of documents.entries()) {
      if (shown === null) this.counted.delete(document);
      else this.counted.set(document, shown);
      if (number % DOCUMENTS_PER_STEP === 0) yield;
    }
  }
}

/** The same change for postings. */
export function toPostingsChange({ documents }: ContentsDelta): PostingsChange {
  const moved = documents.filter(({ isMoved }) => isMoved);
  const added = new Map<DocumentId, ChunkSetId>();
  for (const { document, shown } of moved) if (shown !== null) added.set(document, shown.set);
  return { removed: moved.map(({ document }) => document), added };
}
