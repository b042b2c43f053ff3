import { mkdir, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '#libs/config';

const PREFIX = 'precheck-';

/**
 * The folder into which this process parses files of prechecks. It is removed after each file, and at the start of a process if its former
 * process has died.
 */
@Injectable()
export class PrecheckFolders implements OnModuleInit {
  constructor(private readonly settings: Settings) {}

  /** Removes folders of killed processes of this machine. */
  async onModuleInit(): Promise<void> {
    const parent = await this.openParent();
    for (const name of await readdir(parent)) {
      const owner = ownerIn(name);
      if (owner !== undefined && !isAlive(owner)) await rm(join(parent, name), { recursive: true, force: true });
    }
  }

  /** Calls `work` with an empty folder, which is removed afterwards. One call at a time. */
  async use<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(await this.openParent(), `${PREFIX}${hostname()}-${process.pid}`);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async openParent(): Promise<string> {
    const parent = join(this.settings.values.dataDir, 'work');
    await mkdir(parent, { recursive: true, mode: 0o700 });
    return parent;
  }
}

/** The process that a folder belongs to; undefined for folders of other machines and kinds. */
function ownerIn(name: string): number | undefined {
  const own = `${PREFIX}${hostname()}-`;
  return name.startsWith(own) ? Number(name.slice(own.length)) : undefined;
}

/** A folder with the number of this process is left over from an earlier process with the same number. */
function isAlive(pid: number): boolean {
  if (pid === process.pid || !Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
