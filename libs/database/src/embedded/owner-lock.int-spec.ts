import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireOwnerLock } from './owner-lock.js';
import { identifyProcess } from './process-identity.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'owner-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

const writeLock = (content: string): Promise<void> => writeFile(join(folder, 'owner.lock'), content);

describe('acquireOwnerLock', () => {
  it('holds until it is released and leaves nothing behind', async () => {
    const lock = await acquireOwnerLock(folder);
    await expect(acquireOwnerLock(folder)).rejects.toMatchObject({ code: 'data_in_use' });
    await lock.release();
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
    expect((await acquireOwnerLock(folder)).takenOver).toBe(false);
  });

  it('takes over from a process whose number a later process has', async () => {
    await writeLock(JSON.stringify({ pid: process.pid, started: 'another boot/1', token: 'old' }));
    expect((await acquireOwnerLock(folder)).takenOver).toBe(true);
  });

  it('takes over a lock file that a loss of power left empty', async () => {
    await writeLock('');
    expect((await acquireOwnerLock(folder)).takenOver).toBe(true);
  });

  it('does not take over from a living process', async () => {
    await writeLock(JSON.stringify({ ...(await identifyProcess(process.ppid)), token: 'other' }));
    await expect(acquireOwnerLock(folder)).rejects.toMatchObject({ code: 'data_in_use' });
  });

  it('takes over from a dead process whose heir died before it could replace the lock', async () => {
    await writeLock(JSON.stringify({ pid: process.pid, started: 'another boot/1', token: 'old' }));
    const heir = JSON.stringify({ pid: process.pid, started: 'another boot/2', token: 'heir' });
    await writeFile(join(folder, 'owner.lock.heir-old'), heir);
    expect((await acquireOwnerLock(folder)).takenOver).toBe(true);
    expect(await readdir(folder)).toEqual(['owner.lock']);
  });

  it('gives a dead lock to exactly one of many who want it at once', async () => {
    await writeLock(JSON.stringify({ pid: process.pid, started: 'another boot/1', token: 'old' }));
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => acquireOwnerLock(folder)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['owner.lock']);
  });
});
