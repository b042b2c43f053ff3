import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Settings } from '#libs/config';
import { PrecheckFolders } from './precheck-folders.service.js';

let dataDir: string;
let folders: PrecheckFolders;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'precheck-folders-'));
  folders = new PrecheckFolders({ values: { dataDir } } as Settings);
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const left = async (): Promise<string[]> => (await readdir(join(dataDir, 'work'))).toSorted();
const folderOf = (owner: string): string => `precheck-${owner}`;

async function leave(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(join(dataDir, 'work', name), { recursive: true });
    await writeFile(join(dataDir, 'work', name, 'text'), 'a sample');
  }
}

describe('the folder into which samples are parsed', () => {
  it('is empty, accessible only for its owner, and removed afterwards', async () => {
    await leave(folderOf(`${hostname()}-${process.pid}`));
    const answer = await folders.use(async (folder) => {
      expect(await readdir(folder)).toEqual([]);
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
      await writeFile(join(folder, 'text'), 'a sample');
      return 7;
    });
    expect(answer).toBe(7);
    expect(await left()).toEqual([]);
  });

  it('is also removed when the work fails', async () => {
    const failing = folders.use(async (folder) => {
      await writeFile(join(folder, 'text'), 'a sample');
      throw new Error('It cannot be read.');
    });
    await expect(failing).rejects.toThrow('It cannot be read.');
    expect(await left()).toEqual([]);
  });

  it('is removed at the start if its process has ended, and no other folder is', async () => {
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    const own = folderOf(`${hostname()}-${process.pid}`);
    const stays = [folderOf(`${hostname()}-${process.ppid}`), folderOf(`elsewhere-${ended}`), 'ingestion-1'];
    await leave(folderOf(`${hostname()}-${ended}`), folderOf(`${hostname()}-none`), own, ...stays);
    await folders.onModuleInit();
    expect(await left()).toEqual(stays.toSorted());
  });
});
