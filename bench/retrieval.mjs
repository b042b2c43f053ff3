/**
 * Retrieval quality over the HTTP interface, on collections in BEIR layout:
 *
 *   npm run bench:retrieval -- --corpus DIR [--corpus DIR …] [--collections DIR] [--methods hybrid,keyword,vector] [--top-k 100]
 *                              [--concurrency 4] [--json FILE] [--min-ndcg X] [--url URL] [--kg] [--bm25]
 *
 * Starts the built service on a temporary folder, with the settings of the store and the models that the environment holds
 * (VECTOR_STORE, ELASTICSEARCH_URL, EMBEDDING_PROVIDER …), uploads each document as one file, asks every judged query by every method
 * and prints nDCG@10 (also of every other query: what is decided by the odd ones can be checked by the even ones), MAP, R@10, R@100,
 * MRR@10 and latencies. `--collections` represents the collections by which ranking is decided here, in a folder that holds them:
 * cranfield, cisi, and xquad in seven languages. A document ranks where its best fragment does. With `--url`
 * (address with its prefix) it uses a running service instead, with the API key of the variable KB_API_KEY. With `--kg` the graph of each
 * collection is extracted by rules and every method is asked with `use_kg` too (METHOD+kg). With `--bm25` the same texts are ranked by BM25
 * with the Snowball stemmer of the collection's language (that of its folder's name, else English) too, which needs python3 and a package
 * index; the exit code is 1 when hybrid is below it on any collection. With `--min-ndcg`
 * the exit code is 1 when hybrid's nDCG@10 is below it on any collection; otherwise the figures are only shown.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  averagePrecisionAt,
  ndcgAt,
  recallAt,
  reciprocalRankAt,
} from '../dist/src/modules/evaluations/scoring/metrics.js';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { readCollection } from './lib/beir-folder.mjs';
import { rankByBm25 } from './lib/bm25.mjs';
import { inParallel } from './lib/in-parallel.mjs';
import { settingsFromEnvironment } from './lib/settings-from-environment.mjs';

const UPLOADS_AT_ONCE = 8;
const INGESTION_MS = 30 * 60_000;
const POLL_MS = 250;
const METHODS = ['hybrid', 'keyword', 'vector'];
const LANGUAGES = ['ar', 'de', 'en', 'ru', 'th', 'tr', 'zh'];
const COLLECTIONS = ['cranfield', 'cisi', ...LANGUAGES.map((language) => `xquad/${language}`)];
const TOP = 10;
const DEPTH = 100;

const options = readOptions();
const service =
  options.url === undefined ? await ServiceProcess.start({ settings: settingsFromEnvironment() }) : undefined;
let results;
try {
  const client =
    service === undefined
      ? remoteClient()
      : await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  results = [];
  for (const folder of options.corpora) results.push(await benchCollection(client, folder));
} catch (error) {
  if (service !== undefined) process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  await service?.dispose();
}
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);
for (const { name, methods } of results) {
  if (options.minNdcg === undefined || methods.hybrid.ndcg10 >= options.minNdcg) continue;
  process.stderr.write(
    `${name}: nDCG@10 of hybrid is ${methods.hybrid.ndcg10.toFixed(4)}, below ${options.minNdcg}.\n`,
  );
  process.exitCode = 1;
}
for (const { name, methods } of results) {
  if (methods.bm25 === undefined || methods.hybrid === undefined) continue;
  if (methods.hybrid.ndcg10 >= methods.bm25.ndcg10) continue;
  process.stderr.write(`${name}: nDCG@10 of hybrid is below that of BM25.\n`);
  process.exitCode = 1;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      corpus: { type: 'string', multiple: true, default: [] },
      collections: { type: 'string' },
      methods: { type: 'string', default: METHODS.join(',') },
      'top-k': { type: 'string', default: String(DEPTH) },
      concurrency: { type: 'string', default: '4' },
      json: { type: 'string' },
      'min-ndcg': { type: 'string' },
      url: { type: 'string' },
      kg: { type: 'boolean', default: false },
      bm25: { type: 'boolean', default: false },
    },
  });
  const methods = values.methods.split(',').map((name) => name.trim());
  const unknown = methods.filter((name) => !METHODS.includes(name));
  const needsHybrid = values['min-ndcg'] !== undefined && !methods.includes('hybrid');
  const known = values.collections === undefined ? [] : COLLECTIONS.map((name) => join(values.collections, name));
  const corpora = [...values.corpus, ...known];
  if (corpora.length === 0 || unknown.length > 0 || needsHybrid) {
    process.stderr.write(
      `usage: npm run bench:retrieval -- --corpus DIR | --collections DIR [--methods ${METHODS.join(',')}] [--min-ndcg X, with hybrid] …\n`,
    );
    process.exit(2);
  }
  return {
    corpora,
    methods,
    topK: Number(values['top-k']),
    concurrency: Number(values.concurrency),
    json: values.json,
    minNdcg: values['min-ndcg'] === undefined ? undefined : Number(values['min-ndcg']),
    url: values.url,
    kg: values.kg,
    bm25: values.bm25,
  };
}

function remoteClient() {
  const key = process.env.KB_API_KEY;
  if (key === undefined) throw new Error('Set KB_API_KEY to an API key of the service at --url.');
  return new ApiClient(options.url).asApiKey(key);
}

async function benchCollection(client, folder) {
  const collection = await readCollection(folder);
  const { documents, queries } = collection;
  process.stdout.write(`\n${collection.name}: ${documents.length} documents, ${queries.length} queries\n`);
  const datasetId = await client.createDataset(`bench ${collection.name} ${new Date().toISOString()}`);
  const ingestion = await ingest(client, datasetId, documents);
  process.stdout.write(
    `  ingested in ${ingestion.seconds.toFixed(1)} s (${ingestion.documentsPerSecond.toFixed(1)} documents/s), ` +
      `${ingestion.chunks} chunks, ${ingestion.failed} failed\n`,
  );
  const methods = {};
  const tops = {};
  if (options.kg) await extractGraph(client, datasetId);
  for (const method of options.methods.flatMap((name) => (options.kg ? [name, `${name}+kg`] : [name]))) {
    const answers = await inParallel(queries, options.concurrency, (query) =>
      ask(client, datasetId, query, method, ingestion.corpusIds),
    );
    methods[method] = measure(queries, answers);
    tops[method] = answers.map(({ ranked }) => ranked.slice(0, TOP).join('\n'));
    report(method, methods[method]);
  }
  if (options.bm25) {
    const ranked = await rankByBm25(documents, queries, languageOf(collection.name), DEPTH);
    methods.bm25 = measure(
      queries,
      ranked.map((ids) => ({ ranked: ids, ms: 0 })),
    );
    report('bm25', methods.bm25);
  }
  const changed = countChanged(tops.hybrid, tops.keyword);
  if (changed !== undefined) {
    process.stdout.write(`  vectors change the top ten of ${changed} of ${queries.length} queries\n`);
  }
  const { corpusIds: _, ...figures } = ingestion;
  const size = { documents: documents.length, queries: queries.length };
  return { name: collection.name, ...size, ingestion: figures, methods, changedTopTen: changed };
}

/** `xquad/de` is German; a collection that is not called by a language is English. */
function languageOf(name) {
  const last = name.split('/').at(-1);
  return LANGUAGES.includes(last) ? last : 'en';
}

