import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { uploadForm, type Answer, type DocumentRecord, type Page } from '../support/api-client.js';
import { addMember, addTenant, personOf, type Person } from '../support/people.js';
import { expectInvalid } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

interface Placed {
  readonly document_id: string;
  readonly document_name: string;
  readonly path: string | null;
  readonly document_created_at: string;
  readonly revision: number;
}
interface Uploaded extends DocumentRecord {
  readonly path: string | null;
  readonly revision: number;
  readonly created_at: string;
  readonly warnings: readonly { readonly code: string; readonly detail: string; readonly document_id?: string }[];
}
interface Reply {
  readonly citations: readonly Placed[];
  readonly sources: readonly Placed[];
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}
interface Precheck {
  readonly status: string;
  readonly files: readonly {
    readonly name: string;
    readonly checks: readonly { check: string; status: string; detail: string }[];
  }[];
}

const service = useTenant();
const HANDBOOKS = new URL('../fixtures/field/13-same-name-new-content/', import.meta.url);
const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const ALLOWANCE = 'How high is the hotel allowance?';
let made = 0;

const handbook = async (version: 'v1' | 'v2') => ({
  name: 'handbook.md',
  content: await readFile(new URL(`${version}/handbook.md`, HANDBOOKS)),
});
const newDataset = (more: object = {}): Promise<string> =>
  service.admin.createDataset(`Folders ${(made += 1)}`, { ...more });
const upload = async (dataset: string, content: string, fields: Record<string, string> = {}, name = 'README.md') =>
  (await service.admin.upload(dataset, { name, content }, fields)) as Uploaded;
const send = (dataset: string, fields: Record<string, string>, name = 'README.md'): Promise<Answer<Uploaded>> =>
  service.admin.send(
    'POST',
    '/documents/upload',
    uploadForm({ name, content: `x ${(made += 1)}` }, { dataset_id: dataset, ...fields }),
  );
const ended = (ids: readonly string[]) => Promise.all(ids.map((id) => service.admin.pollUntilTerminal(id)));

function batch(
  dataset: string,
  files: readonly (readonly [name: string, content: string | Uint8Array<ArrayBuffer>])[],
  paths: readonly string[],
) {
  const form = new FormData();
  form.append('dataset_id', dataset);
  for (const path of paths) form.append('path', path);
  for (const [name, content] of files) form.append('files', new Blob([content]), name);
  return form;
}

