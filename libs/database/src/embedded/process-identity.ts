import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { systemCode } from './embedded-postgres.errors.js';

const run = promisify(execFile);
const HAS_PROC = existsSync('/proc/self/stat');

/**
 * A process that cannot be mistaken for a later one with the same number:
 * `started` is compared for equality only (boot and clock ticks under /proc, a date elsewhere).
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
}

/** The identity of a living process; null when there is none, or only a zombie that nobody has reaped. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | null> {
  const started = HAS_PROC ? await startedByProc(pid) : await startedByPs(pid);
  return started === null ? null : { pid, started };
}

/** True while exactly this process lives. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  const current = await identifyProcess(identity.pid);
  return current !== null && current.started === identity.started;
}

/**
 * True when `pid` is a PostgreSQL server of `cluster` (a real path). Its backends rename themselves and do not match.
 * The working directory is the second evidence: it follows a folder that was moved under a running server.
 */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!HAS_PROC) return isPostmasterByPs(pid, cluster);
  const raw = await orNull(readFile(`/proc/${pid}/cmdline`, 'utf8'));
  if (raw === null) return false;
  const words = raw.split('\0');
  if (basename(words[0] ?? '') !== 'postgres') return false;
  if (words[words.indexOf('-D') + 1] === cluster) return true;
  return (await orNull(readlink(`/proc/${pid}/cwd`))) === cluster;
}

/** Sends a signal to exactly this process; false when it is gone. Never reaches a later process of the same number. */
export async function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<boolean> {
  if (!(await isAlive(identity))) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
    throw error;
  }
}

/** Null when the process has gone (or is hidden from this user); every other failure is thrown. */
async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return null;
    throw error;
  }
}

async function startedByProc(pid: number): Promise<string | null> {
  const stat = await orNull(readFile(`/proc/${pid}/stat`, 'utf8'));
  if (stat === null) return null;
  // The name in parentheses may hold blanks; the state is the first word after it, the start time the twentieth.
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (words[0] === 'Z' || words[0] === 'X') return null;
  const boot = await orNull(readFile('/proc/sys/kernel/random/boot_id', 'utf8'));
  return `${boot?.trim() ?? 'boot'}/${words[19]}`;
}

async function ps(pid: number, columns: string): Promise<string | null> {
  try {
    const { stdout } = await run('ps', ['-o', columns, '-p', String(pid)], {
      env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
    });
    return stdout.trim() || null;
  } catch (error) {
    // `ps` ends with 1 when there is no such process.
    if (error instanceof Error && 'code' in error && error.code === 1) return null;
    throw error;
  }
}

async function startedByPs(pid: number): Promise<string | null> {
  const line = await ps(pid, 'stat=,lstart=');
  if (line === null || line.startsWith('Z')) return null;
  return line.replace(/^\S+\s+/, '');
}

async function isPostmasterByPs(pid: number, cluster: string): Promise<boolean> {
  const line = await ps(pid, 'command=');
  return line !== null && line.includes(`postgres -D ${cluster} `);
}
