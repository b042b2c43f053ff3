import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const loader = new URL('../testing/source-loader.mjs', import.meta.url).href;
const module = fileURLToPath(new URL('./block-network.ts', import.meta.url));

/** Runs an expression in a process of its own after `blockNetwork()`; answers what it threw. */
function attempt(expression: string): string {
  const script =
    `const { blockNetwork } = await import(${JSON.stringify(module)}); blockNetwork();` +
    `try { await (${expression}); console.log('went through'); } catch (error) { console.log(error.message); }`;
  const result = spawnSync(process.execPath, ['--import', loader, '--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  return result.stdout.trim();
}

describe('blockNetwork', () => {
  it.each([
    `fetch('http://127.0.0.1:9/')`,
    `import('node:net').then(({ connect }) => connect(9, '127.0.0.1'))`,
    `import('node:http').then(({ get }) => new Promise((_, reject) => get('http://127.0.0.1:9/').on('error', reject)))`,
    `import('node:tls').then(({ connect }) => connect(9, '127.0.0.1'))`,
    `import('node:dns').then(({ promises }) => promises.lookup('localhost'))`,
    `import('node:dgram').then(({ createSocket }) => createSocket('udp4'))`,
    `import('node:child_process').then(({ spawn }) => spawn('true'))`,
  ])('refuses %s', (expression) => {
    expect(attempt(expression)).toBe('no network and no further programs while parsing');
  });
});
