import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { makeZip } from '../../libs/parsing/src/testing/make-zip.js';
import { uploadForm, type Answer, type DocumentRecord, type Page } from '../support/api-client.js';
import { filesBelow } from '../support/files-below.js';
import { ingest, readFixture } from '../support/fixtures.js';
import { expectInvalid, expectProblem } from '../support/problem.js';
import { rawField, rawFile, sendRaw, utf8Bytes } from '../support/raw-form.js';
import { useService } from '../support/service-process.js';

const ABSENT = '01900000-0000-7000-8000-000000000000';
const service = useService({ settings: { MAX_UPLOAD_BYTES: '200000' } });
let datasetId: string;
let made = 0;

beforeAll(async () => {
  datasetId = await service.admin.createDataset('Uploads');
});

/** A text that no other file here has. */
const unique = (text = 'A text of its own'): string => `${text}, number ${(made += 1)}.`;

interface BatchResult {
  readonly results: readonly {
    readonly index: number;
    readonly file_name: string;
    readonly document: DocumentRecord | null;
    readonly error: { readonly status: number; readonly code: string; readonly detail: string } | null;
  }[];
  readonly accepted: number;
  readonly rejected: number;
}
type FormFile = readonly [name: string, content: string | Uint8Array];

function batchForm(files: readonly FormFile[], fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ dataset_id: datasetId, ...fields })) form.append(name, value);
  for (const [name, content] of files) form.append('files', new Blob([content]), name);
  return form;
}

/** How many files the service keeps, those of unfinished uploads included. */
async function storedFiles(): Promise<ReadonlySet<string>> {
  return new Set(await filesBelow(join(service.process.folder, 'data', 'files')));
}

/** What is stored now and was not before. Files that something earlier has left behind may go, and one of a revision that was overtaken may come and go. */
const keptSince = async (before: ReadonlySet<string>): Promise<string[]> =>
  [...(await storedFiles())].filter((path) => !before.has(path));

/** The same once nothing is ingested any more, which would add texts meanwhile. */
async function filesAtRest(): Promise<ReadonlySet<string>> {
  const under = (status: string): Promise<number> =>
    service.admin.get<Page<DocumentRecord>>(`/documents/?status=${status}&limit=1`).then(({ total }) => total);
  await until(async () => (await under('pending')) + (await under('processing')) === 0, { what: 'ingestion at rest' });
  return storedFiles();
}

const totalOf = async (id: string): Promise<number> =>
  (await service.admin.get<Page<DocumentRecord>>(`/documents/?dataset_id=${id}`)).total;

