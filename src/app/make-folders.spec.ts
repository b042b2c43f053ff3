import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolders } from './make-folders.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'make-folders-'));
});

afterEach(() => rm(folder, { recursive: true }));

describe('makeFolders', () => {
  it('makes what is missing with its mode, and says where that begins', async () => {
    expect(await makeFolders(join(folder, 'a', 'b', 'c'), 0o700)).toBe(join(folder, 'a'));
    for (const path of ['a', 'a/b', 'a/b/c']) expect((await stat(join(folder, path))).mode & 0o777).toBe(0o700);
    expect(await makeFolders(join(folder, 'a', 'b', 'd'))).toBe(join(folder, 'a/b/d'));
    expect(await makeFolders(join(folder, 'a', 'b', 'd'))).toBeUndefined();
    expect(await makeFolders('/')).toBeUndefined();
  });

  it('follows a link to a folder', async () => {
    await makeFolders(join(folder, 'real'));
    await symlink(join(folder, 'real'), join(folder, 'link'));
    expect(await makeFolders(join(folder, 'link'))).toBeUndefined();
    expect(await makeFolders(join(folder, 'link', 'x'))).toBe(join(folder, 'link/x'));
  });

  it('is refused by a file in its place or above it, and by a link that leads nowhere', async () => {
    await writeFile(join(folder, 'file'), '');
    await symlink(join(folder, 'gone', 'away'), join(folder, 'loose'));
    await expect(makeFolders(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolders(join(folder, 'file', 'x'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makeFolders(join(folder, 'loose'))).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it.runIf(existsSync('/proc/self'))('ends where a file system makes no folders', async () => {
    await expect(makeFolders('/proc/nowhere/x/y')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
