import { ParseError } from '../parse-error.js';
import { inflate, openArchive, type Archive, type ArchiveEntry } from './archive-reader.js';
import { checkArchive, DEFAULT_ARCHIVE_LIMITS, type ArchiveLimits } from './preflight.js';

/** The parts of a checked archive by name, opened once: a presentation has thousands of them. Close it at the end. */
export class ArchiveParts {
  private readonly archive: Archive;
  private readonly entries: ReadonlyMap<string, ArchiveEntry>;

  private constructor(archive: Archive, entries: ReadonlyMap<string, ArchiveEntry>) {
    this.archive = archive;
    this.entries = entries;
  }

  /** Checks a whole archive (`checkArchive`) and opens it. Throws `ARCHIVE_LIMIT`, `MALFORMED` and `ENCRYPTED`. */
  static async open(
    path: string,
    sizeBytes: number,
    limits: ArchiveLimits = DEFAULT_ARCHIVE_LIMITS,
  ): Promise<ArchiveParts> {
    await checkArchive(path, sizeBytes, limits);
    const archive = await openArchive(path);
    const entries = new Map<string, ArchiveEntry>();
    try {
      for await (const entry of archive.entries()) entries.set(entry.name, entry);
    } catch (error) {
      archive.close();
      throw error;
    }
    return new ArchiveParts(archive, entries);
  }

  /** Names of all parts in the order of the archive, directories with a `/` at the end included. */
  get names(): Iterable<string> {
    return this.entries.keys();
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** The bytes of a part, piece by piece; nothing for a part that does not exist. */
  async *stream(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (entry !== undefined) yield* inflate(this.archive, entry);
  }

  /** A part as a whole; undefined when it does not exist, `ARCHIVE_LIMIT` beyond `maxBytes`. */
  async read(name: string, maxBytes: number): Promise<Buffer | undefined> {
    if (!this.entries.has(name)) return undefined;
    const pieces: Buffer[] = [];
    let total = 0;
    for await (const piece of this.stream(name)) {
      total += piece.length;
      if (total > maxBytes) throw new ParseError('ARCHIVE_LIMIT', `The part ${name} is longer than ${maxBytes} bytes.`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  close(): void {
    this.archive.close();
  }
}