/** By rules, without a model. */
async function extractGraph(client, datasetId) {
  const { id } = await client.post('/kg/trigger', { dataset_id: datasetId, mode: 'heuristic' });
  for (const end = Date.now() + INGESTION_MS; ; await new Promise((resolve) => setTimeout(resolve, POLL_MS))) {
    const { status } = await client.get(`/kg/${id}`);
    if (status === 'completed') return;
    if (status === 'failed' || Date.now() > end) throw new Error(`The graph was not extracted: ${status}`);
  }
}

/** For how many queries the two lists of first ten differ; undefined when one of them was not asked for. */
function countChanged(some, others) {
  return some === undefined || others === undefined
    ? undefined
    : some.filter((top, index) => top !== others[index]).length;
}

/** Uploads everything and waits until nothing is in work. An empty document ends as failed or without chunks, and counts as not found. */
async function ingest(client, datasetId, documents) {
  const started = performance.now();
  const records = await inParallel(documents, UPLOADS_AT_ONCE, ({ id, text }) =>
    client.upload(
      datasetId,
      { name: `${id}.txt`, content: text, mediaType: 'text/plain' },
      { metadata: JSON.stringify({ _id: id }), on_duplicate: 'keep_both' },
    ),
  );
  for (const end = Date.now() + INGESTION_MS; ; await new Promise((resolve) => setTimeout(resolve, POLL_MS))) {
    const { document_counts: counts, chunk_count: chunks } = await client.get(`/datasets/${datasetId}`);
    if (counts.pending + counts.processing === 0) {
      const seconds = (performance.now() - started) / 1000;
      const corpusIds = new Map(records.map((record, index) => [record.id, documents[index].id]));
      return { seconds, documentsPerSecond: documents.length / seconds, chunks, failed: counts.failed, corpusIds };
    }
    if (Date.now() > end) throw new Error(`Documents were not ingested in time: ${JSON.stringify(counts)}`);
  }
}

