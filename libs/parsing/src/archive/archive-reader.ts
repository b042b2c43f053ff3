import { crc32 } from 'node:zlib';
import * as yauzl from 'yauzl';
import { ParseError } from '../parse-error.js';

/** One member of an archive, as the central directory describes it. Directories have a name that ends in `/`. */
export interface ArchiveEntry {
  name: string;
  isEncrypted: boolean;
  /** The library's own entry. */
  raw: yauzl.Entry;
}

/** An open ZIP archive; nothing of it has been inflated. */
export interface Archive {
  entryCount: number;
  entries(): AsyncGenerator<ArchiveEntry>;
  zip: yauzl.ZipFile;
  close(): void;
}

const BROKEN =
  'The file is a damaged or incomplete archive; open it in its own program, save it again and upload that.';

/** Opens an archive by its central directory. Throws `MALFORMED`. */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await orMalformed(
    yauzl.openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: false }),
  );
  return { entryCount: zip.entryCount, entries: () => listEntries(zip), zip, close: () => zip.close() };
}

async function* listEntries(zip: yauzl.ZipFile): AsyncGenerator<ArchiveEntry> {
  const iterator = zip.eachEntry();
  for (;;) {
    const next = await orMalformed(iterator.next());
    if (next.done) return;
    const raw = next.value;
    yield { name: raw.fileNameRaw.toString('utf8'), isEncrypted: raw.isEncrypted(), raw };
  }
}

/** Inflates one entry and yields the length of each piece; the bytes are thrown away. Throws `MALFORMED`. */
export async function* inflatedBytes(archive: Archive, entry: ArchiveEntry): AsyncGenerator<number> {
  let checksum = 0;
  for await (const piece of inflate(archive, entry)) {
    checksum = crc32(piece, checksum);
    yield piece.length;
  }
  if (checksum !== entry.raw.crc32) throw new ParseError('MALFORMED', BROKEN);
}

/** Reads one entry as a whole; throws `ARCHIVE_LIMIT` beyond `maxBytes`, undefined when there is no such entry. */
export async function readEntry(path: string, name: string, maxBytes: number): Promise<Buffer | undefined> {
  const archive = await openArchive(path);
  try {
    for await (const entry of archive.entries()) {
      if (entry.name !== name) continue;
      const pieces: Buffer[] = [];
      let total = 0;
      for await (const piece of inflate(archive, entry)) {
        total += piece.length;
        if (total > maxBytes)
          throw new ParseError('ARCHIVE_LIMIT', `The part ${name} is longer than ${maxBytes} bytes.`);
        pieces.push(piece);
      }
      return Buffer.concat(pieces);
    }
    return undefined;
  } finally {
    archive.close();
  }
}

/** Inflates one entry piece by piece; nothing for a directory. Throws `MALFORMED`. */
export async function* inflate(archive: Archive, entry: ArchiveEntry): AsyncGenerator<Buffer> {
  if (entry.name.endsWith('/')) return;
  const stream = await orMalformed(archive.zip.openReadStreamPromise(entry.raw));
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const next = await orMalformed(pieces.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    stream.destroy();
  }
}

async function orMalformed<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new ParseError('MALFORMED', BROKEN, { cause: error });
  }
}
