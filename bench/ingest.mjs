/**
 * Ingestion through the HTTP interface:
 *
 *   npm run bench:ingest -- [--corpus DIR] [--documents 1400] [--files DIR] [--large 20] [--concurrency 16] [--min X] [--json FILE]
 *   npm run bench:ingest -- --against DIR [--pairs 16] [--documents 150] [--concurrency 16]
 *
 * Starts the built service on a temporary folder and shows
 * - small texts: documents/s from the first upload to `completed` of the last, and the uploads alone; from DIR (a folder in
 *   BEIR layout) or generated, `--documents` of them; once with a request for each and once with 20 in a request;
 * - the PDF files below `--files`, if given: pages/s;
 * - one generated Markdown file of `--large` MB: bytes/s;
 * each with the time per stage, the processor time and the memory of all processes of the service; and for the small texts the
 * same through parser, chunker, analysis and embedder as functions in one process, without any storage. With `--min` the exit
 * code is 1 when fewer small documents a second are completed. With `--against` another checkout takes turns with this one, and the
 * exit code is 1 when this one is slower (lib/compare-ingestion.mjs).
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { readCollection } from './lib/beir-folder.mjs';
import { compareIngestion } from './lib/compare-ingestion.mjs';
import { cpuTimeOf } from './lib/cpu-time.mjs';
import { generatedText, largeMarkdown } from './lib/generated-text.mjs';
import { uploadFiles, untilIngested } from './lib/ingest-files.mjs';
import { MemoryPeak } from './lib/memory-peak.mjs';
import { settingsFromEnvironment } from './lib/settings-from-environment.mjs';

const DOCUMENTS = 1_400;
const POLL_MS = 200;
const MEGABYTE = 1024 * 1024;
/** Documents ingested before anything is measured. */
const WARM_UP = 200;
/** As many as a request may hold. */
const FILES_PER_REQUEST = 20;
const METRICS_TOKEN = 'bench-of-ingestion';

const options = readOptions();
let service;
if (options.against === undefined) await benchAlone();
else if (await compareIngestion(options)) process.exitCode = 1;

async function benchAlone() {
  const results = {};
  service = await ServiceProcess.start({ settings: { ...settingsFromEnvironment(), METRICS_TOKEN } });
  try {
    await measureAll(results);
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
}

async function measureAll(results) {
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
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      corpus: { type: 'string' },
      documents: { type: 'string' },
      files: { type: 'string' },
      large: { type: 'string', default: '20' },
      concurrency: { type: 'string', default: '16' },
      min: { type: 'string' },
      json: { type: 'string' },
      against: { type: 'string' },
      pairs: { type: 'string' },
    },
  });
  const number = (text) => (text === undefined ? undefined : Number(text));
  const { documents, large, concurrency, min, pairs } = values;
  const numbers = { large: Number(large), concurrency: Number(concurrency), min: number(min), pairs: number(pairs) };
  return { ...values, ...numbers, documents: number(documents) };
}

async function smallTexts() {
  const { documents = DOCUMENTS } = options;
  const texts =
    options.corpus === undefined
      ? Array.from({ length: documents }, (_, n) => ({ id: `generated-${n}`, text: generatedText(n, 1_000) }))
      : (await readCollection(options.corpus)).documents.filter(({ text }) => text.trim() !== '');
  return texts
    .slice(0, documents)
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
  await uploadFiles(client, datasetId, files, { perRequest, concurrency: options.concurrency });
  const uploadSeconds = (performance.now() - started) / 1000;
  const { document_counts: counts } = await untilIngested(client, datasetId, POLL_MS);
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
  const { chunkBlocks } = await import('../dist/libs/text/src/index.js');
  const { encodeChunk } = await import('../dist/libs/ranking/src/index.js');
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
