import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { reasonOf } from '#libs/common';
import type { ArchiveGuard, ArchiveMember, ReadArchive, TakeMember } from './archive-guard.js';
import { ModelError } from './model.errors.js';

const FILES = ['File', 'OldFile', 'ContiguousFile'];

/** Walks through a TAR archive, unpacking it where it is compressed by gzip. All of it is read, and counted. */
export const readTar: ReadArchive = async (path, guard, take) => {
  const walk = new TarWalk(take);
  try {
    await walk.readAll(await unpacked(path), guard);
  } catch (error) {
    if (error instanceof ModelError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw guard.refused(`it is damaged or incomplete (${reasonOf(error)})`, error);
  }
};

async function unpacked(path: string): Promise<AsyncIterable<Buffer>> {
  const file = await open(path, 'r');
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  await file.close();
  const bytes = createReadStream(path);
  if (buffer.readUInt16BE(0) !== 0x1f8b) return bytes;
  // A failure of either end reaches the reader as an error of the last one.
  return pipeline(bytes, createGunzip(), () => undefined);
}

/** The parser speaks by events; members are taken one after the other. */
class TarWalk {
  private failure: unknown;
  private members: Promise<void> = Promise.resolve();
  private readonly parser = new Parser({ strict: true });
  private readonly ended = Promise.withResolvers<void>();
  private wake: () => void = () => undefined;

  constructor(private readonly take: TakeMember) {
    this.parser.on('entry', (entry: ReadEntry) => this.receive(entry));
    this.parser.on('drain', () => this.wake());
    this.parser.on('end', () => this.ended.resolve());
    this.parser.on('error', (error: unknown) => this.fail(error));
  }

  async readAll(pieces: AsyncIterable<Buffer>, guard: ArchiveGuard): Promise<void> {
    for await (const piece of pieces) {
      guard.count(piece.length);
      if (!this.parser.write(piece)) await this.drained();
      this.throwFailure();
    }
    this.parser.end();
    await this.ended.promise;
    await this.members;
    this.throwFailure();
  }

  private receive(entry: ReadEntry): void {
    let receiver: ReturnType<TakeMember>;
    try {
      receiver = this.take(memberOf(entry));
    } catch (error) {
      this.fail(error);
    }
    if (receiver === undefined) {
      entry.resume();
      return;
    }
    const pieces: AsyncIterable<Buffer> = entry;
    const work = receiver;
    this.members = this.members.then(() => work(pieces)).catch((error: unknown) => this.fail(error));
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      if (this.failure !== undefined) resolve();
    });
  }

  /** The parser is stopped with a member that no one reads on: anyone who waits for it goes on. */
  private fail(error: unknown): void {
    this.failure ??= error;
    this.wake();
    this.ended.resolve();
  }

  private throwFailure(): void {
    if (this.failure !== undefined) throw this.failure as Error;
  }
}

function memberOf({ path, type, size }: ReadEntry): ArchiveMember {
  const kind = FILES.includes(type) ? 'file' : type === 'Directory' ? 'folder' : 'other';
  return { name: path, kind, isEncrypted: false, size };
}
