import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { inTurns, isUuid } from '#libs/common';
import { ANALYSIS_VERSION } from '#libs/ranking';
import type { HeldDataset } from './held-dataset.js';
import { DatasetPostings } from '../postings/dataset-postings.js';
import type { PostingSegment } from '../postings/posting-segment.js';
import { openContents, sealContents, segmentsOf, type WordsOwner } from './kept-contents.js';
import { openSegment, sealSegment } from './kept-segment.js';
import { BrokenFile, factsOf, isMissing, readSealed, writeSealed } from './sealed-file.js';

const FOLDER_MODE = 0o700;
/** Names end with the version of the analysis that made the words: words of another version are of no use. */
const CONTENTS = `.analysis-${ANALYSIS_VERSION}.words`;
const SEGMENT = `.analysis-${ANALYSIS_VERSION}.segment`;
const DRAFT = '.draft';
/** Milliseconds for which a file is left that no file of statistics names, or that is of another analysis: another process may be using it. */
const STRAY_FOR_MS = 300_000;
const BYTES_PER_TERM = 8;
const BYTES_PER_DOCUMENT = 56;
const BYTES_OF_FACTS = 2_048;
/** Maximum number of tries to write the file of a dataset that changes meanwhile; the next round tries again. */
const TRIES = 3;

/** What is on the disk of the words of a dataset. */
export interface WordFile extends WordsOwner {
  /** The number of the last change that it counts; null for a broken file. */
  readonly seq: bigint | null;
  /** Whether there are postings beside the statistics. */
  readonly isPosted: boolean;
  readonly bytes: number;
  readonly writtenAt: number;
}

export interface WriteOptions {
  /** Whether postings are written beside the statistics. */
  readonly isPosted: boolean;
  /** Ends the writing of postings. */
  readonly signal: AbortSignal;
}

/** The file of a segment as it was with this many chunks. */
interface KeptSegment {
  readonly name: string;
  readonly shown: number;
}

/**
 * Words of whole datasets in the data folder, so that they need not be counted at each start: in `words/TENANT` a file for the statistics
 * of a dataset, which names one for each segment of its postings. A cache: each of the files may be missing, old or broken at any time, and
 * costs no more than the time that it would have saved. They are 0600, and hold hashes of words.
 */
@Injectable()
export class WordFiles {
  private readonly logger = new Logger('Retrieval');
  private readonly kept = new WeakMap<PostingSegment, KeptSegment>();

  constructor(
    private readonly folder: string,
    readonly maxBytes: number,
  ) {}

  /** What a dataset showed when its file was written; undefined when there is none that can be used. */
  async read(owner: WordsOwner): Promise<HeldDataset | undefined> {
    try {
      const sealed = await readSealed(this.pathOf(owner));
      return sealed === undefined ? undefined : await inTurns(openContents(owner, sealed), { party: owner.tenantId });
    } catch (error) {
      await this.giveUp(owner, error);
      return undefined;
    }
  }

  /** The postings of the same moment: all of them or none. */
  async readPostings(owner: WordsOwner): Promise<DatasetPostings | undefined> {
    try {
      let names = await this.namedSegments(owner);
      for (;;) {
        try {
          const segments: PostingSegment[] = [];
          for (const name of names) segments.push(await this.readSegment(owner, name));
          return names.length === 0
            ? undefined
            : await inTurns(DatasetPostings.of(segments), { party: owner.tenantId });
        } catch (error) {
          // Another process may have replaced them while they were read.
          const now = await this.namedSegments(owner);
          if (now.every((name) => names.includes(name))) throw error;
          names = now;
        }
      }
    } catch (error) {
      await this.giveUp(owner, error);
      return undefined;
    }
  }

  private async namedSegments(owner: WordsOwner): Promise<readonly string[]> {
    return segmentsOf((await readSealed(this.pathOf(owner)))?.facts);
  }

  /** A file with wrong content is removed, since it stays wrong; an error of the system while it is read may pass. */
  private async giveUp(owner: WordsOwner, error: unknown): Promise<void> {
    this.logger.warn({ event: 'retrieval.words_not_read', dataset: owner.datasetId, error: String(error) });
    if ((error as NodeJS.ErrnoException).syscall === undefined) await this.remove(owner);
  }

  /** What the files of these words take, rounded up. */
  bytesOf({ statistics, counted, postings }: HeldDataset, { isPosted }: Pick<WriteOptions, 'isPosted'>): number {
    const own = statistics.termCount * BYTES_PER_TERM + counted.size * BYTES_PER_DOCUMENT + BYTES_OF_FACTS;
    return own + (isPosted ? (postings?.bytes ?? 0) : 0);
  }

