/**
 * Speed of search beside its bare engine legs, and beside what someone would write without the service:
 *
 *   npm run bench:search -- [--chunks 10000,100000] [--concurrency 1,8] [--methods hybrid,keyword] [--queries 400]
 *                           [--settle 20] [--data DIR] [--json FILE] [--max-over PERCENT] [--recall] [--cpu-prof DIR]
 *   npm run bench:search -- --against DIR [--chunks 10000] [--concurrency 1,8] [--methods hybrid,keyword] [--pairs 16]
 *
 * Starts the built service on the store that VECTOR_STORE and its settings name (default: embedded) with a dataset of generated
 * chunks for each size (100 to 200 words, frequencies as in a language), seeded below the HTTP interface with all that
 * ingestion leaves. Then it asks questions that it asks once each, in turns of some dozen: through `POST /retrieval/search`, and
 * through a bare Fastify route in the same process that sends the very same queries to the store in the same parallelism and does
 * nothing else; in the same turns bare routes ask LanceDB's own full-text or hybrid search, SQLite's FTS5 and the engine's own ranking for ten of
 * the same chunks (lib/bare-libraries.mjs). The store merges and indexes in the background after the seeding: it gets rounds of `--settle` seconds until a
 * search takes no longer than in the round before. Prints p50, p95, p99 and queries/s of all, and what the service takes above. With `--data` the seeded
 * folder is kept and used again. With `--recall` it measures first, for several numbers of candidates, how many of the true best
 * chunks (by scoring all of them) the store proposes. With `--max-over` the exit code is 1 when hybrid over the largest size takes more than that
 * above the bare legs at p50, and more than 8 ms. With `--against` another checkout takes turns with this one, both filled through
 * HTTP, and the exit code is 1 when this one is slower (lib/compare-search.mjs).
 */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { startChild } from './lib/commanded-child.mjs';
import { compareSearch } from './lib/compare-search.mjs';
import { cpuTimeOf } from './lib/cpu-time.mjs';
import { inParallel } from './lib/in-parallel.mjs';
import { postJson } from './lib/post-json.mjs';
import { ZipfTexts } from './lib/zipf-texts.mjs';

const SERVER = fileURLToPath(new URL('./lib/search-server.mjs', import.meta.url));
const ADMIN = { email: 'admin@example.com', password: 'bench-of-search' };
const CHUNKS_PER_DOCUMENT = 10;
const WARM_UP_MOST = 80;
/** Questions before the measuring, for each that is measured, up to that. */
const WARM_UP_FOR_EACH = 4;
/** Before the first measuring of a size: one question for this many chunks, so that memory holds what it can keep. */
const CHUNKS_PER_FIRST_QUESTION = 100;
const TURN = 40;
const MS_OVER = 8;
const RECALL_QUESTIONS = 100;
const RECALL_LIMITS = [50, 100, 200, 250, 300, 400, 600];

const options = readOptions();
let folder;
let server;
if (options.against === undefined) await benchAlone();
else if (await compareSearch(options)) process.exitCode = 1;

async function benchAlone() {
  folder = await dataFolder();
  server = await startServer();
  const results = [];
  process.stdout.write(
    `Started with the contents of all datasets in memory after ${(server.warmUpMs / 1000).toFixed(1)} s\n`,
  );
  try {
    await measureAll(results);
  } finally {
    await server.stop();
    if (options.data === undefined) await rm(folder, { recursive: true, force: true });
  }
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);
  if (options.maxOver !== undefined) checkMost(results);
}

async function measureAll(results) {
  const client = await new ApiClient(server.url).login(ADMIN.email, ADMIN.password);
  const texts = new ZipfTexts();
  for (const chunks of options.sizes) {
    const datasetId = await seededDataset(client, chunks);
    await fillMemory(client, texts, datasetId, chunks);
    const libraries = await server.send('libraries', { datasetId, folder: join(folder, 'data') });
    if (options.recall) await reportRecall(texts, datasetId, chunks);
    for (const concurrency of options.concurrency)
      for (const method of options.methods)
        results.push(
          await measure(client, texts, { datasetId, chunks, concurrency, method, libraries: libraries[method] }),
        );
  }
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      chunks: { type: 'string' },
      concurrency: { type: 'string', default: '1,8' },
      methods: { type: 'string', default: 'hybrid,keyword' },
      queries: { type: 'string', default: '400' },
      data: { type: 'string' },
      json: { type: 'string' },
      'max-over': { type: 'string' },
      recall: { type: 'boolean', default: false },
      'cpu-prof': { type: 'string' },
      settle: { type: 'string', default: '20' },
      against: { type: 'string' },
      pairs: { type: 'string' },
    },
  });
  const numbers = (list) => list.split(',').map(Number);
  return {
    against: values.against,
    pairs: values.pairs === undefined ? undefined : Number(values.pairs),
    sizes: numbers(values.chunks ?? (values.against === undefined ? '10000,100000' : '10000')),
    concurrency: numbers(values.concurrency),
    methods: values.methods.split(','),
    queries: Number(values.queries),
    warmUp: Math.min(WARM_UP_MOST, WARM_UP_FOR_EACH * Number(values.queries)),
    settleMs: Number(values.settle) * 1000,
    data: values.data,
    json: values.json,
    maxOver: values['max-over'] === undefined ? undefined : Number(values['max-over']),
    recall: values.recall,
    profile: values['cpu-prof'],
  };
}

