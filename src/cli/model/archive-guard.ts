import { ModelError } from './model.errors.js';
import { harmlessPath, type SourceFile } from './model-source.js';

const MAX_ENTRIES = 10_000;
/** Weights hardly shrink when they are packed; a tokeniser becomes a tenth. */
const MAX_RATIO = 100;
/** What may come out of any archive, however small it is. */
const FREE_BYTES = 64 * 1024 * 1024;
/** What macOS adds beside each file. */
const OF_A_SYSTEM = /^__MACOSX\/|(^|\/)(\._|\.DS_Store$)/;

/** One member of an archive, as it describes itself. */
export interface ArchiveMember {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly isEncrypted: boolean;
  readonly size: number;
}

/** What a walk through an archive is told for each member: whether its bytes are wanted, and what to do with them. */
export type TakeMember = (member: ArchiveMember) => ((pieces: AsyncIterable<Buffer>) => Promise<void>) | undefined;

/** Walks through every member in the order of the archive. @throws ModelError */
export type ReadArchive = (path: string, guard: ArchiveGuard, take: TakeMember) => Promise<void>;

/** Refuses archives that want more than to hold files: it counts what comes out and looks at every name. */
export class ArchiveGuard {
  private entries = 0;
  private bytes = 0;
  private readonly paths = new Set<string>();

  constructor(
    private readonly archive: string,
    private readonly archiveBytes: number,
  ) {}

  /** The member as a file that may be written, undefined for one that is none. @throws ModelError */
  admit({ name, kind, isEncrypted, size }: ArchiveMember): SourceFile | undefined {
    this.entries += 1;
    if (this.entries > MAX_ENTRIES) throw this.refused(`it holds more than ${MAX_ENTRIES} entries`);
    const shown = JSON.stringify(name);
    const path = harmlessPath(name.replace(/\/+$/, ''));
    if (kind === 'folder' && /^(\.\/?)*$/.test(name)) return undefined;
    if (path === undefined) throw this.refused(`the entry ${shown} would be written outside of the model's folder`);
    if (kind === 'other') throw this.refused(`the entry ${shown} is a link or a device, not a file`);
    if (kind === 'folder' || OF_A_SYSTEM.test(path)) return undefined;
    if (isEncrypted) throw this.refused(`the entry ${shown} is encrypted`);
    if (this.paths.has(path)) throw this.refused(`it holds ${shown} twice`);
    this.paths.add(path);
    return { path, size };
  }

  /** Counts what was unpacked. @throws ModelError for an archive that grows beyond what a model does */
  count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > Math.max(FREE_BYTES, this.archiveBytes * MAX_RATIO)) {
      throw this.refused(`it unpacks to more than ${MAX_RATIO} times its size`);
    }
  }

  refused(why: string, cause?: unknown): ModelError {
    return new ModelError(`The archive ${this.archive} is refused: ${why}.`, { cause });
  }
}

/** The folder that all files of an archive lie in, with `/` at its end; empty when there is none. */
export function commonFolderOf(paths: readonly string[]): string {
  const [first = ''] = paths;
  const steps = first.split('/').slice(0, -1);
  let common = '';
  for (const step of steps) {
    if (!paths.every((path) => path.startsWith(`${common}${step}/`))) break;
    common = `${common}${step}/`;
  }
  return common;
}
