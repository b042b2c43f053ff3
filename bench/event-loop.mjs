/**
 * How long single steps hold the thread that serves requests:
 *
 *   npm run bench:event-loop -- [--chunks 89000] [--per-document 10] [--large 5] [--data DIR] [--max-ms MS] [--json FILE] [--profiles DIR]
 *
 * Seeds a dataset of generated chunks below the HTTP interface, starts the built service on it and lets it do what is much work: the first
 * search, which comes while the start still warms up; later ones; a Markdown file of `--large` MB and a small text with a search after
 * each; the removal of the dataset. For each it prints the greatest delay of the event loop in the service's own process
 * (`monitorEventLoopDelay`), and the longest wait of a stranger who asks `GET /health` every 5 ms. With `--data` the seeded folder is
 * kept, and copied the next time. The exit code is 1 when a delay is greater than `--max-ms` (default: 100).
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { startChild } from './lib/commanded-child.mjs';
import { Stranger } from './lib/stranger.mjs';
import { ZipfTexts } from './lib/zipf-texts.mjs';

const run = promisify(execFile);
const SERVER = fileURLToPath(new URL('./lib/search-server.mjs', import.meta.url));
const MEASURING = new URL('./lib/event-loop-delay.mjs', import.meta.url).href;
const PASSWORD = 'bench-of-event-loops';
const NAME = 'bench of the event loop';
const SEARCHES = 60;
const MEGABYTE = 1024 * 1024;

const options = readOptions();
const measuring = join(tmpdir(), `event-loop-delay-${process.pid}.json`);
const service = await ServiceProcess.start({
  settings: {
    BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
    NODE_OPTIONS: `--import ${MEASURING}`,
    EVENT_LOOP_DELAY_FILE: measuring,
    ...(options.profiles === undefined ? {} : { EVENT_LOOP_PROFILES: options.profiles }),
  },
});
const texts = new ZipfTexts();
const results = [];
try {
  await service.stop();
  await fill(join(service.folder, 'data'));
  await service.start();
  const client = await new ApiClient(service.url).login(service.admin.email, PASSWORD);
  const { items } = await client.get('/datasets/?limit=100');
  const { id } = items.find((item) => item.name === NAME);
  await phase('first search and warm-up', async () => {
    const first = await searchUntilAnswered(client, id, 0);
    while (!(await isWarm(client))) await wait(50);
    return `answered after ${first.toFixed(0)} ms`;
  });
  await phase(`${SEARCHES} searches`, async () => {
    const times = [];
    for (let n = 1; n <= SEARCHES; n += 1) times.push(await searchUntilAnswered(client, id, n));
    return `p50 ${times.toSorted((a, b) => a - b)[SEARCHES / 2].toFixed(0)} ms`;
  });
  await phase(`a file of ${options.large} MB`, () => ingest(client, id, 'large.md', largeText()));
  await phase('the search after it', async () => `${(await searchUntilAnswered(client, id, 61)).toFixed(0)} ms`);
  await phase('a small text', () => ingest(client, id, 'small.txt', texts.chunk(1, 1)));
  await phase('the search after it', async () => `${(await searchUntilAnswered(client, id, 62)).toFixed(0)} ms`);
  await phase('removal of the dataset', () => remove(client, id));
} catch (error) {
  process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  await service.dispose();
  await rm(measuring, { force: true });
}
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);
if (results.some(({ delay }) => delay > options.maxMs)) process.exitCode = 1;

function readOptions() {
  const { values } = parseArgs({
    options: {
      chunks: { type: 'string', default: '89000' },
      'per-document': { type: 'string', default: '10' },
      large: { type: 'string', default: '5' },
      data: { type: 'string' },
      'max-ms': { type: 'string', default: '100' },
      json: { type: 'string' },
      profiles: { type: 'string' },
    },
  });
  const { 'per-document': perDocument, 'max-ms': maxMs, ...rest } = values;
  return {
    ...rest,
    chunks: Number(rest.chunks),
    large: Number(rest.large),
    perDocument: Number(perDocument),
    maxMs: Number(maxMs),
  };
}

/** The data folder with the seeded dataset: copied with its owners, or made and kept. */
async function fill(folder) {
  if (options.data !== undefined && existsSync(options.data)) {
    await rm(folder, { recursive: true });
    await run('cp', ['-a', options.data, folder]);
    return;
  }
  const environment = { ...process.env, RATE_LIMITS: 'off', LOG_LEVEL: 'error', DATA_DIR: folder };
  const said = (seeded) => seeded % 10_000 === 0 && process.stderr.write(`  ${seeded} chunks\n`);
  const server = await startChild(SERVER, [], environment, said);
  const client = await new ApiClient(server.ready.url).login(service.admin.email, PASSWORD);
  const datasetId = await client.createDataset(NAME);
  const { chunks, perDocument } = options;
  await server.send('seed', { datasetId, from: 0, chunks, perDocument });
  await server.stop();
  if (options.data !== undefined) await run('cp', ['-a', folder, options.data]);
}

/** Does the work, and prints how it went for others. */
async function phase(name, work) {
  await takeDelay();
  const stranger = await Stranger.come(`${service.url}/health`);
  const began = performance.now();
  const note = await work();
  const seconds = (performance.now() - began) / 1000;
  const waited = await stranger.leave();
  const { max, p99 } = await takeDelay();
  const result = { phase: name, seconds, delay: max, p99, waited, note };
  results.push(result);
  process.stdout.write(
    `${name.padEnd(26)} ${seconds.toFixed(1).padStart(6)} s  event loop ${max.toFixed(0).padStart(5)} ms (p99 ${p99.toFixed(0)})  ` +
      `/health ${waited.toFixed(0).padStart(5)} ms  ${note}\n`,
  );
}

/** What the service measured since the last time, in milliseconds. */
async function takeDelay() {
  await rm(measuring, { force: true });
  process.kill(service.pid, 'SIGUSR2');
  while (!existsSync(measuring)) await wait(10);
  return JSON.parse(await readFile(measuring, 'utf8'));
}

/** Milliseconds from the first try to the first answer: a search that would take too long answers 503, and its work goes on. */
async function searchUntilAnswered(client, datasetId, n) {
  const began = performance.now();
  const query = texts.question((n * 104_729) % Math.floor(options.chunks / options.perDocument), n);
  for (;;) {
    const { status, body } = await client.send('POST', '/retrieval/search', { query, dataset_ids: [datasetId] });
    if (status === 200) return performance.now() - began;
    if (status !== 503) throw new Error(`A search answered ${status}: ${JSON.stringify(body)}`);
  }
}

async function isWarm(client) {
  const { components } = await client.get('/health/details');
  return components.retrieval_warmup.status === 'up';
}

async function ingest(client, datasetId, name, content) {
  const { id } = await client.upload(datasetId, { name, content });
  await client.pollUntilTerminal(id, { timeoutMs: 600_000 });
  return '';
}

function largeText() {
  let text = '';
  for (let n = 0; text.length < options.large * MEGABYTE; n += 1) text += `## Section ${n}\n\n${texts.chunk(n, n)}\n\n`;
  return text;
}

async function remove(client, datasetId) {
  const { status } = await client.send('DELETE', `/datasets/${datasetId}`);
  const isDone = (line) => line.includes('task.completed') && line.includes('"dataset_deletion"');
  while (!service.log.some(isDone)) await wait(50);
  return `answered ${status}`;
}
