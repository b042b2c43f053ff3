import { constants, setPriority } from 'node:os';

/** The process is gone already, or belongs to a program that runs as another user. */
const LEFT_ALONE: ReadonlySet<string | undefined> = new Set(['ESRCH', 'EPERM', 'EACCES']);

/**
 * Lets requests go first where there are fewer cores than work: a process that parses for as long as it takes, and everything that it starts, gives way
 * to what answers requests.
 */
export function giveWay(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    const { code } = (error as { info?: { code?: string } }).info ?? {};
    if (!LEFT_ALONE.has(code)) throw error;
  }
}
