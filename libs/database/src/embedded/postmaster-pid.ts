import { readFile, readlink } from 'node:fs/promises';
import { join, basename } from 'node:path';
import { identifyProcess, type ProcessIdentity, HAS_PROC, psLine, readOrNull } from '#libs/process-lock';
import { asFolderError, systemCode } from './embedded-postgres.errors.js';

/** What `postmaster.pid` says. Lines as in PostgreSQL's src/include/utils/pidfile.h. */
export interface PostmasterPid {
  readonly pid: number;
  /** 0 before the server has written it. */
  readonly port: number;
  /** `starting`, `stopping`, `ready`, or empty before the server has written it. */
  readonly status: string;
}

const PID_LINE = 0;
const PORT_LINE = 3;
const STATUS_LINE = 7;

/** Null for a file without a positive process number. */
export function parsePostmasterPid(text: string): PostmasterPid | null {
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[PID_LINE]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[PORT_LINE] ?? 0) || 0, status: lines[STATUS_LINE] ?? '' };
}

/** Undefined when there is no pid file, null when it holds nothing useful. */
export async function readPostmasterPid(cluster: string): Promise<PostmasterPid | null | undefined> {
  try {
    return parsePostmasterPid(await readFile(join(cluster, 'postmaster.pid'), 'utf8'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw asFolderError(error, cluster);
  }
}

export interface RunningPostmaster extends PostmasterPid {
  readonly identity: ProcessIdentity;
}

/** The living server of this cluster (a real path) that its pid file names, verified to be one; null when there is none. */
export async function findRunningPostmaster(cluster: string): Promise<RunningPostmaster | null> {
  const entry = await readPostmasterPid(cluster);
  if (!entry) return null;
  const identity = await identifyProcess(entry.pid);
  if (identity === null || !(await isPostmasterOf(entry.pid, cluster))) return null;
  return { ...entry, identity };
}

/**
 * True when `pid` is a PostgreSQL server of `cluster` (a real path). Its backends rename themselves and do not match.
 * The working directory is the second evidence: it follows a folder that was moved under a running server.
 */
async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!HAS_PROC) return isPostmasterByPs(pid, cluster);
  const raw = await readOrNull(readFile(`/proc/${pid}/cmdline`, 'utf8'));
  if (raw === null) return false;
  const words = raw.split('\0');
  if (basename(words[0] ?? '') !== 'postgres') return false;
  if (words[words.indexOf('-D') + 1] === cluster) return true;
  return (await readOrNull(readlink(`/proc/${pid}/cwd`))) === cluster;
}

async function isPostmasterByPs(pid: number, cluster: string): Promise<boolean> {
  const line = await psLine(pid, 'command=');
  return line !== null && line.includes(`postgres -D ${cluster} `);
}
