/** `npm run check`: everything about the sources that needs no test run. Runs every step, shows what failed, and sums up. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BuildError, buildOnce, InstallationError } from './build-once.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const env = { ...process.env, PATH: `${root}node_modules/.bin${delimiter}${process.env.PATH ?? ''}` };
const SOURCES = ['src', 'libs', 'test', 'bench', 'scripts', 'vitest.config.ts'];
/** What the last check knew, so that the next one looks only at what changed. Gone with `node_modules`. */
const TYPES_CACHE = 'node_modules/.cache/types.tsbuildinfo';
const STEPS = [
  ['format', 'prettier', '--check', '--cache', '--log-level', 'warn', '.'],
  // Makes the types of the interface, which the next step reads.
  ['console types', 'node', 'scripts/console-types.mjs'],
  ['lint', 'oxlint', '--quiet'],
  ['dependencies', 'depcruise', '--output-type', 'err-long', ...SOURCES],
  ['types', 'tsc', '--noEmit', '--project', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', TYPES_CACHE],
  // What `npm pack` declares for packages of others. Written, since declarations are only judged when they are.
  ['extension types', 'tsc', '--project', 'tsconfig.extension.json', '--outDir', 'node_modules/.cache/extension-types'],
  ['console bytes', 'node', 'scripts/console-bytes.ts'],
  ['openapi', 'node', 'scripts/openapi.mjs', '--check'],
  ['env example', 'node', 'scripts/env-example.mjs', '--check'],
  ['house', 'node', 'scripts/house.mjs', '--check'],
];

async function run([name, command, ...args]) {
  const started = performance.now();
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => output.push(piece));
  const [status] = await once(child, 'close').catch((/** @type {unknown} */ error) => {
    output.push(Buffer.from(`${error instanceof Error ? error.message : String(error)}\n`));
    return [1];
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (status !== 0) console.log(Buffer.concat(output).toString());
  return status === 0;
}

try {
  await buildOnce();
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  console.log(`FAILED build: ${error.message}`);
  // After a build that failed the other steps say more about why.
  if (error instanceof InstallationError) process.exit(1);
}
let failed = 0;
for (const step of STEPS) if (!(await run(step))) failed += 1;
if (failed > 0) {
  console.log(`${failed} of ${STEPS.length} checks failed.`);
  process.exitCode = 1;
}
