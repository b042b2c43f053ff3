import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ingestArchive, partsOf, zipOf, type ArchiveRecord } from '../support/archive-files.js';
import type { Page } from '../support/api-client.js';
import { addMember, personOf } from '../support/people.js';
import { useTenant } from '../support/shared-service.js';

const TEXTS = {
  'a.txt': 'The axle of the north mill is greased in May.',
  'b/b.md': '# Bolts\n\nThe bolts of the north mill are tightened in June.',
};
const BROKEN = { 'broken.pdf': '%PDF-1.4\nThis is none.' };
const QUESTION = 'north mill';

interface Policy {
  readonly parsing: { archive: string };
}
interface Trial {
  readonly documents: readonly { readonly warnings: readonly object[] }[];
  readonly archives: readonly { readonly warnings: readonly object[] }[];
}

const service = useTenant();
let dataset: string;
let archive: ArchiveRecord;
let made = 0;

const names = async (): Promise<string[]> => {
  const { results } = await service.admin.search(QUESTION, [dataset]);
  return (results as unknown as { path: string }[]).map(({ path }) => path).toSorted();
};
const post = <T>(path: string, body: object): Promise<T> => service.admin.post<T>(path, body);
const batch = (operation: string, more: object = {}): Promise<{ accepted: string[]; rejected: object[] }> =>
  post(`/documents/batch/${operation}`, { document_ids: [archive.id], ...more });
const statusOf = async (path: string): Promise<number> => (await service.admin.send('GET', path)).status;
const states = async (): Promise<Record<string, string>> =>
  Object.fromEntries([...(await partsOf(service.admin, archive.id))].map(([path, { status }]) => [path, status]));
const setPolicy = async (change: (policy: Policy) => void): Promise<void> => {
  const { policy } = await service.admin.get<{ policy: Policy }>(`/datasets/${dataset}/ingestion-policy`);
  change(policy);
  const changed = await service.admin.send('PUT', `/datasets/${dataset}/ingestion-policy`, JSON.stringify(policy));
  expect(changed.status).toBe(200);
};

beforeEach(async () => {
  dataset = await service.admin.createDataset(`Mills ${(made += 1)}`);
  archive = await ingestArchive(service.admin, dataset, zipOf({ ...TEXTS, ...BROKEN }));
});

