/**
 * What memory the service keeps once its work is done:
 *
 *   npm run bench:memory -- [--documents 1425] [--large 20] [--settle 10] [--set NAME=VALUE]… [--json FILE]
 *
 * Starts the built service on a temporary folder and shows the resident memory of its process (not of PostgreSQL and parsers), the part
 * of it in arenas of glibc's allocator and the heap of V8, each after `--settle` seconds without work: idle; after small documents
 * of eight chunks each, with their rate; after 200 searches, with their median; after a Markdown file of `--large` MB and after
 * hostile files. `--set` hands variables to the service, for instance MALLOC_ARENA_MAX=1 or LD_PRELOAD=….
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { inParallel } from './lib/in-parallel.mjs';
import { readNativeMemory } from './lib/native-memory.mjs';

const MEGABYTE = 1024 * 1024;
const METRICS_TOKEN = 'the-bench-of-memory';
const FILES_PER_REQUEST = 20;
const CONCURRENCY = 8;
const SEARCHES = 200;
const INGESTION_MS = 20 * 60_000;

const options = readOptions();
const service = await ServiceProcess.start({ settings: { METRICS_TOKEN, ...options.set } });
const results = {};
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  await show('idle', '');
  const datasetId = await client.createDataset('bench memory');
  const small = Array.from({ length: options.documents }, (_, n) => text(`small-${n}.txt`, sections(n * 8, 8, 900)));
  const seconds = await ingest(client, datasetId, small);
  await show('small documents', `${(small.length / seconds).toFixed(1)} documents/s`);
  await show('searches', `${(await search(client, datasetId)).toFixed(1)} ms at p50`);
  const chapters = Math.ceil((options.large * MEGABYTE) / 1_600);
  await ingest(client, datasetId, [text('large.md', sections(1_000_000, chapters, 1_500))]);
  await show('large file', '');
  await ingest(client, datasetId, hostileFiles());
  await show('hostile files', '');
} catch (error) {
  process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  await service.dispose();
}
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);

function readOptions() {
  const { values } = parseArgs({
    options: {
      documents: { type: 'string', default: '1425' },
      large: { type: 'string', default: '20' },
      settle: { type: 'string', default: '10' },
      set: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
    },
  });
  const set = Object.fromEntries(values.set.map((entry) => entry.split(/=(.*)/s).slice(0, 2)));
  const [documents, large, settle] = [values.documents, values.large, values.settle].map(Number);
  return { ...values, documents, large, settle, set };
}

async function show(phase, note) {
  await new Promise((resolve) => setTimeout(resolve, options.settle * 1000));
  const { resident, arenas } = await readNativeMemory(service.pid);
  const heap = await readHeap();
  results[phase] = { resident, arenas, heap, note };
  const cell = (bytes) => `${(bytes / MEGABYTE).toFixed(0).padStart(6)} MB`;
  process.stdout.write(
    `${phase.padEnd(16)} resident ${cell(resident)}  arenas ${cell(arenas)}  V8 ${cell(heap)}  ${note}\n`,
  );
}

async function readHeap() {
  const answer = await fetch(`${service.url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
  if (!answer.ok) throw new Error(`GET /metrics answered ${answer.status}.`);
  return Number(/^\w*nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)$/m.exec(await answer.text())?.[1] ?? 0);
}

/** Uploads and waits for the last document; the seconds that it took. */
async function ingest(client, datasetId, files) {
  const started = performance.now();
  const groups = Array.from({ length: Math.ceil(files.length / FILES_PER_REQUEST) }, (_, n) =>
    files.slice(n * FILES_PER_REQUEST, (n + 1) * FILES_PER_REQUEST),
  );
  await inParallel(groups, CONCURRENCY, async (group) => {
    const form = new FormData();
    form.set('dataset_id', datasetId);
    for (const { name, content } of group) form.append('files', new Blob([content]), name);
    const answer = await client.send('POST', '/documents/batch/upload', form);
    if (answer.status !== 201) throw new Error(`The upload answered ${answer.status}.`);
  });
  for (const end = Date.now() + INGESTION_MS; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const { document_counts: counts } = await client.get(`/datasets/${datasetId}`);
    if (counts.pending + counts.processing === 0) return (performance.now() - started) / 1000;
    if (Date.now() > end) throw new Error(`Documents were not ingested in time: ${JSON.stringify(counts)}`);
  }
}

async function search(client, datasetId) {
  const times = [];
  for (let n = 0; n < SEARCHES; n += 1) {
    const query = sections(n * 7, 1, 60)
      .replaceAll('\n', ' ')
      .slice(-50);
    const started = performance.now();
    const answer = await client.send('POST', '/retrieval/search', { query, dataset_ids: [datasetId], top_k: 10 });
    if (answer.status !== 200) throw new Error(`The search answered ${answer.status}.`);
    times.push(performance.now() - started);
  }
  return times.toSorted((a, b) => a - b)[SEARCHES / 2];
}

/** Legal for their type, and much work: long lines, deep nesting, many cells, many repetitions. */
function hostileFiles() {
  return [
    text('one-line.txt', 'word '.repeat(2 * MEGABYTE)),
    text('deep.html', `${'<div>'.repeat(200_000)}words`),
    text('cells.csv', 'a,b,c,d,e,f,g,h\n'.repeat(200_000)),
    text('deep.json', `${'['.repeat(50_000)}1${']'.repeat(50_000)}`),
    text('records.json', JSON.stringify(Array.from({ length: 50_000 }, (_, n) => ({ n, name: `name ${n}` })))),
    text('entities.xml', `<a>${'<b x="1">words &amp; words</b>'.repeat(150_000)}</a>`),
  ];
}

function text(name, content) {
  return { name, content };
}

/** Paragraphs of made-up words under headings; the same numbers always give the same text. */
function sections(first, count, length) {
  return Array.from({ length: count }, (_, n) => `## Section ${first + n}\n\n${prose(first + n, length)}\n\n`).join('');
}

function prose(seed, length) {
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi', 'xo', 'zu'];
  let state = seed * 2_654_435_761 + 1;
  const next = (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % limit;
  };
  const word = () => Array.from({ length: 1 + next(4) }, () => syllables[next(syllables.length)]).join('');
  let written = '';
  while (written.length < length) written += `${Array.from({ length: 8 + next(8) }, word).join(' ')}. `;
  return written;
}
