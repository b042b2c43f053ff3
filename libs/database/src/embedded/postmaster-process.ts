import { readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { HAS_PROC, psLine, readOrNull } from '#libs/process-lock';

/**
 * True when `pid` is a PostgreSQL server of `cluster` (a real path). Its backends rename themselves and do not match.
 * The working directory is the second evidence: it follows a folder that was moved under a running server.
 */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
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