describe('the name of a file', () => {
  const cases: [what: string, parameters: string, name: string][] = [
    ['in UTF-8, as browsers and curl send it', `filename="${utf8Bytes('Übersicht 年度.txt')}"`, 'Übersicht 年度.txt'],
    ['in latin1', 'filename="\u00dcbersicht.txt"', 'Übersicht.txt'],
    ['in UTF-8 that was taken for latin1', `filename="${utf8Bytes(utf8Bytes('Übersicht.txt'))}"`, 'Übersicht.txt'],
    ['as filename* alone', `filename*=UTF-8''%E5%B9%B4%20%C3%9C.txt`, '年 Ü.txt'],
    ['as filename* after a fallback', `filename="fallback.txt"; filename*=UTF-8''%C3%9Cber.txt`, 'Über.txt'],
    ['as filename* before a fallback', `filename*=UTF-8''%C3%9Cber.txt; filename="fallback.txt"`, 'Über.txt'],
    ['as filename* in ISO-8859-1', `filename*=iso-8859-1'en'%DCber.txt`, 'Über.txt'],
    ['as a filename* that cannot be read', `filename="plain.txt"; filename*=UTF-8''%FF`, 'plain.txt'],
    ['with quotes as curl writes them', 'filename="a \\"b\\".txt"', 'a "b".txt'],
    ['with quotes as browsers write them', 'filename="a %22b%22.txt"', 'a "b".txt'],
    ['with a semicolon', 'filename="a;b.txt"', 'a;b.txt'],
    ['without quotes', 'filename=bare.txt', 'bare.txt'],
    ['with a Windows path', 'filename="C:\\fakepath\\new.txt"', 'new.txt'],
    ['with a path that climbs', 'filename="../../etc/passwd"', 'passwd'],
    ['with decomposed letters', `filename="${utf8Bytes('U\u0308ber.txt')}"`, 'Über.txt'],
    ['with control characters', 'filename="a\u0001b\u007f.txt"', 'ab.txt'],
    ['as an encoded word', 'filename="=?UTF-8?B?w5xiZXIudHh0?="', 'Über.txt'],
    ['that is a path and nothing else', 'filename="folder/"', 'document.txt'],
    ['that is empty', 'filename=""', 'document.txt'],
    ['that is too long', `filename="${utf8Bytes(`${'長'.repeat(300)}.md`)}"`, `${'長'.repeat(252)}.md`],
  ];

  it.each(cases)('comes out right %s, and comes back with the file', async (_what, parameters, name) => {
    const parts = [rawField('dataset_id', datasetId), rawFile(parameters, unique())];
    const answer = await sendRaw<DocumentRecord>(service.admin, '/documents/upload', parts);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body.name).toBe(name);
    const download = await fetch(`${service.admin.url}/documents/${answer.body.id}/content`, {
      headers: service.admin.headers,
    });
    await download.arrayBuffer();
    const disposition = download.headers.get('content-disposition')!;
    expect(decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(disposition)![1]!)).toBe(name);
    expect(/filename="([\x20-\x7e]*)"/.exec(disposition)?.[1]).not.toMatch(/["\\/]/);
  });

  it('comes out right from curl', async () => {
    const path = join(service.process.folder, 'Prüfung „März“.txt');
    await writeFile(path, unique());
    const args = [
      '-s',
      '-F',
      `dataset_id=${datasetId}`,
      '-F',
      `file=@${path}`,
      `${service.admin.url}/documents/upload`,
    ];
    const headers = Object.entries(service.admin.headers).flatMap(([key, value]) => ['-H', `${key}: ${value}`]);
    const { stdout } = await promisify(execFile)('curl', [...headers, ...args]);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Prüfung „März“.txt', status: 'pending' });
  });

  it('decides with the content how a file is read, also after a rename', async () => {
    const document = await ingest(service.admin, datasetId, { name: 'notes.md', content: `# Title\n\n${unique()}` });
    expect(document).toMatchObject({ status: 'completed', media_type: 'text/markdown' });
    await service.admin.patch(`/documents/${document.id}`, { name: 'Notes' });
    await service.admin.post('/documents/batch/reingest', { document_ids: [document.id] });
    expect(await service.admin.pollUntilTerminal(document.id)).toMatchObject({
      status: 'completed',
      media_type: 'text/markdown',
      name: 'Notes',
    });
  });
});

