/**
 * What `use_kg` does for questions that need two documents (`bench/graph/questions.jsonl` over its 60 documents), over the HTTP interface:
 *
 *   npm run bench:graph-retrieval [-- --json FILE] [--shuffles 3]
 *
 * Starts the built service on a temporary folder, uploads the documents, extracts their graph without a model and asks every question
 * without and with `use_kg`. Prints R@10 of both, for the odd questions (by which numbers were chosen) and the even ones, with
 * the 95 % interval of the mean paired difference (10,000 bootstrap samples, fixed seed). Then the control: the same graph with its places
 * dealt out again among the chunks, so that each entity and each chunk has as many as before and the edges mean nothing.
 */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { recallAt } from '../dist/src/modules/evaluations/scoring/metrics.js';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { inParallel } from './lib/in-parallel.mjs';
import { ownerOf } from './lib/database-owner.mjs';
import { bootstrapInterval, dealAnew } from './lib/paired-difference.mjs';

const TOP = 10;
const POLL_MS = 250;
const ENDED_MS = 120_000;
const { values } = parseArgs({ options: { json: { type: 'string' }, shuffles: { type: 'string', default: '3' } } });
const read = (name) =>
  readFileSync(new URL(`graph/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const documents = read('documents');
const questions = read('questions');

const service = await ServiceProcess.start();
const figures = [];
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const datasetId = await client.createDataset('bench graph retrieval');
  const names = await upload(client, datasetId);
  const { id } = await client.post('/kg/trigger', { dataset_id: datasetId, mode: 'heuristic' });
  await until(async () => (await client.get(`/kg/${id}`)).status === 'completed');
  const without = await askAll(client, datasetId, names, false);
  report('use_kg', without, await askAll(client, datasetId, names, true));
  const owner = await ownerOf(service.folder);
  try {
    const { rows } = await owner.query(
      'SELECT document_id, position, chunk_id, generation FROM kg_mentions ORDER BY document_id, position',
    );
    for (let seed = 1; seed <= Number(values.shuffles); seed += 1) {
      await deal(owner, rows, seed);
      report(`edges shuffled (${seed})`, without, await askAll(client, datasetId, names, true));
    }
  } finally {
    await owner.end();
  }
} catch (error) {
  process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  await service.dispose();
}
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);

async function upload(client, datasetId) {
  const records = await inParallel(documents, 8, ({ title, text }) =>
    client.upload(datasetId, { name: `${title}.txt`, content: text, mediaType: 'text/plain' }, {}),
  );
  await until(async () => {
    const { document_counts: counts } = await client.get(`/datasets/${datasetId}`);
    return counts.pending + counts.processing === 0;
  });
  return new Map(records.map((record, index) => [record.id, documents[index].id]));
}

async function until(isSo) {
  for (const end = Date.now() + ENDED_MS; !(await isSo()); await new Promise((go) => setTimeout(go, POLL_MS)))
    if (Date.now() > end) throw new Error('It did not end in time.');
}

/** R@10 of each question, and how long the answers took. */
async function askAll(client, datasetId, names, useKg) {
  const times = [];
  const recalls = await inParallel(questions, 2, async ({ question, relevant }) => {
    const began = performance.now();
    const { results } = await client.search(question, [datasetId], { top_k: 2 * TOP, use_kg: useKg, include: [] });
    times.push(performance.now() - began);
    const ranked = [...new Set(results.map(({ document_id: document }) => names.get(document)))];
    return recallAt(ranked, new Map(relevant.map((name) => [name, 1])), TOP);
  });
  return { recalls, times: times.toSorted((a, b) => a - b) };
}

/** Deals the places out again: what each of them names stays, the chunk in which it is changes. */
async function deal(owner, rows, seed) {
  const dealt = dealAnew(rows, seed);
  const moved = rows.map(({ document_id, position }, index) => {
    const { document_id: to, chunk_id, generation } = dealt[index];
    return { document_id, position, to, chunk_id, generation, at: index };
  });
  await owner.query('BEGIN');
  await owner.query(
    `CREATE TEMP TABLE dealt ON COMMIT DROP AS SELECT m.*, r.at, r."to", r.chunk_id AS to_chunk, r.generation AS to_generation
     FROM kg_mentions m JOIN jsonb_to_recordset($1::jsonb) AS r(document_id uuid, position int, "to" uuid, chunk_id uuid, generation bigint, at int)
       ON r.document_id = m.document_id AND r.position = m.position`,
    [JSON.stringify(moved)],
  );
  await owner.query('DELETE FROM kg_mentions');
  await owner.query(
    `INSERT INTO kg_mentions (tenant_id, document_id, generation, position, entity_key, label, form, entity_type, chunk_id, char_start, char_end, sentence_start)
     SELECT tenant_id, "to", to_generation, at, entity_key, label, form, entity_type, to_chunk, char_start, char_end, sentence_start FROM dealt`,
  );
  await owner.query('COMMIT');
  const { rows: kept } = await owner.query(
    'SELECT document_id, position, chunk_id, generation FROM kg_mentions ORDER BY position',
  );
  rows.splice(0, rows.length, ...kept);
}

function report(name, before, after) {
  const halves = { all: () => true, odd: (index) => index % 2 === 0, even: (index) => index % 2 === 1 };
  const percentile = ({ times }, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  const row = { name, p50Ms: percentile(after, 0.5), p50MsWithout: percentile(before, 0.5) };
  process.stdout.write(`${name}: p50 ${row.p50Ms.toFixed(0)} ms, without ${row.p50MsWithout.toFixed(0)} ms\n`);
  for (const [half, isIn] of Object.entries(halves)) {
    const pick = ({ recalls }) => recalls.filter((_, index) => isIn(index));
    const [a, b] = [pick(before), pick(after)];
    const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
    const { low, high } = bootstrapInterval(b.map((value, index) => value - a[index]));
    row[half] = { without: mean(a), with: mean(b), gain: mean(b) - mean(a), low, high };
    const [gain, from, to] = [row[half].gain, low, high].map((value) => `${value < 0 ? '' : '+'}${value.toFixed(3)}`);
    process.stdout.write(
      `  ${half.padEnd(5)} R@10 ${mean(a).toFixed(3)} → ${mean(b).toFixed(3)}   ${gain} [${from}, ${to}]\n`,
    );
  }
  figures.push(row);
}
