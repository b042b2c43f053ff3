/**
 * The first search after a start:
 *
 *   npm run bench:first-search -- --data DIR [--chunks 100000] [--starts 3] [--json FILE]
 *
 * Starts the built service over a folder with a dataset of generated chunks (seeded when it is not there, as bench/search.mjs does) and
 * searches it as soon as the service listens, again and again until a search is answered. Prints, for each start, what the first search
 * took and how many were refused before, when the words of all datasets were in memory, the processor time and memory of the service
 * until then, and what its folder of word files takes. A start beside them is one whose word files were removed before.
 */
import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { startChild } from './lib/commanded-child.mjs';
import { cpuTimeOf } from './lib/cpu-time.mjs';
import { ZipfTexts } from './lib/zipf-texts.mjs';

const SERVER = fileURLToPath(new URL('./lib/search-server.mjs', import.meta.url));
const ADMIN = { email: 'admin@example.com', password: 'bench-of-search' };
const NAME = 'bench of the first search';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    chunks: { type: 'string', default: '100000' },
    starts: { type: 'string', default: '3' },
    json: { type: 'string' },
    'cpu-prof': { type: 'string' },
  },
});
if (values.data === undefined) throw new Error('--data names the folder that is filled and started again');
const chunks = Number(values.chunks);
const words = join(values.data, 'data/words');
for (const path of [values.data, join(values.data, 'data')]) {
  await mkdir(path, { recursive: true });
  // Under root PostgreSQL runs as another user, which must be able to walk through.
  await chmod(path, 0o711);
}

const datasetId = await seeded();
const results = [];
for (let n = 0; n < Number(values.starts); n += 1)
  for (const kind of ['without files', 'with files']) {
    if (kind === 'without files') await rm(words, { recursive: true, force: true });
    results.push(await firstSearch(kind, n));
  }
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(results, null, 2)}\n`);

function start(environment) {
  const profile = values['cpu-prof'] === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values['cpu-prof']}`];
  return startChild(
    SERVER,
    profile,
    {
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      EMBEDDING_MODEL: 'hashing-v1',
      ...process.env,
      DATA_DIR: join(values.data, 'data'),
      BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
      BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
      ...environment,
    },
    (done) => done % 10_000 === 0 && process.stderr.write(`  ${done} chunks\n`),
  );
}

async function seeded() {
  const server = await start({});
  try {
    const client = await new ApiClient(server.ready.url).login(ADMIN.email, ADMIN.password);
    const { items } = await client.get('/datasets/?limit=100');
    const id = items.find(({ name }) => name === NAME)?.id ?? (await client.createDataset(NAME));
    const held = await server.send('count', { datasetId: id }).catch(() => 0);
    if (held < chunks) await server.send('seed', { datasetId: id, from: held, chunks: chunks - held });
    return id;
  } finally {
    await server.stop();
  }
}

async function firstSearch(kind, n) {
  const server = await start({ BENCH_COLD: '1' });
  try {
    const client = await new ApiClient(server.ready.url).login(ADMIN.email, ADMIN.password);
    const question = new ZipfTexts().question(n, n);
    const began = performance.now();
    const cpuBefore = cpuTimeOf([server.pid]);
    let refused = 0;
    for (;;) {
      try {
        await client.search(question, [datasetId]);
        break;
      } catch (error) {
        if (error.status !== 503) throw error;
        refused += 1;
      }
    }
    const answeredMs = performance.now() - began;
    await server.send('warm');
    const warmMs = performance.now() - began;
    const cpuMs = cpuTimeOf([server.pid]) - cpuBefore;
    const again = performance.now();
    await client.search(question, [datasetId]);
    const nextMs = performance.now() - again;
    const { rss, peak } = await server.send('memory');
    const result = { chunks, kind, answeredMs, refused, warmMs, nextMs, cpuMs, rss, peak, bytes: await sizeOf(words) };
    report(result);
    return result;
  } finally {
    await server.stop();
  }
}

async function sizeOf(folder) {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const all = await Promise.all(names.map((name) => stat(join(folder, name))));
  return all.filter((one) => one.isFile()).reduce((sum, { size }) => sum + size, 0);
}

function report({ kind, answeredMs, refused, warmMs, nextMs, cpuMs, rss, peak, bytes }) {
  const seconds = (ms) => (ms / 1000).toFixed(2);
  const megabytes = (count) => (count / 2 ** 20).toFixed(0);
  process.stdout.write(
    `${chunks} chunks, ${kind}: answered after ${seconds(answeredMs)} s (${refused} refused before), words in memory after ${seconds(warmMs)} s, processor ${seconds(cpuMs)} s; ` +
      `next search ${nextMs.toFixed(0)} ms; memory ${megabytes(rss)} MB, at most ${megabytes(peak)} MB; files ${megabytes(bytes)} MB\n`,
  );
}
