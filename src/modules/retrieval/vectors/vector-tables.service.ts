import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { inTurns, OneByOne, type ChunkId, type DatasetId, type Steps } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { vectorOf, type VectorStoreCapabilities } from '#libs/vector-store';
import type { DatasetContents } from '../snapshot/held-dataset.js';
import type { PostedChunk } from '../postings/posting-segment.js';
import { readAhead } from '../rows/read-ahead.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import { bytesOfRows, type VectorMemory } from './vector-memory.js';
import { VectorTable, type VectorDifference } from './vector-table.js';

/** Chunks read by one statement. */
const CHUNKS_PER_READ = 400;
/** A search waits until this many vectors are read, some tenths of a second. More are read in the background; until then the store proposes. */
const WAITED_CHUNKS = 2_000;
/** Tables of datasets that were asked within this time are not given up for that of another one. */
const IN_USE_MS = 300_000;
/** Vectors that were not there, or could not be read, are looked for again after this long; twice as long each time, up to the second. */
const MISSED_MS = 5_000;
const MISSED_MOST_MS = 300_000;
/** A dataset can change while its vectors are read. */
const TRIES = 3;
/** Datasets up to this size are compared in memory where nothing is set. */
const CHUNKS_MOST = 50_000;

/** Which vectors are compared in memory. */
export interface VectorLimits {
  /** What was set. */
  readonly setting: 'auto' | 'store' | 'memory';
  /** Datasets with more chunks are left to the store; 0: all are. Of vectors that propose, and of those that only order. */
  readonly proposing: number;
  readonly ordering: number;
  readonly waitedChunks?: number;
}

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
  /** What it takes once it is read. */
  bytes: number;
  /** When it was last asked, and until when it is not read, in milliseconds of `performance.now`. */
  usedAt: number;
  pausedUntil: number;
  /** How often in a row it could not be read whole. */
  misses: number;
  /** More is being read than a search waits for. */
  isLong: boolean;
}

