import { Injectable, Logger } from '@nestjs/common';
import { inTurns, mapBounded, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { TermStatistics } from '#libs/ranking';
import type { VisibleDataset } from '../../datasets/index.js';
import { readDelta } from './dataset-deltas.js';
import { HeldDataset, toPostingsChange, type DatasetContents } from './held-dataset.js';
import { DatasetPostings } from '../postings/dataset-postings.js';
import { PostingsKeeper } from '../postings/postings-keeper.service.js';
import { TermStatisticsRepository } from '../rows/term-statistics.repository.js';
import type { WordFiles } from './word-files.service.js';

/** Maximum number of datasets whose contents are kept: more than a request may name. Each takes some 16 bytes for each distinct term, and its postings. */
export const DATASETS_KEPT = 128;
/** Datasets of one request that are read at once. */
const READS_AT_ONCE = 2;
/** Maximum number of tries to read a dataset that changes meanwhile. A few are enough: writers are slower than readers. */
const TRIES = 5;
/** Less than the number of any change: all changes come after it. */
const EVERYTHING = -1n;

/** The contents of a dataset that are in memory. */
export interface HeldWords {
  readonly tenantId: string;
  readonly datasetId: string;
  readonly dataset: HeldDataset;
}

/**
 * The contents of datasets: term statistics of exactly their visible chunks, and postings as far as there is room for them. Kept in
 * memory, and brought up to date by the documents that changed whenever `content_seq` says that something did; the result
 * equals a rebuild at every moment.
 */
@Injectable()
export class DatasetContentsCache {
  private readonly logger = new Logger('Retrieval');
  private readonly datasets = new Map<string, HeldDataset>();
  private readonly refreshing = new Map<string, Promise<HeldDataset>>();
  /** Postings of large datasets that are being made in the background. */
  private readonly aside = new Map<string, Promise<void>>();
  /** When the making of each of them began. */
  private readonly asideSince = new Map<string, number>();

  constructor(
    private readonly repository: TermStatisticsRepository,
    private readonly keeper: PostingsKeeper,
    /** Words that an earlier process has counted. */
    private readonly files: Pick<WordFiles, 'read' | 'readPostings' | 'remove'> | null = null,
  ) {}

  /** What each dataset shows, in the order of `datasets`, no older than their `contentSeq`. */
  async load(
    ctx: RequestContext,
    datasets: readonly Pick<VisibleDataset, 'id' | 'contentSeq'>[],
  ): Promise<DatasetContents[]> {
    return mapBounded(datasets, READS_AT_ONCE, async (dataset) => {
      const key = `${ctx.tenantId}/${dataset.id}`;
      const wanted = BigInt(dataset.contentSeq);
      for (let tries = 0; tries < TRIES; tries += 1) {
        const held = this.datasets.get(key);
        const isReady = held !== undefined && held.seq >= wanted && !this.waitsForPostings(held);
        const fresh = isReady ? held : await this.refreshOnce(ctx, key, dataset.id);
        if (fresh.seq < wanted) continue;
        this.postAside(ctx, key, dataset.id, fresh);
        return this.touch(key, fresh);
      }
      throw new Error(`The statistics of dataset ${dataset.id} did not reach change ${dataset.contentSeq}.`);
    });
  }

  /** Whether all that is to be in memory of these datasets is there, but for their latest changes. */
  areHeld({ tenantId }: Pick<RequestContext, 'tenantId'>, datasetIds: readonly string[]): boolean {
    return datasetIds.every((id) => {
      const key = `${tenantId}/${id}`;
      const held = this.datasets.get(key);
      return held !== undefined && !this.aside.has(key) && !this.waitsForPostings(held);
    });
  }

  /** Resolves when the postings that are being made aside are made, or could not be. */
  async whenPosted(): Promise<void> {
    await Promise.all(this.aside.values());
  }

  /** Whether the postings of a dataset are being made, for no longer than `ms`. */
  isMakingPostings({ tenantId, datasetId }: Pick<HeldWords, 'tenantId' | 'datasetId'>, ms: number): boolean {
    const since = this.asideSince.get(`${tenantId}/${datasetId}`);
    return since !== undefined && performance.now() - since < ms;
  }

  /** Those that are in memory, the one that was asked last first. */
  held(): HeldWords[] {
    const all = [...this.datasets].map(([key, dataset]) => {
      const [tenantId, datasetId] = key.split('/') as [string, string];
      return { tenantId, datasetId, dataset };
    });
    return all.sort((a, b) => b.dataset.usedAt - a.dataset.usedAt);
  }

  /** What a dataset shows, no older than `seq`; no search has asked for it, so it stays as long unused as it was. */
  async follow(ctx: RequestContext, datasetId: DatasetId, seq: bigint): Promise<HeldDataset> {
    const key = `${ctx.tenantId}/${datasetId}`;
    const before = this.datasets.get(key);
    if (before !== undefined && before.seq >= seq) return before;
    const { usedAt } = before ?? { usedAt: performance.now() };
    const fresh = await this.refreshOnce(ctx, key, datasetId);
    fresh.usedAt = usedAt;
    return fresh;
  }

  private waitsForPostings(held: HeldDataset): boolean {
    const { postings, statistics } = held;
    return (
      postings === null &&
      statistics.chunkCount <= this.keeper.waitedChunks &&
      this.keeper.makeRoom(held, this.datasets.values())
    );
  }

  /** One refresh of a dataset at a time: callers that come meanwhile share it. Changes are applied without a pause, so that contents are never read half changed. */
  private refreshOnce(ctx: RequestContext, key: string, datasetId: DatasetId): Promise<HeldDataset> {
    const running = this.refreshing.get(key);
    if (running !== undefined) return running;
    const refresh = this.refresh(ctx, key, datasetId).finally(() => this.refreshing.delete(key));
    this.refreshing.set(key, refresh);
    return refresh;
  }

  private async refresh(ctx: RequestContext, key: string, datasetId: DatasetId): Promise<HeldDataset> {
    const known = this.datasets.get(key);
    let held = known ?? (await this.resume(ctx, datasetId));
    let isOfFile = known === undefined && held !== undefined;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const updated =
        held === undefined
          ? await this.rebuild(ctx, datasetId, known ?? null)
          : await this.update(ctx, key, datasetId, held);
      held = undefined;
      // Most likely the file does not fit the database, and would not the next time; if it did, removing it costs one more counting.
      if (isOfFile && updated === undefined) await this.files?.remove({ tenantId: ctx.tenantId, datasetId });
      isOfFile = false;
      if (updated === undefined) continue;
      const isPosted = !this.waitsForPostings(updated) || (await this.post(ctx, datasetId, updated));
      // The store proposes where they cannot be made.
      if (!isPosted && tries < TRIES - 1) continue;
      this.keeper.trim(updated, this.datasets.values());
      return this.touch(key, updated);
    }
    throw new Error(`Dataset ${datasetId} changed faster than its statistics could be read.`);
  }

  /** The contents of a file, brought up to date by the database; undefined without a file, or when that is impossible. */
  private async resume(ctx: RequestContext, datasetId: DatasetId): Promise<HeldDataset | undefined> {
    const held = await this.files?.read({ tenantId: ctx.tenantId, datasetId });
    if (held === undefined) return undefined;
    // All changes, not only those since the file was written: the database may have been restored meanwhile.
    const changes = await this.repository.findChanges(ctx, datasetId, EVERYTHING);
    const delta = changes && (await readDelta(this.repository, ctx, changes, held.counted));
    return delta && (await inTurns(held.following(delta, changes.seq))) ? held : undefined;
  }

  /** Undefined when the old chunk sets that would have to be taken back are gone. */
  private async update(
    ctx: RequestContext,
    key: string,
    datasetId: DatasetId,
    held: HeldDataset,
  ): Promise<HeldDataset | undefined> {
    const changes = await this.repository.findChanges(ctx, datasetId, held.seq);
    if (changes === undefined) return new HeldDataset(held.seq, new TermStatistics());
    const delta = await readDelta(this.repository, ctx, changes, held.counted);
    if (delta === undefined) return undefined;
    const { postings } = held;
    const change = toPostingsChange(delta);
    const prepared =
      postings === null ? null : await this.keeper.prepare(ctx, postings, change, this.keeper.waitedChunks);
    if (prepared === undefined) return undefined;
    // It is put back once it is known to be right.
    this.datasets.delete(key);
    held.apply(delta, prepared);
    // A purge removes rows without a change of its own: then the numbers differ.
    if (held.counted.size !== changes.visibleDocuments) return undefined;
    held.seq = changes.seq;
    return held;
  }

  /** Undefined when a chunk set vanished while it was read: its document changed, so the next try sees another one. */
  private async rebuild(
    ctx: RequestContext,
    datasetId: DatasetId,
    known: HeldDataset | null,
  ): Promise<HeldDataset | undefined> {
    const changes = await this.repository.findChanges(ctx, datasetId, EVERYTHING);
    if (changes === undefined) return new HeldDataset(0n, new TermStatistics());
    const delta = await readDelta(this.repository, ctx, changes, new Map());
    if (delta === undefined) return undefined;
    const fresh = new HeldDataset(changes.seq, delta.added);
    await inTurns(fresh.showing(delta.documents));
    const postings = known?.postings ?? null;
    if (known === null || postings === null) return fresh;
    const change = postings.changeTo(fresh.counted);
    const prepared = await this.keeper.prepare(ctx, postings, change, this.keeper.waitedChunks);
    // A search that still holds the old contents lets the store propose.
    known.postings = null;
    if (prepared === undefined || prepared === null) return fresh;
    postings.apply(prepared);
    fresh.postings = postings;
    return fresh;
  }

  /** Makes the postings of contents that no one changes meanwhile; false when a chunk set vanished. */
  private async post(ctx: RequestContext, datasetId: DatasetId, held: HeldDataset): Promise<boolean> {
    const postings = await this.keptPostings(ctx, datasetId);
    const prepared = await this.keeper.prepare(ctx, postings, postings.changeTo(held.counted));
    if (prepared === undefined || prepared === null) return false;
    await inTurns(postings.applying(prepared));
    held.postings = postings;
    return true;
  }

  /** Begins to make the postings of a large dataset, if there is room, for the searches that come when they are done. */
  private postAside(ctx: RequestContext, key: string, datasetId: DatasetId, held: HeldDataset): void {
    const isWanted = held.postings === null && held.statistics.chunkCount > this.keeper.waitedChunks;
    if (!isWanted || this.aside.has(key) || !this.keeper.makeRoom(held, this.datasets.values())) return;
    const making = this.makeAside(ctx, key, datasetId)
      .catch((error: unknown) =>
        this.logger.warn({ event: 'retrieval.postings_not_made', dataset: key, error: String(error) }),
      )
      .finally(() => {
        this.aside.delete(key);
        this.asideSince.delete(key);
      });
    this.aside.set(key, making);
    this.asideSince.set(key, performance.now());
  }

  /** The postings of the files, as they were written; empty ones without files. */
  private async keptPostings({ tenantId }: RequestContext, datasetId: DatasetId): Promise<DatasetPostings> {
    return (await this.files?.readPostings({ tenantId, datasetId })) ?? new DatasetPostings();
  }

  private async makeAside(ctx: RequestContext, key: string, datasetId: DatasetId): Promise<void> {
    const postings = await this.keptPostings(ctx, datasetId);
    for (let tries = 0; tries < TRIES; tries += 1) {
      while (this.refreshing.has(key)) await this.refreshing.get(key);
      const held = this.datasets.get(key);
      if (held === undefined) return;
      const change = postings.changeTo(held.counted);
      if (change.added.size + change.removed.length === 0) {
        held.postings = postings;
        return;
      }
      const prepared = await this.keeper.prepare(ctx, postings, change);
      if (prepared !== undefined && prepared !== null) await inTurns(postings.applying(prepared));
    }
  }

  /** Makes a dataset the last one to be let go. */
  private touch(key: string, dataset: HeldDataset): HeldDataset {
    dataset.usedAt = performance.now();
    this.datasets.delete(key);
    this.datasets.set(key, dataset);
    for (const oldest of this.datasets.keys()) {
      if (this.datasets.size <= DATASETS_KEPT) break;
      this.datasets.delete(oldest);
    }
    return dataset;
  }
}
