import { existsSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';

/** Where Linux shows its processes. */
export const PROC = '/proc';
export const HAS_PROC = existsSync(`${PROC}/self/stat`);

/** From include/linux/sched.h: the thread is on its way out. */
const PF_EXITING = 0x4;
const SIGKILL_BIT = 1n << 8n;

/** What /proc/PID/stat and /proc/PID/status say of one process. */
export interface ProcEntry {
  /** Boot id and clock ticks since the boot. */
  readonly started: string;
  readonly state: 'running' | 'ending' | 'gone';
  /** Its numbers in the PID namespaces that it lives in, from the one of the reader inwards. */
  readonly numbers: readonly number[];
}

/** Null when there is no such process, or it is hidden from this user. */
export async function readProcEntry(pid: number, proc: string): Promise<ProcEntry | null> {
  const stat = await readOrNull(readFile(`${proc}/${pid}/stat`, 'utf8'));
  if (stat === null) return null;
  const status = (await readOrNull(readFile(`${proc}/${pid}/status`, 'utf8'))) ?? '';
  const boot = await readOrNull(readFile(`${proc}/sys/kernel/random/boot_id`, 'utf8'));
  // The name in parentheses may hold blanks. Behind it: state (1st word), flags (7th), threads (18th), start time (20th).
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    started: `${boot?.trim() ?? 'boot'}/${words[19]}`,
    state: stateFrom(words[0]!, Number(words[6]), Number(words[17]), status),
    numbers: (/^NSpid:\s*(.*)$/m.exec(status)?.[1] ?? String(pid)).split(/\s+/).map(Number),
  };
}

/**
 * A zombie holds nothing any more, unless it is the first thread of a process whose other threads are still leaving: until the
 * last one has gone, files are open and may be written. The same holds from SIGKILL until the exit.
 */
function stateFrom(letter: string, flags: number, threads: number, status: string): ProcEntry['state'] {
  if (letter === 'X' || letter === 'x') return 'gone';
  if (letter === 'Z') return threads > 1 ? 'ending' : 'gone';
  const pending = [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm)].map(([, mask]) => BigInt(`0x${mask!}`));
  const isKilled = pending.some((mask) => (mask & SIGKILL_BIT) !== 0n) || /^CoreDumping:\s*1$/m.test(status);
  return (flags & PF_EXITING) !== 0 || isKilled ? 'ending' : 'running';
}

/** The PID namespace of a process (its own: `self`), as a text to compare; null where it cannot be known. */
export function readNamespace(pid: number | 'self', proc: string): Promise<string | null> {
  return readOrNull(readlink(`${proc}/${pid}/ns/pid`));
}

/** Numbers of all processes that are seen from here. */
export async function listPids(proc: string): Promise<number[]> {
  return (await readdir(proc)).map(Number).filter((pid) => Number.isInteger(pid));
}

/** Null when the process has gone (or is hidden from this user); every other failure is thrown. */
export async function readOrNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return null;
    throw error;
  }
}