/** Keeps the vectors of datasets in memory as far as there is room, each as what the dataset shows: what its postings hold. */
@Injectable()
export class VectorTables implements OnModuleDestroy {
  private readonly logger = new Logger('Retrieval');
  private readonly tables = new Map<string, HeldTable>();
  private isClosing = false;

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
    const held = this.tableOf(ctx, target, contents, true);
    if (held === undefined) return undefined;
    held.usedAt = performance.now();
    if (!isCurrent(held, contents) && isReadable(held)) await held.reads.run(() => this.catchUp(ctx, held, contents));
    return isCurrent(held, contents) ? held.table : undefined;
  }

  /** Reads the vectors of a dataset, however many; used when the service starts. Until they are read the store proposes. */
  async load(ctx: RequestContext, target: VectorTarget, contents: DatasetContents): Promise<void> {
    const held = this.tableOf(ctx, target, contents, false);
    if (held === undefined || !isReadable(held)) return;
    held.isLong = true;
    await held.reads.run(() => this.readLong(ctx, held, contents));
  }

  /** Resolves when no vectors are being read. */
  async whenRead(): Promise<void> {
    for (const { reads } of this.tables.values()) await reads.ended();
  }

  /** What is being read ends with the statement that is under way. */
  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    await this.whenRead();
  }

  /** The table of a dataset, new or old; undefined when it is too large, or there is no room for it. `mayTakeRoom`: in place of those that are not in use. */
  private tableOf(
    ctx: RequestContext,
    target: VectorTarget,
    contents: DatasetContents,
    mayTakeRoom: boolean,
  ): HeldTable | undefined {
    const { chunkCount } = contents.statistics;
    if (contents.postings === null) return undefined;
    const key = `${ctx.tenantId}/${target.datasetId}/${target.space}`;
    const known = this.tables.get(key);
    const bytes = bytesOfRows(chunkCount, target.dimensions);
    if (chunkCount > this.limits[target.usage]) {
      if (known !== undefined) this.giveUp(known);
      return undefined;
    }
    if (known !== undefined) {
      known.bytes = bytes;
      return known;
    }
    if (bytes > this.memory.maxBytes) return undefined;
    if (mayTakeRoom) this.makeRoom(bytes);
    if (bytes > this.freeBytes) return undefined;
    const table = new VectorTable(this.memory, target.dimensions);
    // Not in use before it is asked.
    const times = { usedAt: Number.NEGATIVE_INFINITY, pausedUntil: Number.NEGATIVE_INFINITY, misses: 0 };
    const held: HeldTable = { ...target, ...times, key, bytes, table, reads: new OneByOne(), isLong: false };
    this.tables.set(key, held);
    return held;
  }

  /** What is not taken, and not meant for a table that is not read yet. */
  private get freeBytes(): number {
    const meant = [...this.tables.values()].map(({ bytes, table }) => Math.max(0, bytes - table.bytes));
    return this.memory.freeBytes - meant.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Gives up what no one has asked for a while, as far as it is needed. */
  private makeRoom(bytes: number): void {
    const idle = [...this.tables.values()].filter(({ usedAt }) => performance.now() - usedAt > IN_USE_MS);
    for (const held of idle.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= this.freeBytes) return;
      this.giveUp(held);
    }
  }

  private giveUp(held: HeldTable): void {
    held.table.close();
    if (this.tables.get(held.key) === held) this.tables.delete(held.key);
  }

  /** Reads the missing vectors. Where there are more than a search waits for, it only begins to read them in the background. */
  private async catchUp(ctx: RequestContext, held: HeldTable, contents: DatasetContents): Promise<void> {
    const { table } = held;
    if (contents.postings === null || isCurrent(held, contents) || !isReadable(held)) return;
    if (table.isThin) table.clear();
    const waited = this.limits.waitedChunks ?? WAITED_CHUNKS;
    if ((await this.read(ctx, held, contents, waited)) !== 'too much') return;
    held.isLong = true;
    void held.reads.run(() => this.readLong(ctx, held, contents));
  }

  private async readLong(ctx: RequestContext, held: HeldTable, contents: DatasetContents): Promise<void> {
    await this.read(ctx, held, contents, Number.POSITIVE_INFINITY);
    held.isLong = false;
  }

  /** Brings the table up to date with what the dataset shows, and tries again when that changes while it reads. After a failure the store goes on proposing. */
  private async read(
    ctx: RequestContext,
    held: HeldTable,
    contents: DatasetContents,
    most: number,
  ): Promise<'read' | 'not read' | 'too much'> {
    try {
      for (let tries = 0; tries < TRIES && contents.postings !== null; tries += 1) {
        const { postings } = contents;
        const { version } = postings;
        const difference = await inTurns(held.table.difference(postings), { party: ctx.tenantId });
        if (difference.chunks > most) return 'too much';
        await inTurns(removeAll(held.table, difference), { party: ctx.tenantId });
        const isWhole = await this.readMissing(ctx, held, difference);
        if (contents.postings !== postings || postings.version !== version) continue;
        if (!isWhole) break;
        held.table.settle(postings);
        held.misses = 0;
        return 'read';
      }
    } catch (error) {
      const dataset = `${ctx.tenantId}/${held.datasetId}`;
      this.logger.warn({ event: 'retrieval.vectors_not_read', dataset, error: String(error) });
    }
    held.pausedUntil = performance.now() + Math.min(MISSED_MOST_MS, MISSED_MS * 2 ** held.misses);
    held.misses += 1;
    return 'not read';
  }

  /** False when a vector is not there, there is no room for it, or the service stops. */
  private async readMissing(
    ctx: RequestContext,
    held: HeldTable,
    { missing }: Pick<VectorDifference, 'missing'>,
  ): Promise<boolean> {
    const { space, dimensions, table } = held;
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
      if (!(await inTurns(take(), { party: ctx.tenantId }))) {
        this.giveUp(held);
        return false;
      }
      if (this.isClosing) return false;
    }
    for (const [document, { set, chunks: own }] of missing)
      if (own.every(({ id }) => !lacking.has(id))) table.complete(document, set);
    return lacking.size === 0;
  }
}

function isCurrent({ table }: HeldTable, { postings }: DatasetContents): boolean {
  return postings !== null && table.isOf(postings);
}

/** Whether a search may wait for it. */
function isReadable({ table, isLong, pausedUntil }: HeldTable): boolean {
  return !table.isClosed && !isLong && performance.now() >= pausedUntil;
}

function* removeAll(table: VectorTable, { gone }: VectorDifference): Steps<void> {
  for (const document of gone) {
    table.remove(document);
    yield;
  }
}