describe('a type of file', () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), randomBytes(500)]);
  it.each<[string, string, Buffer]>([
    ['an image', 'photo.png', png],
    ['a program', 'tool.exe', Buffer.concat([Buffer.from('MZ'), randomBytes(4096)])],
    [
      'a video',
      'clip.mp4',
      Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.from('mp42'), randomBytes(500)]),
    ],
    ['a sound', 'song.mp3', Buffer.concat([Buffer.from('ID3\u0003\u0000', 'latin1'), randomBytes(4000)])],
    ['bytes of no kind', 'data.bin', randomBytes(5_000)],
    ['bytes without any extension', 'data', randomBytes(5_000)],
  ])('that cannot be read is 415, and nothing is kept: %s', async (_what, name, content) => {
    const [files, documents] = [await storedFiles(), await totalOf(datasetId)];
    const form = uploadForm({ name, content }, { dataset_id: datasetId });
    const answer = await service.admin.send('POST', '/documents/upload', form);
    const problem = expectProblem(answer, 415, 'documents.type_not_supported');
    expect(problem.detail).toMatch(/PDF.*(Word|DOCX).*HTML/is);
    expect([await keptSince(files), await totalOf(datasetId)]).toEqual([[], documents]);
  });

  it.each<[string, string, string | Buffer, RegExp]>([
    ['empty', 'nothing.txt', '', /^EMPTY_FILE$/],
    ['text named .pdf', 'letter.pdf', 'Dear reader, this is no PDF.', /^TYPE_MISMATCH$/],
    ['an image named .txt', 'photo.txt', png, /^(TYPE_MISMATCH|UNSUPPORTED_TYPE|MALFORMED)$/],
  ])('that is wrong is taken and ends failed, with a reason: %s', async (_what, name, content, code) => {
    const document = await ingest(service.admin, datasetId, { name, content }, { on_duplicate: 'keep_both' });
    expect(document).toMatchObject({ status: 'failed', error: { code: expect.stringMatching(code) } });
  });

  it('that the policy does not allow is 415, and too large a file 413, both naming the policy', async () => {
    const id = await service.admin.createDataset('Strict');
    const { policy } = await service.admin.get<{ policy: { governance: object } }>(`/datasets/${id}/ingestion-policy`);
    const governance = { ...policy.governance, allowed_types: ['text/markdown'], max_bytes: 50 };
    const put = await service.admin.send('PUT', `/datasets/${id}/ingestion-policy`, { ...policy, governance });
    expect(put.status, JSON.stringify(put.body)).toBe(200);
    const files = await storedFiles();
    const send = (name: string, content: string): Promise<Answer<unknown>> =>
      service.admin.send('POST', '/documents/upload', uploadForm({ name, content }, { dataset_id: id }));
    const type = expectProblem(await send('a.txt', 'small'), 415, 'documents.type_not_allowed');
    expect(type.detail).toMatch(/policy.*allowed_types.*text\/markdown/s);
    const size = expectProblem(await send('a.md', '# '.repeat(26)), 413, 'documents.too_large_for_policy');
    expect(size.detail).toMatch(/policy.*max_bytes.*50/s);
    expect([await keptSince(files), await totalOf(id)]).toEqual([[], 0]);
    expect((await send('a.md', '# Fits')).status).toBe(201);
    const batch = new FormData();
    batch.append('dataset_id', id);
    for (const name of ['b.md', 'b.txt', 'c.md']) batch.append('files', new Blob([unique('x').slice(-20)]), name);
    const answer = await service.admin.send<BatchResult>('POST', '/documents/batch/upload', batch);
    expect(answer.body.results.map(({ error }) => error?.code ?? null)).toEqual([
      null,
      'documents.type_not_allowed',
      null,
    ]);
  });
});

