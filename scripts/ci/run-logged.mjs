import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const KILL_AFTER_MS = 30_000;
const groups = new Set();

// What runs beside this process goes with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const group of groups) endGroup(group, 'SIGKILL');
    process.kill(process.pid, signal);
  });
}

/** A child with its descendants in a process group of its own, which goes with this process. */
export function spawnGroup(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true });
  groups.add(child.pid);
  child.once('exit', () => groups.delete(child.pid));
  return child;
}

/**
 * A shell command in a process group of its own, its output in a log of its name, ended after `limitMinutes`. Resolves to its exit code
 * (undefined when a signal ended it), whether it was ended, its seconds, the path of the log and `tail(lines)`.
 */
export async function runLogged(logs, name, { command, env = {}, limitMinutes }) {
  const log = join(logs, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.log`);
  const output = openSync(log, 'w');
  const began = performance.now();
  const child = spawnGroup('bash', ['-c', command], {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
  });
  closeSync(output);
  let isEnded = false;
  const timers = [
    setTimeout(() => {
      isEnded = true;
      endGroup(child.pid, 'SIGTERM');
    }, limitMinutes * 60_000),
    setTimeout(() => endGroup(child.pid, 'SIGKILL'), limitMinutes * 60_000 + KILL_AFTER_MS),
  ];
  const [code] = await once(child, 'exit');
  for (const timer of timers) clearTimeout(timer);
  // What it left running in its group would work on beside the tiers that follow.
  endGroup(child.pid, 'SIGKILL');
  const seconds = Math.round((performance.now() - began) / 1000);
  return { code: code ?? undefined, isEnded, seconds, log, tail: (lines) => tailOf(log, lines) };
}

function tailOf(log, lines) {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

function endGroup(group, signal) {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
