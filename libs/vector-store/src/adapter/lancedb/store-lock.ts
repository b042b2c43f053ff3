import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { delay } from '#libs/common';
import { vectorStoreErrors } from '../../vector-store.errors.js';

const LOCK_FILE = 'owner.lock';
const ATTEMPTS = 20;
const SETTLE_MS = 50;

/** Who owns the folder. `start` tells a process from a later one with the same pid (a container's first process is always 1). */
interface Owner {
  readonly pid: number;
  readonly start: string | null;
  readonly nonce: string;
}

export interface StoreLock {
  /** Lets go of the folder. Idempotent; a lock that another process has taken over is left alone. */
  release(): Promise<void>;
}

/**
 * Makes this process the only owner of `directory`, which exists; throws `vector_store.locked` while another process lives that owns it.
 * The lock of a dead process is taken over. Processes that do not see each other (two containers on one volume) cannot be told
 * from dead ones: give each its own volume.
 */
export async function acquireStoreLock(directory: string): Promise<StoreLock> {
  const file = join(directory, LOCK_FILE);
  const owner: Owner = { pid: process.pid, start: await startOf(process.pid), nonce: randomUUID() };
  const draft = `${file}.${owner.nonce}`;
  await writeFile(draft, JSON.stringify(owner));
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await linked(draft, file)) return { release: () => release(file, owner) };
      const holder = await readOwner(file);
      if (holder === undefined) continue;
      if (await isAlive(holder)) throw vectorStoreErrors.locked({ pid: holder.pid, directory });
      if (await inherit(file, holder, draft)) return { release: () => release(file, owner) };
      await delay(SETTLE_MS);
    }
  } finally {
    await rm(draft, { force: true });
  }
  throw vectorStoreErrors.unavailable({ operation: 'lock', reason: 'the lock file keeps changing' });
}

/** A link appears with its whole content or not at all, so nobody reads half a lock. */
async function linked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Replaces a dead owner's lock by `draft`; false when another is at it. Only one of all who meet the dead lock may do so: who
 * first links the claim that carries its nonce. A dead heir has an heir in turn. The lock is looked at once more, because the
 * claim of a take-over that is complete has been removed again.
 */
async function inherit(file: string, dead: Owner, draft: string): Promise<boolean> {
  const claims = [`${file}.heir-${dead.nonce}`];
  for (let heir = await readOwner(claims[0]!); heir !== undefined; heir = await readOwner(claims.at(-1)!)) {
    if (await isAlive(heir)) return false;
    claims.push(`${file}.heir-${heir.nonce}`);
  }
  const claim = claims.at(-1)!;
  if (!(await linked(draft, claim))) return false;
  const replace = (await readOwner(file))?.nonce === dead.nonce;
  if (replace) await rename(draft, file);
  for (const done of replace ? claims : [claim]) await rm(done, { force: true });
  return replace;
}

async function release(file: string, owner: Owner): Promise<void> {
  const holder = await readOwner(file);
  if (holder?.nonce === owner.nonce) await rm(file, { force: true });
}

/** Undefined when the file is gone; a file that does not parse belongs to nobody alive. */
async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    return parseOwner(text);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function parseOwner(text: string): Owner {
  const nobody: Owner = { pid: 0, start: null, nonce: 'unreadable' };
  try {
    const value = JSON.parse(text) as Partial<Owner> | null;
    return typeof value?.pid === 'number' && typeof value.nonce === 'string'
      ? { pid: value.pid, start: value.start ?? null, nonce: value.nonce }
      : nobody;
  } catch {
    // Written by no version of this service, or cut off by a full disk: there is no owner in it to respect.
    return nobody;
  }
}

async function isAlive(owner: Owner): Promise<boolean> {
  if (owner.pid <= 0) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false;
    if (!hasCode(error, 'EPERM')) throw error;
  }
  const start = await startOf(owner.pid);
  return owner.start === null || start === null || start === owner.start;
}

/** When a process started, as text to compare: boot id and start time in ticks (Linux); null where this cannot be known. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program's name in parentheses, may hold spaces; field 22 is counted from behind it.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return ticks === undefined ? null : `${boot.trim()}/${ticks}`;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'EACCES') || hasCode(error, 'ESRCH')) return null;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
