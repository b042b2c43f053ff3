import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { abortable, newId, OneByOne, type DatasetId, type TenantId } from '#libs/common';
import { StorageSpace } from '#libs/storage-space';
import type { RequestContext } from '#libs/tenancy';
import { DatasetContentsCache, type HeldWords } from './dataset-contents-cache.service.js';
import { TermStatisticsRepository } from '../rows/term-statistics.repository.js';
import type { WordsOwner } from './kept-contents.js';
import { WordFiles, type WordFile } from './word-files.service.js';

/** Milliseconds between two rounds. Words that a dataset no longer shows stay in its file for two rounds and `LEFT_FOR_MS` at most: less than ten minutes. */
const EVERY_MS = 120_000;
/** Milliseconds for which a file of a dataset that this process does not hold is left to the processes that hold it. */
const LEFT_FOR_MS = 300_000;
/** The file of a dataset that no search has used for this many milliseconds is not brought up to date, but removed once it is old. */
const FOLLOWED_FOR_MS = 3_600_000;
/** Maximum milliseconds that a stop waits until the last round writes no further file, and again for the file that is being written then. */
const STOP_MS = 5_000;
/** Datasets with fewer chunks have no file: counting them takes about as long as reading it. */
const CHUNKS_LEAST = 1_000;

