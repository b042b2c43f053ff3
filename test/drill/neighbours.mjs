/**
 * `npm run drill:neighbours -- [--seconds 8] [--kinds name,name] [--trials name,name] [--size 1] [--data DIR] [--entry FILE] [--profiles DIR] [--json FILE]`: two tenants on one
 * started service. B searches and reads its dataset, one request after the other, while A does one kind of heavy work after the other. Prints for each kind the p50 and p95 of B's
 * requests right before it, in quiet, and beside it, their ratio, how late the event loop of the service was, its longest collection of garbage, and for which share of its work it had no core. Exit code 0 only when
 * each p95 beside A is at most three times that in quiet, or within 2 ms of that. `--size` multiplies A's data; with `--data` the filled data folder is
 * kept, and copied the next time. `--trials cases,statements,events` plays these instead of the kinds: 1,500 evaluation cases of A and B's job of one;
 * two statements of 30 s and B's count; 50 endpoints at a host that no one knows with 1,500 documents, and B's `document.completed`. `--entry`: the built `main.js` of another checkout. Needs Node 24.
 */
import '../crash/support/typescript-hooks.mjs';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { Worker } from 'node:worker_threads';

const { buildOnce } = await import('../../scripts/build-once.mjs');
await buildOnce();
const { ServiceProcess } = await import('../../scripts/lib/service-process.ts');
const { ApiClient } = await import('../../scripts/lib/api-client.ts');
const { addTenant } = await import('../support/people.ts');
const { TRIALS } = await import('./support/fair-trials.mjs');
const { fillWithTexts, HeavyTenant } = await import('./support/heavy-tenant.mjs');
const { ZipfTexts } = await import('../../bench/lib/zipf-texts.mjs');

const run = promisify(execFile);

const PASSWORD = 'a long enough password';
const MOST_RATIO = 3;
/** A difference that no bound of a ratio can tell from noise. */
const LEAST_MS = 2;
const MEASURING = new URL('../../bench/lib/event-loop-delay.mjs', import.meta.url).href;
const THREAD = new URL('./support/neighbour-thread.mjs', import.meta.url);
const OWN_DOCUMENTS = 40;
const ASKED = ['search', 'GET'];

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    size: { type: 'string', default: '1' },
    kinds: { type: 'string' },
    trials: { type: 'string' },
    data: { type: 'string' },
    entry: { type: 'string' },
    profiles: { type: 'string' },
    json: { type: 'string' },
  },
});
const milliseconds = 1000 * Number(values.seconds);
const delayFile = join(tmpdir(), `neighbours-${process.pid}.json`);
if (values.profiles !== undefined) await mkdir(values.profiles, { recursive: true });

