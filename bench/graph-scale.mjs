/**
 * How long it takes to extract a graph without a model:
 *
 *   npm run bench:graph-scale -- --data DIR [--chunks 10000] [--max-seconds 60] [--json FILE]
 *
 * DIR holds collections in BEIR layout. Their texts are ingested as documents, over again under other names until the dataset has
 * `--chunks` chunks; then `POST /kg/trigger` is timed until the graph is `completed`, and one read of the graph. Prints the seconds, chunks
 * a second and the resident memory above that of before. The exit code is 1 above `--max-seconds` for `--chunks` chunks.
 */
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { readCollection } from './lib/beir-folder.mjs';
import { untilIngested, uploadFiles } from './lib/ingest-files.mjs';
import { readNativeMemory } from './lib/native-memory.mjs';

const MEGABYTE = 1024 * 1024;
const POLL_MS = 250;
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    chunks: { type: 'string', default: '10000' },
    'max-seconds': { type: 'string', default: '60' },
    json: { type: 'string' },
  },
});
if (values.data === undefined) throw new Error('--data DIR is missing: a folder with collections in BEIR layout.');

const collections = [];
for (const path of readdirSync(values.data, { recursive: true }).sort())
  if (path.endsWith('corpus.jsonl')) collections.push(await readCollection(join(values.data, dirname(path))));
const texts = collections.flatMap(({ documents }) => documents.map(({ text }) => text));
if (texts.length === 0) throw new Error(`${values.data}: no corpus.jsonl in it.`);

const service = await ServiceProcess.start({ settings: { RATE_LIMITS: 'off' } });
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const dataset = await client.createDataset('bench of a graph');
  const characters = await fill(client, dataset, Number(values.chunks));
  const { documents, chunks } = await sizeOf(client, dataset);
  const before = await readNativeMemory(service.pid);
  const { seconds, peak, id } = await extract(client, dataset, before.resident);
  const began = performance.now();
  const { total } = await client.get(`/kg/${id}/graph?limit=100`);
  const read = (performance.now() - began) / 1000;
  const growth = (peak - before.resident) / MEGABYTE;
  process.stdout.write(
    `${documents} documents, ${chunks} chunks, ${(characters / MEGABYTE).toFixed(1)} MB of text: ${seconds.toFixed(1)} s, ` +
      `${(chunks / seconds).toFixed(0)} chunks/s; at most ${growth.toFixed(0)} MB more than before; ` +
      `${JSON.stringify(total)}, first read ${read.toFixed(2)} s\n`,
  );
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify({ documents, chunks, seconds, growth, read }, null, 2)}\n`);
  if (seconds > (Number(values['max-seconds']) * chunks) / Number(values.chunks)) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  await service.dispose();
}

/** Uploads all texts, as often as it takes; resolves to the characters in all. */
async function fill(client, dataset, wanted) {
  let characters = 0;
  for (let copy = 1; ; copy += 1) {
    const files = texts.map((text, n) => ({
      name: `text-${copy}-${n}.txt`,
      content: copy === 1 ? text : `${text}\nCopy ${copy}.`,
      mediaType: 'text/plain',
    }));
    await uploadFiles(client, dataset, files, { perRequest: 20, concurrency: 4 });
    await untilIngested(client, dataset, POLL_MS);
    characters += texts.reduce((sum, text) => sum + text.length, 0);
    const { chunks } = await sizeOf(client, dataset);
    process.stderr.write(`${chunks} chunks\n`);
    if (chunks >= wanted) return characters;
  }
}

async function sizeOf(client, dataset) {
  const { estimate } = await client.post('/kg/trigger', { dataset_id: dataset, dry_run: true });
  return { documents: estimate.documents, chunks: estimate.chunks };
}

async function extract(client, dataset, resident) {
  const began = performance.now();
  const { id } = await client.post('/kg/trigger', { dataset_id: dataset });
  let peak = resident;
  for (;;) {
    await wait(POLL_MS);
    peak = Math.max(peak, (await readNativeMemory(service.pid)).resident);
    const { status, error } = await client.get(`/kg/${id}`);
    if (status === 'completed') return { seconds: (performance.now() - began) / 1000, peak, id };
    if (status !== 'pending' && status !== 'running')
      throw new Error(`The graph is ${status}: ${JSON.stringify(error)}`);
  }
}
