import { createHash } from 'node:crypto';
import { link, readFile } from 'node:fs/promises';
import type { ProcessIdentity } from './process-identity.js';

/** What a lock file holds: its owner, and a name of this one lock. */
export interface LockContent extends ProcessIdentity {
  readonly token: string;
}

/** Null when there is no such file. */
export async function readLock(path: string): Promise<LockContent | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
  try {
    return parseLock(JSON.parse(text)) ?? nobody(path);
  } catch (error) {
    if (error instanceof SyntaxError) return nobody(path);
    throw error;
  }
}

/** What represents a lock file that a loss of power left without content: no process has it. Each file has a token of its own. */
function nobody(path: string): LockContent {
  return { pid: 0, started: '', token: `unreadable-${createHash('sha256').update(path).digest('hex').slice(0, 12)}` };
}

/** Files of version 0.1 have no namespace, and those of the vector store `start` (null where it was unknown) and `nonce`. */
function parseLock(value: unknown): LockContent | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const { pid, namespace } = fields;
  const started = fields['started'] ?? fields['start'] ?? '';
  const token = fields['token'] ?? fields['nonce'];
  if (typeof pid !== 'number' || typeof started !== 'string' || typeof token !== 'string') return undefined;
  return typeof namespace === 'string' ? { pid, started, token, namespace } : { pid, started, token };
}

/** Gives a file a second name, which appears with the whole content or not at all; false when `to` exists already. */
export async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
