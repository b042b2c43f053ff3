import { crc32 } from 'node:zlib';
import { inflate, openArchive, ParseError, type Archive, type ArchiveEntry } from '#libs/parsing';
import type { ArchiveGuard, ArchiveMember, ReadArchive, TakeMember } from './archive-guard.js';

const KIND_OF_FILE = 0o170000;
const LINK = 0o120000;

/** Walks through a ZIP archive; what no one takes is not inflated. */
export const readZip: ReadArchive = async (path, guard, take) => {
  try {
    const archive = await openArchive(path);
    try {
      await readEntries(archive, guard, take);
    } finally {
      archive.close();
    }
  } catch (error) {
    if (error instanceof ParseError) throw guard.refused('it is damaged or incomplete', error);
    throw error;
  }
};

async function readEntries(archive: Archive, guard: ArchiveGuard, take: TakeMember): Promise<void> {
  for await (const entry of archive.entries()) {
    await take(memberOf(entry))?.(checked(archive, entry, guard));
  }
}

function memberOf({ name, isEncrypted, raw }: ArchiveEntry): ArchiveMember {
  const mode = raw.externalFileAttributes >>> 16;
  const isLink = (mode & KIND_OF_FILE) === LINK;
  const kind = isLink ? 'other' : name.endsWith('/') ? 'folder' : 'file';
  return { name, kind, isEncrypted, size: raw.uncompressedSize };
}

async function* checked(archive: Archive, entry: ArchiveEntry, guard: ArchiveGuard): AsyncGenerator<Buffer> {
  let checksum = 0;
  for await (const piece of inflate(archive, entry)) {
    guard.count(piece.length);
    checksum = crc32(piece, checksum);
    yield piece;
  }
  if (checksum !== entry.raw.crc32) throw guard.refused(`the checksum of ${JSON.stringify(entry.name)} is wrong`);
}
