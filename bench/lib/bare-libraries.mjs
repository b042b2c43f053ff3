/**
 * What someone would write without the service: LanceDB's own full-text and hybrid search, SQLite's FTS5 and the search engine that is
 * configured, each over the texts (and vectors) of the same chunks, asked for ten of them and nothing else.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../../dist/libs/database/src/index.js';
import { loadLance } from '../../dist/libs/vector-store/src/adapter/lancedb/lance-module.js';
import { vectorOf } from '../../dist/libs/vector-store/src/index.js';

const SHOWN = 10;
const BATCH = 2_000;
const ENGINE_SETTINGS = { elasticsearch: 'ELASTICSEARCH_URL', opensearch: 'OPENSEARCH_URL' };
const ENGINE_INDEX = 'bare-chunks';

/**
 * Fills each of them with the chunks of a dataset below `folder`, where that was not done before. Resolves to
 * `{keyword: {name: search}, hybrid: {name: search}, vector: {}}`; `search(question, embed)` resolves to the chunks that are found.
 */
export async function openBareLibraries({ unitOfWork, systemContext, embedder }, datasetId, folder) {
  const chunks = () => readChunks(unitOfWork, systemContext, datasetId, embedder.descriptor.space);
  const lance = await openLance(join(folder, `lance-${datasetId}`), chunks);
  const sqlite = await openSqlite(join(folder, `fts5-${datasetId}.sqlite`), chunks);
  const engine = await openEngine(process.env.VECTOR_STORE, chunks);
  return {
    keyword: { 'LanceDB full text': lance.keyword, 'SQLite FTS5': sqlite, ...engine },
    hybrid: { 'LanceDB hybrid': lance.hybrid },
    vector: {},
  };
}

/** `{id, text, vector}` of all chunks, in batches. */
async function* readChunks(unitOfWork, systemContext, datasetId, space) {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await unitOfWork.run(await systemContext(), (manager) =>
      rowsOf(
        manager,
        `SELECT c.id, c.body, v.vector FROM documents d JOIN chunks c ON c.document_id = d.id AND c.chunk_set_id = d.visible_chunk_set_id
         JOIN chunk_vectors v ON v.chunk_id = c.id AND v.space = $2
         WHERE d.dataset_id = $1 AND c.id > $3 ORDER BY c.id LIMIT ${BATCH}`,
        [datasetId, space, after],
      ),
    );
    if (rows.length === 0) return;
    after = rows.at(-1).id;
    yield rows.map(({ id, body, vector }) => ({ id, text: body, vector: Array.from(vectorOf(vector)) }));
  }
}

async function openLance(path, chunks) {
  const lancedb = await loadLance();
  const isFilled = existsSync(path);
  const connection = await lancedb.connect(path);
  let table;
  try {
    table = isFilled ? await connection.openTable('chunks') : await fillLance(lancedb, connection, chunks());
  } catch (error) {
    if (!isFilled) await rm(path, { recursive: true, force: true });
    throw error;
  }
  const fusion = await lancedb.rerankers.RRFReranker.create();
  return {
    keyword: (question) =>
      table
        .query()
        .fullTextSearch(question, { columns: ['text'] })
        .select(['id', 'text'])
        .limit(SHOWN)
        .toArray(),
    hybrid: async (question, embed) => {
      const fullText = table.query().fullTextSearch(question, { columns: ['text'] });
      const both = fullText.nearestTo(await embed(question)).rerank(fusion);
      return both.select(['id', 'text']).limit(SHOWN).toArray();
    },
  };
}

async function fillLance(lancedb, connection, chunks) {
  let table;
  for await (const rows of chunks) {
    if (table === undefined) table = await connection.createTable('chunks', rows);
    else await table.add(rows);
  }
  await table.createIndex('text', { config: lancedb.Index.fts() });
  await table.optimize();
  return table;
}

async function openSqlite(path, chunks) {
  const isFilled = existsSync(path);
  const database = new DatabaseSync(path);
  if (!isFilled) {
    try {
      await fillSqlite(database, chunks());
    } catch (error) {
      database.close();
      await rm(path, { force: true });
      throw error;
    }
  }
  const statement = database.prepare(
    `SELECT id, text, rank FROM chunks WHERE chunks MATCH ? ORDER BY rank LIMIT ${SHOWN}`,
  );
  return async (question) => statement.all(anyWordOf(question));
}

async function fillSqlite(database, chunks) {
  database.exec(`CREATE VIRTUAL TABLE chunks USING fts5(id UNINDEXED, text, tokenize = 'porter unicode61'); BEGIN`);
  const insert = database.prepare('INSERT INTO chunks (id, text) VALUES (?, ?)');
  for await (const rows of chunks) for (const { id, text } of rows) insert.run(id, text);
  database.exec(`COMMIT; INSERT INTO chunks (chunks) VALUES ('optimize')`);
}

/** In FTS5's language, each word as a string, joined by OR, as the others read a question too. */
function anyWordOf(question) {
  const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => `"${word}"`).join(' OR ');
}

/** Elasticsearch's or OpenSearch's own ranking, where one of them is the store; nothing otherwise. */
async function openEngine(store, chunks) {
  const setting = ENGINE_SETTINGS[store];
  if (setting === undefined) return {};
  const send = async (method, path, body, type = 'application/json') => {
    const url = new URL(path, `${process.env[setting]}/`);
    const content = body === undefined ? {} : { body, headers: { 'content-type': type } };
    const answer = await fetch(url, { method, ...content });
    if (!answer.ok) throw new Error(`${store} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
    return answer.json();
  };
  await send('DELETE', `${ENGINE_INDEX}?ignore_unavailable=true`);
  const properties = { id: { type: 'keyword' }, text: { type: 'text', analyzer: 'english' } };
  await send('PUT', ENGINE_INDEX, JSON.stringify({ mappings: { properties } }));
  for await (const rows of chunks()) {
    const lines = rows.flatMap(({ id, text }) => [JSON.stringify({ index: {} }), JSON.stringify({ id, text })]);
    const { errors } = await send('POST', `${ENGINE_INDEX}/_bulk`, `${lines.join('\n')}\n`, 'application/x-ndjson');
    if (errors) throw new Error(`${store} has not taken all chunks.`);
  }
  await send('POST', `${ENGINE_INDEX}/_forcemerge?max_num_segments=1`);
  await send('POST', `${ENGINE_INDEX}/_refresh`);
  const search = async (question) => {
    const body = JSON.stringify({ size: SHOWN, query: { match: { text: question } } });
    return (await send('POST', `${ENGINE_INDEX}/_search`, body)).hits.hits.map(({ _source: source }) => source);
  };
  return { [`${store}'s own`]: search };
}
