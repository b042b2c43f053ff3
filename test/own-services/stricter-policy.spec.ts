import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectToRunningEmbeddedPostgres } from '#libs/database';
import { until } from '#testing/until';
import { KeySearch } from '../../libs/ai/src/testing/key-traces.js';
import { Overheard } from '../support/overheard.js';
import { PLANTED_FORMATS } from '../support/planted/planted-files.js';
import { PLANTED_MARKS, PLANTED_TYPES, plantedValues } from '../support/planted/planted-values.js';
import { useService } from '../support/service-process.js';
import { storedRows } from '../support/stored-rows.js';

const FORMATS = ['txt', 'csv', 'html'];
const QUESTIONS = ['Who is written to before the tour begins?', 'card of the hut in May'];
const PATIENCE = { withinMs: 60_000, everyMs: 200 };
/** Longer than the vector store keeps what searches may still read. */
const MERGED = { withinMs: 120_000, everyMs: 1_000 };
const service = useService();
const search = new KeySearch(PLANTED_MARKS);
const overheard = new Overheard();

/** Traces below a folder of the data, by the path of the file. */
const tracesIn = async (...path: string[]): Promise<string[]> =>
  (await search.inFolder(join(service.process.folder, 'data', ...path))).found;

async function tracesInTables(): Promise<string[]> {
  const rows = (await storedRows(service.process)).split('\n');
  return rows.flatMap((row) => search.in(row.slice(0, 90), row));
}

