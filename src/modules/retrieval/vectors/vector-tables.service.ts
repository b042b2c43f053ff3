import { Injectable, Logger } from '@nestjs/common';
import { inTurns, OneByOne, type ChunkId, type DatasetId, type Steps } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { vectorOf, type VectorStoreCapabilities } from '#libs/vector-store';
import type { DatasetContents } from '../held-dataset.js';
import type { PostedChunk } from '../postings/posting-segment.js';
import { readAhead } from '../read-ahead.js';
import { RetrievalRepository } from '../retrieval.repository.js';
import { bytesOfRows, type VectorMemory } from './vector-memory.js';
import { VectorTable, type VectorDifference } from './vector-table.js';

/** Chunks read by one statement. */
const CHUNKS_PER_READ = 400;
/** A search waits for this many vectors, which takes some tenths of a second; more are read aside, and the store proposes meanwhile. */
const WAITED_CHUNKS = 2_000;
/** Tables of datasets that were asked within this time are not given up for that of another one. */
const IN_USE_MS = 300_000;
/** Vectors that were not there are looked for again after this long. */
const MISSED_MS = 5_000;
/** A dataset can change while its vectors are read. */
const TRIES = 3;

/** Which vectors are compared in memory. */
export interface VectorLimits {
  /** What was set. */
  readonly setting: 'auto' | 'store' | 'memory';
  /** Datasets with more chunks are left to the store; 0: all are. Of vectors that propose, and of those that only order. */
  readonly proposing: number;
  readonly ordering: number;
  readonly waitedChunks?: number;
}

/** Datasets up to this size are compared in memory where nothing is set. */
const CHUNKS_MOST = 50_000;

/**
 * What `VECTOR_SEARCH` means with a store: by itself memory is asked in place of a store of this process, not of a search engine.
 * Vectors that only order are rarely compared, and by memory whatever the store, unless that was ruled out.
 */
export function vectorLimits(
  setting: VectorLimits['setting'],
  { isInProcess = false }: Pick<VectorStoreCapabilities, 'isInProcess'>,
): VectorLimits {
  const all = Number.POSITIVE_INFINITY;
  if (setting === 'store') return { setting, proposing: 0, ordering: 0 };
  if (setting === 'memory') return { setting, proposing: all, ordering: all };
  return { setting, proposing: isInProcess ? CHUNKS_MOST : 0, ordering: all };
}

/** Whose vectors, and of which model. */
export interface VectorTarget {
  readonly datasetId: DatasetId;
  readonly space: string;
  readonly dimensions: number;
  readonly usage: 'proposing' | 'ordering';
}

interface HeldTable extends VectorTarget {
  readonly key: string;
  readonly table: VectorTable;
  readonly reads: OneByOne;
  /** When it was last asked, and when vectors of it were last not there, in milliseconds of `performance.now`. */
  usedAt: number;
  missedAt: number;
  /** More is being read than a search waits for. */
  isLong: boolean;
}

/** Keeps the vectors of datasets in memory as far as there is room, each as what the dataset shows: what its postings hold. */
@Injectable()
export class VectorTables {
  private readonly logger = new Logger('Retrieval');
  private readonly tables = new Map<string, HeldTable>();

  constructor(
    private readonly repository: RetrievalRepository,
    private readonly memory: VectorMemory,
    private readonly limits: VectorLimits,
  ) {}

  /** Whether any vectors of this usage are compared here. */
  isFor(usage: VectorTarget['usage']): boolean {
    return this.limits[usage] > 0;
  }

  /** What was set that can decide results, for the fingerprint of a search. */
  get parameters(): { readonly vectorSearch?: string; readonly vectorBytes?: number } {
    const { setting } = this.limits;
    if (setting === 'auto') return {};
    return { vectorSearch: setting, ...(setting === 'memory' ? { vectorBytes: this.memory.maxBytes } : {}) };
  }

  /** The vectors of just what `contents` show at this moment; undefined where they are not kept, or not read yet: then the store proposes. */
  async find(ctx: RequestContext, target: VectorTarget, contents: DatasetContents): Promise<VectorTable | undefined> {
    const held = this.roomFor(ctx, target, contents);
    if (held === undefined) return undefined;
    held.usedAt = performance.now();
    if (isCurrent(held, contents)) return held.table;
    if (held.isLong || performance.now() - held.missedAt < MISSED_MS) return undefined;
    await held.reads.run(() => this.catchUp(ctx, held, contents));
    return isCurrent(held, contents) ? held.table : undefined;
  }

  /** Reads the vectors of a dataset, however many; for the start, when no one waits. */
  async load(ctx: RequestContext, target: VectorTarget, contents: DatasetContents): Promise<void> {
    const held = this.roomFor(ctx, target, contents);
    await held?.reads.run(() => this.read(ctx, held, contents));
  }

  /** Resolves when no vectors are being read. */
  async whenRead(): Promise<void> {
    for (const { reads } of this.tables.values()) await reads.ended();
  }

