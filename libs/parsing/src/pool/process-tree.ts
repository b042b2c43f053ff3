import { readFileSync } from 'node:fs';

/** The process that many generations below another one, along the first child of each; the last that is there. */
export function descendantOf(pid: number, generations: number): number {
  const child = generations === 0 ? undefined : firstChildOf(pid);
  return child === undefined ? pid : descendantOf(child, generations - 1);
}

function firstChildOf(pid: number): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ');
    return first === undefined || first === '' ? undefined : Number(first);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
