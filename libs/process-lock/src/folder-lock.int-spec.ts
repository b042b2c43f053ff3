import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireFolderLock, FolderInUseError } from './folder-lock.js';
import { identifyProcess, identifySelf } from './process-identity.js';
import { startUnreaped, type UnreapedProcess } from './testing/unreaped-process.js';

/** Above the greatest number that Linux gives. */
const NOBODY = 2 ** 22 + 1;
const SIGKILL_PENDING = 'SigPnd:\t0000000000000100\nShdPnd:\t0000000000000000\n';

let folder: string;
let proc: string;
const unreaped: UnreapedProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folder-lock-'));
  proc = await mkdtemp(join(tmpdir(), 'folder-lock-proc-'));
});

afterEach(async () => {
  for (const process of unreaped.splice(0)) process.dispose();
  for (const path of [folder, proc]) await rm(path, { recursive: true });
});

const writeLock = (content: object | string, name = 'owner.lock'): Promise<void> =>
  writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
const inUse = (pid: number): object => ({ name: 'FolderInUseError', pid });

async function startOne(): Promise<UnreapedProcess> {
  const started = await startUnreaped(['sleep', '600']);
  unreaped.push(started);
  return started;
}

interface FakeProcess {
  readonly pid: number;
  readonly state?: string;
  readonly flags?: number;
  readonly threads?: number;
  readonly status?: string;
}

/** A process of a /proc of our own, started at tick 77, in which this process is as well. */
async function fakeProcess({ pid, state = 'S', flags = 0, threads = 1, status = '' }: FakeProcess): Promise<void> {
  await mkdir(join(proc, 'sys/kernel/random'), { recursive: true });
  await writeFile(join(proc, 'sys/kernel/random/boot_id'), 'this-boot\n');
  await mkdir(join(proc, 'self/ns'), { recursive: true });
  await rm(join(proc, 'self/ns/pid'), { force: true });
  await symlink(await readlink('/proc/self/ns/pid'), join(proc, 'self/ns/pid'));
  await mkdir(join(proc, String(process.pid)), { recursive: true });
  await writeFile(join(proc, String(process.pid), 'stat'), await readFile('/proc/self/stat', 'utf8'));
  await mkdir(join(proc, String(pid)), { recursive: true });
  const words = [state, 1, 1, 1, 0, -1, flags, 0, 0, 0, 0, 0, 0, 0, 0, 20, 0, threads, 0, 77];
  await writeFile(join(proc, String(pid), 'stat'), `${pid} (node (x) y) ${words.join(' ')} 0 0`);
  await writeFile(join(proc, String(pid), 'status'), status);
}

describe('acquireFolderLock', () => {
  it('holds until it is released and leaves nothing behind', async () => {
    const lock = await acquireFolderLock(folder);
    const refused = acquireFolderLock(folder);
    await expect(refused).rejects.toBeInstanceOf(FolderInUseError);
    await expect(refused).rejects.toMatchObject({ pid: process.pid, owner: `process ${process.pid}` });
    await lock.release();
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
    expect((await acquireFolderLock(folder)).takenOver).toBe(false);
  });

  it('writes pid, start and PID namespace of its owner', async () => {
    await acquireFolderLock(folder);
    const content: unknown = JSON.parse(await readFile(join(folder, 'owner.lock'), 'utf8'));
    expect(content).toMatchObject({ ...(await identifySelf()), namespace: await readlink('/proc/self/ns/pid') });
  });

  it('takes over from a process whose number a later process has', async () => {
    await writeLock({ pid: process.pid, started: 'another boot/1', token: 'old' });
    const next = await acquireFolderLock(folder);
    expect(next.takenOver).toBe(true);
  });

  it('takes over lock files that a loss of power left empty, that of an heir too', async () => {
    await writeLock('');
    expect((await acquireFolderLock(folder)).takenOver).toBe(true);
    await writeLock('null');
    expect((await acquireFolderLock(folder)).takenOver).toBe(true);
  });

  it('does not take over from a living process', async () => {
    await writeLock({ ...(await identifyProcess(process.ppid)), token: 'other' });
    await expect(acquireFolderLock(folder)).rejects.toMatchObject(inUse(process.ppid));
  });

  it('takes over from a killed process that no one has reaped', async () => {
    const { pid, kill } = await startOne();
    await writeLock({ ...(await identifyProcess(pid)), token: 'killed' });
    await expect(acquireFolderLock(folder)).rejects.toMatchObject(inUse(pid));
    await kill();
    expect((await acquireFolderLock(folder)).takenOver).toBe(true);
  });

  it('takes over from a dead process whose heir died before it could replace the lock', async () => {
    await writeLock({ pid: process.pid, started: 'another boot/1', token: 'old' });
    await writeLock({ pid: process.pid, started: 'another boot/2', token: 'heir' }, 'owner.lock.heir-old');
    expect((await acquireFolderLock(folder)).takenOver).toBe(true);
    expect(await readdir(folder)).toEqual(['owner.lock']);
  });

  it('gives a dead lock to exactly one of many who want it at once', async () => {
    await writeLock({ pid: process.pid, started: 'another boot/1', token: 'old' });
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => acquireFolderLock(folder)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['owner.lock']);
  });

  it('leaves the lock of who took it over alone', async () => {
    const former = await acquireFolderLock(folder);
    await writeLock({ pid: NOBODY, started: 'another boot/1', token: 'other' });
    await former.release();
    expect(await readdir(folder)).toEqual(['owner.lock']);
  });
});

