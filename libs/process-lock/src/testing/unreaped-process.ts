import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { until } from '#testing/until';

/** A process whose parent never asks what became of it, as under a container's first process that is no init. Linux only. */
export interface UnreapedProcess {
  readonly pid: number;
  /** Sends SIGKILL and resolves when it is a zombie. */
  kill(): Promise<void>;
  /** Ends its parent, and with it the zombie. */
  dispose(): void;
}

export interface UnreapedOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The file that gets what it writes. Default: no one. */
  readonly output?: string;
}

/** Starts the command below a parent that becomes `sleep`, which reaps no one. */
export async function startUnreaped(
  command: readonly string[],
  { output = '/dev/null', ...options }: UnreapedOptions = {},
): Promise<UnreapedProcess> {
  const script = '"$@" >"$0" 2>&1 & echo "$!"; exec sleep 600 >/dev/null';
  const parent = spawn('sh', ['-c', script, output, ...command], { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  const pid = Number(line);
  return {
    pid,
    kill: async () => {
      process.kill(pid, 'SIGKILL');
      await until(async () => /\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8')), { everyMs: 5 });
    },
    dispose: () => {
      parent.kill('SIGKILL');
    },
  };
}