  /** The table of a dataset, new or old; undefined when it is too large, or there is no room for it beside those in use. */
  private roomFor(ctx: RequestContext, target: VectorTarget, contents: DatasetContents): HeldTable | undefined {
    const key = `${ctx.tenantId}/${target.datasetId}/${target.space}`;
    const known = this.tables.get(key);
    const { chunkCount } = contents.statistics;
    if (contents.postings === null || chunkCount > this.limits[target.usage]) {
      this.giveUp(key);
      return undefined;
    }
    if (known !== undefined) return known;
    const needed = bytesOfRows(chunkCount, target.dimensions);
    this.makeRoom(needed);
    if (needed > this.memory.freeBytes) return undefined;
    const table = new VectorTable(this.memory, target.dimensions);
    const times = { usedAt: performance.now(), missedAt: Number.NEGATIVE_INFINITY };
    const held: HeldTable = { ...target, ...times, key, table, reads: new OneByOne(), isLong: false };
    this.tables.set(key, held);
    return held;
  }

  /** Gives up what no one has asked for a while, as far as it is needed. */
  private makeRoom(bytes: number): void {
    const idle = [...this.tables].filter(([, { usedAt }]) => performance.now() - usedAt > IN_USE_MS);
    for (const [key] of idle.toSorted(([, a], [, b]) => a.usedAt - b.usedAt)) {
      if (bytes <= this.memory.freeBytes) return;
      this.giveUp(key);
    }
  }

  private giveUp(key: string): void {
    this.tables.get(key)?.table.close();
    this.tables.delete(key);
  }

  /** Reads what is missing, or begins to where that is more than a search waits for. */
  private async catchUp(ctx: RequestContext, held: HeldTable, contents: DatasetContents): Promise<void> {
    if (contents.postings === null || isCurrent(held, contents)) return;
    const { chunks } = await inTurns(held.table.difference(contents.postings), { party: ctx.tenantId });
    if (chunks <= (this.limits.waitedChunks ?? WAITED_CHUNKS)) return this.read(ctx, held, contents);
    held.isLong = true;
    void held.reads.run(() => this.readAside(ctx, held, contents));
  }

  private async readAside(ctx: RequestContext, held: HeldTable, contents: DatasetContents): Promise<void> {
    try {
      await this.read(ctx, held, contents);
    } catch (error) {
      held.missedAt = performance.now();
      const dataset = `${ctx.tenantId}/${held.datasetId}`;
      this.logger.warn({ event: 'retrieval.vectors_not_read', dataset, error: String(error) });
    } finally {
      held.isLong = false;
    }
  }

  /** Makes the table that of what the dataset shows, as far as it stands still meanwhile. */
  private async read(ctx: RequestContext, held: HeldTable, contents: DatasetContents): Promise<void> {
    const { table } = held;
    const turns = { party: ctx.tenantId };
    for (let tries = 0; tries < TRIES && contents.postings !== null; tries += 1) {
      const { postings } = contents;
      const { version } = postings;
      if (table.isThin) table.clear();
      const difference = await inTurns(table.difference(postings), turns);
      await inTurns(removeAll(table, difference), turns);
      const isWhole = await this.readMissing(ctx, held, difference);
      if (contents.postings !== postings || postings.version !== version) continue;
      if (isWhole) table.settle(postings, version);
      else held.missedAt = performance.now();
      return;
    }
  }

  /** False when a vector is not there, or there is no room for it. */
  private async readMissing(
    ctx: RequestContext,
    { key, space, dimensions, table }: HeldTable,
    { missing }: VectorDifference,
  ): Promise<boolean> {
    const chunks = [...missing.values()].flatMap((document) => document.chunks);
    const batches = Array.from({ length: Math.ceil(chunks.length / CHUNKS_PER_READ) }, (_, n) =>
      chunks.slice(n * CHUNKS_PER_READ, (n + 1) * CHUNKS_PER_READ),
    );
    const lacking = new Set<ChunkId>();
    const read = async (batch: readonly PostedChunk[]) =>
      [
        batch,
        await this.repository.listVectors(
          ctx,
          batch.map(({ id }) => id),
          space,
        ),
      ] as const;
    for await (const [batch, rows] of readAhead(batches, read)) {
      const take = function* (): Steps<boolean> {
        const vectors = new Map(rows.map(({ place, vector }) => [place, vector]));
        for (const [index, chunk] of batch.entries()) {
          const bytes = vectors.get(index + 1);
          const vector = bytes === undefined ? undefined : vectorOf(Buffer.from(bytes, 'base64'));
          if (vector?.length !== dimensions) lacking.add(chunk.id);
          else if (!table.add(chunk, vector)) return false;
          yield;
        }
        return true;
      };
      if (await inTurns(take(), { party: ctx.tenantId })) continue;
      this.giveUp(key);
      return false;
    }
    for (const [document, { set, chunks: own }] of missing)
      if (own.every(({ id }) => !lacking.has(id))) table.complete(document, set);
    return lacking.size === 0;
  }
}

function isCurrent({ table }: HeldTable, { postings }: DatasetContents): boolean {
  return postings !== null && table.isOf(postings);
}

function* removeAll(table: VectorTable, { gone }: VectorDifference): Steps<void> {
  for (const document of gone) {
    table.remove(document);
    yield;
  }
}
