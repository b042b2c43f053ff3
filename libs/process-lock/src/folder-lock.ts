import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { delay } from '#libs/common';
import { linkNew, readLock, type LockContent } from './lock-file.js';
import { identifySelf, stateOf, type ProcessState } from './process-identity.js';

const LOCK_FILE = 'owner.lock';
/** How often others may be faster in a row. */
const ATTEMPTS = 50;
const PATIENCE_MS = 30_000;
/** A process that was killed a moment ago may look alive for this long. */
const SETTLE_MS = 500;
const POLL_MS = 25;

/** The right of one process to use a folder. */
export interface FolderLock {
  /** True when a process that had died without releasing it held the lock before. */
  readonly takenOver: boolean;
  /** Gives the lock back; harmless when called again, and when another process has taken it over. */
  release(): Promise<void>;
}

/** Another process, or this one, uses the folder. */
export class FolderInUseError extends Error {
  readonly pid: number;
  /** The owner in words, for a message: its number, and whether it was killed and does not go. */
  readonly owner: string;

  constructor(folder: string, pid: number, state: ProcessState) {
    const owner = `process ${pid}${state === 'ending' ? ', which has been killed and has not gone yet' : ''}`;
    super(`${folder} is in use by ${owner}`);
    this.name = 'FolderInUseError';
    this.pid = pid;
    this.owner = owner;
  }
}

export interface FolderLockOptions {
  /** How long an owner that was killed may take to go. Default 30,000. */
  readonly patienceMs?: number;
  /** Where the system shows its processes; another place for tests only. Default /proc. */
  readonly proc?: string;
}

/**
 * Makes this process the only owner of `folder`, which exists. Throws FolderInUseError while a running process owns it (this one
 * included), and when an owner that was killed has not gone within `patienceMs`. Dead processes and zombies own nothing.
 *
 * Files appear with their content in one step (`link`). The lock of a dead process may be replaced only by its heir: who
 * first made the file that carries the dead lock's token. A dead heir has an heir in turn. A heir looks at the lock once
 * more before it replaces it, because the heir's file of a take-over that is complete has been removed again.
 */
export async function acquireFolderLock(folder: string, options: FolderLockOptions = {}): Promise<FolderLock> {
  const path = join(folder, LOCK_FILE);
  const mine: LockContent = { ...(await identifySelf(options.proc)), token: randomUUID() };
  const draft = `${path}.${mine.token}`;
  await writeFile(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await linkNew(draft, path)) return lockHandle(path, mine, false);
      const dead = await deadOwners(folder, path, options);
      if (dead.length > 0 && (await inherit(path, dead, draft))) return lockHandle(path, mine, true);
    }
    throw new FolderInUseError(folder, (await readLock(path))?.pid ?? 0, 'running');
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Waits until the owner and all its heirs have gone, and gives them; none when the lock is free. Throws FolderInUseError when one of
 * them runs, or does not go.
 */
async function deadOwners(folder: string, path: string, options: FolderLockOptions): Promise<LockContent[]> {
  const began = performance.now();
  const patienceMs = options.patienceMs ?? PATIENCE_MS;
  for (let runningSince: number | undefined; ; await delay(POLL_MS)) {
    const owners = await readOwners(path);
    const living = await firstLiving(owners, options.proc);
    if (living === null) return owners;
    runningSince = living.state === 'running' ? (runningSince ?? performance.now()) : undefined;
    const isRunning = runningSince !== undefined && performance.now() - runningSince >= SETTLE_MS;
    if (isRunning || performance.now() - began >= patienceMs)
      throw new FolderInUseError(folder, living.pid, living.state);
  }
}

async function firstLiving(
  owners: readonly LockContent[],
  proc?: string,
): Promise<{ pid: number; state: ProcessState } | null> {
  for (const owner of owners) {
    const state = await stateOf(owner, proc);
    if (state !== 'gone') return { pid: owner.pid, state };
  }
  return null;
}

/** The owner that the lock names, its heir, the heir's heir, and so on; empty when there is no lock. */
async function readOwners(path: string): Promise<LockContent[]> {
  const owners: LockContent[] = [];
  for (let owner = await readLock(path); owner !== null; owner = await readLock(heirOf(path, owner)))
    owners.push(owner);
  return owners;
}

function heirOf(path: string, owner: LockContent): string {
  return `${path}.heir-${owner.token}`;
}

/** Replaces the lock of dead owners by `draft`; false when others moved meanwhile and the caller should look again. */
async function inherit(path: string, dead: readonly LockContent[], draft: string): Promise<boolean> {
  const heirs = dead.map((owner) => heirOf(path, owner));
  const claim = heirs.at(-1)!;
  if (!(await linkNew(draft, claim))) return false;
  const replace = (await readLock(path))?.token === dead[0]!.token;
  if (replace) await rename(draft, path);
  for (const heir of replace ? heirs : [claim]) await rm(heir, { force: true });
  return replace;
}

function lockHandle(path: string, mine: LockContent, takenOver: boolean): FolderLock {
  return {
    takenOver,
    release: async () => {
      if ((await readLock(path))?.token === mine.token) await rm(path, { force: true });
    },
  };
}
