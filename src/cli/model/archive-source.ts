import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ArchiveGuard, commonFolderOf, type ReadArchive } from './archive-guard.js';
import { ModelError } from './model.errors.js';
import { ModelSource, writePieces, type FetchOptions, type SourceFile } from './model-source.js';
import { readTar } from './tar-archive.js';
import { readZip } from './zip-archive.js';

const NAME_ENDING = /\.(zip|tar|tar\.gz|tgz)$/i;
const HEAD_BYTES = 262;

/** A model in an archive of this machine (zip, tar.gz, tar). A folder around all of its files is left out. */
export class ArchiveSource extends ModelSource {
  readonly suggestedName: string;
  readonly resumable = false;
  private prefix = '';

  private constructor(
    readonly address: string,
    private readonly bytes: number,
    private readonly read: ReadArchive,
  ) {
    super();
    this.suggestedName = basename(address).replace(NAME_ENDING, '');
  }

  /** Looks at the first bytes, not at the name. @throws ModelError */
  static async open(path: string): Promise<ArchiveSource> {
    const head = Buffer.alloc(HEAD_BYTES);
    const file = await open(path, 'r');
    try {
      await file.read(head, 0, HEAD_BYTES, 0);
    } finally {
      await file.close();
    }
    const { size } = await stat(path);
    if (head.toString('latin1', 0, 2) === 'PK') return new ArchiveSource(path, size, readZip);
    const isGzip = head.readUInt16BE(0) === 0x1f8b;
    if (isGzip || head.toString('latin1', 257, 262) === 'ustar') return new ArchiveSource(path, size, readTar);
    throw new ModelError(`${path} is neither a folder nor an archive that can be read (zip, tar.gz, tar).`);
  }

  async list(signal: AbortSignal): Promise<readonly SourceFile[]> {
    const files: SourceFile[] = [];
    const guard = this.guard();
    await this.read(this.address, guard, (member) => {
      signal.throwIfAborted();
      const file = guard.admit(member);
      if (file !== undefined) files.push(file);
      return undefined;
    });
    this.prefix = commonFolderOf(files.map(({ path }) => path));
    return files.map((file) => ({ ...file, path: file.path.slice(this.prefix.length) }));
  }

  async fetch(files: readonly SourceFile[], folder: string, options: FetchOptions): Promise<void> {
    const guard = this.guard();
    const left = new Map(files.map((file) => [this.prefix + file.path, file]));
    await this.read(this.address, guard, (member) => {
      options.signal.throwIfAborted();
      const path = guard.admit(member)?.path ?? '';
      const file = left.get(path);
      left.delete(path);
      return file && ((pieces) => writePieces(pieces, file, folder, options));
    });
    const [lost] = left.keys();
    if (lost !== undefined) throw new ModelError(`${this.address} changed while it was read: ${lost} is gone.`);
  }

  private guard(): ArchiveGuard {
    return new ArchiveGuard(this.address, this.bytes);
  }
}