async function dataFolder() {
  const path = options.data ?? (await mkdtemp(join(tmpdir(), 'bench-search-')));
  await mkdir(join(path, 'data'), { recursive: true });
  // Under root PostgreSQL runs as another user, which must be able to walk through.
  for (const one of [path, join(path, 'data')]) await chmod(one, 0o711);
  return path;
}

async function startServer() {
  const profile = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  const environment = {
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
  };
  const { send, stop, pid, ready } = await startChild(SERVER, profile, environment, showProgress);
  /** The embedded PostgreSQL is no descendant of the service. */
  const databasePids = async () => {
    const text = await readFile(join(folder, 'data/postgres/cluster/postmaster.pid'), 'utf8').catch(() => '');
    return text === '' ? [] : [Number(text.split('\n', 1)[0])];
  };
  return { ...ready, pid, databasePids, send, stop };
}

function showProgress(seeded) {
  if (seeded % 10_000 === 0) process.stderr.write(`  ${seeded} chunks\n`);
}

/** The dataset of this size, with what is missing of its chunks. */
async function seededDataset(client, chunks) {
  const name = `bench of ${chunks} chunks`;
  const { items } = await client.get('/datasets/?limit=100');
  const datasetId = items.find((item) => item.name === name)?.id ?? (await client.createDataset(name));
  const { document_counts: counts } = await client.get(`/datasets/${datasetId}`);
  const from = counts.completed * CHUNKS_PER_DOCUMENT;
  if (from < chunks) {
    process.stderr.write(`Seeding ${chunks - from} chunks …\n`);
    await server.send('seed', { datasetId, from, chunks: chunks - from });
    await untilSettled(client, datasetId);
  }
  const rows = await server.send('count', { datasetId });
  if (rows !== chunks) throw new Error(`The store holds ${rows} rows, ${chunks} were seeded; seed anew.`);
  return datasetId;
}

/** Asks until memory holds what it can, and prints what the first searches took, which find it empty. */
async function fillMemory(client, texts, datasetId, chunks) {
  const took = [];
  const questions = Math.ceil(chunks / CHUNKS_PER_FIRST_QUESTION);
  for (let n = 0; n < questions; n += 1) {
    const began = performance.now();
    await client.search(texts.question((n * 104_729) % (chunks / CHUNKS_PER_DOCUMENT), n), [datasetId]);
    took.push(performance.now() - began);
  }
  const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)].toFixed(1);
  process.stdout.write(
    `${chunks} chunks, one after the other: the first search ${took[0].toFixed(0)} ms, the next 20 ${median(took.slice(1, 21))} ms, the last 20 of ${questions} ${median(took.slice(-20))} ms (p50)\n`,
  );
}

async function reportRecall(texts, datasetId, chunks) {
  const documents = chunks / CHUNKS_PER_DOCUMENT;
  const questions = Array.from({ length: RECALL_QUESTIONS }, (_, n) => texts.question((n * 7_919) % documents, n));
  const rows = await server.send('recall', { datasetId, questions, limits: RECALL_LIMITS });
  for (const { limit, proposed, keyword, vector } of rows) {
    const shown = ({ top10, top200 }) => `${top10.toFixed(4)} of the best ten, ${top200.toFixed(4)} of the best 200`;
    process.stdout.write(
      `${chunks} chunks, ${limit} candidates of each leg (${proposed.toFixed(0)} in all): keyword ${shown(keyword)}; vector ${shown(vector)}\n`,
    );
  }
}

/** Until a search takes no longer than the ones before, and for some time at least. */
async function untilSettled(client, datasetId) {
  const texts = new ZipfTexts();
  let before = Infinity;
  for (let round = 0; round < 12; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, options.settleMs));
    const began = performance.now();
    let isInTime = true;
    // The first search after so much has come may be given up while it counts.
    for (let n = 0; n < 20 && isInTime; n += 1) {
      isInTime = await client.search(texts.question(n, n), [datasetId]).then(
        () => true,
        (error) => {
          if (error.status !== 503) throw error;
          return false;
        },
      );
    }
    const took = isInTime ? performance.now() - began : Infinity;
    if (round > 0 && isInTime && took > before * 0.9) return;
    before = took;
  }
}