const print = (line) => process.stdout.write(`${line}\n`);
const service = await ServiceProcess.start({
  ...(values.entry === undefined ? {} : { entry: values.entry }),
  settings: {
    LOG_LEVEL: 'error',
    BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
    EMBEDDING_MODEL: 'hashing-v1',
    NODE_OPTIONS: `--import ${MEASURING}`,
    EVENT_LOOP_DELAY_FILE: delayFile,
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    ...(values.profiles === undefined ? {} : { EVENT_LOOP_PROFILES: values.profiles }),
  },
});
const results = [];
let neighbour;
try {
  const began = performance.now();
  const folder = join(service.folder, 'data');
  const { ids, own, owners } = await fill(folder);
  const as = (email) => new ApiClient(service.url).login(email, PASSWORD);
  const heavy = new HeavyTenant(await as(owners.heavy), Number(values.size), ids);
  const kinds = kindsOf(heavy);
  neighbour = await startNeighbour(await as(owners.quiet), own);
  print(`data are there after ${((performance.now() - began) / 1000).toFixed(0)} s; milliseconds:`);
  if (kinds.length > 0) await measureFor(milliseconds / 2);
  for (const kind of kinds) await playKind(kind);
  const tenants = { heavy: await as(owners.heavy), quiet: await as(owners.quiet), ids, own };
  for (const name of values.trials?.split(',') ?? []) await playTrial(name, tenants);
} catch (error) {
  process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  await neighbour?.terminate();
  await service.dispose();
  await rm(delayFile, { force: true });
}
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(results, null, 2)}\n`);
if (results.some(({ isBound }) => !isBound)) process.exitCode = 1;

/** All of them where neither kinds nor trials are named. */
function kindsOf(heavy) {
  const wanted = values.kinds?.split(',') ?? (values.trials === undefined ? heavy.kinds.map(({ name }) => name) : []);
  const unknown = wanted.filter((name) => heavy.kinds.every((kind) => kind.name !== name));
  if (unknown.length > 0) throw new Error(`There is no kind ${unknown.join(', ')}.`);
  return heavy.kinds.filter(({ name }) => wanted.includes(name));
}

async function playTrial(name, tenants) {
  const trial = TRIALS[name];
  if (trial === undefined) throw new Error(`There is no trial ${name}.`);
  const began = performance.now();
  const { waits, waited, played } = await trial.play(tenants);
  const isBound = waits.every((ms) => ms <= trial.most);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  results.push({ trial: name, waits, most: trial.most, isBound, played });
  print(
    `${name.padEnd(12)} B waited ${waited}: ${waits.map((ms) => ms.toFixed(0)).join(', ')}${isBound ? '' : ' !'} ` +
      `(at most ${trial.most}); A: ${played}; ${seconds} s`,
  );
}

async function playKind(kind) {
  const quiet = await measureFor(milliseconds / 2);
  await takeDelay();
  const playing = new AbortController();
  const played = kind.play(playing.signal);
  await wait(200);
  const beside = await measureFor(milliseconds);
  playing.abort();
  const loop = await takeDelay();
  const counts = await played;
  for (const [index, asked] of ASKED.entries()) {
    const [before, after] = [quiet[index], beside[index]];
    const ratio = after.p95 / before.p95;
    const isBound = ratio <= MOST_RATIO || after.p95 - before.p95 <= LEAST_MS;
    results.push({ kind: kind.name, asked, quiet: before, beside: after, ratio, isBound, loop, counts });
    print(
      `${kind.name.padEnd(12)} ${asked.padEnd(7)} quiet ${shown(before)}  beside ${shown(after)}  ` +
        `p95 × ${ratio.toFixed(1).padStart(5)}${isBound ? '' : ' !'}` +
        (index === 0 ? `  event loop ${loopOf(loop)}; A: ${countsOf(counts)}` : ''),
    );
  }
  await kind.end?.();
}

function shown({ p50, p95 }) {
  return `p50 ${p50.toFixed(1).padStart(6)} p95 ${p95.toFixed(1).padStart(6)}`;
}

/** The longest delay and collection of garbage, and for which share of its work the thread had no core. */
function loopOf({ max, longestGc, active, cpu }) {
  const without = Math.max(0, 100 * (1 - cpu / active));
  return `${max.toFixed(0)}, garbage ${longestGc.toFixed(0)}, without a core ${without.toFixed(0)} %`;
}

function countsOf(counts) {
  const told = Object.entries(counts).map(([status, count]) => `${count} × ${status}`);
  return told.join(', ') || 'nothing ended';
}

/** Ids of what both tenants have and the addresses of their owners: copied with them, or made and kept. */
async function fill(folder) {
  const note = values.data === undefined ? undefined : join(values.data, 'neighbours.json');
  if (note !== undefined && existsSync(note)) {
    await service.stop();
    await rm(folder, { recursive: true });
    await run('cp', ['-a', values.data, folder]);
    await service.start();
    return JSON.parse(await readFile(note, 'utf8'));
  }
  const platform = await new ApiClient(service.url).login(service.admin.email, PASSWORD);
  const heavy = await addTenant(platform, 'Heavy', 'heavy@example.com');
  const ids = await new HeavyTenant(heavy.client, Number(values.size)).prepare(print);
  const quiet = await addTenant(platform, 'Quiet', 'quiet@example.com');
  const own = await quiet.client.createDataset('Own');
  await fillWithTexts(quiet.client, own, OWN_DOCUMENTS, 2);
  const filled = { ids, own, owners: { heavy: heavy.email, quiet: quiet.email } };
  if (note !== undefined) {
    await service.stop();
    await run('cp', ['-a', folder, values.data]);
    await writeFile(note, JSON.stringify(filled));
    await service.start();
  }
  return filled;
}

async function startNeighbour(client, dataset) {
  const texts = new ZipfTexts();
  const bodies = Array.from({ length: 50 }, (_, n) =>
    JSON.stringify({ query: texts.question(n % OWN_DOCUMENTS, n * 10 + 1), dataset_ids: [dataset] }),
  );
  const asked = [
    { method: 'POST', path: '/retrieval/search', bodies },
    { method: 'GET', path: `/datasets/${dataset}` },
  ];
  const headers = { ...client.headers, 'Content-Type': 'application/json' };
  const thread = new Worker(THREAD, { workerData: { url: service.url, headers, asked } });
  await once(thread, 'online');
  return thread;
}

/** Percentiles of each request that B sends for so long. */
async function measureFor(duration) {
  const said = once(neighbour, 'message');
  neighbour.postMessage('begin');
  await Promise.race([wait(duration), said]);
  neighbour.postMessage('end');
  const [times] = await said;
  return times.map((list) => {
    const sorted = list.toSorted((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    return { count: sorted.length, p50: at(0.5), p95: at(0.95) };
  });
}

/** How late the event loop was since the last time, in milliseconds. */
async function takeDelay() {
  await rm(delayFile, { force: true });
  process.kill(service.pid, 'SIGUSR2');
  while (!existsSync(delayFile)) await wait(10);
  return JSON.parse(await readFile(delayFile, 'utf8'));
}
