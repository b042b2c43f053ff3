import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, mkdtemp, readdir, realpath, rename, rm, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a file system cannot give a file a second name. */
const NO_LINK: ReadonlySet<string> = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** A folder in use says so no more often; what was left behind is hours old. */
const TOUCH_MS = 60_000;

/** The folders through which a program gets its files and gives its results; only it and we use them. */
export class Exchange {
  readonly folder: string;
  /** The program only reads here. */
  readonly input: string;
  /** The program writes here; nothing in it is to be trusted. */
  readonly output: string;
  /** Names of the files that lie in `input`, where only we write. */
  private readonly given = new Set<string>();
  /** When the folder last said that it is in use, in milliseconds of `performance.now()`. */
  private touchedAt = performance.now();

  private constructor(folder: string) {
    this.folder = folder;
    this.input = join(folder, 'in');
    this.output = join(folder, 'out');
  }

  /** Makes the folders below `parent`, which is made where it is missing. */
  static async open(parent: string): Promise<Exchange> {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    // A link on the way would lead nowhere in a sandbox.
    const exchange = new Exchange(await mkdtemp(join(await realpath(parent), 'exchange-')));
    await mkdir(exchange.input, { mode: 0o700 });
    await mkdir(exchange.output, { mode: 0o700 });
    return exchange;
  }

  /** Shows a file under a name: the same file where the file system can, else a copy. */
  async give(path: string, name: string): Promise<void> {
    // Of a link it is the file behind it that gets the name.
    const source = (await lstat(path)).isSymbolicLink() ? await realpath(path) : path;
    const target = join(this.input, name);
    this.given.add(name);
    try {
      await link(source, target);
    } catch (error) {
      if (!NO_LINK.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await copyFile(source, target, constants.COPYFILE_FICLONE);
    }
    await this.touch();
  }

  /** Moves a result out. False for what is missing or is no plain file: a link would lead to files of ours. */
  async take(name: string, target: string): Promise<boolean> {
    const source = join(this.output, name);
    try {
      if (!(await lstat(source)).isFile()) return false;
      await move(source, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    // Looked at again where no one else can change it.
    if ((await lstat(target)).isFile()) return true;
    await rm(target, { force: true });
    return false;
  }

  /** Removes what lies in the folders. */
  async clear(): Promise<void> {
    for (const name of this.given) {
      await removeFile(join(this.input, name));
      this.given.delete(name);
    }
    for (const name of await readdir(this.output)) await rm(join(this.output, name), { recursive: true, force: true });
  }

  /** Removes everything. The program must have ended. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The folder is in use: what was left behind is told by its age. */
  private async touch(): Promise<void> {
    if (performance.now() - this.touchedAt < TOUCH_MS) return;
    this.touchedAt = performance.now();
    const now = new Date();
    await utimes(this.folder, now, now);
  }
}

/** A file that is not there needs nothing. */
async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function move(source: string, target: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(source, target);
    await rm(source);
  }
}