describe('an upload of several files', () => {
  it('makes a document of each and says of each what became of it', async () => {
    const shared = unique();
    const files: FormFile[] = [
      ['good.txt', unique()],
      ['photo.exe', Buffer.concat([Buffer.from('MZ'), randomBytes(3000)])],
      ['first.txt', shared],
      ['again.txt', shared],
      ['large.txt', 'x'.repeat(200_001)],
      ['handbook.md', new Uint8Array((await readFixture('handbook.md')).content as Uint8Array)],
      ['empty.txt', ''],
    ];
    const before = await storedFiles();
    const form = batchForm(files, { metadata: '{"batch":7}' });
    for (const tag of ['x', ' y ', 'x']) form.append('tags', tag);
    const answer = await service.admin.send<BatchResult>('POST', '/documents/batch/upload', form);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const { results, accepted, rejected } = answer.body;
    expect(results.map(({ index, file_name: name }) => [index, name])).toEqual(files.map(([name], n) => [n, name]));
    expect(results.map(({ error }) => error && [error.status, error.code])).toEqual([
      null,
      [415, 'documents.type_not_supported'],
      null,
      [409, 'documents.duplicate'],
      [413, 'documents.file_too_large'],
      null,
      null,
    ]);
    expect([accepted, rejected]).toEqual([4, 3]);
    expect(await keptSince(before)).toHaveLength(4);
    const documents = results.flatMap(({ document }) => document ?? []);
    for (const document of documents) expect(document).toMatchObject({ metadata: { batch: 7 }, tags: ['x', 'y'] });
    const ends = await Promise.all(documents.map(({ id }) => service.admin.pollUntilTerminal(id)));
    expect(ends.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'failed']);
  });

  it('takes 20 files and refuses 21, keeping nothing', async () => {
    const files = (count: number): FormFile[] => Array.from({ length: count }, (_, n) => [`f${n}.txt`, unique()]);
    const twenty = await service.admin.send<BatchResult>('POST', '/documents/batch/upload', batchForm(files(20)));
    expect(twenty.body).toMatchObject({ accepted: 20, rejected: 0 });
    const [before, documents] = [await storedFiles(), await totalOf(datasetId)];
    const problem = expectInvalid(await service.admin.send('POST', '/documents/batch/upload', batchForm(files(21))), [
      '/files',
    ]);
    expect(problem.detail).toContain('20');
    expect([await keptSince(before), await totalOf(datasetId)]).toEqual([[], documents]);
  });

  it('is the same again with the same Idempotency-Key, and refused with other files', async () => {
    const files: FormFile[] = [
      ['one.txt', unique()],
      ['two.txt', unique()],
    ];
    const key = { 'Idempotency-Key': `batch-${randomBytes(6).toString('hex')}` };
    const send = (list: readonly FormFile[]): Promise<Answer<BatchResult>> =>
      service.admin.send('POST', '/documents/batch/upload', batchForm(list), key);
    const first = await send(files);
    const stored = await storedFiles();
    const second = await send(files);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    await expect.poll(() => keptSince(stored), { timeout: 20_000 }).toEqual([]);
    expectProblem(await send([files[0]!, ['two.txt', unique()]]), 422, 'http.idempotency_key_reused');
    await expect.poll(() => keptSince(stored), { timeout: 20_000 }).toEqual([]);
  });

  it('skips, revises or keeps what is there already', async () => {
    const content = unique();
    const before = await storedFiles();
    const send = async (name: string, on_duplicate: string): Promise<DocumentRecord> => {
      const form = batchForm([[name, content]], { on_duplicate });
      const { body } = await service.admin.send<BatchResult>('POST', '/documents/batch/upload', form);
      return body.results[0]!.document!;
    };
    const first = await send('a.txt', 'reject');
    expect((await send('b.txt', 'skip')).id).toBe(first.id);
    expect(await send('c.txt', 'new_revision')).toMatchObject({ id: first.id, revision: 2, name: 'c.txt' });
    expect((await send('d.txt', 'keep_both')).id).not.toBe(first.id);
    await service.admin.pollUntilTerminal(first.id);
    const timeline = await service.admin.get<{ items: readonly { event: string }[] }>(
      `/documents/${first.id}/timeline`,
    );
    const shown = timeline.items.filter(({ event }) => event === 'completed').length;
    // A first revision that the second one overtook was never shown; its file goes with it, in the background.
    await expect.poll(async () => (await keptSince(before)).length, { timeout: 20_000 }).toBe(1 + shown);
  });

  it('without any file, or with the wrong field, is 422', async () => {
    const send = (form: FormData): Promise<Answer<unknown>> =>
      service.admin.send('POST', '/documents/batch/upload', form);
    expectInvalid(await send(batchForm([])), ['/files']);
    const wrong = batchForm([]);
    wrong.append('file', new Blob(['x']), 'x.txt');
    expectInvalid(await send(wrong), ['/file', '/files']);
    const text = batchForm([]);
    text.append('files', 'just text');
    expectInvalid(await send(text), ['/files', '/files']);
    expectInvalid(
      await sendRaw(service.admin, '/documents/batch/upload', [
        rawField('dataset_id', datasetId),
        rawFile('filename=""', '', 'files'),
      ]),
      ['/files'],
    );
  });
});