describe('an owner that is being ended', () => {
  const lockOf = (pid: number): Promise<void> => writeLock({ pid, started: 'this-boot/77', token: 'ending' });

  it.each([
    { what: 'has SIGKILL waiting for it', process: { status: SIGKILL_PENDING } },
    { what: 'writes its core', process: { status: 'CoreDumping:\t1\n' } },
    { what: 'is on its way out', process: { flags: 0x4 } },
    { what: 'has threads that outlive its first one', process: { state: 'Z', threads: 3 } },
  ])('is waited for when it $what, and then refused by name', async (ending) => {
    await fakeProcess({ pid: NOBODY, ...ending.process });
    await lockOf(NOBODY);
    const owner = `process ${NOBODY}, which has been killed and has not gone yet`;
    await expect(acquireFolderLock(folder, { patienceMs: 60, proc })).rejects.toMatchObject({ pid: NOBODY, owner });
    expect(JSON.parse(await readFile(join(folder, 'owner.lock'), 'utf8'))).toMatchObject({ token: 'ending' });
  });

  it('is followed as soon as it has gone, not before', async () => {
    await fakeProcess({ pid: NOBODY, status: SIGKILL_PENDING });
    await lockOf(NOBODY);
    const order: string[] = [];
    const acquired = acquireFolderLock(folder, { proc }).then(() => order.push('acquired'));
    await new Promise((resolve) => setTimeout(resolve, 700));
    order.push('zombie');
    await fakeProcess({ pid: NOBODY, state: 'Z' });
    await acquired;
    expect(order).toEqual(['zombie', 'acquired']);
  });
});

describe('an owner in another PID namespace', () => {
  const elsewhere = { pid: 7, started: 'this-boot/77', namespace: 'pid:[1]', token: 'elsewhere' };

  it('is seen from a namespace around its own, by the number that it has there', async () => {
    await fakeProcess({ pid: NOBODY, status: `NSpid:\t${NOBODY}\t7\n` });
    await writeLock(elsewhere);
    await expect(acquireFolderLock(folder, { proc })).rejects.toMatchObject(inUse(7));
  });

  it('is not taken for the process that has its number here', async () => {
    await fakeProcess({ pid: 7, status: 'NSpid:\t7\n' });
    await mkdir(join(proc, '7/ns'));
    await symlink('pid:[2]', join(proc, '7/ns/pid'));
    await writeLock(elsewhere);
    expect((await acquireFolderLock(folder, { proc })).takenOver).toBe(true);
  });
});

describe('lock files of version 0.1', () => {
  it('of the vector store name their owner by start and nonce', async () => {
    const { pid, started } = (await identifyProcess(process.ppid))!;
    await writeLock({ pid, start: started, nonce: 'former' });
    await expect(acquireFolderLock(folder)).rejects.toMatchObject(inUse(pid));
    await writeLock({ pid, start: 'another boot/1', nonce: 'former' });
    expect((await acquireFolderLock(folder)).takenOver).toBe(true);
  });

  it('whose start was unknown hold while any process has that number', async () => {
    await writeLock({ pid: process.ppid, start: null, nonce: 'former' });
    await expect(acquireFolderLock(folder)).rejects.toMatchObject(inUse(process.ppid));
    await writeLock({ pid: NOBODY, start: null, nonce: 'former' });
    expect((await acquireFolderLock(folder)).takenOver).toBe(true);
  });
});
