import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { findProgram, runProgram } from './run-program.js';

const bounds = { timeoutMs: 10_000, maxOutputBytes: 1000 };

describe('runProgram', () => {
  it('gives input and takes output', async () => {
    const result = await runProgram(findProgram('cat')!, [], { ...bounds, input: Buffer.from('words') });
    expect(result).toEqual({ exitCode: 0, output: Buffer.from('words') });
  });

  it('hands on no environment', async () => {
    const { output } = await runProgram(findProgram('env')!, [], { ...bounds, env: { ONLY: '1' } });
    expect(output.toString().trim()).toBe('ONLY=1');
  });

  it('ends a program that takes too long or says too much', async () => {
    expect(await runProgram(findProgram('sleep')!, ['60'], { ...bounds, timeoutMs: 100 })).toMatchObject({
      exitCode: null,
    });
    expect(await runProgram(findProgram('yes')!, [], bounds)).toMatchObject({ exitCode: null });
  });

  it('rejects for a program that is not there', async () => {
    expect(findProgram('no-such-program')).toBeUndefined();
    const missing = runProgram('/no/such/program', [], bounds);
    if (process.platform === 'linux') expect((await missing).exitCode).not.toBe(0);
    else await expect(missing).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.runIf(process.platform === 'linux')('takes its programs along when the process is killed', async () => {
    const loader = new URL('../testing/source-loader.mjs', import.meta.url).href;
    const module = fileURLToPath(new URL('./run-program.ts', import.meta.url));
    const script = `import { runProgram } from ${JSON.stringify(module)}; void runProgram('/usr/bin/sleep', ['987'], { timeoutMs: 1e6, maxOutputBytes: 1 });`;
    const parent = spawn(process.execPath, ['--import', loader, '--input-type=module', '-e', script], {
      stdio: 'ignore',
    });
    const pids = await untilStarted(parent.pid!);
    parent.kill('SIGKILL');
    await once(parent, 'close');
    for (const pid of pids) await until(() => !existsSync(`/proc/${pid}`) || isZombie(pid));
    expect(pids.length).toBeGreaterThan(0);
  });
});

async function untilStarted(pid: number): Promise<string[]> {
  const path = `/proc/${pid}/task/${pid}/children`;
  return until(() => {
    const children = existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ').filter(Boolean) : [];
    // Not while `setpriv` still prepares what it is going to become.
    return children.some((child) => /^\/usr\/bin\/sleep\b.*987/s.test(commandOf(child))) && children;
  });
}

function commandOf(pid: string): string {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function isZombie(pid: string): boolean {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
}
