/**
 * Ingestion through the HTTP interface:
 *
 *   npm run bench:ingest -- [--corpus DIR] [--documents 1400] [--files DIR] [--large 20] [--concurrency 16] [--min X] [--json FILE]
 *
 * Starts the built service on a temporary folder and shows
 * - small texts: documents/s from the first upload to `completed` of the last, and the uploads alone; from DIR (a folder in
 *   BEIR layout) or generated, `--documents` of them; once with a request for each and once with 20 in a request;
 * - the PDF files below `--files`, if given: pages/s;
 * - one generated Markdown file of `--large` MB: bytes/s;
 * each with the time per stage, the processor time and the memory of all processes of the service; and for the small texts the
 * same through parser, chunker, analysis and embedder as functions in one process, without any storage. With `--min` the exit
 * code is 1 when fewer small documents a second are completed.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { readCollection } from './lib/beir-folder.mjs';
import { cpuTimeOf } from './lib/cpu-time.mjs';
import { inParallel } from './lib/in-parallel.mjs';
import { MemoryPeak } from './lib/memory-peak.mjs';

const INGESTION_MS = 30 * 60_000;
const POLL_MS = 200;
const MEGABYTE = 1024 * 1024;
/** Documents ingested before anything is measured. */
const WARM_UP = 200;
/** As many as a request may hold. */
const FILES_PER_REQUEST = 20;
const METRICS_TOKEN = 'bench-of-ingestion';

const options = readOptions();
const service = await ServiceProcess.start({ settings: { METRICS_TOKEN } });
const results = {};
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  // Parser, queue and connections are started by the first documents, whatever they are, and code is compiled by the next ones.
  const texts = await smallTexts();
  await measure(client, texts.slice(0, WARM_UP));
  results.small = await measure(client, texts);
  report('small texts', results.small, [results.small.documentsPerSecond, 'documents/s']);
  results.batched = await measure(client, texts, FILES_PER_REQUEST);
  report('20 a request', results.batched, [results.batched.documentsPerSecond, 'documents/s']);
  const pdfs = await pdfFiles();
  if (pdfs.length > 0) {
    results.pdf = await measure(client, pdfs);
    report('PDF files', results.pdf, [results.pdf.pages / results.pdf.seconds, 'pages/s']);
  }
  const markdown = { name: 'large.md', content: largeMarkdown(options.large * MEGABYTE), mediaType: 'text/markdown' };
  results.large = await measure(client, [markdown]);
  report('large Markdown', results.large, [results.large.bytesPerSecond / MEGABYTE, 'MB/s']);
  results.bare = await measureBare(texts);
  process.stdout.write(
    `bare functions  ${results.bare.documentsPerSecond.toFixed(1)} documents/s, ${results.bare.cpuMs.toFixed(2)} ms of processor a document; ` +
      `the service takes ${(results.small.cpuMs / results.bare.cpuMs).toFixed(1)} times that\n`,
  );
} catch (error) {
  process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  await service.dispose();
}
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);
if (options.min !== undefined && results.small.documentsPerSecond < options.min) {
  process.stderr.write(`Fewer than ${options.min} small documents a second.\n`);
  process.exitCode = 1;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      corpus: { type: 'string' },
      documents: { type: 'string', default: '1400' },
      files: { type: 'string' },
      large: { type: 'string', default: '20' },
      concurrency: { type: 'string', default: '16' },
      min: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const { documents, large, concurrency, min } = values;
  const numbers = { documents: Number(documents), large: Number(large), concurrency: Number(concurrency) };
  return { ...values, ...numbers, min: min === undefined ? undefined : Number(min) };
}

async function smallTexts() {
  const texts =
    options.corpus === undefined
      ? Array.from({ length: options.documents }, (_, n) => ({ id: `generated-${n}`, text: generatedText(n, 1_000) }))
      : (await readCollection(options.corpus)).documents.filter(({ text }) => text.trim() !== '');
  return texts
    .slice(0, options.documents)
    .map(({ id, text }) => ({ name: `${id}.txt`, content: text, mediaType: 'text/plain' }));
}

async function pdfFiles() {
  if (options.files === undefined) return [];
  const folder = options.files;
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.pdf')).sort();
  return Promise.all(
    names.map(async (name) => ({
      name: name.replaceAll('/', '-'),
      content: await readFile(join(folder, name)),
      mediaType: 'application/pdf',
    })),
  );
}

/** Uploads everything to a dataset of its own and waits until nothing is in work. */
async function measure(client, files, perRequest = 1) {
  const datasetId = await client.createDataset(`bench ${new Date().toISOString()}`);
  const roots = await service.rootPids();
  const peak = await MemoryPeak.watch(() => service.rootPids());
  const stagesBefore = await readStages();
  const cpuBefore = cpuTimeOf(roots);
  const started = performance.now();
  const groups = Array.from({ length: Math.ceil(files.length / perRequest) }, (_, n) =>
    files.slice(n * perRequest, (n + 1) * perRequest),
  );
  await inParallel(groups, options.concurrency, (group) => upload(client, datasetId, group));
  const uploadSeconds = (performance.now() - started) / 1000;
  const counts = await untilDone(client, datasetId);
  const seconds = (performance.now() - started) / 1000;
  const cpuMs = (cpuTimeOf(roots) - cpuBefore) / files.length;
  const memory = await peak.stop();
  const bytes = files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  return {
    documents: files.length,
    failed: counts.failed,
    seconds,
    uploadSeconds,
    documentsPerSecond: files.length / seconds,
    bytesPerSecond: bytes / seconds,
    pages: await countPages(client, datasetId),
    cpuMs,
    memory,
    stages: difference(stagesBefore, await readStages()),
  };
}

