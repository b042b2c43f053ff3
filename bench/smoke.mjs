/**
 * Runs every bench once with tiny data, to see that it still runs: the figures mean nothing.
 *
 *   npm run bench:smoke -- [--only NAME]
 *
 * The benches are the scripts `bench:*` of package.json; one without a line in `ARGUMENTS` is a failure. A bench has failed when it is
 * ended by a signal, takes longer than two minutes, prints no figure, or ends by an error that no one caught. A target that is missed
 * (exit code 1) is no failure, since tiny data on a busy machine miss most of them. The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findDataTemplate } from '../test/support/data-template.ts';
import { writeTinyData } from './lib/tiny-data.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIMIT_MS = 120_000;
/** How Node ends what it prints of an error that no one caught. */
const UNCAUGHT = /^Node\.js v\d+/m;

/** What each bench is given. `DATA` is a folder in the layout of the development data. */
const ARGUMENTS = {
  answers: '--data DATA --full',
  'awkward-files': '--only 03',
  bodies: '--only levels',
  chat: '--tiny',
  chunking: '--corpus DATA/chunking_eval',
  console: '--tiny',
  detectors: '--data DATA',
  'evaluation-latency': '--cases 60 --documents 6 --rounds 1 --searches 5',
  'event-loop': '--chunks 40 --large 0.05',
  graph: '',
  'graph-retrieval': '--shuffles 1',
  'graph-scale': '--data DATA/tiny --chunks 8',
  growth: '--only passwords',
  'first-search': '--data DATA/first --chunks 40 --starts 1',
  files: '--data DATA/files',
  ingest: '--documents 4 --large 0.05 --concurrency 2',
  'many-tenants': '--tenants 3 --requests 2',
  memory: '--documents 4 --large 0.05 --settle 0.1 --set EMBEDDING_MODEL=hashing-v1',
  requests: '--requests 30 --datasets 2',
  start: '--starts 1 --settle 0.1',
  soak: '--minutes 0.4 --warm 0 --documents 4 --set EMBEDDING_MODEL=hashing-v1',
  retrieval: '--corpus DATA/tiny',
  scan: '--documents 20 --chunks 2',
  'semantic-filter': '',
  'office-files': '--only Urlaub',
  'own-words': '--data DATA/own_words',
  'train-answered': '',
  'table-answers': '--data DATA',
  tables: '--corpus DATA/wtq',
  'tables-calibration': '--corpus DATA/wtq',
  'tables-scale': '--rows 50 --tables 3 --queries 3',
  search: '--chunks 200 --queries 2 --settle 0.1 --concurrency 1',
};

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
const names = Object.keys(scripts)
  .filter((name) => name.startsWith('bench:') && name !== 'bench:smoke')
  .map((name) => name.slice('bench:'.length))
  .filter((name) => values.only === undefined || values.only === name);
const folder = await mkdtemp(join(tmpdir(), 'bench-smoke-'));
// As in end-to-end tests: what each bench would do once more, and no figure tells of.
const quick = {
  SERVICE_DATA_FROM: await findDataTemplate(),
  SERVICE_PRELOAD: join(ROOT, 'test/support/quick-passwords.mjs'),
};
let failed = 0;
try {
  await writeTinyData(folder);
  for (const name of names) if (!(await runsThrough(name))) failed += 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${names.length - failed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;

async function runsThrough(name) {
  const began = performance.now();
  const problem = ARGUMENTS[name] === undefined ? 'no arguments in bench/smoke.mjs' : await problemOf(name);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `${problem === undefined ? 'ok    ' : 'FAILED'} bench:${name} (${seconds} s)${problem === undefined ? '' : `: ${problem}`}`,
  );
  return problem === undefined;
}

async function problemOf(name) {
  const given = ARGUMENTS[name].split(' ').filter(Boolean);
  const args = given.map((one) => one.replace('DATA', folder));
  const child = spawn('npm', ['run', '--silent', `bench:${name}`, '--', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...quick },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let told = '';
  child.stdout.on('data', (piece) => (said += piece));
  child.stderr.on('data', (piece) => (told += piece));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, LIMIT_MS);
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  if (isLate) return `no end within ${LIMIT_MS / 1000} s\n${told.slice(-2_000)}`;
  if (signal !== null || code > 1) return `ended with ${signal ?? code}\n${told.slice(-2_000)}`;
  if (UNCAUGHT.test(told)) return `an error that nobody caught\n${told.slice(-2_000)}`;
  return /\d/.test(said) ? undefined : `it printed no figure\n${told.slice(-2_000)}`;
}