describe.each([
  ['/documents/upload', 'file'],
  ['/documents/batch/upload', 'files'],
])('a form for %s', (path, field) => {
  it('does not count a place where no one chose a file', async () => {
    const answer = await sendRaw(service.admin, path, [
      rawField('dataset_id', datasetId),
      rawFile('filename=""', '', field),
      rawFile('filename="chosen.txt"', unique(), field),
    ]);
    expect(answer.status).toBe(201);
  });

  const send = (fields: Readonly<Record<string, string | readonly string[]>>): Promise<Answer<unknown>> => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ dataset_id: datasetId, ...fields })) {
      for (const one of [value].flat()) form.append(name, one);
    }
    form.append(field, new Blob([unique()]), 'a.txt');
    return service.admin.send('POST', path, form);
  };

  it.each<[string, Record<string, string | string[]>, string[]]>([
    ['metadata that are no JSON', { metadata: '{"a":' }, ['/metadata']],
    ['metadata that are a list', { metadata: '[1]' }, ['/metadata']],
    ['metadata that are a text', { metadata: '"x"' }, ['/metadata']],
    ['metadata that are null', { metadata: 'null' }, ['/metadata']],
    ['metadata of 64 KiB and a byte', { metadata: JSON.stringify({ a: 'x'.repeat(65_529) }) }, ['/metadata']],
    [
      'metadata of 20,001 values',
      { metadata: JSON.stringify({ a: Array.from({ length: 19_999 }, () => 1) }) },
      ['/metadata'],
    ],
    ['metadata of 33 levels', { metadata: `{"a":${'['.repeat(32)}${']'.repeat(32)}}` }, ['/metadata']],
    ['metadata with NUL', { metadata: '{"a":"\\u0000"}' }, ['/metadata/a']],
    ['metadata with half of a pair', { metadata: '{"a":"\\ud800"}' }, ['/metadata/a']],
    ['51 tags', { tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, ['/tags']],
    ['a tag of 129 characters', { tags: 'x'.repeat(129) }, ['/tags']],
    ['an unknown on_duplicate', { on_duplicate: 'perhaps' }, ['/on_duplicate']],
    ['on_duplicate twice', { on_duplicate: ['skip', 'reject'] }, ['/on_duplicate']],
    ['metadata twice', { metadata: ['{}', '{}'] }, ['/metadata']],
    [
      'the dataset twice',
      { dataset_id: ['', ABSENT].map(() => ABSENT.replace('0', 'z')) },
      ['/dataset_id', '/dataset_id'],
    ],
    ['no id of a dataset', { dataset_id: 'x' }, ['/dataset_id']],
    ['an unknown field', { surprise: '1' }, ['/surprise']],
    ['a field of the prototype', { constructor: '1' }, ['/constructor']],
  ])('is 422 with %s, and nothing is kept', async (_what, fields, pointers) => {
    const before = await filesAtRest();
    expectInvalid(await send(fields), pointers);
    await expect.poll(() => keptSince(before), { timeout: 20_000 }).toEqual([]);
  });

  it('may have 64 KiB of metadata, 50 tags and tags of 128 characters', async () => {
    const metadata = JSON.stringify({ a: 'x'.repeat(65_528) });
    expect(Buffer.byteLength(metadata)).toBe(65_536);
    const tags = Array.from({ length: 50 }, (_, n) => `${n}-`.padEnd(128, '😀'.repeat(2)).slice(0, 100));
    expect((await send({ metadata, tags })).status).toBe(201);
    expect((await send({ tags: '😀'.repeat(128) })).status).toBe(201);
  });

  it('for a dataset that is not there is 404', async () => {
    expectProblem(await send({ dataset_id: ABSENT }), 404, 'datasets.not_found');
  });

  const part = (header: string, content: string): string =>
    `--b\r\nContent-Disposition: form-data; ${header}\r\n\r\n${content}`;
  it.each([
    ['without a boundary', 'multipart/form-data', 'x'],
    ['that holds no part', 'multipart/form-data; boundary=b', 'hello'],
    ['that ends in a header', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-da'],
    ['that ends in a file', 'multipart/form-data; boundary=b', part(`name="${field}"; filename="a.txt"`, 'abc')],
    [
      'whose second file is cut',
      'multipart/form-data; boundary=b',
      `${part(`name="${field}"; filename="a.txt"`, 'abc')}\r\n${part(`name="${field}"; filename="b.txt"`, 'abc'.repeat(20_000))}`,
    ],
    ['with a part without a name', 'multipart/form-data; boundary=b', `${part('filename="a.txt"', 'abc')}\r\n--b--`],
    ['with a part without headers', 'multipart/form-data; boundary=b', '--b\r\n\r\nabc\r\n--b--'],
  ])('is 400 %s, and nothing is kept', async (_what, type, body) => {
    const before = await filesAtRest();
    const answer = await service.admin.send('POST', path, body, { 'Content-Type': type });
    expectProblem(answer, 400, 'documents.malformed_multipart');
    await expect.poll(() => keptSince(before), { timeout: 20_000 }).toEqual([]);
  });

  it('is 422 with hundreds of fields, and 415 when it is no form', async () => {
    expectInvalid(await send({ tags: Array.from({ length: 400 }, () => 't') }), ['']);
    expectProblem(await service.admin.send('POST', path, {}), 415, 'documents.not_multipart');
  });

  it('is 413 with fields of more than a megabyte together', async () => {
    const before = await filesAtRest();
    expectProblem(
      await send({ tags: Array.from({ length: 6 }, () => 'x'.repeat(200 * 1024)) }),
      413,
      'documents.fields_too_large',
    );
    await expect.poll(() => keptSince(before), { timeout: 20_000 }).toEqual([]);
  });

  it('leaves the connection usable when it is refused before it was read', async () => {
    const form = new FormData();
    form.append('dataset_id', ABSENT);
    for (let n = 0; n < 5; n += 1) form.append(field, new Blob(['y'.repeat(150_000)]), `${n}.txt`);
    for (let n = 0; n < 3; n += 1) {
      expectProblem(await service.admin.send('POST', path, form), 404, 'datasets.not_found');
    }
    expect((await service.admin.send('GET', '/datasets/')).status).toBe(200);
  });
});

