/**
 * `npm run drill:two-models -- --model DIR [--seconds N]`: searches over two datasets with embedding models of different spaces, the built-in
 * one and the ONNX model in a folder, while the first is re-embedded into the space of the second. DIR is a folder as `npm run model -- install`
 * takes it, all-MiniLM-L6-v2 say. The texts are the records of decisions of this project.
 *
 * Before: each dataset has a first place by vectors in an answer over both. Meanwhile: 20 searches a second, none of which fails, and each of
 * which answers exactly as the same question did before the move or as it does after it, and never as before once it has answered as
 * after. Exit code 0 only when all of that holds. The length of the run is that of the re-embedding; --seconds ends it (300).
 */
import { chmod, cp, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ApiClient } from '../../scripts/lib/api-client.ts';
import { ServiceProcess } from '../../scripts/lib/service-process.ts';

const RECORDS = fileURLToPath(new URL('../../docs/adr', import.meta.url));
const MODEL = 'real';
const RATE = 20;
/** Searches go on for so long after the move. */
const AFTER_MS = 3_000;
const QUESTIONS = [
  'How are documents of one tenant kept apart from those of another?',
  'What happens to work when a process is killed?',
  'Why does a search not trust the scores of the store?',
  'Where are the vectors kept that a store loses?',
  'How is a word found in a language without spaces?',
  'Who may read the log of what people did?',
  'How long can an answer be resumed?',
  'Which file formats are read in a process of their own?',
  'How does a model move from one to another?',
  'What protects against instructions in documents?',
];

const { values: options } = parseArgs({
  options: { model: { type: 'string' }, seconds: { type: 'string', default: '300' } },
});
if (options.model === undefined) throw new Error('--model DIR is missing: the folder of an ONNX embedding model.');
const print = (line) => process.stdout.write(`${line}\n`);
const problems = [];

