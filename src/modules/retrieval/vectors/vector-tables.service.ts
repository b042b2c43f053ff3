import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { inTurns, OneByOne, type ChunkId, type DatasetId, type Steps } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { vectorOf, type VectorStoreCapabilities } from '#libs/vector-store';
import type { DatasetContents } from '../snapshot/held-dataset.js';
import type { PostedChunk } from '../postings/posting-segment.js';
import { readAhead } from '../rows/read-ahead.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import { bytesOfRows, type VectorMemory } from './vector-memory.service.js';
import { VectorTable, type VectorDifference } from './vector-table.js';

/** Chunks read by one statement. */
const CHUNKS_PER_READ = 400;
/** A search waits for at most this many vectors to be read, some tenths of a second. More are read in the background; until then the store proposes. */
const WAITED_CHUNKS = 2_000;
/** A table that a search has used within this time is not given up for the table of another dataset. */
const IN_USE_MS = 300_000;
/** Vectors that are missing or cannot be read are tried again after `MISSED_MS`; each further wait is twice as long, up to `MISSED_MOST_MS`. */
const MISSED_MS = 5_000;
const MISSED_MOST_MS = 300_000;
/** A dataset can change while its vectors are read. */
const TRIES = 3;
/** With `VECTOR_SEARCH=auto`, datasets with at most this many chunks are compared in memory. */
const CHUNKS_MOST = 50_000;

/** Which vectors are compared in memory. */
export interface VectorLimits {
  /** Value of `VECTOR_SEARCH`. */
  readonly setting: 'auto' | 'store' | 'memory';
  /** Maximum number of chunks of a dataset that is compared in memory, for vectors that propose and for those that only order; 0: none is. */
  readonly proposing: number;
  readonly ordering: number;
  readonly waitedChunks?: number;
}

/**
 * What `VECTOR_SEARCH` means with a store. `auto`: memory takes the place of a store within this process, but not of a search engine;
 * vectors that only order are rarely compared, and always in memory. `store` and `memory` hold for all vectors.
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

/** The dataset and the embedding space of vectors. */
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
  /** Bytes that the table takes once all vectors are read. */
  bytes: number;
  /** When a search last used it, and until when no reading is tried, in milliseconds of `performance.now`. */
  usedAt: number;
  pausedUntil: number;
  /** Number of readings in a row that were not complete. */
  misses: number;
  /** Whether more vectors are being read than a search waits for. */
  isLong: boolean;
}

/** Keeps the vectors of datasets in memory, as far as there is room: for each dataset those of exactly the chunks that its postings hold. */
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

  /** Settings that can change results, for the fingerprint of a search. */
  get parameters(): { readonly vectorSearch?: string; readonly vectorBytes?: number } {
    const { setting } = this.limits;
    if (setting === 'auto') return {};
    return { vectorSearch: setting, ...(setting === 'memory' ? { vectorBytes: this.memory.maxBytes } : {}) };
  }

  /** The vectors of exactly the chunks that `contents` show at this moment. Undefined where they are not in memory: then the store proposes. */
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

  /** Readings end with the statement that is under way. */
  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    await this.whenRead();
  }

  /** The table of a dataset, made where there is none; undefined when it is too large or has no room. `mayTakeRoom`: tables that are not in use may be given up for it. */
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
    // Not in use before a search asks for it.
    const times = { usedAt: Number.NEGATIVE_INFINITY, pausedUntil: Number.NEGATIVE_INFINITY, misses: 0 };
    const held: HeldTable = { ...target, ...times, key, bytes, table, reads: new OneByOne(), isLong: false };
    this.tables.set(key, held);
    return held;
  }

  /** Bytes that are neither taken nor set aside for tables that are still being read. */
  private get freeBytes(): number {
    const meant = [...this.tables.values()].map(({ bytes, table }) => Math.max(0, bytes - table.bytes));
    return this.memory.freeBytes - meant.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Gives up tables that no search has used for a while, the longest unused first, until there is room for `bytes`. */
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

  /** Reads the missing vectors; where a search would wait too long, in the background. */
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

  /** Makes the table hold what the dataset shows; tries again when that changes meanwhile. After a failure the store proposes. */
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

  /** False when a vector is missing, there is no room, or the service stops. */
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

/** Whether vectors may be read into it for a search now. */
function isReadable({ table, isLong, pausedUntil }: HeldTable): boolean {
  return !table.isClosed && !isLong && performance.now() >= pausedUntil;
}

function* removeAll(table: VectorTable, { gone }: VectorDifference): Steps<void> {
  for (const document of gone) {
    table.remove(document);
    yield;
  }
}