  /** Whether the files were written. False when the words changed during each try, or the folder cannot be written; then no part of them is left. */
  async write(owner: WordsOwner, held: HeldDataset, { isPosted, signal }: WriteOptions): Promise<boolean> {
    try {
      await mkdir(join(this.folder, owner.tenantId), { recursive: true, mode: FOLDER_MODE });
      for (let tries = 0; tries < TRIES; tries += 1) {
        const { seq } = held;
        const segments = await this.writeSegments(owner, isPosted ? held.postings : null, signal);
        if (segments === undefined) continue;
        const sealed = await inTurns(sealContents(owner, held, segments));
        if (sealed === undefined || held.seq !== seq) continue;
        const before = segmentsOf(await factsOf(this.pathOf(owner)));
        await writeSealed(this.pathOf(owner), sealed, DRAFT);
        // Others may be writing too: what no file tells of goes later.
        for (const name of before) if (!segments.includes(name)) await rm(this.pathOf(owner, name), { force: true });
        return true;
      }
    } catch (error) {
      this.logger.warn({ event: 'retrieval.words_not_written', dataset: owner.datasetId, error: String(error) });
    }
    await this.remove(owner);
    return false;
  }

  /** What cannot be removed is logged. */
  async remove(owner: WordsOwner): Promise<void> {
    try {
      for (const name of await namesIn(join(this.folder, owner.tenantId)))
        if (name.startsWith(`${owner.datasetId}.`)) await rm(join(this.folder, owner.tenantId, name), { force: true });
    } catch (error) {
      this.logger.warn({ event: 'retrieval.words_not_removed', dataset: owner.datasetId, error: String(error) });
    }
  }

  /** The files that can be used, the oldest first. Removes those of no use. */
  async list(): Promise<WordFile[]> {
    const found: WordFile[] = [];
    for (const tenantId of await namesIn(this.folder)) {
      if (!isUuid(tenantId)) continue;
      try {
        found.push(...(await this.listOf(tenantId)));
      } catch (error) {
        this.logger.warn({ event: 'retrieval.words_not_kept', tenant: tenantId, error: String(error) });
      }
    }
    return found.sort((a, b) => a.writtenAt - b.writtenAt);
  }

  private async listOf(tenantId: string): Promise<WordFile[]> {
    const folder = join(this.folder, tenantId);
    const sizes = new Map<string, { readonly size: number; readonly mtimeMs: number }>();
    for (const name of await namesIn(folder)) {
      const facts = await stat(join(folder, name)).catch(() => undefined);
      if (facts !== undefined) sizes.set(name, facts);
    }
    const files: WordFile[] = [];
    for (const [name, { size, mtimeMs: writtenAt }] of sizes) {
      if (!name.endsWith(CONTENTS)) continue;
      const owner = { tenantId, datasetId: name.slice(0, -CONTENTS.length) };
      if (!isUuid(owner.datasetId)) continue;
      const facts = await factsOf(join(folder, name));
      const segments = segmentsOf(facts).map((segment) => this.nameOf(owner, segment));
      const bytes = segments.reduce((sum, segment) => sum + (sizes.get(segment)?.size ?? 0), size);
      const told = facts?.['seq'];
      const seq = typeof told === 'string' && /^\d+$/.test(told) ? BigInt(told) : null;
      const isPosted = segments.length > 0 && segments.every((segment) => sizes.has(segment));
      files.push({ ...owner, seq, isPosted, bytes, writtenAt });
      for (const known of [name, ...segments]) sizes.delete(known);
    }
    for (const [name, { mtimeMs }] of sizes)
      if (Date.now() - mtimeMs > STRAY_FOR_MS) await rm(join(folder, name), { force: true, recursive: true });
    return files;
  }

  /** The names of their files; undefined when the postings changed while they were written, none when there is no time for them. */
  private async writeSegments(
    owner: WordsOwner,
    postings: DatasetPostings | null,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    if (postings === null) return [];
    const { version } = postings;
    const names: string[] = [];
    for (const segment of postings.segments) {
      if (signal.aborted) return [];
      const name = await this.writeSegment(owner, segment);
      if (name === undefined) return undefined;
      names.push(name);
    }
    return postings.version === version ? names : undefined;
  }

  private async writeSegment(owner: WordsOwner, segment: PostingSegment): Promise<string | undefined> {
    const { shown } = segment;
    const known = this.kept.get(segment);
    if (known?.shown === shown && (await isThere(this.pathOf(owner, known.name)))) return known.name;
    const sealed = await inTurns(sealSegment(owner, segment));
    if (sealed === undefined) return undefined;
    const name = randomUUID();
    await writeSealed(this.pathOf(owner, name), sealed, DRAFT);
    this.kept.set(segment, { name, shown });
    return name;
  }

  private async readSegment(owner: WordsOwner, name: string): Promise<PostingSegment> {
    const sealed = await readSealed(this.pathOf(owner, name));
    if (sealed === undefined) throw new BrokenFile('A part of it is missing.');
    const segment = await inTurns(openSegment(owner, sealed), { party: owner.tenantId });
    this.kept.set(segment, { name, shown: segment.shown });
    return segment;
  }

  private nameOf({ datasetId }: WordsOwner, segment: string): string {
    return `${datasetId}.${segment}${SEGMENT}`;
  }

  /** Of the statistics, or of a segment. */
  private pathOf(owner: WordsOwner, segment?: string): string {
    const name = segment === undefined ? `${owner.datasetId}${CONTENTS}` : this.nameOf(owner, segment);
    return join(this.folder, owner.tenantId, name);
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** None of a folder that is not there. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}