async function measure(client, texts, { datasetId, chunks, concurrency, method, libraries }) {
  const total = options.queries + options.warmUp;
  const documents = chunks / CHUNKS_PER_DOCUMENT;
  const base = (options.methods.indexOf(method) * 16 + concurrency) * 100_000;
  const questions = Array.from({ length: total }, (_, n) => texts.question((n * 7_919 + base) % documents, n + base));
  await server.send('prepare', { datasetId, questions });
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const service = (n) => {
    const body = JSON.stringify({ query: questions[n], dataset_ids: [datasetId], search_method: method });
    return postJson(agent, `${server.url}/retrieval/search`, body, client.headers);
  };
  const bare = (n) => postJson(agent, `${server.bareUrl}/search/${method}-${n}`, '{}', {});
  const library = (name) => (n) => {
    const url = `${server.bareUrl}/library/${method}/${encodeURIComponent(name)}`;
    return postJson(agent, url, JSON.stringify({ query: questions[n] }), { 'content-type': 'application/json' });
  };
  const routes = [['bare', bare], ['service', service], ...libraries.map((name) => [name, library(name)])];
  const order = questions.map((_, n) => n);
  const warm = order.slice(0, options.warmUp);
  for (const [, ask] of routes) await inParallel(warm, concurrency, ask);
  const times = Object.fromEntries(routes.map(([name]) => [name, emptySeries()]));
  for (let at = options.warmUp, turn = 0; at < total; at += TURN, turn += 1) {
    const some = order.slice(at, at + TURN);
    for (const [name, ask] of turn % 2 === 0 ? routes : routes.toReversed())
      await timed(times[name], some, concurrency, ask);
  }
  agent.destroy();
  const result = {
    store: process.env.VECTOR_STORE ?? 'embedded',
    chunks,
    concurrency,
    method,
    bare: figures(times.bare),
    service: figures(times.service),
    libraries: Object.fromEntries(libraries.map((name) => [name, figures(times[name])])),
  };
  const steps = meansOf(times.service.answers, 'timings_ms');
  const counts = meansOf(times.service.answers, 'counts');
  report({ ...result, steps, counts, ...(await server.send('memory')) });
  return { ...result, steps, counts };
}

function emptySeries() {
  return { latencies: [], seconds: 0, cpuMs: 0, answers: [] };
}

async function timed(series, numbers, concurrency, ask) {
  const cpuBefore = cpuTimeOf([server.pid, ...(await server.databasePids())]);
  const began = performance.now();
  await inParallel(numbers, concurrency, async (n) => {
    const sent = performance.now();
    const { status, text } = await ask(n);
    series.latencies.push(performance.now() - sent);
    if (status !== 200) throw new Error(`A search answered ${status}: ${text.slice(0, 300)}`);
    series.answers.push(text);
  });
  series.seconds += (performance.now() - began) / 1000;
  series.cpuMs += cpuTimeOf([server.pid, ...(await server.databasePids())]) - cpuBefore;
}

function figures({ latencies, seconds, cpuMs }) {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
  return {
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    perSecond: sorted.length / seconds,
    cpuMs: cpuMs / sorted.length,
  };
}

function meansOf(answers, part) {
  const sums = {};
  for (const text of answers)
    for (const [name, value] of Object.entries(JSON.parse(text).retrieval[part]))
      sums[name] = (sums[name] ?? 0) + value;
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / answers.length]));
}

function report({ store, chunks, concurrency, method, bare, service, libraries, steps, counts, rss }) {
  const line = (name, { p50, p95, p99, perSecond, cpuMs }) =>
    `  ${name.padEnd(17)} p50 ${p50.toFixed(1)} ms  p95 ${p95.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  ${perSecond.toFixed(1)} queries/s  processor ${cpuMs.toFixed(1)} ms a query\n`;
  const besides = Object.entries(libraries).map(
    ([name, figure]) =>
      line(name, figure) +
      `    the service takes ${(service.cpuMs / figure.cpuMs).toFixed(2)} × its processor time and answers ${(service.perSecond / figure.perSecond).toFixed(2)} × as many\n`,
  );
  const over = service.p50 - bare.p50;
  const shown = Object.entries(steps).map(([step, ms]) => `${step} ${ms.toFixed(1)}`);
  process.stdout.write(
    `${store}, ${chunks} chunks, ${method}, concurrency ${concurrency}\n${line('bare', bare)}${line('service', service)}${besides.join('')}` +
      `  above    p50 ${over.toFixed(1)} ms, ${((100 * over) / bare.p50).toFixed(0)} %; queries/s ${((100 * service.perSecond) / bare.perSecond).toFixed(0)} % of the bare route's\n` +
      `  steps    ${shown.join(', ')} (mean ms); ${counts.proposed.toFixed(0)} chunks proposed; memory of the process ${(rss / 2 ** 20).toFixed(0)} MB\n`,
  );
}

function checkMost(results) {
  const largest = Math.max(...options.sizes);
  for (const { chunks, concurrency, method, bare, service } of results) {
    if (chunks !== largest || method !== 'hybrid') continue;
    const over = service.p50 - bare.p50;
    if (over <= MS_OVER || over <= (bare.p50 * options.maxOver) / 100) continue;
    process.stderr.write(
      `At concurrency ${concurrency} a hybrid search takes ${over.toFixed(1)} ms more than its bare legs.\n`,
    );
    process.exitCode = 1;
  }
}
