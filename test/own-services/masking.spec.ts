import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { KeySearch } from '../../libs/ai/src/testing/key-traces.js';
import type { ApiClient, DocumentRecord, Page, UploadFile } from '../support/api-client.js';
import { Overheard } from '../support/overheard.js';
import { addMember, personOf, withApiKey, type Person } from '../support/people.js';
import { PLANTED_FORMATS } from '../support/planted/planted-files.js';
import { listValues, PLANTED_MARKS, PLANTED_TYPES, plantedValues } from '../support/planted/planted-values.js';
import { ServiceProcess } from '../support/service-process.js';
import { storedRows } from '../support/stored-rows.js';

const FORMATS = Object.keys(PLANTED_FORMATS);
const PLANTED = FORMATS.map((_, n) => listValues(plantedValues(n)));
const PATIENCE = { withinMs: 60_000, everyMs: 100 };
const MASK = '█';
const QUESTIONS = [
  'Who is written to before the tour begins?',
  'card of the hut in May',
  'token at night',
  'Rent each month',
];
const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
/** Where originals lie, and nothing else. */
const ORIGINALS = /^files\//;

interface Run {
  readonly scan_run_id: string;
  readonly status: string;
}

describe('300 values that the policy hides', () => {
  const search = new KeySearch(PLANTED_MARKS);
  const overheard = new Overheard();
  const originals = new Map<string, Buffer>();
  let service: ServiceProcess;
  /** May not read originals, and has uploaded all of them. */
  let editor: Person;
  let admin: Person;
  let key: ApiClient;
  let dataset: string;

  beforeAll(async () => {
    const settings = { LOG_LEVEL: 'debug', LOG_REQUESTS: 'on', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' };
    service = await ServiceProcess.start({ settings });
    overheard.start(service.url);
    const { ApiClient: Client } = await import('../support/api-client.js');
    const client = await new Client(service.url).login(service.admin.email, service.admin.password);
    admin = await personOf(client, service.admin.email);
    editor = await addMember(admin, 'editor@example.com', 'editor');
    key = await withApiKey(admin, ['retrieval:search', 'datasets:read']);
    dataset = await newDataset('Huts');
  });
  afterAll(async () => {
    await overheard.stop();
    await service?.dispose();
  });

  async function newDataset(name: string, action = 'mask'): Promise<string> {
    const id = await admin.client.createDataset(name, { acl: 'all_team_members' });
    const path = `/datasets/${id}/ingestion-policy`;
    const { policy } = await admin.client.get<{ policy: { governance: object; parsing: object } }>(path);
    const detectors = PLANTED_TYPES.map((type) => ({ entity_type: type, action, min_score: 0.5 }));
    const changed = await admin.client.send('PUT', path, {
      ...policy,
      // One document for each format; files of archives are masked like any other.
      parsing: { ...policy.parsing, archive: 'whole' },
      governance: { ...policy.governance, detectors },
    });
    expect(changed.status).toBe(200);
    return id;
  }

  function fileOf(n: number): UploadFile {
    const values = plantedValues(n);
    const content = Buffer.from(PLANTED_FORMATS[FORMATS[n]!]!(values) as string);
    return { name: `${values.emails[0]}.${FORMATS[n]}`, content };
  }

  /** What is said of a file beside it. */
  function factsOf(n: number): Record<string, string> {
    const { emails, cards, accounts, secrets } = plantedValues(n);
    const metadata = {
      owner: emails[1],
      [emails[2]!]: accounts[0],
      deep: { cards: [Number(cards[1])], list: [secrets[0]] },
    };
    return { metadata: JSON.stringify(metadata), tags: emails[1]! };
  }

  /** Where a value, or a part of one, is in what the service has written and said by now. */
  async function traces(): Promise<string[]> {
    const { found, looked } = await search.inFolder(join(service.folder, 'data'));
    const rows = await storedRows(service);
    expect(looked).toBeGreaterThan(10_000_000);
    expect(rows).toContain('before the tour begins');
    expect(service.log.length).toBeGreaterThan(50);
    expect(overheard.texts.join('')).toContain('before the tour begins');
    return [
      ...found.filter((path) => !ORIGINALS.test(path)),
      ...rows.split('\n').flatMap((row) => search.in(`tables: ${row.slice(0, 120)}`, row)),
      ...service.log.flatMap((line) => search.in(`log: ${line.slice(0, 120)}`, line)),
      ...overheard.texts.flatMap((text) => search.in(`answers: ${text.slice(0, 120)}`, text)),
    ];
  }

  it('are 300 different ones', () => {
    expect(new Set(PLANTED.flat()).size).toBe(300);
  });

  it.each(FORMATS.map((format, n) => [format, n] as const))(
    'are hidden in a .%s, and offsets stay',
    async (_format, n) => {
      const file = fileOf(n);
      const form: Record<string, string> = n % 2 === 0 ? {} : { 'Idempotency-Key': `planted-${n}` };
      const { id } = await editor.client.with(form).upload(dataset, file, factsOf(n));
      originals.set(id, Buffer.from(file.content as Buffer));
      const document = await editor.client.pollUntilTerminal(id);
      expect(document).toMatchObject({ status: 'completed', searchable: true });
      const text = await editor.client.get<string>(`/documents/${id}/text`);
      expect(text).toContain('before the tour begins');
      expect(text.split(MASK).length - 1).toBeGreaterThanOrEqual(PLANTED[n]!.join('').length);
      expect(JSON.stringify(document)).toContain(MASK);
    },
  );

  it('are in no answer of any route that shows documents', async () => {
    const page = await editor.client.get<Page<DocumentRecord>>(`/documents/?dataset_id=${dataset}&limit=100`);
    expect(page.total).toBe(FORMATS.length);
    const ids = page.items.map(({ id }) => id);
    const reader = admin.client;
    for (const id of ids) {
      for (const part of ['', '/status', '/timeline', '/chunks?limit=100', '/text'])
        await reader.get(`/documents/${id}${part}`);
    }
    await showSearches(reader, ids[0]!);
    for (const path of [
      `/datasets/${dataset}`,
      `/datasets/${dataset}/health`,
      `/datasets/${dataset}/tags`,
      `/datasets/${dataset}/ingestion-statistics`,
      `/datasets/${dataset}/config/export`,
      `/governance/findings?dataset_id=${dataset}&limit=100`,
      '/governance/audit-log?limit=100',
      '/governance/quarantine',
      '/usage',
      '/limits',
      '/health/details',
    ])
      await reader.get(path);
    await reader.send('GET', '/governance/audit-log', undefined, { Accept: 'application/jsonl' });
    const policy = (await reader.get<{ policy: object }>(`/datasets/${dataset}/ingestion-policy`)).policy;
    await reader.post(`/datasets/${dataset}/ingestion-policy/dry-run`, { policy, document_ids: ids.slice(0, 20) });
    const cases = QUESTIONS.map((query, n) => ({ query, relevant: [{ document_id: ids[n] }] }));
    await reader.post('/evaluations/jobs', {
      name: 'Huts',
      dataset_ids: [dataset],
      cases,
      variants: [{ name: 'one' }],
    });
  });

  async function showSearches(client: ApiClient, documentId: string): Promise<void> {
    for (const query of QUESTIONS) {
      const body = { query, dataset_ids: [dataset], top_k: 100 };
      for (const more of [{}, { search_method: 'keyword' }, { rerank: { enabled: true } }, { expand: 'neighbours' }]) {
        const name = `huts-${overheard.texts.length}`;
        const { results } = await client
          .with({ 'X-Request-ID': name })
          .post<{ results: unknown[] }>('/retrieval/search', { ...body, ...more });
        expect(results.length).toBeGreaterThan(0);
        await client.get(`/requests/${name}`);
        await client.post(`/requests/${name}/replay`, {});
      }
      await client.post('/retrieval/explain', { query, dataset_ids: [dataset], expected: { document_id: documentId } });
      await client.chat(query, [dataset]);
      for await (const _event of client.chatEvents(query, [dataset])) void _event;
      const dify = { query, knowledge_id: dataset, retrieval_setting: { top_k: 10, score_threshold: 0 } };
      await key.post('/integrations/dify/retrieval', dify);
    }
  }

  it('are neither in scans, prechecks of samples that hold them, rescans nor webhooks', async () => {
    const { client } = admin;
    await client.post('/webhooks', {
      url: 'http://127.0.0.1:9/none',
      events: ['document.completed', 'document.failed', 'scan.completed'],
    });
    const path = `/datasets/${dataset}`;
    const profile = await client.post<Run>(`${path}/profile/scans`, {});
    await ended(`${path}/profile/scans/${profile.scan_run_id}`);
    await client.get(`${path}/profile`);
    const form = new FormData();
    for (let n = 0; n < 10; n += 1) {
      const { name, content } = fileOf(n);
      form.append('files', new Blob([content]), name);
    }
    form.append('files', new Blob([`{"${plantedValues(3).emails[0]}": `]), `${plantedValues(3).emails[1]}.json`);
    const precheck = await client.post<Run>(`${path}/precheck/scans`, form);
    await ended(`${path}/precheck/scans/${precheck.scan_run_id}`);
    await client.get(`${path}/precheck/scans/${precheck.scan_run_id}/events`);
    for (const rest of ['/precheck', '/precheck/suggested-policy']) await client.get(`${path}${rest}`);
    const rescan = await client.post<{ id: string }>('/governance/rescans', { dataset_id: dataset });
    await ended(`/governance/rescans/${rescan.id}`);
    const { total } = await client.get<{ total: number }>(`/governance/findings?rescan_id=${rescan.id}`);
    expect(total).toBe(0);
  });

  async function ended(path: string): Promise<void> {
    const isEnded = async (): Promise<boolean> => {
      const { status } = await admin.client.get<{ status: string }>(path);
      expect(['failed', 'cancelled']).not.toContain(status);
      return status === 'completed';
    };
    await until(isEnded, { what: `the end of ${path}`, ...PATIENCE });
  }

  it('are in no refusal and no error', async () => {
    const [mail, other] = plantedValues(0).emails;
    const { client } = editor;
    const refused = await client.send('POST', '/documents/upload', formOf({ name: `${mail}.png`, content: PICTURE }));
    expect(refused.status).toBe(415);
    const again = await client.send('POST', '/documents/upload', formOf({ ...fileOf(0), name: `${other}.txt` }));
    expect(again.status).toBe(409);
    const broken: UploadFile[] = [
      { name: `${mail}.json`, content: `{"${mail}": ${other}` },
      { name: `${mail}.pdf`, content: `%PDF-1.4 ${mail}` },
      { name: `${mail}.docx`, content: `PK\x03\x04 ${mail}` },
      { name: `${mail}.ipynb`, content: `{"nbformat": "${mail}"` },
    ];
    const ends: string[] = [];
    for (const file of broken) {
      const { id } = await client.upload(dataset, file);
      ends.push((await client.pollUntilTerminal(id)).status);
      for (const part of ['', '/status', '/timeline']) await client.get(`/documents/${id}${part}`);
    }
    // What cannot be read as JSON or as a notebook is kept as text.
    expect(ends).toEqual(['completed', 'failed', 'failed', 'completed']);
  });

  function formOf({ name, content }: UploadFile): FormData {
    const form = new FormData();
    form.set('dataset_id', dataset);
    form.set('file', new Blob([content]), name);
    return form;
  }

  it('are hidden in what is said of documents later', async () => {
    const [id] = originals.keys();
    const { emails, cards } = plantedValues(1);
    const patch = {
      name: `${emails[0]}.md`,
      metadata: { reader: emails[1], card: Number(cards[0]) },
      tags: [emails[2]],
    };
    const after = await editor.client.patch<DocumentRecord>(`/documents/${id}`, patch);
    expect(JSON.stringify(after)).toContain(MASK);
    const many = { document_ids: [id], patch: { metadata: { second: emails[0] }, add_tags: [emails[1]] } };
    expect(await editor.client.post('/documents/batch/update', many)).toMatchObject({ accepted: [id] });
  });

  it('are byte by byte nowhere but in the originals', async () => {
    await overheard.stop();
    expect(await traces()).toEqual([]);
    const { found } = await search.inFolder(join(service.folder, 'data', 'files'));
    expect(found).not.toEqual([]);
  });

  it('are in the originals, which no one reads without governance:read, their uploader neither', async () => {
    for (const [id, content] of originals) {
      const refused = await editor.client.send<{ code: string }>('GET', `/documents/${id}/content`);
      expect(refused).toMatchObject({ status: 403, body: { code: 'documents.content_guarded' } });
      const response = await fetch(`${service.url}/documents/${id}/content`, { headers: admin.client.headers });
      expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    }
  });

  it('would be seen: what no policy hides is found in files, tables, the log and answers', async () => {
    const open = await newDataset('Open', 'allow');
    overheard.start(service.url);
    const { id } = await admin.client.upload(open, { ...fileOf(1), name: 'open.log' });
    await admin.client.pollUntilTerminal(id);
    await admin.client.get<string>(`/documents/${id}/text`);
    await admin.client.send('GET', `/datasets/?q=${PLANTED_MARKS[0]}`);
    await writeFile(join(service.folder, 'data', 'planted.txt'), PLANTED[0]!.join(' '), 'utf16le');
    await overheard.stop();
    const places = (await traces()).map((trace) => trace.split(/[:/]/, 1)[0]);
    expect(places).toEqual(expect.arrayContaining(['planted.txt', 'tables', 'answers', 'postgres']));
  });
});
