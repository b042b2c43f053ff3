/** Resident memory of a process, and what of it lies in arenas of glibc's allocator; Linux only, in bytes. */
import { readFile } from 'node:fs/promises';

/** Arenas of threads begin at multiples of this; a mapping that only happens to is too rare to matter. */
const ARENA_ALIGNMENT = 64n * 1024n * 1024n;

export async function readNativeMemory(pid) {
  let resident = 0;
  let arenas = 0;
  let isArena = false;
  for (const line of (await readFile(`/proc/${pid}/smaps`, 'latin1')).split('\n')) {
    const mapping = /^([0-9a-f]+)-[0-9a-f]+ (\S+) \S+ \S+ (\d+)\s*(.*)$/.exec(line);
    if (mapping !== null) {
      const [, start, rights, inode, name] = mapping;
      const isAligned = BigInt(`0x${start}`) % ARENA_ALIGNMENT === 0n;
      isArena = name === '[heap]' || (isAligned && rights === 'rw-p' && inode === '0' && name === '');
      continue;
    }
    const size = /^Rss:\s+(\d+) kB$/.exec(line);
    if (size === null) continue;
    resident += Number(size[1]) * 1024;
    if (isArena) arenas += Number(size[1]) * 1024;
  }
  return { resident, arenas };
}
