import type { ChunkSetId, DocumentId, Steps } from '#libs/common';
import { compareScored } from '#libs/ranking';
import type { ScoredChunkId } from '#libs/vector-store';
import type { DatasetPostings, PostedDocument } from '../postings/dataset-postings.js';
import { GreatestNumbers } from '../postings/greatest-numbers.js';
import type { PostedChunk } from '../postings/posting-segment.js';
import type { ShownSet } from '../rows/retrieval-rows.js';
import { bytesOfRows, rowsPerBlock, strideOf, type VectorMemory } from './vector-memory.service.js';

/** Bytes that are compared between two pauses; about a millisecond. */
const BYTES_PER_STEP = 4_194_304;
/** Documents or rows that are looked at between two pauses. */
const PER_STEP = 4_096;
/** Added to each cosine, so that 0 can say that there is no chunk. */
const RAISED = 2;
/** A table with a smaller share of its rows in use is filled from the start. */
const USED_LEAST = 0.5;
/** Tables with at most this many rows are never filled from the start for that. */
const ROWS_ALWAYS_KEPT = 1_024;

/** A chunk without the fields that refer to its postings, which would keep these in memory. */
type TableChunk = Omit<PostedChunk, 'segment' | 'number'>;

/** What has to change in a table so that it holds the chunks of postings. */
export interface VectorDifference {
  /** Documents that are no longer shown as they are in the table. */
  readonly gone: readonly DocumentId[];
  /** Documents whose vectors are missing. */
  readonly missing: ReadonlyMap<DocumentId, PostedDocument>;
  /** Number of chunks of the missing documents. */
  readonly chunks: number;
}

/** The vectors of the visible chunks of a dataset in one embedding space, a byte for each dimension. */
export class VectorTable {
  /** By row; null where there is none. */
  private readonly chunks: (TableChunk | null)[] = [];
  /** By row: the factor by which its products become cosines. */
  private readonly factors: number[] = [];
  private readonly unused: number[] = [];
  private readonly blocks: number[] = [];
  /** `set` is null while chunks of it are missing. */
  private readonly documents = new Map<DocumentId, { readonly set: ChunkSetId | null; readonly rows: number[] }>();
  /** Serial number and version of the postings whose chunks it holds. */
  private source = -1;
  private version = -1;
  private closed = false;
  /** Number of changes: a comparison during which it rises is void. */
  private changes = 0;
  private readonly stride: number;
  private readonly perBlock: number;