describe('what is done by the id of an archive', () => {
  it('retries its failed files, which its warning names with their reasons', async () => {
    expect(archive).toMatchObject({ status: 'completed', searchable: true });
    const [warning] = archive.warnings;
    expect(warning).toMatchObject({ code: 'ARCHIVE_PARTS_FAILED' });
    expect(warning!.detail).toMatch(/^1 of 3 files .*: broken\.pdf \(MALFORMED: [^)]+\)\. /);
    expect(await post(`/documents/${archive.id}/retry`, {})).toMatchObject({ status: 'processing' });
    expect(await service.admin.pollUntilTerminal(archive.id)).toMatchObject({ status: 'completed' });
    const { id } = (await partsOf(service.admin, archive.id)).get('broken.pdf')!;
    const { items } = await service.admin.get<{ items: { event: string }[] }>(`/documents/${id}/timeline`);
    expect(items.map(({ event }) => event).filter((event) => event.match(/failed|retried/))).toEqual([
      'failed',
      'retried',
      'failed',
    ]);
  });

  it('quarantines and releases all its files', async () => {
    await post('/governance/quarantine', { document_ids: [archive.id], reason: 'looked at' });
    expect(await names()).toEqual([]);
    expect(new Set(Object.values(await states()))).toEqual(new Set(['quarantined']));
    const editor = await addMember(await personOf(service.admin, 'admin'), `editor-${made}@example.com`, 'editor');
    await service.admin.patch(`/datasets/${dataset}`, { acl: 'all_team_members' });
    for (const { id } of (await partsOf(service.admin, archive.id)).values()) {
      expect((await editor.client.send('GET', `/documents/${id}/text`)).status).toBe(403);
    }
    expect((await editor.client.send('GET', `/documents/${archive.id}/content`)).status).toBe(403);
    await post('/governance/quarantine/release', { document_ids: [archive.id] });
    await service.admin.pollUntilTerminal(archive.id);
    expect(await names()).toEqual(Object.keys(TEXTS));
    expect((await editor.client.send('GET', `/documents/${archive.id}/content`)).status).toBe(200);
  });

  it('changes metadata and tags of its files, by one document and by several', async () => {
    await service.admin.patch(`/documents/${archive.id}`, { metadata: { site: 'north' }, tags: ['mill'] });
    await batch('update', { patch: { add_tags: ['2026'] } });
    for (const { id } of (await partsOf(service.admin, archive.id)).values()) {
      const part = await service.admin.get(`/documents/${id}`);
      expect(part).toMatchObject({ tags: ['mill', '2026'], metadata: { site: 'north' } });
    }
  });

  it('reingests its files, and one text under a policy of whole archives', async () => {
    expect(await batch('reingest')).toEqual({ accepted: [archive.id], rejected: [] });
    await service.admin.pollUntilTerminal(archive.id);
    expect(await states()).toEqual({ 'a.txt': 'completed', 'b/b.md': 'completed', 'broken.pdf': 'failed' });
    await setPolicy((policy) => {
      policy.parsing.archive = 'whole';
    });
    expect(await batch('reingest')).toEqual({ accepted: [archive.id], rejected: [] });
    expect(await service.admin.pollUntilTerminal(archive.id)).toMatchObject({ status: 'completed' });
    expect(await states()).toEqual({});
    expect(await service.admin.get(`/documents/${archive.id}/text`)).toMatch(/axle[\s\S]*bolts/);
  });

  it('cancels what has not ended, deletes everything, and frees its storage', async () => {
    const used = async () => (await service.admin.get<{ storage: { bytes: number } }>('/usage')).storage.bytes;
    const before = await used();
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${n}.txt`, `${n} sacks. `.repeat(4000)]));
    const { id } = await service.admin.upload(dataset, { name: 'many.zip', content: zipOf(many) });
    await until(async () => (await partsOf(service.admin, id)).size > 0, { what: 'the files', withinMs: 60_000 });
    expect(await post(`/documents/${id}/cancel`, {})).toMatchObject({ status: 'cancelled', searchable: false });
    const ended = [...(await partsOf(service.admin, id)).values()];
    expect(ended.length).toBe(60);
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['cancelled']));
    expect(await used()).toBeGreaterThan(before);
    await service.admin.delete(`/documents/${id}`);
    for (const part of ended.slice(0, 3)) expect(await statusOf(`/documents/${part.id}`)).toBe(404);
    expect(await used()).toBe(before);
  });

  it('shows its files to whom the dataset is opened, and no longer to whom it is closed', async () => {
    const other = await addMember(await personOf(service.admin, 'admin'), `other-${made}@example.com`, 'editor');
    const [part] = (await partsOf(service.admin, archive.id)).values();
    const seen = async () => [
      (await other.client.send('GET', `/documents/${part!.id}`)).status,
      (await other.client.get<Page<object>>(`/documents/?archive_id=${archive.id}`)).items.length,
    ];
    expect(await seen()).toEqual([404, 0]);
    await service.admin.patch(`/datasets/${dataset}`, { acl: 'all_team_members' });
    expect(await seen()).toEqual([200, 3]);
    expect((await other.client.search(QUESTION, [dataset])).results.length).toBe(2);
    await service.admin.patch(`/datasets/${dataset}`, { acl: 'only_me' });
    expect(await seen()).toEqual([404, 0]);
  });
});

describe('a trial of a policy on an archive', () => {
  const trial = async (document_ids: string[], change: (policy: Policy) => void = () => undefined) => {
    const { policy } = await service.admin.get<{ policy: Policy }>(`/datasets/${dataset}/ingestion-policy`);
    change(policy);
    return post<Trial>(`/datasets/${dataset}/ingestion-policy/dry-run`, { policy, document_ids });
  };

  it('is one on its files, and names those without text', async () => {
    const answer = await trial([archive.id]);
    expect(answer.documents).toMatchObject(
      Object.keys(TEXTS).map((path) => ({ path, archive_id: archive.id, after: { chunk_count: 1 }, warnings: [] })),
    );
    expect(answer.archives).toMatchObject([
      {
        document_id: archive.id,
        file_count: 3,
        tried_count: 2,
        left_out: [{ path: 'broken.pdf', code: 'documents.text_not_ready' }],
        warnings: [],
      },
    ]);
  });

  it('says where the archive would be one text, and where it would be a folder', async () => {
    const whole = await trial([archive.id], (policy) => {
      policy.parsing.archive = 'whole';
    });
    expect(whole.archives[0]!.warnings).toMatchObject([{ pointer: '/parsing/archive', code: 'NEEDS_PARSING' }]);
    await setPolicy((policy) => {
      policy.parsing.archive = 'whole';
    });
    const text = await ingestArchive(service.admin, dataset, zipOf(TEXTS), {}, 'whole.zip');
    const split = await trial([text.id], (policy) => {
      policy.parsing.archive = 'split';
    });
    expect(split.archives).toEqual([]);
    expect(split.documents[0]!.warnings).toMatchObject([{ pointer: '/parsing/archive', code: 'NEEDS_PARSING' }]);
  });
});
