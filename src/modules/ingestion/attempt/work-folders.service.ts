import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '#libs/config';

const LEFT_BEHIND_MS = 6 * 3600 * 1000;

/** Temporary folders for the output of parsers. */
@Injectable()
export class WorkFolders implements OnModuleInit {
  constructor(private readonly settings: Settings) {}

  /** Removes old folders of killed processes; no attempt takes that long. */
  async onModuleInit(): Promise<void> {
    const parent = await this.openParent();
    for (const name of await readdir(parent)) {
      const { mtimeMs } = await stat(join(parent, name));
      if (Date.now() - mtimeMs > LEFT_BEHIND_MS) await rm(join(parent, name), { recursive: true, force: true });
    }
  }

  /** Calls `work` with a new folder, which is removed afterwards. */
  async use<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(await this.openParent(), 'parse-'));
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