/** Keeps the files of words as new as the datasets that this process holds: after the warm-up, every two minutes, and at the stop. */
@Injectable()
export class WordFilesUpkeep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Retrieval');
  private readonly rounds = new OneByOne();
  private readonly stop = new AbortController();
  /** Whether a round is asked for and has not begun. */
  private isAsked = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly files: WordFiles,
    private readonly contents: DatasetContentsCache,
    private readonly repository: TermStatisticsRepository,
    private readonly space: StorageSpace,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.begin(), EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    const timer = setTimeout(() => this.stop.abort(), STOP_MS);
    this.begin();
    await Promise.race([this.rounds.ended(), wait(2 * STOP_MS, undefined, { ref: false })]);
    clearTimeout(timer);
  }

  /** Begins a round and does not wait for it; a stop lets it write for some seconds. What fails is logged. */
  begin(): void {
    if (this.isAsked) return;
    this.isAsked = true;
    void this.rounds.run(async () => {
      this.isAsked = false;
      try {
        await this.run(this.stop.signal);
      } catch (error) {
        this.logger.warn({ event: 'retrieval.words_not_kept', error: String(error) });
      }
    });
  }

  /** One round: removes files of datasets that are gone or have changed, and writes those of the datasets that this process holds. */
  async run(signal: AbortSignal, chunksLeast = CHUNKS_LEAST): Promise<void> {
    const files = new Map((await this.files.list()).map((file) => [keyOf(file), file]));
    const held = this.contents.held();
    const { seqs, unknown } = await this.seqsOf([...files.values(), ...held]);
    const isHeld = new Set(held.map(keyOf));
    for (const [key, file] of files)
      if (!isHeld.has(key) && !unknown.has(file.tenantId) && isOver(file, seqs.get(key)))
        await this.remove(files, file);
    for (const one of held) {
      if (unknown.has(one.tenantId)) continue;
      const seq = seqs.get(keyOf(one));
      try {
        await this.keep(one, seq, files, { signal, chunksLeast });
      } catch (error) {
        this.logger.warn({ event: 'retrieval.words_not_kept', dataset: one.datasetId, error: String(error) });
        const file = files.get(keyOf(one));
        if (file !== undefined && file.seq !== seq) await this.remove(files, file);
      }
    }
  }

  private async keep(
    one: HeldWords,
    seq: bigint | undefined,
    files: Map<string, WordFile>,
    { signal, chunksLeast }: { readonly signal: AbortSignal; readonly chunksLeast: number },
  ): Promise<void> {
    const file = files.get(keyOf(one));
    // Its file is being read: it is written in a later round.
    if (this.contents.isMakingPostings(one, LEFT_FOR_MS)) return;
    if (await this.space.isLow()) {
      if (file !== undefined) await this.remove(files, file);
      return;
    }
    const isFollowed = seq !== undefined && performance.now() - one.dataset.usedAt < FOLLOWED_FOR_MS;
    const dataset =
      isFollowed && one.dataset.seq < seq && !signal.aborted
        ? await abortable(this.contents.follow(contextOf(one), one.datasetId as DatasetId, seq), signal)
        : one.dataset;
    const isPosted =
      dataset.postings !== null && this.isRoomFor(one, this.files.bytesOf(dataset, { isPosted: true }), files);
    if (file !== undefined && file.seq === seq && (file.isPosted || !isPosted)) return;
    const bytes = this.files.bytesOf(dataset, { isPosted });
    const isNew = seq !== undefined && dataset.seq >= seq && dataset.statistics.chunkCount >= chunksLeast;
    if (isNew && this.isRoomFor(one, bytes, files)) {
      await this.makeRoom(one, bytes, files);
      files.delete(keyOf(one));
      const written = await this.files.write(one, dataset, { isPosted, signal });
      if (written) files.set(keyOf(one), { ...ownerOf(one), seq, isPosted, bytes, writtenAt: Date.now() });
    } else if (file !== undefined) await this.remove(files, file);
  }

  /** Whether this many bytes fit beside the files of other datasets that this process holds. */
  private isRoomFor(one: WordsOwner, needed: number, files: ReadonlyMap<string, WordFile>): boolean {
    const others = this.contents.held().filter((other) => keyOf(other) !== keyOf(one));
    const used = others.reduce((sum, other) => sum + (files.get(keyOf(other))?.bytes ?? 0), 0);
    return used + needed <= this.files.maxBytes;
  }

  /** Removes the oldest files of datasets that this process does not hold until there is room. */
  private async makeRoom(one: WordsOwner, needed: number, files: Map<string, WordFile>): Promise<void> {
    const isHeld = new Set(this.contents.held().map(keyOf));
    let bytes = needed;
    for (const [key, file] of files) if (key !== keyOf(one)) bytes += file.bytes;
    for (const [key, file] of files) {
      if (bytes <= this.files.maxBytes) return;
      if (isHeld.has(key)) continue;
      await this.remove(files, file);
      bytes -= file.bytes;
    }
  }

  private async remove(files: Map<string, WordFile>, file: WordFile): Promise<void> {
    files.delete(keyOf(file));
    await this.files.remove(file);
  }

  /** The number of the last change of each dataset that exists, and the tenants whose datasets could not be read. */
  private async seqsOf(
    owners: readonly WordsOwner[],
  ): Promise<{ readonly seqs: ReadonlyMap<string, bigint>; readonly unknown: ReadonlySet<string> }> {
    const seqs = new Map<string, bigint>();
    const unknown = new Set<string>();
    for (const tenantId of new Set(owners.map((owner) => owner.tenantId))) {
      const ids = owners.filter((owner) => owner.tenantId === tenantId).map(({ datasetId }) => datasetId as DatasetId);
      try {
        for (const { id, contentSeq } of await this.repository.listSeqs(contextOf({ tenantId }), [...new Set(ids)]))
          seqs.set(keyOf({ tenantId, datasetId: id }), BigInt(contentSeq));
      } catch (error) {
        unknown.add(tenantId);
        this.logger.warn({ event: 'retrieval.words_not_kept', tenant: tenantId, error: String(error) });
      }
    }
    return { seqs, unknown };
  }
}

function keyOf({ tenantId, datasetId }: WordsOwner): string {
  return `${tenantId}/${datasetId}`;
}

function ownerOf({ tenantId, datasetId }: WordsOwner): WordsOwner {
  return { tenantId, datasetId };
}

/** Whether a file of a dataset that this process does not hold is out of date, and was not written by another process lately. */
function isOver({ seq, writtenAt }: WordFile, now: bigint | undefined): boolean {
  return now === undefined || (seq !== now && Date.now() - writtenAt > LEFT_FOR_MS);
}

function contextOf({ tenantId }: Pick<WordsOwner, 'tenantId'>): RequestContext {
  return {
    tenantId: tenantId as TenantId,
    principal: { kind: 'system', permissions: new Set<never>() },
    requestId: newId(),
  };
}
