import { Injectable } from '@nestjs/common';
import { mapBounded, type ChunkSetId, type DatasetId, type DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { TermStatistics } from '#libs/text';
import type { VisibleDataset } from '../datasets/index.js';
import type { ChangedDocumentRow, DatasetChanges, ShownSet } from './retrieval.entity.js';
import { TermStatisticsRepository } from './term-statistics.repository.js';

/** Datasets whose statistics are kept; some 16 bytes a distinct term each. More than a request may name. */
export const DATASETS_KEPT = 128;
/** Datasets of one request that are read at once. */
const READS_AT_ONCE = 2;
/** Chunk sets read by one statement. */
const SETS_PER_READ = 64;
/** With more changed documents than this a rebuild costs no more than taking each back and counting it anew. */
const CHANGES_APPLIED_MAX = 512;
/** A dataset can change while it is read; writers are slower than readers, so that few tries do. */
const TRIES = 5;

/** Below every number of a change. */
const EVERYTHING = -1n;

interface CountedDataset {
  readonly statistics: TermStatistics;
  /** The chunk set by which each document is counted. */
  readonly counted: Map<DocumentId, ShownSet>;
  /** `content_seq` up to which changes are counted. */
  seq: bigint;
}

/** What a dataset shows, as of `seq`; it goes on changing, and all of it at once. */
export interface DatasetContents {
  readonly statistics: TermStatistics;
  readonly counted: ReadonlyMap<DocumentId, ShownSet>;
  readonly seq: bigint;
}

/** The chunk sets to count and to take back, with their summaries, complete. */
interface Delta {
  readonly document: DocumentId;
  readonly shown: ShownSet | null;
  readonly added: readonly Uint8Array[];
  readonly removed: readonly Uint8Array[];
}

/**
 * Term statistics of exactly the visible chunks of datasets. Kept in memory, and brought up to date by the documents that
 * changed whenever `content_seq` says that something did; the result equals a rebuild at every moment.
 */
@Injectable()
export class TermStatisticsCache {
  private readonly datasets = new Map<string, CountedDataset>();
  private readonly refreshing = new Map<string, Promise<CountedDataset>>();

  constructor(private readonly repository: TermStatisticsRepository) {}

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
        if (held !== undefined && held.seq >= wanted) return this.touch(key, held);
        const fresh = await this.refreshOnce(ctx, key, dataset.id);
        if (fresh.seq >= wanted) return this.touch(key, fresh);
      }
      throw new Error(`The statistics of dataset ${dataset.id} did not reach change ${dataset.contentSeq}.`);
    });
  }

  /** One refresh of a dataset at a time; who needs one meanwhile waits for it. Changes are applied without a pause, so nobody reads statistics half counted. */
  private refreshOnce(ctx: RequestContext, key: string, datasetId: DatasetId): Promise<CountedDataset> {
    const running = this.refreshing.get(key);
    if (running !== undefined) return running;
    const refresh = this.refresh(ctx, key, datasetId).finally(() => this.refreshing.delete(key));
    this.refreshing.set(key, refresh);
    return refresh;
  }

  private async refresh(ctx: RequestContext, key: string, datasetId: DatasetId): Promise<CountedDataset> {
    let held = this.datasets.get(key);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const updated =
        held === undefined ? await this.rebuild(ctx, datasetId) : await this.update(ctx, key, datasetId, held);
      if (updated !== undefined) return this.touch(key, updated);
      held = undefined;
    }
    throw new Error(`Dataset ${datasetId} changed faster than its statistics could be read.`);
  }

  /** Undefined when the change cannot be told from what is left of the old chunk sets. */
  private async update(
    ctx: RequestContext,
    key: string,
    datasetId: DatasetId,
    held: CountedDataset,
  ): Promise<CountedDataset | undefined> {
    const changes = await this.repository.findChanges(ctx, datasetId, held.seq);
    if (changes === undefined) return emptyDataset(held.seq);
    if (changes.changed.length > CHANGES_APPLIED_MAX) return undefined;
    const deltas = await this.readDeltas(ctx, changes, held);
    if (deltas === undefined) return undefined;
    // Kept again when it is known to be right.
    this.datasets.delete(key);
    for (const delta of deltas) applyDelta(held, delta);
    held.seq = changes.seq;
    // A purge removes rows without a change of its own: then the numbers differ.
    return held.counted.size === changes.visibleDocuments ? held : undefined;
  }

  /** Undefined when a chunk set vanished while it was read: its document changed, so the next try sees another one. */
  private async rebuild(ctx: RequestContext, datasetId: DatasetId): Promise<CountedDataset | undefined> {
    const fresh = emptyDataset(0n);
    const changes = await this.repository.findChanges(ctx, datasetId, EVERYTHING);
    if (changes === undefined) return fresh;
    const shown = changes.changed.filter(({ chunk_set_id: set }) => set !== null);
    for (let from = 0; from < shown.length; from += SETS_PER_READ) {
      const batch = { ...changes, changed: shown.slice(from, from + SETS_PER_READ) };
      const deltas = await this.readDeltas(ctx, batch, fresh);
      if (deltas === undefined) return undefined;
      for (const delta of deltas) applyDelta(fresh, delta);
    }
    fresh.seq = changes.seq;
    return fresh;
  }

  private async readDeltas(
    ctx: RequestContext,
    changes: DatasetChanges,
    held: CountedDataset,
  ): Promise<Delta[] | undefined> {
    const moves = changes.changed.map((row) => {
      const shown = shownOf(row);
      const before = held.counted.get(row.document_id)?.set ?? null;
      return { document: row.document_id, shown, before, isMoved: (shown?.set ?? null) !== before };
    });
    const moved = moves.filter(({ isMoved }) => isMoved);
    const sets = [
      ...new Set(moved.flatMap(({ shown, before }) => [shown?.set ?? null, before]).filter((set) => set !== null)),
    ];
    const summaries = new Map<ChunkSetId, readonly Uint8Array[]>();
    for (let from = 0; from < sets.length; from += SETS_PER_READ) {
      const read = await this.repository.listSummaries(ctx, sets.slice(from, from + SETS_PER_READ));
      for (const [set, parts] of read) summaries.set(set, parts);
    }
    if (summaries.size < sets.length) return undefined;
    const partsOf = (set: ChunkSetId | null): readonly Uint8Array[] => (set === null ? [] : summaries.get(set)!);
    return moves.map(({ document, shown, before, isMoved }) => ({
      document,
      shown,
      added: isMoved ? partsOf(shown?.set ?? null) : [],
      removed: isMoved ? partsOf(before) : [],
    }));
  }

  /** Moves a dataset to the end of the queue of those that are let go. */
  private touch(key: string, dataset: CountedDataset): CountedDataset {
    this.datasets.delete(key);
    this.datasets.set(key, dataset);
    for (const oldest of this.datasets.keys()) {
      if (this.datasets.size <= DATASETS_KEPT) break;
      this.datasets.delete(oldest);
    }
    return dataset;
  }
}

function emptyDataset(seq: bigint): CountedDataset {
  return { statistics: new TermStatistics(), counted: new Map(), seq };
}

function shownOf(row: ChangedDocumentRow): ShownSet | null {
  const { chunk_set_id: set, generation, changed_at: changedAt, attempt } = row;
  return set === null || generation === null ? null : { set, generation, changedAt: BigInt(changedAt), attempt };
}

function applyDelta({ statistics, counted }: CountedDataset, { document, shown, added, removed }: Delta): void {
  for (const summary of removed) statistics.remove(summary);
  for (const summary of added) statistics.add(summary);
  if (shown === null) counted.delete(document);
  else counted.set(document, shown);
}