/** The documents in the order of their best fragments. */
async function ask(client, datasetId, query, method, corpusIds) {
  const started = performance.now();
  const { results: fragments } = await client.search(query.text, [datasetId], {
    top_k: options.topK,
    search_method: method.replace('+kg', ''),
    ...(method.endsWith('+kg') ? { use_kg: true } : {}),
    include: [],
  });
  const ms = performance.now() - started;
  return { ranked: [...new Set(fragments.map(({ document_id: id }) => corpusIds.get(id)))], ms };
}

function measure(queries, answers) {
  const meanOf = (indexes, metric) =>
    indexes.reduce((sum, index) => sum + metric(answers[index].ranked, queries[index].relevant), 0) / indexes.length;
  const all = [...queries.keys()];
  const mean = (metric) => meanOf(all, metric);
  const ndcg = (ranked, relevant) => ndcgAt(ranked, relevant, TOP);
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const percentile = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return {
    ndcg10: mean(ndcg),
    oddNdcg10: meanOf(
      all.filter((index) => index % 2 === 0),
      ndcg,
    ),
    evenNdcg10: meanOf(
      all.filter((index) => index % 2 === 1),
      ndcg,
    ),
    map: mean((ranked, relevant) => averagePrecisionAt(ranked, relevant, DEPTH)),
    recall10: mean((ranked, relevant) => recallAt(ranked, relevant, TOP)),
    recall100: mean((ranked, relevant) => recallAt(ranked, relevant, DEPTH)),
    mrr10: mean((ranked, relevant) => reciprocalRankAt(ranked, relevant, TOP)),
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
  };
}

function report(method, { ndcg10, oddNdcg10, evenNdcg10, map, recall10, recall100, mrr10, p50Ms, p95Ms }) {
  const figures = {
    'nDCG@10': ndcg10,
    odd: oddNdcg10,
    even: evenNdcg10,
    MAP: map,
    'R@10': recall10,
    'R@100': recall100,
    'MRR@10': mrr10,
  };
  const quality = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(4)}`);
  const latency = `p50 ${p50Ms.toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} ms (${options.concurrency} at once)`;
  process.stdout.write(`  ${method.padEnd(8)} ${quality.join('  ')}${method === 'bm25' ? '' : `   ${latency}`}\n`);
}
