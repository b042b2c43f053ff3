import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { inflate, openArchive, type Archive, type ArchiveEntry } from '../archive/archive-reader.js';
import { displayNameOf } from '../archive/entry-name.js';
import { isBesideFiles, isLink } from '../archive/beside-files.js';
import { checkVolume, DEFAULT_ARCHIVE_LIMITS, tooManyEntries } from '../archive/preflight.js';
import type { ParseOutput } from '../output/parse-output.js';
import { ParseError } from '../parse-error.js';
import type { EmbeddedOutcome } from './embedded-files.port.js';
import { EmbeddedReport } from './embedded-report.js';
import type { FormatInput, FormatParser } from './format-parser.js';

/**
 * A ZIP archive of files: each is a section under a heading with its path, read by the parser of its own format. Entries
 * are unpacked one at a time and counted; what cannot be read is named in a warning.
 */
export const parseZip: FormatParser = async (input, output) => {
  const report = new EmbeddedReport();
  const archive = await openArchive(input.path);
  let encrypted = 0;
  try {
    if (archive.entryCount > DEFAULT_ARCHIVE_LIMITS.maxEntries) throw tooManyEntries(DEFAULT_ARCHIVE_LIMITS);
    for await (const entry of archive.entries()) {
      const name = displayNameOf(entry.raw);
      if (isBesideFiles(entry)) continue;
      if (entry.isEncrypted) encrypted += 1;
      report.note(name, await readEntry(archive, entry, name, input, output));
      if (report.seen > DEFAULT_ARCHIVE_LIMITS.maxEntries) throw tooManyEntries(DEFAULT_ARCHIVE_LIMITS);
    }
  } finally {
    archive.close();
  }
  if (report.read === 0) throw nothingToRead(report, encrypted);
  return { warnings: report.warnings, fidelity: report.fidelity };
};

async function readEntry(
  archive: Archive,
  entry: ArchiveEntry,
  name: string,
  input: FormatInput,
  output: ParseOutput,
): Promise<EmbeddedOutcome> {
  if (isLink(entry.raw)) return { kind: 'skipped', reason: 'a link to another file' };
  if (entry.isEncrypted) return { kind: 'skipped', reason: 'protected by a password' };
  if (!entry.raw.canDecodeFileData()) return { kind: 'skipped', reason: 'compressed by an unsupported method' };
  const path = input.embedded.makePath();
  try {
    const isWhole = await unpack(archive, entry, path, input);
    if (!isWhole) return { kind: 'skipped', reason: 'damaged' };
    const file = { path, fileName: name, charset: input.options.charset };
    return await input.embedded.read(file, output, { heading: { text: name, level: 1 } });
  } finally {
    rmSync(path, { force: true });
  }
}

/** Writes an entry to a file; false when it is damaged. Throws `ARCHIVE_LIMIT`. */
async function unpack(
  archive: Archive,
  entry: ArchiveEntry,
  path: string,
  { embedded, sizeBytes }: FormatInput,
): Promise<boolean> {
  const stored = Math.min(entry.raw.compressedSize, sizeBytes);
  const file = openSync(path, 'w', 0o600);
  let checksum = 0;
  let inflated = 0;
  try {
    for await (const piece of inflate(archive, entry)) {
      inflated += piece.length;
      embedded.countBytes(piece.length);
      checkVolume(inflated, inflated, stored, DEFAULT_ARCHIVE_LIMITS);
      checksum = crc32(piece, checksum);
      for (let at = 0; at < piece.length;) at += writeSync(file, piece, at);
    }
    return checksum === entry.raw.crc32;
  } catch (error) {
    if (error instanceof ParseError && error.code === 'MALFORMED') return false;
    throw error;
  } finally {
    closeSync(file);
  }
}

function nothingToRead(report: EmbeddedReport, encrypted: number): ParseError {
  if (encrypted > 0 && encrypted === report.seen) {
    return new ParseError('ENCRYPTED', 'The archive is protected by a password; remove it and upload the file again.');
  }
  if (report.seen === 0) return new ParseError('UNSUPPORTED_TYPE', 'The archive contains no files.');
  const reasons = report.reasons.slice(0, 3).join(' ');
  return new ParseError('UNSUPPORTED_TYPE', `None of the ${report.seen} files in the archive can be read: ${reasons}`);
}
