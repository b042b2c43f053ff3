import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, systemCode } from './embedded-postgres.errors.js';
import { identifyProcess, isAlive, type ProcessIdentity } from './process-identity.js';

const LOCK_FILE = 'owner.lock';
const ATTEMPTS = 50;

/** The right of one process to run the database of one folder. */
export interface OwnerLock {
  /** True when a process that had died without releasing it held the lock before. */
  readonly takenOver: boolean;
  /** Gives the lock back; harmless when called again. */
  release(): Promise<void>;
}

interface LockContent extends ProcessIdentity {
  readonly token: string;
}

/** What stands for a lock file that a loss of power left without content: no process has it. */
const UNREADABLE: LockContent = { pid: 0, started: '', token: 'unreadable' };

/**
 * Takes the lock of `folder`, or throws `data_in_use` while a living process holds it (this one included).
 *
 * Files appear with their content in one step (`link`). The lock of a dead process may be replaced only by its heir: who
 * first made the file that carries the dead lock's token. A dead heir has an heir in turn. A heir looks at the lock once
 * more before it replaces it, because the heir's file of a take-over that is complete has been removed again.
 */
export async function acquireOwnerLock(folder: string): Promise<OwnerLock> {
  const path = join(folder, LOCK_FILE);
  const self = await identifyProcess(process.pid);
  if (self === null) throw new Error('This process cannot read its own start time');
  const mine: LockContent = { ...self, token: randomUUID() };
  const draft = `${path}.${mine.token}`;
  await writeFile(draft, JSON.stringify(mine), { mode: 0o644 });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await linkNew(draft, path)) return lockHandle(path, mine, false);
      if (await inherit(folder, path, draft)) return lockHandle(path, mine, true);
    }
    throw inUse(folder, (await readLock(path))?.pid ?? 0);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Replaces the lock of a dead process by `draft`; false when others moved meanwhile and the caller should look again. */
async function inherit(folder: string, path: string, draft: string): Promise<boolean> {
  const base = await readLock(path);
  if (base === null) return false;
  const heirs: string[] = [];
  for (let holder: LockContent | null = base; holder !== null; holder = await readLock(heirs.at(-1)!)) {
    if (await isAlive(holder)) throw inUse(folder, holder.pid);
    heirs.push(`${path}.heir-${holder.token}`);
  }
  const claim = heirs.at(-1)!;
  if (!(await linkNew(draft, claim))) return false;
  const replace = (await readLock(path))?.token === base.token;
  if (replace) await rename(draft, path);
  for (const heir of replace ? heirs : [claim]) await rm(heir, { force: true });
  return replace;
}

function inUse(folder: string, pid: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'data_in_use',
    `The data folder ${folder} is in use by process ${pid}. Stop that service first, or set DATA_DIR to another folder.`,
  );
}

function lockHandle(path: string, mine: LockContent, takenOver: boolean): OwnerLock {
  return {
    takenOver,
    release: async () => {
      if ((await readLock(path))?.token === mine.token) await rm(path, { force: true });
    },
  };
}

/** False when `to` exists already. */
async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Null when there is no such file. */
async function readLock(path: string): Promise<LockContent | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const { pid, started, token } = JSON.parse(text) as Partial<LockContent>;
    const whole = typeof pid === 'number' && typeof started === 'string' && typeof token === 'string';
    return whole ? { pid, started, token } : UNREADABLE;
  } catch (error) {
    if (error instanceof SyntaxError) return UNREADABLE;
    throw error;
  }
}