describe('a new revision', () => {
  it('is searched instead of the old one when it is done, and not before', async () => {
    const id = await service.admin.createDataset('Revisions');
    const first = await ingest(service.admin, id, { name: 'fees.txt', content: 'The parking fee is four euros.' });
    const form = { on_duplicate: 'new_revision' };
    const taken = await service.admin.upload(id, { name: 'fees.txt', content: 'The parking fee is nine euros.' }, form);
    expect(taken).toMatchObject({ id: first.id, revision: 2, attempt: 2, searchable: true, status: 'pending' });
    const seen = new Set<string>();
    await service.admin.pollUntilTerminal(first.id, {
      intervalMs: 5,
      onProgress: (status) => void seen.add(String(status.searchable)),
    });
    expect(seen).toEqual(new Set(['true']));
    const { results } = await service.admin.search('parking fee', [id]);
    expect(results.map(({ text }) => text)).toEqual(['The parking fee is nine euros.']);
    expect(results[0]).toMatchObject({ revision: 2, document_id: first.id });
    expect(await service.admin.text(first.id)).toBe('The parking fee is nine euros.');
  });

  it('that cannot be read leaves the old one searchable', async () => {
    const id = await service.admin.createDataset('Broken revisions');
    const first = await ingest(service.admin, id, {
      name: 'a.docx',
      content: (await readFixture('guide.docx')).content,
    });
    expect(first.status).toBe('completed');
    const hollow = makeZip([{ name: 'hello.txt', data: Buffer.from('hello') }]);
    await service.admin.upload(id, { name: 'a.docx', content: hollow }, { on_duplicate: 'new_revision' });
    const end = await service.admin.pollUntilTerminal(first.id);
    expect(end).toMatchObject({ id: first.id, status: 'failed', searchable: true, revision: 2 });
    expect((await service.admin.search('observatory', [id])).results.length).toBeGreaterThan(0);
  });
});

