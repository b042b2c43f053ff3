import { ParseError } from '../parse-error.js';
import { inflatedBytes, openArchive, type ArchiveEntry } from './archive-reader.js';

/** Bounds of an archive; checked on what is really inflated, never on what its headers say. */
export interface ArchiveLimits {
  maxEntries: number;
  /** Bytes of all entries together, inflated. */
  maxInflatedBytes: number;
  /** Inflated by stored bytes, of each entry; looked at only above `ratioFloorBytes`. */
  maxRatio: number;
  ratioFloorBytes: number;
  maxPathLength: number;
  maxPathDepth: number;
}

export const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  maxEntries: 10_000,
  maxInflatedBytes: 512 * 1024 * 1024,
  maxRatio: 100,
  ratioFloorBytes: 16 * 1024 * 1024,
  maxPathLength: 512,
  maxPathDepth: 32,
};

/** What a harmless archive holds. */
export interface ArchiveReport {
  names: Set<string>;
  inflatedBytes: number;
}

/**
 * Reads a whole ZIP archive before any library does. Every entry is inflated in a stream and counted, and thrown away.
 * Throws `ARCHIVE_LIMIT` at the first bound that is passed, `MALFORMED` for a broken archive, `ENCRYPTED` for a
 * password. A bomb costs the time of `ratioFloorBytes` and no memory.
 */
export async function checkArchive(
  path: string,
  sizeBytes: number,
  limits: ArchiveLimits = DEFAULT_ARCHIVE_LIMITS,
): Promise<ArchiveReport> {
  const archive = await openArchive(path);
  const names = new Set<string>();
  let total = 0;
  try {
    if (archive.entryCount > limits.maxEntries) throw tooManyEntries(limits);
    for await (const entry of archive.entries()) {
      checkEntry(entry, names, limits);
      names.add(entry.name);
      if (names.size > limits.maxEntries) throw tooManyEntries(limits);
      const stored = Math.min(entry.raw.compressedSize, sizeBytes);
      let inflated = 0;
      // What the header admits is refused at once; what it hides is found while counting.
      checkVolume(total + entry.raw.uncompressedSize, entry.raw.uncompressedSize, stored, limits);
      for await (const bytes of inflatedBytes(archive, entry)) {
        total += bytes;
        inflated += bytes;
        checkVolume(total, inflated, stored, limits);
      }
    }
  } finally {
    archive.close();
  }
  return { names, inflatedBytes: total };
}

function checkEntry(entry: ArchiveEntry, seen: ReadonlySet<string>, limits: ArchiveLimits): void {
  const { name } = entry;
  if (entry.isEncrypted) {
    throw new ParseError('ENCRYPTED', 'The archive is protected by a password; remove it and upload the file again.');
  }
  const parts = name.split('/');
  const escapes = parts.includes('..') || name.startsWith('/') || name.includes('\\') || /^[a-z]:/i.test(name);
  if (escapes || name.includes('\0')) {
    throw new ParseError('ARCHIVE_LIMIT', 'The archive names a file outside of itself; save the document again.');
  }
  if (name.length > limits.maxPathLength || parts.length > limits.maxPathDepth) {
    throw new ParseError(
      'ARCHIVE_LIMIT',
      'The archive has a path that is too long or too deep; save the document again.',
    );
  }
  if (seen.has(name)) {
    throw new ParseError('MALFORMED', 'The archive contains the same part twice; save the document again.');
  }
}

/** Throws `ARCHIVE_LIMIT` when the archive, or one entry by what it is stored in, unpacks to too much. */
export function checkVolume(total: number, inflated: number, stored: number, limits: ArchiveLimits): void {
  if (total > limits.maxInflatedBytes) {
    const mebibytes = Math.floor(limits.maxInflatedBytes / 1024 / 1024);
    throw new ParseError(
      'ARCHIVE_LIMIT',
      `The document unpacks to more than ${mebibytes} MiB; split it into smaller files.`,
    );
  }
  if (inflated > limits.ratioFloorBytes && inflated > stored * limits.maxRatio) {
    throw new ParseError(
      'ARCHIVE_LIMIT',
      `The document unpacks to more than ${limits.maxRatio} times its size, like a decompression bomb; save it again.`,
    );
  }
}

/** The archive has more entries than the limit. */
export function tooManyEntries(limits: ArchiveLimits): ParseError {
  return new ParseError('ARCHIVE_LIMIT', `The archive has more than ${limits.maxEntries} parts; split the document.`);
}
