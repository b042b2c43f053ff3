import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What `ps` says of a process in these columns, for systems without /proc; null when there is no such process. */
export async function psLine(pid: number, columns: string): Promise<string | null> {
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
