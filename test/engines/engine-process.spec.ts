import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { until } from '#testing/until';
import { ENGINE_RELEASES } from '../../scripts/lib/engines/engine-process.js';
import { describeOnEngines } from '../support/engines.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/engines.mjs', import.meta.url));
const START_MS = 300_000;

describeOnEngines('npm run engines', ({ kind }) => {
  it('starts what it says, and never outlives its owner', { timeout: 2 * START_MS }, async () => {
    const owner = spawn(process.execPath, [SCRIPT, '--only', kind], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    owner.stdout.on('data', (piece: Buffer) => (said += piece.toString()));
    try {
      await until(async () => said.includes('Ctrl-C') || owner.exitCode !== null, {
        what: 'it runs',
        withinMs: START_MS,
      });
      const { title, version, setting } = ENGINE_RELEASES[kind];
      expect(said).toContain(`${title} ${version}`);
      const url = new RegExp(`^${setting}=(http://127\\.0\\.0\\.1:\\d+)$`, 'm').exec(said)![1]!;
      expect(await versionAt(url)).toBe(version);
      const ended = once(owner, 'exit');
      owner.kill('SIGKILL');
      await ended;
      await until(async () => (await versionAt(url)) === null, { what: 'the engine is gone too', withinMs: 15_000 });
    } finally {
      owner.kill('SIGTERM');
    }
  });
});

/** Null when no one listens. */
async function versionAt(url: string): Promise<string | null> {
  try {
    const answer = await fetch(`${url}/_nodes/_local/version`, { signal: AbortSignal.timeout(5_000) });
    const { nodes } = (await answer.json()) as { nodes: Record<string, { version: string }> };
    return Object.values(nodes)[0]!.version;
  } catch {
    return null;
  }
}