describe('a change of a document', () => {
  let id: string;
  let document: DocumentRecord;
  beforeAll(async () => {
    id = await service.admin.createDataset('Changes');
    document = await ingest(
      service.admin,
      id,
      { name: 'pump.txt', content: unique('The pump is serviced') },
      {
        metadata: '{"state":"old","nested":{"a":1,"b":2}}',
        tags: 'draft',
      },
    );
  });
  const patch = (body: unknown, headers: Record<string, string> = {}): Promise<Answer<DocumentRecord>> =>
    service.admin.send('PATCH', `/documents/${document.id}`, body, headers);
  const found = async (key: string, value: string): Promise<boolean> => {
    const filters = { type: key === 'tags' ? 'contains' : 'eq', key, value };
    return (await service.admin.search('pump serviced', [id], { filters })).results.length > 0;
  };

  it('is found by filters at once, and the old values are not', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [now, before] = [`state-${round}`, round === 0 ? 'old' : `state-${round - 1}`];
      const body = { name: `pump-${round}.txt`, metadata: { state: now, nested: { a: null } }, tags: [now] };
      const answer = await patch(body);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        name: body.name,
        tags: [now],
        metadata: { state: now, nested: { b: 2 } },
        chunk_count: document.chunk_count,
        status: 'completed',
      });
      expect(await Promise.all([found('metadata.state', now), found('metadata.state', before)])).toEqual([true, false]);
      expect(await found('tags', now)).toBe(true);
      expect(await found('document_name', body.name)).toBe(true);
      expect(await found('document_name', round === 0 ? 'pump.txt' : `pump-${round - 1}.txt`)).toBe(false);
    }
    expect(await service.admin.get(`/documents/${document.id}`)).toMatchObject({ attempt: 1, revision: 1 });
  });

  it('takes application/merge-patch+json, and null removes', async () => {
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    expect((await patch('{"metadata":null,"tags":null}', headers)).body).toMatchObject({ metadata: {}, tags: [] });
    expect((await patch({})).status).toBe(200);
  });

  it.each<[string, unknown, string]>([
    ['an empty name', { name: '' }, '/name'],
    ['a blank name', { name: ' \t' }, '/name'],
    ['null for a name', { name: null }, '/name'],
    ['a name that is too long', { name: 'x'.repeat(256) }, '/name'],
    ['a name with NUL', { name: 'a\u0000' }, '/name'],
    ['a name with a line break', { name: 'a\nb' }, '/name'],
    ['metadata that are a list', { metadata: [] }, '/metadata'],
    ['metadata that are too large', { metadata: { a: 'x'.repeat(65_536) } }, '/metadata'],
    ['metadata with half of a pair', { metadata: { a: '\ud800' } }, '/metadata/a'],
    ['tags that are a text', { tags: 'x' }, '/tags'],
    ['tags that are numbers', { tags: [1] }, '/tags'],
    ['51 tags', { tags: Array.from({ length: 51 }, (_, n) => `${n}`) }, '/tags'],
    ['a tag of 129 characters', { tags: ['x'.repeat(129)] }, '/tags'],
    ['an unknown field', { status: 'completed' }, '/status'],
  ])('is 422 with %s', async (_what, body, pointer) => {
    const problem = expectProblem(await patch(body), 422, 'http.validation_failed');
    expect(new Set(problem.errors?.map((error) => error.pointer))).toEqual(new Set([pointer]));
  });

  it('is 404 for what is not there, 400 for no JSON, 415 for another type', async () => {
    for (const missing of [ABSENT, 'no-id']) {
      expectProblem(await service.admin.send('PATCH', `/documents/${missing}`, {}), 404, 'documents.not_found');
    }
    expectProblem(await patch('{"name":'), 400, 'http.malformed_json');
    expectProblem(await patch('name: x', { 'Content-Type': 'text/yaml' }), 415, 'http.media_type_not_supported');
    expectInvalid(await patch('[]'), ['']);
  });
});