async function query(...statements: string[]): Promise<void> {
  const urls = await connectToRunningEmbeddedPostgres(join(service.process.folder, 'data', 'postgres'));
  const client = new Client({ connectionString: Object.assign(new URL(urls!.superuserUrl), { pathname: '/kb' }).href });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

describe('what was ingested before the policy began to hide it', () => {
  let dataset: string;
  const ids: string[] = [];
  beforeAll(async () => {
    const { admin } = service;
    dataset = await admin.createDataset('Huts');
    for (const [n, format] of FORMATS.entries()) {
      const values = plantedValues(n);
      const file = { name: `${values.emails[0]}.${format}`, content: Buffer.from(PLANTED_FORMATS[format]!(values)) };
      const metadata = JSON.stringify({ owner: values.emails[1], [values.emails[2]!]: values.accounts[0] });
      const { id } = await admin.upload(dataset, file, { metadata, tags: values.emails[1]! });
      await admin.pollUntilTerminal(id);
      ids.push(id);
    }
  });
  afterAll(() => overheard.stop());

  /** Everything that shows documents; requests of before by their names. */
  async function showAll(): Promise<void> {
    const { admin } = service;
    const path = `/datasets/${dataset}`;
    for (const id of ids)
      for (const part of ['', '/status', '/timeline', '/chunks?limit=100', '/text', '/revisions'])
        await admin.send('GET', `/documents/${id}${part}`);
    for (const [n, question] of QUESTIONS.entries()) {
      const body = { query: question, dataset_ids: [dataset], top_k: 50 };
      for (const search_method of ['keyword', 'vector', 'hybrid'])
        await admin.send('POST', '/retrieval/search', { ...body, search_method });
      await admin.send('POST', '/retrieval/explain', { ...body, expected: { document_id: ids[0] } });
      await admin.chat(question, [dataset]);
      for (const part of ['', '/replay'])
        await admin.send(part === '' ? 'GET' : 'POST', `/requests/before-${n}${part}`, part === '' ? undefined : {});
    }
    for (const at of [
      `/documents/?dataset_id=${dataset}&limit=100`,
      path,
      `${path}/health`,
      `${path}/tags`,
      `${path}/tables`,
      `${path}/profile`,
      `${path}/precheck`,
      `${path}/config/export`,
      `/kg/${dataset}/graph`,
      `/kg/${dataset}/entities`,
      `/governance/findings?dataset_id=${dataset}&limit=100`,
      '/governance/audit-log?limit=100',
    ])
      await admin.send('GET', at);
    const sql = `SELECT * FROM "${await firstTable()}"`;
    await admin.send('POST', `${path}/tables/query/sql`, { sql });
  }

  async function firstTable(): Promise<string> {
    type Tables = { readonly items?: readonly { readonly name: string }[] };
    const { items } = await service.admin.get<Tables>(`/datasets/${dataset}/tables`);
    return items?.[0]?.name ?? 'none';
  }

  it('is shown and stored at first', async () => {
    const { admin } = service;
    for (const [n, question] of QUESTIONS.entries())
      await admin
        .with({ 'X-Request-ID': `before-${n}` })
        .post('/retrieval/search', { query: question, dataset_ids: [dataset] });
    await admin.post(`/datasets/${dataset}/profile/scans`, {});
    await admin.post(`/datasets/${dataset}/precheck/scans`, { document_ids: ids });
    await admin.send('POST', '/kg/trigger', { dataset_id: dataset, mode: 'heuristic' });
    overheard.start(service.process.url);
    await showAll();
    await overheard.stop();
    expect(overheard.texts.flatMap((text) => search.in('answers', text))).not.toEqual([]);
    expect(await tracesIn('vectors')).not.toEqual([]);
    expect(await tracesInTables()).not.toEqual([]);
  }, 120_000);

  it('is in no answer once a reingest under the stricter policy has ended', async () => {
    const { admin } = service;
    const path = `/datasets/${dataset}/ingestion-policy`;
    const { policy } = await admin.get<{ policy: { governance: object } }>(path);
    const detectors = PLANTED_TYPES.map((type) => ({ entity_type: type, action: 'mask', min_score: 0.5 }));
    const changed = { ...policy, governance: { ...policy.governance, detectors } };
    expect((await admin.send('PUT', path, changed)).status).toBe(200);
    await admin.post('/documents/batch/reingest', { document_ids: ids });
    for (const id of ids) expect(await admin.pollUntilTerminal(id)).toMatchObject({ status: 'completed' });
    overheard.texts.length = 0;
    overheard.start(service.process.url);
    await showAll();
    await overheard.stop();
    expect(overheard.texts.join('')).toContain('before the tour begins');
    const said = overheard.texts.flatMap((text) => search.in(`answers: ${text.slice(0, 100)}`, text));
    expect(said).toEqual([]);
  }, 120_000);

  it('leaves every table of the database, and the files of the vector store', async () => {
    await until(async () => (await tracesInTables()).length === 0, { what: 'rows of before are gone', ...PATIENCE });
    await until(async () => (await tracesIn('vectors')).length === 0, { what: 'old versions are gone', ...MERGED });
    const folders = (await readdir(join(service.process.folder, 'data'))).filter(
      (name) => !['files', 'postgres'].includes(name),
    );
    for (const folder of folders) expect(await tracesIn(folder).catch(() => [])).toEqual([]);
  }, 240_000);

  it('leaves the pages of the database when they are written again, as docs/operations/sensitive-content.md says', async () => {
    await query('VACUUM (FULL)', 'CHECKPOINT');
    expect(await tracesIn('postgres', 'cluster', 'base')).toEqual([]);
  }, 120_000);
});

it('a name that a stricter policy masks leads to nothing once the document is ingested again', async () => {
  const { admin } = service;
  const dataset = await admin.createDataset('Berths');
  const { id } = await admin.upload(dataset, {
    name: 'olga.petrov@heron-bay.io.txt',
    content: 'The berth is let until May.',
  });
  await admin.pollUntilTerminal(id);
  const found = async (word: string): Promise<number> => {
    const body = { query: word, dataset_ids: [dataset], search_method: 'keyword' };
    return (await admin.post<{ results: unknown[] }>('/retrieval/search', body)).results.length;
  };
  expect(await found('petrov')).toBe(1);
  const path = `/datasets/${dataset}/ingestion-policy`;
  const { policy } = await admin.get<{ policy: { governance: object } }>(path);
  const detectors = [{ entity_type: 'email', action: 'mask', min_score: 0.5 }];
  await admin.send('PUT', path, { ...policy, governance: { ...policy.governance, detectors } });
  await admin.post('/documents/batch/reingest', { document_ids: [id] });
  expect(await admin.pollUntilTerminal(id)).toMatchObject({ status: 'completed' });
  expect(await found('petrov')).toBe(0);
  expect(await found('berth')).toBe(1);
});