async function upload(client, datasetId, group) {
  if (group.length === 1) return client.upload(datasetId, group[0], { on_duplicate: 'keep_both' });
  const form = new FormData();
  form.set('dataset_id', datasetId);
  form.set('on_duplicate', 'keep_both');
  for (const { name, content, mediaType } of group)
    form.append('files', new Blob([content], { type: mediaType }), name);
  const answer = await client.send('POST', '/documents/batch/upload', form);
  if (answer.status !== 201 || answer.body.rejected > 0) {
    throw new Error(`The upload answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 500)}`);
  }
  return answer.body;
}

async function untilDone(client, datasetId) {
  for (const end = Date.now() + INGESTION_MS; ; await new Promise((resolve) => setTimeout(resolve, POLL_MS))) {
    const { document_counts: counts } = await client.get(`/datasets/${datasetId}`);
    if (counts.pending + counts.processing === 0) return counts;
    if (Date.now() > end) throw new Error(`Documents were not ingested in time: ${JSON.stringify(counts)}`);
  }
}

async function countPages(client, datasetId) {
  let pages = 0;
  for (let skip = 0; ; skip += 100) {
    const { items, total } = await client.get(`/documents/?dataset_id=${datasetId}&skip=${skip}&limit=100`);
    const pdfs = items.filter(({ media_type: type }) => type === 'application/pdf');
    for (const { id } of pdfs) pages += (await client.get(`/documents/${id}`)).page_count ?? 0;
    if (skip + 100 >= total || pdfs.length === 0) return pages;
  }
}

/** Seconds and documents of each stage so far, from the service's own counters. */
async function readStages() {
  const answer = await fetch(`${service.url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
  if (!answer.ok) throw new Error(`GET /metrics answered ${answer.status}.`);
  const stages = {};
  const pattern = /^kb_ingestion_stage_duration_seconds_(sum|count)\{stage="(\w+)"\} (\S+)$/gm;
  for (const [, kind, stage, value] of (await answer.text()).matchAll(pattern)) {
    stages[stage] = { ...stages[stage], [kind]: Number(value) };
  }
  return stages;
}

/** Mean milliseconds of a document in each stage. */
function difference(before, after) {
  return Object.fromEntries(
    Object.entries(after).map(([stage, { sum, count }]) => {
      const { sum: earlier = 0, count: fewer = 0 } = before[stage] ?? {};
      return [stage, count === fewer ? 0 : (1000 * (sum - earlier)) / (count - fewer)];
    }),
  );
}

function report(name, result, [figure, unit]) {
  const stages = Object.entries(result.stages).map(([stage, ms]) => `${stage} ${ms.toFixed(1)}`);
  const { idle, above } = result.memory;
  process.stdout.write(
    `${name.padEnd(15)} ${figure.toFixed(1)} ${unit}: ${result.documents} documents in ${result.seconds.toFixed(1)} s, ` +
      `uploads alone ${(result.documents / result.uploadSeconds).toFixed(1)} documents/s, ${result.failed} failed\n` +
      `                ms of a document: ${stages.join(', ')}; processor ${result.cpuMs.toFixed(1)}\n` +
      `                memory ${(idle / MEGABYTE).toFixed(0)} MB before, at most ${(above / MEGABYTE).toFixed(0)} MB above it\n`,
  );
}

/** The same texts through the functions that do the work, one after the other. */
async function measureBare(files) {
  const { parseDocument } = await import('../dist/libs/parsing/src/child/parse-document.js');
  const { readSegments } = await import('../dist/libs/parsing/src/index.js');
  const { chunkBlocks, encodeChunk } = await import('../dist/libs/text/src/index.js');
  const { createModels } = await import('../dist/libs/ai/src/index.js');
  const { embedder } = await createModels({ embedding: 'builtin', rerank: 'builtin', chat: 'builtin' });
  const folder = await mkdtemp(join(tmpdir(), 'bench-ingest-'));
  try {
    const paths = files.map((_, n) => join(folder, `${n}.txt`));
    for (const [n, { content }] of files.entries()) await writeFile(paths[n], content);
    const started = performance.now();
    const cpuBefore = process.cpuUsage();
    for (const [n, { name }] of files.entries()) {
      const parsed = await parseDocument({ path: paths[n], fileName: name, workDirectory: folder });
      const texts = [];
      for await (const { text, headingPath: headings } of chunkBlocks(readSegments(parsed), {})) {
        encodeChunk({ text, title: name, headings });
        texts.push(text);
      }
      await embedder.embed(texts, 'document');
    }
    const { user, system } = process.cpuUsage(cpuBefore);
    const seconds = (performance.now() - started) / 1000;
    return { documentsPerSecond: files.length / seconds, cpuMs: (user + system) / 1000 / files.length };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function largeMarkdown(bytes) {
  const parts = [];
  for (let size = 0, n = 0; size < bytes; n += 1) {
    const part = `## Section ${n}\n\n${generatedText(n, 1_500)}\n\n- first point ${n}\n- second point ${n}\n\n`;
    parts.push(part);
    size += part.length;
  }
  return `# Large\n\n${parts.join('')}`;
}

/** The same number always gives the same text. */
function generatedText(seed, length) {
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi', 'xo', 'zu'];
  let state = seed * 2_654_435_761 + 1;
  const next = (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % limit;
  };
  const word = () => Array.from({ length: 1 + next(4) }, () => syllables[next(syllables.length)]).join('');
  let text = `Document ${seed}\n\n`;
  while (text.length < length) text += `${Array.from({ length: 8 + next(8) }, word).join(' ')}. `;
  return text;
}
