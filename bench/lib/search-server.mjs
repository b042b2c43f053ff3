/**
 * The service and, in the same process, a bare Fastify route that does nothing but ask the vector store what a search of the
 * service asks it, and one for each of bare-libraries.mjs. A child of bench/search.mjs, which sends `{do, …}` over the channel of the two and gets `{done}` or `{failed}`.
 */
import 'reflect-metadata';
import Fastify from 'fastify';
import { Embedder } from '../../dist/libs/ai/src/index.js';
import { newId } from '../../dist/libs/common/src/index.js';
import { rowsOf, UnitOfWork } from '../../dist/libs/database/src/index.js';
import { analyzeQuery, storeQueryTerms } from '../../dist/libs/ranking/src/index.js';
import { indexRef, VectorStore } from '../../dist/libs/vector-store/src/index.js';
import { candidateLimit } from '../../dist/src/modules/retrieval/candidates/candidate-limits.js';
import { CANDIDATE_K_DEFAULT } from '../../dist/src/modules/retrieval/request/search-options.dto.js';
import { openBareLibraries } from './bare-libraries.mjs';
import { measureRecall } from './candidate-recall.mjs';
import { RetrievalWarmup } from '../../dist/src/modules/retrieval/index.js';
import { seedChunks } from './seed-chunks.mjs';
import { openService } from './service-in-process.mjs';
import { ZipfTexts } from './zipf-texts.mjs';

const SYSTEM = { kind: 'system', permissions: new Set() };
const DEADLINE_MS = 10_000;
const SHOWN = 10;

const { stores, app } = await openService();
const began = performance.now();
if (process.env.BENCH_COLD === undefined) await app.get(RetrievalWarmup).ensureWarm();
const warmUpMs = performance.now() - began;
await app.listen(0, '127.0.0.1');
const parts = { unitOfWork: app.get(UnitOfWork), store: app.get(VectorStore), embedder: app.get(Embedder) };
const texts = new ZipfTexts();
/** What the bare route is asked for, by dataset and question: made before the measuring, because it is no work of the store. */
const prepared = new Map();
const bare = Fastify({ forceCloseConnections: true });
bare.post('/search/:key', async ({ params }) => {
  const { index, terms, vector, methods } = prepared.get(params.key);
  const limit = candidateLimit(CANDIDATE_K_DEFAULT);
  const options = { signal: new AbortController().signal, deadlineMs: DEADLINE_MS };
  const found = await Promise.all([
    ...(methods === 'vector' ? [] : [parts.store.searchKeyword([index], { terms, limit }, options)]),
    ...(methods === 'keyword' ? [] : [parts.store.searchVector([index], { vector, limit }, options)]),
  ]);
  return { results: found.map((rows) => rows.slice(0, SHOWN)) };
});
/** By the method of a search and the name of the library. */
let libraries;
bare.post('/library/:method/:name', async ({ params, body }) => {
  const found = await libraries[params.method][params.name](body.query, embedQuestion);
  return { results: found.map(({ id, text }) => ({ id, text })) };
});
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });

const COMMANDS = {
  async seed({ datasetId, from, chunks, perDocument }) {
    const ctx = await systemContext();
    await seedChunks(parts, ctx, datasetId, texts, {
      from,
      chunks,
      perDocument,
      onProgress: (seeded) => process.send({ seeded }),
    });
  },
  async count({ datasetId }) {
    return parts.store.count(indexRef(await systemContext(), datasetId, parts.embedder.descriptor.space));
  },
  /** Questions for the bare route under the keys `<methods>-<n>`. */
  async prepare({ datasetId, questions }) {
    const index = indexRef(await systemContext(), datasetId, parts.embedder.descriptor.space);
    for (const [n, question] of questions.entries()) {
      const [vector] = (await parts.embedder.embed([question], 'query')).vectors;
      const terms = storeQueryTerms(analyzeQuery(question));
      for (const methods of ['hybrid', 'keyword', 'vector'])
        prepared.set(`${methods}-${n}`, { index, terms, vector, methods });
    }
  },
  /** Resolves to the names of the libraries that answer by each method, filled with the chunks of the dataset. */
  async libraries({ datasetId, folder }) {
    libraries = await openBareLibraries({ ...parts, systemContext }, datasetId, folder);
    return Object.fromEntries(Object.entries(libraries).map(([method, named]) => [method, Object.keys(named)]));
  },
  /** How much of the true best chunks is among the candidates, by how many are asked for. */
  async recall({ datasetId, questions, limits }) {
    const ctx = await systemContext();
    const index = indexRef(ctx, datasetId, parts.embedder.descriptor.space);
    return measureRecall(parts, ctx, { datasetId, index, questions, limits });
  },
  /** Resolves when the contents of all datasets are in memory. */
  async warm() {
    await app.get(RetrievalWarmup).ensureWarm();
  },
  async memory() {
    return { ...process.memoryUsage(), peak: process.resourceUsage().maxRSS * 1024 };
  },
};

process.on('message', ({ id, do: name, ...rest }) => {
  if (name === 'stop') return void stop();
  COMMANDS[name](rest).then(
    (done) => process.send({ id, done }),
    (error) => process.send({ id, failed: error.stack }),
  );
});
process.on('disconnect', () => process.exit(1));
process.send({ ready: { url: `${await app.getUrl()}/api/v1`, bareUrl, warmUpMs } });

async function embedQuestion(question) {
  const { vectors } = await parts.embedder.embed([question], 'query');
  return vectors[0];
}

async function systemContext() {
  const [tenant] = await parts.unitOfWork.runAsSystem((manager) =>
    rowsOf(manager, 'SELECT id FROM tenants ORDER BY created_at LIMIT 1'),
  );
  return { tenantId: tenant.id, principal: SYSTEM, requestId: newId() };
}

async function stop() {
  await bare.close();
  await app.close();
  await stores.close();
  process.disconnect();
  process.exit(0);
}
