/** Memory of processes and all their descendants, read from /proc (Linux only). Plain Node runs this file as it is. */
import { readFile } from 'node:fs/promises';

/** In bytes. `proportional` counts a shared page once for all its owners, `resident` once for each. */
export interface MemoryUse {
  readonly proportional: number;
  readonly resident: number;
  readonly processes: readonly ProcessMemory[];
}

export interface ProcessMemory {
  readonly pid: number;
  readonly command: string;
  readonly proportional: number;
  readonly resident: number;
}

/** What the given processes and their descendants take now; processes that end meanwhile are left out. */
export async function memoryOf(roots: readonly number[]): Promise<MemoryUse> {
  const pids = await withDescendants(roots);
  const processes = (await Promise.all(pids.map(readProcess))).filter((process) => process !== undefined);
  return {
    proportional: processes.reduce((sum, { proportional }) => sum + proportional, 0),
    resident: processes.reduce((sum, { resident }) => sum + resident, 0),
    processes,
  };
}

async function withDescendants(roots: readonly number[]): Promise<number[]> {
  const found = [...new Set(roots)];
  for (const pid of found) {
    const children = (await readIfThere(`/proc/${pid}/task/${pid}/children`)) ?? '';
    for (const child of children.split(' ').filter(Boolean).map(Number)) if (!found.includes(child)) found.push(child);
  }
  return found;
}

async function readProcess(pid: number): Promise<ProcessMemory | undefined> {
  const rollup = await readIfThere(`/proc/${pid}/smaps_rollup`);
  const command = await readIfThere(`/proc/${pid}/cmdline`);
  if (rollup === undefined || command === undefined) return undefined;
  const bytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) * 1024;
  return { pid, command: command.replaceAll('\0', ' ').trim(), resident: bytes('Rss'), proportional: bytes('Pss') };
}

/** Undefined when the process is gone. */
async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
