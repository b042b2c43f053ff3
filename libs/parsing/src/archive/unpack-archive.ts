import { randomUUID } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { decideType } from '../child/decide-type.js';
import { ZIP } from '../media-type/known-types.js';
import { ParseError } from '../parse-error.js';
import { inflate, openArchive, type Archive, type ArchiveEntry } from './archive-reader.js';
import { isBesideFiles, isLink } from './beside-files.js';
import { displayNameOf } from './entry-name.js';
import { refuseOverlaps } from './overlapping-entries.js';
import { checkVolume, DEFAULT_ARCHIVE_LIMITS, tooManyEntries, type ArchiveLimits } from './preflight.js';

/** Archives inside of each other that are taken as folders, the uploaded one included; what lies deeper is a file. */
const MAX_ARCHIVE_DEPTH = 4;
/** Longest path of a file, in UTF-16 code units; what is longer loses its first folders. */
const MAX_PATH_UNITS = 1024;
/** Entries of all archives of one upload by their allowed files; those that are no files cost time too. */
const ENTRIES_PER_FILE = 10;

/** A file of an archive: its bytes as long as the caller looks at it, or why there are none. */
export type UnpackedFile =
  | { readonly kind: 'file'; readonly path: string; readonly localPath: string; readonly sizeBytes: number }
  | { readonly kind: 'skipped'; readonly path: string; readonly reason: string };

export interface UnpackOptions {
  /** Existing directory for one file at a time and the archives around it. */
  readonly workDirectory: string;
  /** Fires when no one wants the rest. */
  readonly signal: AbortSignal;
  readonly limits?: Partial<ArchiveLimits>;
}

/** What all archives of one upload share. */
interface Budget {
  files: number;
  entries: number;
  bytes: number;
  readonly limits: ArchiveLimits;
}

interface Level {
  readonly options: UnpackOptions;
  readonly budget: Budget;
  /** Where the archive lies, with a `/` at the end; empty for the uploaded one. */
  readonly folder: string;
  readonly depth: number;
}

/**
 * The files of a ZIP archive one after the other, each with its path in it; archives inside are folders. A file lies in the work
 * directory until the next one is asked for. Paths are harmless labels, never places to write to: no climbing parts, no control characters.
 * Throws `ARCHIVE_LIMIT` when it has too many files or unpacks to too much, by what is really inflated, and `MALFORMED`.
 */
export async function* unpackArchive(path: string, options: UnpackOptions): AsyncGenerator<UnpackedFile, void, void> {
  const budget = { files: 0, entries: 0, bytes: 0, limits: { ...DEFAULT_ARCHIVE_LIMITS, ...options.limits } };
  yield* unpackLevel(path, { options, budget, folder: '', depth: 1 });
}

async function* unpackLevel(path: string, level: Level): AsyncGenerator<UnpackedFile, void, void> {
  const { budget, options } = level;
  const sizeBytes = statSync(path).size;
  const archive = await openArchive(path);
  try {
    if (archive.entryCount > budget.limits.maxEntries) throw tooManyEntries(budget.limits);
    await refuseOverlaps(path);
    for await (const entry of archive.entries()) {
      options.signal.throwIfAborted();
      budget.entries += 1;
      if (budget.entries > budget.limits.maxEntries * ENTRIES_PER_FILE) throw tooManyEntries(budget.limits);
      if (isBesideFiles(entry)) continue;
      budget.files += 1;
      if (budget.files > budget.limits.maxEntries) throw tooManyEntries(budget.limits);
      yield* unpackEntry(archive, entry, { ...level, sizeBytes });
    }
  } finally {
    archive.close();
  }
}

async function* unpackEntry(
  archive: Archive,
  entry: ArchiveEntry,
  { sizeBytes: archiveBytes, ...level }: Level & { readonly sizeBytes: number },
): AsyncGenerator<UnpackedFile, void, void> {
  const name = displayNameOf(entry.raw, MAX_PATH_UNITS);
  const path = `${level.folder}${name}`.slice(-MAX_PATH_UNITS).toWellFormed();
  if (isLink(entry.raw)) return yield { kind: 'skipped', path, reason: 'a link to another file' };
  if (entry.isEncrypted) return yield { kind: 'skipped', path, reason: 'protected by a password' };
  if (!entry.raw.canDecodeFileData()) {
    return yield { kind: 'skipped', path, reason: 'compressed by an unsupported method' };
  }
  const localPath = join(level.options.workDirectory, `unpacked-${randomUUID()}`);
  try {
    const stored = Math.min(entry.raw.compressedSize, archiveBytes);
    const sizeBytes = await unpack(
      inflate(archive, entry),
      { path: localPath, stored, crc: entry.raw.crc32 },
      level.budget,
    );
    if (sizeBytes === undefined) return yield { kind: 'skipped', path, reason: 'damaged' };
    if (level.depth < MAX_ARCHIVE_DEPTH && (await isArchive(localPath, name))) {
      // The archive is a folder, no file.
      level.budget.files -= 1;
      return yield* unpackLevel(localPath, { ...level, folder: `${path}/`, depth: level.depth + 1 });
    }
    yield { kind: 'file', path, localPath, sizeBytes };
  } finally {
    rmSync(localPath, { force: true });
  }
}

/** Writes an entry to a file; its length, or undefined when it is damaged. Throws `ARCHIVE_LIMIT`. */
async function unpack(
  pieces: AsyncIterable<Buffer>,
  { path, stored, crc }: { readonly path: string; readonly stored: number; readonly crc: number },
  budget: Budget,
): Promise<number | undefined> {
  const file = openSync(path, 'w', 0o600);
  let checksum = 0;
  let inflated = 0;
  try {
    for await (const piece of pieces) {
      inflated += piece.length;
      budget.bytes += piece.length;
      checkVolume(budget.bytes, inflated, stored, budget.limits);
      checksum = crc32(piece, checksum);
      for (let at = 0; at < piece.length;) at += writeSync(file, piece, at);
    }
    return checksum === crc ? inflated : undefined;
  } catch (error) {
    if (error instanceof ParseError && error.code === 'MALFORMED') return undefined;
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Whether a file is a ZIP archive of files. What cannot be told is a file like others, whose own parser says what is wrong with it. */
async function isArchive(path: string, fileName: string): Promise<boolean> {
  try {
    return (await decideType({ path, fileName })) === ZIP && (await hasFiles(path));
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}

/** False for an archive without anything to read in it: it is a document that says so. */
async function hasFiles(path: string): Promise<boolean> {
  const archive = await openArchive(path);
  try {
    for await (const entry of archive.entries()) {
      if (!isBesideFiles(entry) && !isLink(entry.raw) && !entry.isEncrypted && entry.raw.canDecodeFileData())
        return true;
    }
    return false;
  } finally {
    archive.close();
  }
}
