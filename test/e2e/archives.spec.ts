import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { makeZip } from '../../libs/parsing/src/testing/make-zip.js';
import { uploadForm, type DocumentRecord, type Page } from '../support/api-client.js';
import { addMember, addTenant, personOf } from '../support/people.js';
import { useTenant } from '../support/shared-service.js';

interface Part extends DocumentRecord {
  readonly path: string | null;
  readonly archive_id: string | null;
  readonly revision: number;
  readonly tags: readonly string[];
}

const service = useTenant();
const HANDBOOK = {
  'pumps/service.md': '# Pumps\n\nThe pump of the north house is serviced in May.',
  'pumps/parts.csv': 'part,price\nseal,4.50\nvalve,12.00\n',
  'README.md': '# Handbook\n\nThe hotline is open on weekdays.',
};
let made = 0;

const zip = (files: Readonly<Record<string, string>>): Buffer =>
  makeZip(Object.entries(files).map(([name, text]) => ({ name, data: Buffer.from(text) })));
const newDataset = (): Promise<string> => service.admin.createDataset(`Archives ${(made += 1)}`);
const upload = async (dataset: string, content: Buffer, fields: Record<string, string> = {}): Promise<Part> =>
  (await service.admin.upload(dataset, { name: 'handbook.zip', content }, fields)) as Part;
const partsOf = async (id: string): Promise<readonly Part[]> =>
  (await service.admin.get<Page<Part>>(`/documents/?archive_id=${id}&order_by=name`)).items;
const found = async (dataset: string, question: string, filters?: object): Promise<(string | null)[]> => {
  const { results } = await service.admin.search(question, [dataset], filters === undefined ? {} : { filters });
  return (results as unknown as { path: string | null }[]).map(({ path }) => path);
};
const statusOf = async (method: string, path: string, body?: object): Promise<number> =>
  (await service.admin.send(method, path, body === undefined ? undefined : JSON.stringify(body))).status;
async function ingested(
  files: Readonly<Record<string, string>> = HANDBOOK,
  dataset?: string,
): Promise<{ dataset: string; id: string }> {
  const into = dataset ?? (await newDataset());
  const { id } = await upload(into, zip(files), { tags: 'manual' });
  await service.admin.pollUntilTerminal(id);
  return { dataset: into, id };
}

describe('a ZIP in a new dataset', () => {
  let dataset: string;
  let id: string;
  beforeAll(async () => {
    ({ dataset, id } = await ingested());
  });

  it('is a folder: each file is a document, and the archive has ended with them', async () => {
    const policy = await service.admin.get<{ policy: { parsing: object } }>(`/datasets/${dataset}/ingestion-policy`);
    expect(policy.policy.parsing).toMatchObject({ archive: 'split' });
    const archive = await service.admin.get<Part>(`/documents/${id}`);
    expect(archive).toMatchObject({
      status: 'completed',
      processing_progress: 100,
      searchable: true,
      warnings: [],
      chunk_count: 0,
    });
    expect(archive).toMatchObject({ archive_id: null, path: null });
    const parts = await partsOf(id);
    expect(parts.map(({ path }) => path).toSorted()).toEqual(Object.keys(HANDBOOK).toSorted());
    for (const part of parts) {
      expect(part).toMatchObject({ archive_id: id, status: 'completed', searchable: true, tags: ['manual'] });
      const { items } = await service.admin.get<{ items: { event: string }[] }>(`/documents/${part.id}/timeline`);
      expect(items.map(({ event }) => event)).toEqual(expect.arrayContaining(['created', 'completed']));
    }
    expect(await service.admin.get(`/datasets/${dataset}/health`)).not.toMatchObject({ documents_without_chunks: 1 });
  });

  it('has no text of its own, and says where the texts are', async () => {
    const answer = await service.admin.send('GET', `/documents/${id}/text`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'documents.archive_without_text' } });
    expect((await service.admin.get<Page<object>>(`/documents/${id}/chunks`)).total).toBe(0);
    const readme = (await partsOf(id)).find(({ path }) => path === 'README.md')!;
    expect(await service.admin.get(`/documents/${readme.id}/text`)).toContain('The hotline is open');
  });

  it('is searched by its own id, by archive_id and by path', async () => {
    await ingested({ 'other.md': 'The pump of the south house is serviced in July.' }, dataset);
    const inside = ['pumps/service.md'];
    expect(new Set(await found(dataset, 'pump serviced'))).toEqual(new Set(['pumps/service.md', 'other.md']));
    const only = async (filters: object) =>
      (await found(dataset, 'pump serviced', filters)).filter((path) => path?.match(/service|other/));
    expect(await only({ type: 'eq', key: 'document_id', value: id })).toEqual(inside);
    expect(await only({ type: 'in', key: 'document_id', value: [id] })).toEqual(inside);
    expect(await only({ type: 'ne', key: 'document_id', value: id })).toEqual(['other.md']);
    expect(await only({ type: 'eq', key: 'archive_id', value: id })).toEqual(inside);
    expect(await only({ type: 'starts_with', key: 'path', value: 'pumps/' })).toEqual(inside);
  });

  it('passes changes of its metadata and tags on to its files', async () => {
    const body = { document_ids: [id], patch: { add_tags: ['2026'], metadata: { site: 'north' } } };
    expect(await statusOf('POST', '/documents/batch/update', body)).toBe(200);
    for (const part of await partsOf(id)) expect(part.tags).toEqual(['manual', '2026']);
    const filters = { type: 'eq', key: 'metadata.site', value: 'north' };
    await until(async () => (await found(dataset, 'pump', filters)).length > 0, {
      what: 'the new metadata in filters',
    });
  });

  it('shows another tenant and a stranger to the dataset nothing of its files', async () => {
    const { items } = await (
      await addTenant(service.platform, 'Elsewhere', 'elsewhere@example.com')
    ).client.get<Page<Part>>(`/documents/?archive_id=${id}`);
    expect(items).toEqual([]);
    const colleague = await addMember(await personOf(service.admin, 'admin'), 'colleague@example.com', 'editor');
    expect((await colleague.client.get<Page<Part>>(`/documents/?archive_id=${id}`)).items).toEqual([]);
    expect((await colleague.client.send('DELETE', `/documents/${id}`)).status).toBe(404);
  });
});