  constructor(
    private readonly memory: VectorMemory,
    readonly dimensions: number,
  ) {
    this.stride = strideOf(dimensions);
    this.perBlock = rowsPerBlock(this.stride);
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Bytes that it takes of the memory. */
  get bytes(): number {
    return bytesOfRows(this.blocks.length * this.perBlock, this.dimensions);
  }

  /** Whether it holds just the chunks of `postings` as they are now. */
  isOf(postings: DatasetPostings): boolean {
    return !this.closed && this.source === postings.serial && this.version === postings.version;
  }

  /** Notes that it holds exactly the chunks of `postings` as they are now. */
  settle(postings: DatasetPostings): void {
    if (this.closed) return;
    this.source = postings.serial;
    this.version = postings.version;
  }

  *difference(postings: DatasetPostings): Steps<VectorDifference> {
    const missing = new Map<DocumentId, PostedDocument>();
    const gone: DocumentId[] = [];
    let [chunks, looked] = [0, 0];
    for (const [document, shown] of postings.documents) {
      if (this.documents.get(document)?.set !== shown.set) {
        missing.set(document, shown);
        chunks += shown.chunks.length;
      }
      if (++looked % PER_STEP === 0) yield;
    }
    for (const document of this.documents.keys()) {
      if (missing.has(document) || !postings.documents.has(document)) gone.push(document);
      if (++looked % PER_STEP === 0) yield;
    }
    return { gone, missing, chunks };
  }

  /** Whether so few of its rows are in use that it is better filled from the start. */
  get isThin(): boolean {
    const rows = this.chunks.length;
    return rows > ROWS_ALWAYS_KEPT && rows - this.unused.length < rows * USED_LEAST;
  }

  remove(document: DocumentId): void {
    const held = this.documents.get(document);
    if (held === undefined) return;
    this.changes += 1;
    for (const row of held.rows) this.strike(row);
    this.documents.delete(document);
  }

  /** Adds a chunk of a document that is not complete yet. False when there is no room, or the table was closed. */
  add(chunk: PostedChunk, vector: Float32Array): boolean {
    const row = this.closed ? undefined : (this.unused.pop() ?? this.nextRow());
    if (row === undefined) return false;
    this.changes += 1;
    const held = this.documents.get(chunk.documentId) ?? { set: null, rows: [] };
    held.rows.push(row);
    this.documents.set(chunk.documentId, held);
    const { id, documentId, chunkSetId, ordinal } = chunk;
    this.chunks[row] = { id, documentId, chunkSetId, ordinal };
    this.factors[row] = this.memory.writeRow(
      this.blocks[Math.floor(row / this.perBlock)]!,
      row % this.perBlock,
      vector,
    );
    return true;
  }

  /** Notes that it holds all chunks of a document. */
  complete(document: DocumentId, set: ChunkSetId): void {
    if (this.closed) return;
    this.documents.set(document, { set, rows: this.documents.get(document)?.rows ?? [] });
  }

  /** Gives all of its memory back. */
  clear(): void {
    this.changes += 1;
    this.version = -1;
    for (const block of this.blocks) this.memory.giveBack(block);
    for (const list of [this.blocks, this.chunks, this.factors, this.unused]) list.length = 0;
    this.documents.clear();
  }

  /** The same, for good. */
  close(): void {
    this.closed = true;
    this.clear();
  }

  /** The cosine of each chunk with `query`, off by some thousandths at most. Undefined when the table changed between two steps. */
  *compare(query: Float32Array): Steps<ComparedVectors | undefined> {
    const { changes, memory, stride, perBlock, factors, chunks } = this;
    const cosines = new Float64Array(chunks.length);
    const blocksPerStep = Math.max(1, Math.floor(BYTES_PER_STEP / (perBlock * stride)));
    for (let from = 0; from < this.blocks.length; from += blocksPerStep) {
      // Another comparison may have had its turn.
      const factor = memory.writeQuery(query);
      for (const [index, block] of this.blocks.slice(from, from + blocksPerStep).entries()) {
        const first = (from + index) * perBlock;
        const products = memory.products(block, Math.min(perBlock, chunks.length - first), stride);
        for (let row = 0; row < products.length; row += 1)
          if (chunks[first + row] !== null)
            cosines[first + row] = RAISED + products[row]! * factors[first + row]! * factor;
      }
      yield;
      if (this.changes !== changes) return undefined;
    }
    return new ComparedVectors(chunks.slice(), cosines);
  }

  private nextRow(): number | undefined {
    const row = this.chunks.length;
    if (row === this.blocks.length * this.perBlock) {
      const block = this.memory.take();
      if (block === undefined) return undefined;
      this.blocks.push(block);
    }
    this.chunks.push(null);
    this.factors.push(0);
    return row;
  }

  private strike(row: number): void {
    this.chunks[row] = null;
    this.unused.push(row);
  }
}

/** The cosines of the chunks of a table with one vector. */
export class ComparedVectors {
  constructor(
    private readonly chunks: readonly (TableChunk | null)[],
    /** By row, plus `RAISED`; 0 where there is no chunk. */
    private readonly cosines: Float64Array,
  ) {}

  get size(): number {
    return this.chunks.length;
  }

  /** The nearest `limit` chunks that their documents show, the nearest first; `onlyAlike`: those with a cosine above 0. Ties as in every ranking. */
  best(counted: ReadonlyMap<DocumentId, ShownSet>, limit: number, onlyAlike: boolean): ScoredChunkId[] {
    const { cosines, chunks } = this;
    const floor = onlyAlike ? RAISED : 0;
    const greatest = new GreatestNumbers(Math.min(limit, chunks.length));
    for (const cosine of cosines) if (cosine > greatest.least) greatest.add(cosine);
    const { least } = greatest;
    const found: { item: TableChunk; generation: string; score: number }[] = [];
    for (let row = 0; row < cosines.length; row += 1) {
      const cosine = cosines[row]!;
      const item = chunks[row] ?? null;
      if (item === null || cosine < least || cosine <= floor) continue;
      const shown = counted.get(item.documentId);
      if (shown?.set === item.chunkSetId)
        found.push({ item, generation: shown.generation, score: Math.max(-1, Math.min(1, cosine - RAISED)) });
    }
    return found
      .sort(compareScored)
      .slice(0, limit)
      .map(({ item, generation, score }) => ({ chunkId: item.id, documentId: item.documentId, generation, score }));
  }
}
