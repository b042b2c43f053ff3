/**
 * Whether memory grows while the service does the same all the time:
 *
 *   npm run bench:soak -- [--minutes 30] [--warm 10] [--documents 300] [--every 1000] [--set NAME=VALUE]… [--json FILE]
 *
 * Starts the built service on a temporary folder with small documents, and does the same round each second (`--every`, ms): a hybrid and a keyword search, a
 * question to the chat, two reads, an upload, and the removal of the oldest document, so that what the service holds does not grow. Every half a
 * minute it reads the resident memory of the service's own process, the part of it in arenas of glibc's allocator, and the heap of V8. The slope is
 * that of the line through all readings after `--warm` minutes (least squares), with its standard error; the exit code is 1 when it is 1 MB a minute or more.
 */
import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { untilIngested, uploadFiles } from './lib/ingest-files.mjs';
import { readNativeMemory } from './lib/native-memory.mjs';
import { ZipfTexts } from './lib/zipf-texts.mjs';

const MEGABYTE = 1024 * 1024;
const METRICS_TOKEN = 'the-bench-of-a-soak';
const READING_MS = 30_000;
const READINGS_LEAST = 3;
const MOST_MB_PER_MINUTE = 1;
const CHUNKS = 3;

const options = readOptions();
const texts = new ZipfTexts();
const service = await ServiceProcess.start({
  settings: { METRICS_TOKEN, RATE_LIMITS: 'off', LOG_LEVEL: 'error', ...options.set },
});
const readings = [];
let rounds = 0;
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const dataset = await client.createDataset('bench soak');
  const files = Array.from({ length: options.documents }, (_, n) => fileOf(n));
  await uploadFiles(client, dataset, files, { perRequest: 20, concurrency: 2 });
  await untilIngested(client, dataset, 200);
  const ids = await idsOf(client, dataset);
  const began = performance.now();
  const end = began + options.minutes * 60_000;
  const every = Math.min(READING_MS, (options.minutes * 60_000) / (4 * READINGS_LEAST));
  for (let next = began; performance.now() < end; rounds += 1) {
    await playRound(client, dataset, ids, rounds);
    if (performance.now() >= next) {
      await takeReading((performance.now() - began) / 60_000);
      next += every;
    }
    await wait(Math.max(0, began + (rounds + 1) * options.every - performance.now()));
  }
} catch (error) {
  process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  await service.dispose();
}
const line = slopeOf(readings.filter(({ minute }) => minute >= options.warm));
process.stdout.write(
  `${rounds} rounds; ${line.slope.toFixed(2)} ± ${line.error.toFixed(2)} MB a minute after ${options.warm} minutes\n`,
);
if (options.json !== undefined)
  await writeFile(options.json, `${JSON.stringify({ rounds, ...line, readings }, null, 2)}\n`);
if (line.slope >= MOST_MB_PER_MINUTE) process.exitCode = 1;

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      warm: { type: 'string', default: '10' },
      documents: { type: 'string', default: '300' },
      every: { type: 'string', default: '1000' },
      set: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
    },
  });
  const set = Object.fromEntries(values.set.map((entry) => entry.split(/=(.*)/s).slice(0, 2)));
  const [minutes, warm, documents, every] = [values.minutes, values.warm, values.documents, values.every].map(Number);
  return { ...values, minutes, warm, documents, every, set };
}

function fileOf(n) {
  const content = Array.from({ length: CHUNKS }, (_, part) => texts.chunk(n, n * 31 + part)).join('\n\n');
  return { name: `text-${n}.txt`, content, mediaType: 'text/plain' };
}

/** The ids of all documents, oldest first. */
async function idsOf(client, dataset) {
  const found = [];
  for (let skip = 0; skip < options.documents; skip += 100) {
    const { items } = await client.get(`/documents/?dataset_id=${dataset}&limit=100&skip=${skip}`);
    found.push(...items);
  }
  return found.toSorted((a, b) => a.created_at.localeCompare(b.created_at)).map(({ id }) => id);
}

async function playRound(client, dataset, ids, round) {
  const about = ids.length + round;
  const query = texts.question(round % options.documents, about * 7);
  const search = { query, dataset_ids: [dataset] };
  await client.post('/retrieval/search', search);
  await client.post('/retrieval/search', { ...search, search_method: 'keyword' });
  await client.post('/chat/completions', { messages: [{ role: 'user', content: query }], dataset_ids: [dataset] });
  await client.get(`/datasets/${dataset}`);
  await client.get(`/documents/?dataset_id=${dataset}&limit=20`);
  const { id } = await client.upload(dataset, fileOf(options.documents + round));
  ids.push(id);
  await client.send('DELETE', `/documents/${ids.shift()}`);
}

async function takeReading(minute) {
  const { resident, arenas } = await readNativeMemory(service.pid);
  const heap = await readHeap();
  readings.push({ minute, resident, arenas, heap });
  const cell = (bytes) => `${(bytes / MEGABYTE).toFixed(1).padStart(7)} MB`;
  process.stdout.write(
    `${minute.toFixed(1).padStart(5)} min  resident ${cell(resident)}  arenas ${cell(arenas)}  V8 ${cell(heap)}\n`,
  );
}

async function readHeap() {
  const answer = await fetch(`${service.url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
  if (!answer.ok) throw new Error(`GET /metrics answered ${answer.status}.`);
  return Number(/^\w*nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)$/m.exec(await answer.text())?.[1] ?? 0);
}

/** MB a minute, with the standard error. */
function slopeOf(taken) {
  const n = taken.length;
  if (n < READINGS_LEAST) throw new Error(`${n} readings after the warm-up are too few.`);
  const [xs, ys] = [taken.map(({ minute }) => minute), taken.map(({ resident }) => resident / MEGABYTE)];
  const [meanX, meanY] = [mean(xs), mean(ys)];
  const spread = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0);
  const slope = xs.reduce((sum, x, at) => sum + (x - meanX) * (ys[at] - meanY), 0) / spread;
  const rest = xs.reduce((sum, x, at) => sum + (ys[at] - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (n - 2) / spread) };
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