describe('a change of many documents', () => {
  const update = (body: unknown): Promise<Answer<unknown>> =>
    service.admin.send('POST', '/documents/batch/update', body);

  it('by ids and by conditions is found by filters at once', async () => {
    const id = await service.admin.createDataset('Bulk changes');
    const form = new FormData();
    form.append('dataset_id', id);
    form.append('tags', 'draft');
    for (let n = 0; n < 12; n += 1) form.append('files', new Blob([unique('The valve opens')]), `${n}.txt`);
    const { results } = await service.admin.post<BatchResult>('/documents/batch/upload', form);
    const ids = results.map(({ document }) => document!.id);
    for (const one of ids) await service.admin.pollUntilTerminal(one);
    const count = async (tag: string): Promise<number> => {
      const filters = { type: 'contains', key: 'tags', value: tag };
      return (await service.admin.search('valve opens', [id], { filters, top_k: 50 })).results.length;
    };
    const first = await update({
      document_ids: ids.slice(0, 5),
      patch: { add_tags: ['final'], remove_tags: ['draft'] },
    });
    expect(first).toMatchObject({ status: 200, body: { accepted: ids.slice(0, 5), rejected: [] } });
    expect([await count('final'), await count('draft')]).toEqual([5, 7]);
    const second = await update({ dataset_id: id, where: { tag: 'draft' }, patch: { tags: ['archived'] } });
    expect((second.body as { accepted: string[] }).accepted.toSorted()).toEqual(ids.slice(5).toSorted());
    expect([await count('final'), await count('draft'), await count('archived')]).toEqual([5, 0, 7]);
    const absent = await update({ document_ids: [ABSENT], patch: { tags: [] } });
    expect(absent.body).toMatchObject({ accepted: [], rejected: [{ id: ABSENT, code: 'documents.not_found' }] });
  });

  it.each<[string, unknown, string[]]>([
    ['no patch', { document_ids: [ABSENT] }, ['/patch']],
    ['an empty patch', { document_ids: [ABSENT], patch: {} }, ['/patch']],
    ['no documents', { patch: { tags: [] } }, ['/dataset_id', '/document_ids']],
    ['an empty list', { document_ids: [], patch: { tags: [] } }, ['/document_ids']],
    ['501 ids', { document_ids: Array.from({ length: 501 }, () => ABSENT), patch: { tags: [] } }, ['/document_ids']],
    ['what is no id', { document_ids: ['x'], patch: { tags: [] } }, ['/document_ids']],
    ['both', { document_ids: [ABSENT], dataset_id: ABSENT, patch: { tags: [] } }, ['/dataset_id', '/document_ids']],
    ['a name in the patch', { document_ids: [ABSENT], patch: { name: 'x' } }, ['/patch/name']],
    ['wrong tags', { document_ids: [ABSENT], patch: { add_tags: 'x' } }, ['/patch/add_tags']],
    ['null tags to add', { document_ids: [ABSENT], patch: { add_tags: null } }, ['/patch/add_tags']],
    ['wrong metadata', { document_ids: [ABSENT], patch: { metadata: 1 } }, ['/patch/metadata']],
    ['a patch that is a list', { document_ids: [ABSENT], patch: [] }, ['/patch']],
    ['an unknown condition', { dataset_id: ABSENT, where: { age: 1 }, patch: { tags: [] } }, ['/where/age']],
    ['an unknown field', { document_ids: [ABSENT], patch: { tags: [] }, more: 1 }, ['/more']],
  ])('is 422 with %s', async (_what, body, pointers) => {
    const problem = expectProblem(await update(body), 422, 'http.validation_failed');
    expect(new Set(problem.errors?.map(({ pointer }) => pointer)), problem.detail).toEqual(new Set(pointers));
  });

  it('of a dataset that is not there is 404', async () => {
    expectProblem(await update({ dataset_id: ABSENT, patch: { tags: [] } }), 404, 'datasets.not_found');
  });
});

describe('a purge', () => {
  it('cleans what was deleted, and only that', async () => {
    const id = await service.admin.createDataset('Purged');
    const before = await filesAtRest();
    const files = Array.from({ length: 6 }, (_, n) => ({ name: `${n}.txt`, content: unique('The seal is tight') }));
    const documents = await Promise.all(files.map((file) => ingest(service.admin, id, file)));
    const [kept, ...gone] = documents;
    expect(await keptSince(before)).toHaveLength(6);
    for (const { id: one } of gone) await service.admin.delete(`/documents/${one}`);
    expect(await keptSince(before)).toHaveLength(6);
    const answer = await service.admin.send<{ purge_id: string }>('POST', `/datasets/${id}/purge`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    expect(answer.body).toMatchObject({ dataset_id: id, documents: 5, chunks: 5, blobs: 5 });
    const path = `/datasets/${id}/purges/${answer.body.purge_id}`;
    await expect.poll(() => service.admin.get(path), { timeout: 30_000 }).toMatchObject({ status: 'completed' });
    expect(await keptSince(before)).toHaveLength(1);
    const { results } = await service.admin.search('seal tight', [id]);
    expect(results.map(({ document_id: one }) => one)).toEqual([kept!.id]);
    expect(await service.admin.post(`/datasets/${id}/purge`, {})).toMatchObject({ documents: 0, chunks: 0, blobs: 0 });
  });

  it('is 404 for a dataset or a purge that is not there', async () => {
    for (const missing of [ABSENT, 'no-id']) {
      expectProblem(await service.admin.send('POST', `/datasets/${missing}/purge`), 404, 'datasets.not_found');
      const path = `/datasets/${datasetId}/purges/${missing}`;
      expectProblem(await service.admin.send('GET', path), 404, 'documents.purge_not_found');
    }
  });
});