const folder = await realpath(await mkdtemp(join(tmpdir(), 'two-models-')));
await chmod(folder, 0o711);
let service;
try {
  service = await ServiceProcess.start({ settings: await settingsOf(folder, options.model) });
  await drill(await new ApiClient(service.url).login(service.admin.email, service.admin.password));
} finally {
  await service?.dispose();
  await rm(folder, { recursive: true, force: true });
}
for (const problem of problems) print(`WRONG  ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** A data folder with the model in it, and a file that names it. */
async function settingsOf(data, model) {
  await cp(model, join(data, 'models', basename(model)), { recursive: true, dereference: true });
  const file = join(data, 'models.json');
  const entry = { id: MODEL, port: 'embedding', provider: 'local', model: basename(model) };
  await writeFile(file, JSON.stringify({ models: [entry] }));
  return { DATA_DIR: data, MODELS_FILE: file, RATE_LIMITS: 'off' };
}

async function drill(client) {
  const [moved, real] = [await client.createDataset('Built in'), await client.createDataset('Real')];
  await choose(client, real);
  const chunks = await fill(client, [moved, real]);
  print(`${chunks[0]} chunks with the built-in model, ${chunks[1]} with ${basename(options.model)}`);
  const ask = async (question) => {
    const answer = await client.search(question, [moved, real], { top_k: 20 });
    return { answer, shown: JSON.stringify(answer.results.map(({ chunk_id: id, score }) => [id, score])) };
  };
  const before = new Map();
  for (const question of QUESTIONS) before.set(question, await ask(question));
  for (const [question, { answer }] of before) checkRanks(question, answer, [moved, real]);
  await choose(client, moved);
  const seen = await searchWhileItMoves(client, moved, ask);
  const after = new Map();
  for (const question of QUESTIONS) after.set(question, await ask(question));
  judge(seen, before, after);
  const changed = QUESTIONS.filter((question) => before.get(question).shown !== after.get(question).shown).length;
  print(
    `${changed} of ${QUESTIONS.length} questions are answered in another order or with other scores after the move`,
  );
  if (changed === 0) problems.push('the move has changed no answer: nothing could have been seen');
  const { stale, embedding } = await client.get(`/datasets/${moved}/health`).then(async (health) => ({
    stale: health.stale.embedding,
    embedding: (await client.get(`/datasets/${moved}`)).embedding,
  }));
  print(`afterwards: ${embedding.provider} ${embedding.model}, ${stale} documents with vectors of another model`);
  if (stale !== 0 || embedding.provider !== 'local') problems.push('the dataset has not moved');
}

async function choose(client, dataset) {
  const path = `/datasets/${dataset}/ingestion-policy`;
  const { status, body } = await client.send('PUT', path, JSON.stringify({ embedding: { model: MODEL } }));
  if (status !== 200) throw new Error(`The policy was refused: ${JSON.stringify(body)}`);
}

/** The records in turns into both; the numbers of their chunks. */
async function fill(client, datasets) {
  const names = (await readdir(RECORDS)).filter((name) => /^\d/.test(name)).sort();
  const documents = [];
  for (const [n, name] of names.entries()) {
    const content = await readFile(join(RECORDS, name));
    documents.push({ at: n % 2, id: (await client.upload(datasets[n % 2], { name, content })).id });
  }
  const chunks = [0, 0];
  for (const { at, id } of documents) {
    const { status, chunk_count: count } = await client.pollUntilTerminal(id, { timeoutMs: 300_000 });
    if (status !== 'completed') throw new Error(`${id} is ${status}.`);
    chunks[at] += count;
  }
  return chunks;
}

/** Each model has a list of its own: the first of either is in an answer over both. */
function checkRanks(question, { results, retrieval }, datasets) {
  if (retrieval.warnings.length > 0) problems.push(`${question}: ${JSON.stringify(retrieval.warnings)}`);
  for (const dataset of datasets) {
    const first = results.filter(({ dataset_id: id, ranks }) => id === dataset && ranks.vector === 1);
    const found = results.filter(({ dataset_id: id }) => id === dataset).length;
    if (found > 0 && first.length > 1) problems.push(`${question}: ${first.length} first places by one model`);
    if (found === 0) problems.push(`${question}: nothing of dataset ${dataset}`);
  }
}

async function searchWhileItMoves(client, dataset, ask) {
  const { reembedding_id: id } = await client.post(`/datasets/${dataset}/reembeddings`, {});
  const began = performance.now();
  const running = [];
  let [status, movedAt, looked] = ['pending', undefined, 0];
  for (let n = 0; movedAt === undefined || performance.now() - movedAt < AFTER_MS; n += 1) {
    await wait(Math.max(0, began + (n * 1_000) / RATE - performance.now()));
    running.push(searchOnce(QUESTIONS[n % QUESTIONS.length], ask));
    if (movedAt === undefined && performance.now() - looked > 250) {
      looked = performance.now();
      ({ status } = await client.get(`/datasets/${dataset}/reembeddings/${id}`));
      if (status === 'completed') movedAt = performance.now();
    }
    const late = performance.now() - began > Number(options.seconds) * 1_000;
    if (status === 'failed' || late) throw new Error(`The re-embedding is ${status} after ${options.seconds} s.`);
  }
  const seen = await Promise.all(running);
  const times = seen.map(({ ms }) => ms).sort((a, b) => a - b);
  const [half, most] = [times[Math.floor(times.length / 2)], times.at(-1)];
  const seconds = (performance.now() - began) / 1_000;
  print(
    `re-embedded in ${((movedAt - began) / 1_000).toFixed(1)} s; ${seen.length} searches in ${seconds.toFixed(1)} s, ` +
      `median ${half.toFixed(0)} ms, longest ${most.toFixed(0)} ms`,
  );
  return seen;
}

async function searchOnce(question, ask) {
  const sentAt = performance.now();
  try {
    const { answer, shown } = await ask(question);
    const endedAt = performance.now();
    return { question, sentAt, endedAt, ms: endedAt - sentAt, shown, warnings: answer.retrieval.warnings };
  } catch (error) {
    const endedAt = performance.now();
    return { question, sentAt, endedAt, ms: endedAt - sentAt, error: error.message };
  }
}

function judge(seen, before, after) {
  const errors = seen.filter(({ error }) => error !== undefined);
  const answered = seen.filter(({ error }) => error === undefined);
  const isBefore = ({ question, shown }) => shown === before.get(question).shown;
  const isAfter = ({ question, shown }) => shown === after.get(question).shown;
  const mixed = answered.filter((one) => !isBefore(one) && !isAfter(one));
  const warned = answered.filter(({ warnings }) => warnings.length > 0);
  // A search that was sent when another had already been answered from the new space must be answered from it too.
  const firstAfter = Math.min(...answered.filter((one) => !isBefore(one)).map(({ endedAt }) => endedAt));
  const back = answered.filter((one) => one.sentAt > firstAfter && !isAfter(one));
  print(
    `${errors.length} errors, ${mixed.length} answers of neither space alone, ${back.length} of the former one after the move, ` +
      `${warned.length} with warnings; ${answered.filter((one) => !isAfter(one)).length} as before, ${answered.filter((one) => !isBefore(one)).length} as after`,
  );
  if (errors.length > 0) problems.push(`a search failed: ${errors[0].error}`);
  if (mixed.length > 0) problems.push(`mixed: ${mixed[0].question}`);
  if (back.length > 0) problems.push(`from the former space after the move: ${back[0].question}`);
  if (warned.length > 0) problems.push(JSON.stringify(warned[0].warnings));
}