describe('a new revision of a ZIP', () => {
  it('matches its files by path', async () => {
    const { dataset, id } = await ingested();
    const before = new Map((await partsOf(id)).map((part) => [part.path, part]));
    const { 'pumps/parts.csv': _gone, ...kept } = HANDBOOK;
    const next = zip({
      ...kept,
      'README.md': '# Handbook\n\nThe hotline is open on Sundays.',
      'new.md': 'A new page.',
    });
    const again = await upload(dataset, next, { on_duplicate: 'new_revision' });
    expect(again.id).toBe(id);
    expect(await service.admin.pollUntilTerminal(id)).toMatchObject({ status: 'completed', revision: 2 });
    const after = new Map((await partsOf(id)).map((part) => [part.path, part]));
    expect([...after.keys()].toSorted()).toEqual(['README.md', 'new.md', 'pumps/service.md']);
    expect(after.get('README.md')).toMatchObject({ id: before.get('README.md')!.id });
    expect(after.get('pumps/service.md')!.id).toBe(before.get('pumps/service.md')!.id);
    expect(await service.admin.get(`/documents/${before.get('README.md')!.id}`)).toMatchObject({ revision: 2 });
    expect(await found(dataset, 'seal price', { type: 'eq', key: 'path', value: 'pumps/parts.csv' })).toEqual([]);
    expect(await statusOf('GET', `/documents/${id}/content`)).toBe(200);
  });

  it('keeps uploads of the same content and name apart from its files', async () => {
    const { dataset, id } = await ingested();
    const form = uploadForm({ name: 'README.md', content: HANDBOOK['README.md'] }, { dataset_id: dataset });
    const { status, body } = await service.admin.send<Part>('POST', '/documents/upload', form);
    expect(status).toBe(201);
    expect(body).toMatchObject({ archive_id: null, warnings: [] });
    expect((await partsOf(id)).length).toBe(3);
  });
});

describe('the file of a ZIP', () => {
  it('is handed out until one of its files is not, and goes with the first that is purged', async () => {
    const { dataset, id } = await ingested();
    const parts = await partsOf(id);
    expect(await statusOf('GET', `/documents/${id}/content`)).toBe(200);
    const [first, second] = parts;
    expect(await statusOf('DELETE', `/documents/${first!.id}`)).toBe(204);
    expect(await service.admin.send('GET', `/documents/${id}/content`)).toMatchObject({
      status: 403,
      body: { code: 'documents.archive_file_deleted' },
    });
    const { purge_id: purge } = await service.admin.post<{ purge_id: string }>(`/datasets/${dataset}/purge`, undefined);
    const done = async () =>
      (await service.admin.get<{ status: string }>(`/datasets/${dataset}/purges/${purge}`)).status === 'completed';
    await until(done, { what: 'the purge' });
    expect(await service.admin.send('GET', `/documents/${id}/content`)).toMatchObject({
      status: 410,
      body: { code: 'documents.archive_content_removed' },
    });
    expect(await statusOf('GET', `/documents/${second!.id}/content`)).toBe(200);
    const again = { document_ids: [id] };
    expect((await service.admin.send('POST', '/documents/batch/reingest', JSON.stringify(again))).body).toMatchObject({
      accepted: [id],
    });
    expect(await service.admin.pollUntilTerminal(id)).toMatchObject({ status: 'completed', searchable: true });
  });

  it('is deleted with all files by its id', async () => {
    const { dataset, id } = await ingested();
    const answer = await service.admin.send('POST', '/documents/batch/delete', JSON.stringify({ document_ids: [id] }));
    expect(answer.body).toMatchObject({ accepted: [id], rejected: [] });
    expect((await service.admin.get<Page<Part>>(`/documents/?dataset_id=${dataset}`)).items).toEqual([]);
    expect(await found(dataset, 'pump hotline')).toEqual([]);
  });
});