describe('a folder that is uploaded with its paths', () => {
  let dataset: string;
  let first: Uploaded;
  let second: Uploaded;

  beforeAll(async () => {
    dataset = await newDataset();
    first = await upload(dataset, 'The pump of the north house is serviced in May.', { path: './north\\README.md' });
    second = await upload(dataset, 'The pump of the south house is serviced in July.', { path: 'south/README.md' });
    await ended([first.id, second.id, (await upload(dataset, 'The pump of the yard is old.', {}, 'yard.md')).id]);
  });

  it('keeps files of one name apart, without a warning', async () => {
    expect([first.path, second.path]).toEqual(['north/README.md', 'south/README.md']);
    expect([...first.warnings, ...second.warnings].filter(({ code }) => code === 'SAME_NAME')).toEqual([]);
    expect(await service.admin.get(`/documents/${second.id}`)).toMatchObject({ name: 'README.md', path: second.path });
  });

  it('shows its paths in lists, and finds words of them', async () => {
    const list = await service.admin.get<Page<Uploaded>>(`/documents/?dataset_id=${dataset}&order_by=name`);
    expect(new Set(list.items.map(({ path }) => path))).toEqual(new Set(['north/README.md', 'south/README.md', null]));
    const found = await service.admin.get<Page<Uploaded>>(`/documents/?dataset_id=${dataset}&q=OUTH/r`);
    expect(found.items.map(({ id }) => id)).toEqual([second.id]);
  });

  it.each([
    [{ type: 'starts_with', key: 'path', value: 'north/' }, ['north/README.md']],
    [{ type: 'eq', key: 'path', value: 'south/README.md' }, ['south/README.md']],
    [{ type: 'in', key: 'path', value: ['south/README.md', 'x'] }, ['south/README.md']],
    [{ type: 'ends_with', key: 'path', value: '/README.md' }, ['north/README.md', 'south/README.md']],
    [{ type: 'contains', key: 'path', value: 'th/' }, ['north/README.md', 'south/README.md']],
    [{ type: 'exists', key: 'path', value: false }, [null]],
    [{ type: 'not', filters: [{ type: 'starts_with', key: 'path', value: 'north/' }] }, [null, 'south/README.md']],
  ])('is searched by %j', async (filters, paths) => {
    const { results } = await service.admin.search('pump', [dataset], { filters });
    const shown = (results as unknown as Placed[]).map(({ path }) => path);
    expect(shown.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(paths);
  });

  it('is searched by its path from Dify, where metadata that is called so still counts', async () => {
    const noted = await upload(
      dataset,
      'The pump of the roof hums.',
      { metadata: '{"path": "north/roof"}' },
      'roof.md',
    );
    await ended([noted.id]);
    const { secret } = await service.admin.post<{ secret: string }>('/auth/api-keys', {
      name: 'dify',
      scopes: ['retrieval:search', 'datasets:read'],
    });
    const ask = async (comparison_operator: string) => {
      const asked = {
        knowledge_id: dataset,
        query: 'pump',
        retrieval_setting: { top_k: 10, score_threshold: 0 },
        metadata_condition: { conditions: [{ name: ['path'], comparison_operator, value: 'north/' }] },
      };
      const url = '/integrations/dify/retrieval';
      const headers = { Authorization: `Bearer ${secret}` };
      const answer = await service.admin.send<{ records: { metadata: { path: string } }[] }>(
        'POST',
        url,
        asked,
        headers,
      );
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body.records.map(({ metadata }) => metadata.path.split(' › ')[0]).toSorted();
    };
    expect(await ask('start with')).toEqual(['north/README.md', 'roof.md']);
    expect(await ask('not contains')).toEqual(['south/README.md', 'yard.md']);
  });

  it('is listed with its paths in a chat', async () => {
    const { choices } = (await service.admin.chat('Which documents do you have?', [dataset])) as unknown as Reply;
    expect(choices[0]!.message.content).toContain('north/README.md');
  });
});

describe('a path', () => {
  it.each([
    ['/etc/README.md'],
    ['C:\\docs\\README.md'],
    ['../README.md'],
    ['docs/../../README.md'],
    ['docs/'],
    ['do\u0007cs/README.md'],
    [`${'x'.repeat(1_020)}/a.md`],
  ])('%j is refused', async (path) => {
    expectInvalid(await send(await newDataset(), { path }), ['/path']);
  });

  it('may have 1,024 characters, and an empty one is none', async () => {
    const dataset = await newDataset();
    const path = `${'ü'.repeat(1_019)}/a.md`;
    expect((await send(dataset, { path })).body.path).toBe(path);
    expect((await send(dataset, { path: '' })).body.path).toBeNull();
  });

  it('of each file of a batch is in the order of the files', async () => {
    const dataset = await newDataset();
    const files = [
      ['README.md', 'One text.'],
      ['x.png', PICTURE],
      ['README.md', 'Another text.'],
    ] as const;
    const { results } = await service.admin.post<{ results: { document: Uploaded | null }[] }>(
      '/documents/batch/upload',
      batch(dataset, files, ['a/README.md', 'a/x.png', '']),
    );
    expect(results.map(({ document }) => document?.path)).toEqual(['a/README.md', undefined, null]);
    const few = batch(dataset, files, ['a/README.md']);
    expectInvalid(await service.admin.send('POST', '/documents/batch/upload', few), ['/path']);
    const wrong = batch(dataset, files, ['a/README.md', '../x.png', '/y']);
    expectInvalid(await service.admin.send('POST', '/documents/batch/upload', wrong), ['/path/1', '/path/2']);
  });
});

describe('a file whose name is there with another content', () => {
  it('is told of, and quoted so that both can be told apart (13-same-name-new-content)', async () => {
    const dataset = await newDataset();
    const former = (await service.admin.upload(dataset, await handbook('v1'))) as Uploaded;
    const later = (await service.admin.upload(dataset, await handbook('v2'))) as Uploaded;
    expect(later.warnings).toEqual([
      { code: 'SAME_NAME', detail: expect.stringContaining(former.id), document_id: former.id },
    ]);
    await ended([former.id, later.id]);
    const shown = await service.admin.get<Uploaded>(`/documents/${later.id}/status`);
    expect(shown.warnings).toMatchObject([{ code: 'SAME_NAME', document_id: former.id }]);
    const { citations, sources } = (await service.admin.chat(ALLOWANCE, [dataset])) as unknown as Reply;
    for (const places of [citations, sources]) {
      const told = places.map(({ document_name, document_created_at, revision }) => {
        return { document_name, document_created_at, revision };
      });
      expect(new Set(places.map(({ document_id }) => document_id))).toEqual(new Set([former.id, later.id]));
      expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(new Set(places.map((p) => p.document_id)).size);
      expect(told).toContainEqual({
        document_name: 'handbook.md',
        document_created_at: former.created_at,
        revision: 1,
      });
    }
    await service.admin.delete(`/documents/${former.id}`);
    expect((await service.admin.get<Uploaded>(`/documents/${later.id}`)).warnings).toEqual([]);
  });

  it('becomes a revision where its form says so, and one text answers', async () => {
    const dataset = await newDataset();
    const former = (await service.admin.upload(dataset, await handbook('v1'))) as Uploaded;
    await ended([former.id]);
    const later = (await service.admin.upload(dataset, await handbook('v2'), {
      on_same_name: 'new_revision',
    })) as Uploaded;
    expect(later).toMatchObject({ id: former.id, revision: 2, warnings: [] });
    await ended([later.id]);
    const { citations, choices } = (await service.admin.chat(ALLOWANCE, [dataset])) as unknown as Reply;
    expect(choices[0]!.message.content).toContain('145');
    expect(choices[0]!.message.content).not.toContain('120');
    expect(new Set(citations.map(({ revision }) => revision))).toEqual(new Set([2]));
    expectInvalid(await send(dataset, { on_same_name: 'replace' }), ['/on_same_name']);
  });

  it('becomes a revision where the dataset says so; a dataset that was not asked keeps both', async () => {
    const dataset = await newDataset({ on_same_name: 'new_revision' });
    expect(await service.admin.get(`/datasets/${dataset}`)).toMatchObject({ on_same_name: 'new_revision' });
    const former = await upload(dataset, 'one');
    expect(await upload(dataset, 'two')).toMatchObject({ id: former.id, revision: 2 });
    await service.admin.patch(`/datasets/${dataset}`, { on_same_name: 'keep_both' });
    expect(await upload(dataset, 'three')).toMatchObject({ revision: 1, warnings: [{ document_id: former.id }] });
    const refused = await service.admin.send('PATCH', `/datasets/${dataset}`, { on_same_name: 'both' });
    expectInvalid(refused, ['/on_same_name']);
    expect(await service.admin.get(`/datasets/${await newDataset()}`)).toMatchObject({ on_same_name: 'keep_both' });
  });

  it('is one document of many uploads at once', async () => {
    const dataset = await newDataset({ on_same_name: 'new_revision' });
    const contents = Array.from({ length: 8 }, (_, n) => `text ${n}`);
    const all = await Promise.all(contents.map((content) => upload(dataset, content, { path: 'a/README.md' })));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(all.map(({ revision }) => revision).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('is found by a precheck before it is uploaded', async () => {
    const dataset = await newDataset();
    const former = await upload(dataset, 'The first text of all.');
    const form = new FormData();
    form.append('files', new Blob(['The second text of all.']), 'README.md');
    form.append('files', new Blob(['The third text of all.']), 'notes.md');
    form.append('files', new Blob(['The fourth text of all.']), 'notes.md');
    const path = `/datasets/${dataset}/precheck/scans`;
    const { scan_run_id: id } = await service.admin.post<{ scan_run_id: string }>(path, form);
    let run: Precheck | undefined;
    await until(async () => (run = await service.admin.get<Precheck>(`${path}/${id}`)).status === 'completed', {
      what: 'the precheck',
      withinMs: 60_000,
      everyMs: 100,
    });
    const found = run!.files.map(({ checks }) => checks.find(({ check }) => check === 'same_name'));
    expect(found.map((one) => one?.status)).toEqual(['warn', 'pass', 'warn']);
    expect(found[0]!.detail).toContain(former.id);
    expect(found[2]!.detail).toContain('another file of this scan');
  });
});

describe('names of what someone may not see', () => {
  it('are told to no one by uploads', async () => {
    const admin: Person = await personOf(service.admin, service.owner.email);
    const editor = await addMember(admin, 'folders-editor@example.com', 'editor');
    const stranger = await addTenant(service.platform, 'Folders elsewhere', 'folders-owner@example.com');
    const secret = await newDataset({ acl: 'only_me' });
    await upload(secret, 'secret', { path: 'secret/plan.md' }, 'plan.md');
    for (const person of [editor, stranger]) {
      const own = await person.client.createDataset(`Own ${(made += 1)}`);
      const fields = { path: 'secret/plan.md', on_same_name: 'new_revision' };
      const mine = (await person.client.upload(own, { name: 'plan.md', content: 'mine' }, fields)) as Uploaded;
      expect(mine).toMatchObject({ revision: 1, warnings: [] });
      const form = uploadForm({ name: 'plan.md', content: 'other' }, { dataset_id: secret, ...fields });
      expect((await person.client.send('POST', '/documents/upload', form)).status).toBe(404);
    }
  });
});
