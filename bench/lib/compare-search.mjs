/** `npm run bench:search -- --against DIR`: two checkouts answer the same questions in turn. */
import { Agent } from 'node:http';
import { inParallel } from './in-parallel.mjs';
import { uploadFiles, untilIngested } from './ingest-files.mjs';
import { medianOf } from './paired-ratios.ts';
import { postJson } from './post-json.mjs';
import { compareCheckouts } from './two-checkouts.mjs';
import { ZipfTexts } from './zipf-texts.mjs';

const PAIRS = 16;
/** Questions of a side in a round. */
const QUESTIONS = 60;
const WARM_UP = 200;
const TEXTS_PER_DOCUMENT = 10;
/** Most tokens of a chunk: about one generated text. */
const CHUNK_TOKENS = 256;
const FILES_PER_REQUEST = 20;
const DOCUMENTS_AT_ONCE = 100;
const UPLOADS_AT_ONCE = 4;
const POLL_MS = 100;

const texts = new ZipfTexts();

/**
 * Resolves to whether this checkout is slower. Each side ingests the same documents through HTTP until it holds `chunks`; then both
 * are asked the same questions, none of them twice.
 */
export function compareSearch({ against, pairs = PAIRS, sizes, methods, concurrency }) {
  if (sizes.length !== 1) throw new Error('Name one size: --chunks 10000');
  const prepare = async (side) => {
    const filled = await fill(side.client, sizes[0]);
    for (const method of methods) await ask({ ...side, ...filled }, { method, atOnce: 1 }, WARM_UP, 0);
    return filled;
  };
  const cases = methods.flatMap((method, m) =>
    concurrency.map((atOnce, c) => ({
      name: `${method}, ${atOnce} at once`,
      unit: 'p50 ms',
      measure: async (side, pair) => {
        const first = WARM_UP + ((pair * methods.length + m) * concurrency.length + c) * QUESTIONS;
        return { figure: await ask(side, { method, atOnce }, QUESTIONS, first), count: QUESTIONS };
      },
    })),
  );
  return compareCheckouts(against, { pairs, prepare, cases });
}

/** A dataset with at least this many chunks. */
async function fill(client, chunks) {
  const datasetId = await client.createDataset(`bench of ${chunks} chunks`);
  const policy = { chunking: { chunk_size: CHUNK_TOKENS } };
  const answer = await client.send('PUT', `/datasets/${datasetId}/ingestion-policy`, policy);
  if (answer.status !== 200) throw new Error(`The policy was answered by ${answer.status}.`);
  for (let documents = 0; ;) {
    const topics = Array.from({ length: DOCUMENTS_AT_ONCE }, (_, n) => documents + n);
    const options = { perRequest: FILES_PER_REQUEST, concurrency: UPLOADS_AT_ONCE };
    await uploadFiles(client, datasetId, topics.map(documentOf), options);
    documents += topics.length;
    const { chunk_count: count } = await untilIngested(client, datasetId, POLL_MS);
    if (count >= chunks) return { datasetId, documents };
  }
}

function documentOf(topic) {
  const bodies = Array.from({ length: TEXTS_PER_DOCUMENT }, (_, n) => texts.chunk(topic, n));
  return { name: `document-${topic}.txt`, content: bodies.join('\n\n'), mediaType: 'text/plain' };
}

/** Median milliseconds of a search, of the questions from the `first`-th on. */
async function ask({ client, datasetId, documents }, { method, atOnce }, count, first) {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const latencies = await inParallel(Array.from({ length: count }), atOnce, async (_, at) => {
    const n = first + at;
    const query = texts.question((n * 7_919) % documents, n);
    const body = JSON.stringify({ query, dataset_ids: [datasetId], search_method: method });
    const began = performance.now();
    const { status, text } = await postJson(agent, `${client.url}/retrieval/search`, body, client.headers);
    if (status !== 200) throw new Error(`A search answered ${status}: ${text.slice(0, 300)}`);
    return performance.now() - began;
  });
  agent.destroy();
  return medianOf(latencies.toSorted((a, b) => a - b));
}
