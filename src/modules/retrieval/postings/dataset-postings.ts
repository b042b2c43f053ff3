import { finish, type ChunkId, type ChunkSetId, type DocumentId, type Steps } from '#libs/common';
import { buildSegment, type LoadedChunk, type PostedChunk, type PostingSegment } from './posting-segment.js';

/** Maximum number of chunks of a segment. With more, merging it blocks others for longer; with fewer, a search reads more segments. */
const SEGMENT_CHUNKS = 4_096;
/** A segment is merged with new chunks while it has at most this many times their number, so that each chunk is moved only a few times. */
const MERGED_UP_TO = 2;
/** Share of visible chunks below which a segment is written again. */
const SHOWN_LEAST = 0.5;
/** What a chunk takes beside its postings, in bytes. */
const CHUNK_BYTES = 220;
/** Number of chunks or documents processed between two pauses. */
const PLACED_PER_STEP = 1_024;

/** Documents whose chunk sets changed: those no longer shown as before, and what is shown instead. */
export interface PostingsChange {
  readonly removed: readonly DocumentId[];
  readonly added: ReadonlyMap<DocumentId, ChunkSetId>;
}

let lastSerial = 0;

/** What a document shows: its chunk set, and the chunks of it in no order. */
export interface PostedDocument {
  readonly set: ChunkSetId;
  readonly chunks: readonly PostedChunk[];
}

/** A change with the data that was read for it. */
export interface PreparedChange extends PostingsChange {
  readonly made: readonly PostingSegment[];
  /** Chunks that were read. */
  readonly read: number;
  readonly replaced: ReadonlySet<PostingSegment>;
}

/**
 * An inverted index over the visible chunks of a dataset: the chunks that contain each term. A change is prepared aside and then takes effect in
 * one step; only one change is prepared at a time.
 */
export class DatasetPostings {
  /** Another number for each of the process. */
  readonly serial = (lastSerial += 1);
  private parts: readonly PostingSegment[] = [];
  private readonly chunks = new Map<ChunkId, PostedChunk>();
  private readonly held = new Map<DocumentId, { readonly set: ChunkSetId; readonly chunks: PostedChunk[] }>();
  private changes = 0;

  /** Those whose segments were kept, with all chunks of each document of which they hold any. */
  static *of(made: readonly PostingSegment[]): Steps<DatasetPostings> {
    const postings = new DatasetPostings();
    const added = new Map<DocumentId, ChunkSetId>();
    for (const { chunks } of made)
      for (const chunk of chunks) if (chunk !== null) added.set(chunk.documentId, chunk.chunkSetId);
    yield;
    yield* postings.applying({ removed: [], added, made, read: 0, replaced: new Set() });
    return postings;
  }

  /** Another number after each change. */
  get version(): number {
    return this.changes;
  }

  /** What each document shows. */
  get documents(): ReadonlyMap<DocumentId, PostedDocument> {
    return this.held;
  }

  get segments(): readonly PostingSegment[] {
    return this.parts;
  }

  get bytes(): number {
    return this.parts.reduce((sum, part) => sum + part.bytes, this.chunks.size * CHUNK_BYTES);
  }

  find(id: ChunkId): PostedChunk | undefined {
    return this.chunks.get(id);
  }

  /** What makes these postings those of `shown`, the chunk set by document. */
  changeTo(shown: ReadonlyMap<DocumentId, { readonly set: ChunkSetId }>): PostingsChange {
    const added = new Map<DocumentId, ChunkSetId>();
    for (const [document, { set }] of shown) if (this.held.get(document)?.set !== set) added.set(document, set);
    const removed = [...this.held.keys()].filter((document) => added.has(document) || !shown.has(document));
    return { added, removed };
  }

  /** Makes ready what `apply` needs; `batches` are the chunks of the sets that are added. */
  async prepare(change: PostingsChange, batches: AsyncIterable<readonly LoadedChunk[]>): Promise<PreparedChange> {
    const made: PostingSegment[] = [];
    let rest: LoadedChunk[] = [];
    let read = 0;
    for await (const batch of batches) {
      rest.push(...batch);
      read += batch.length;
      while (rest.length >= SEGMENT_CHUNKS) {
        made.push(await buildSegment(rest.slice(0, SEGMENT_CHUNKS), [], () => false));
        rest = rest.slice(SEGMENT_CHUNKS);
      }
    }
    const merged = this.worthMerging(rest.length, change.removed);
    const removed = new Set(change.removed);
    if (rest.length + merged.length > 0)
      made.push(await buildSegment(rest, merged, ({ documentId }) => removed.has(documentId)));
    return { ...change, made, read, replaced: new Set(merged) };
  }

  apply(change: PreparedChange): void {
    finish(this.applying(change));
  }

  /** The same in steps, for postings that no one reads yet. */
  *applying({ removed, added, made, replaced }: PreparedChange): Steps<void> {
    for (const document of removed) this.remove(document);
    let count = 0;
    for (const [document, set] of added) {
      this.held.set(document, { set, chunks: [] });
      if (++count % PLACED_PER_STEP === 0) yield;
    }
    for (const segment of made) {
      for (const [number, chunk] of segment.chunks.entries()) {
        this.place(chunk!, segment, number);
        if (++count % PLACED_PER_STEP === 0) yield;
      }
    }
    this.parts = [...this.parts, ...made].filter((part) => part.shown > 0 && !replaced.has(part));
    this.changes += 1;
  }

  private worthMerging(added: number, removed: readonly DocumentId[]): PostingSegment[] {
    const left = new Map(this.parts.map((part) => [part, part.shown]));
    for (const document of removed)
      for (const { segment } of this.held.get(document)?.chunks ?? [])
        if (segment !== null) left.set(segment, left.get(segment)! - 1);
    const merged: PostingSegment[] = [];
    let sum = added;
    for (const [part, shown] of [...left].toSorted(([, a], [, b]) => a - b)) {
      const isThin = shown < part.chunks.length * SHOWN_LEAST;
      if (sum + shown > SEGMENT_CHUNKS || (!isThin && shown > sum * MERGED_UP_TO)) continue;
      merged.push(part);
      sum += shown;
    }
    return merged;
  }

  private remove(document: DocumentId): void {
    for (const { id, segment, number } of this.held.get(document)?.chunks ?? []) {
      segment?.strike(number);
      this.chunks.delete(id);
    }
    this.held.delete(document);
  }

  private place(chunk: PostedChunk, segment: PostingSegment, number: number): void {
    if (chunk.segment === null) {
      this.chunks.set(chunk.id, chunk);
      this.held.get(chunk.documentId)?.chunks.push(chunk);
    }
    chunk.segment = segment;
    chunk.number = number;
  }
}
