import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SignJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeBomb, makeZip } from '../../libs/parsing/src/testing/make-zip.js';
import {
  uploadForm,
  type ApiClient,
  type Answer,
  type DocumentRecord,
  type UploadFile,
} from '../support/api-client.js';
import { filesBelow } from '../support/files-below.js';
import { ingest, readFixture } from '../support/fixtures.js';
import { personOf, type Person } from '../support/people.js';
import { expectInvalid, expectProblem } from '../support/problem.js';
import { useService } from '../support/service-process.js';

const SIGNING_KEY = randomBytes(32).toString('hex');
const ABSENT = '01900000-0000-7000-8000-000000000000';
const service = useService({ settings: { AUTH_JWT_KEY: SIGNING_KEY } });
let me: Person;
let datasetId: string;

beforeAll(async () => {
  me = await personOf(service.admin, service.process.admin.email);
  datasetId = await service.admin.createDataset('Bad input');
});

/** Whatever was sent, the same process is still there and works. */
afterEach(async () => {
  expect(service.process.isRunning).toBe(true);
  expect((await service.anonymous.send('GET', '/health/ready')).body).toEqual({ ok: true, status: 'ready' });
});

describe('credentials', () => {
  type Claims = { iss?: string; aud?: string; sub?: string; from?: string; until?: string; key?: string };
  const token = ({
    iss = 'knowledge-base',
    aud = 'knowledge-base-api',
    sub,
    from = '-1 minute',
    until = '1 hour',
    key = SIGNING_KEY,
  }: Claims) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(iss)
      .setAudience(aud)
      .setSubject(sub ?? me.accountId)
      .setIssuedAt(from)
      .setExpirationTime(until)
      .sign(new TextEncoder().encode(key));
  const bearer = (value: string): ApiClient => service.anonymous.with({ Authorization: `Bearer ${value}` });

  it('are needed', async () => {
    expectProblem(await service.anonymous.send('GET', '/datasets/'), 401, 'auth.credential_missing');
    expectProblem(
      await service.anonymous.send('POST', '/documents/upload', new FormData()),
      401,
      'auth.credential_missing',
    );
  });

  it('made as the service makes them are accepted, so the refusals below have one reason each', async () => {
    expect((await bearer(await token({})).send('GET', '/datasets/')).status).toBe(200);
  });

  it.each([
    ['an expired token', { from: '-2 hours', until: '-1 hour' }],
    ['a token signed with another key', { key: randomBytes(32).toString('hex') }],
    ['a token of another issuer', { iss: 'https://issuer.example' }],
    ['a token for another audience', { aud: 'something-else' }],
    ['a token of an unknown account', { sub: ABSENT }],
    ['a token whose subject is no account id', { sub: "' OR 1=1" }],
  ] satisfies [string, Claims][])('%s is 401', async (_name, claims) => {
    expectProblem(await bearer(await token(claims)).send('GET', '/datasets/'), 401, 'auth.credential_invalid');
  });

  it('without a signature are 401', async () => {
    const [, payload] = (await token({})).split('.');
    const header = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    expectProblem(await bearer(`${header}.${payload}.`).send('GET', '/datasets/'), 401, 'auth.credential_invalid');
  });

  it('with a changed payload are 401', async () => {
    const [header, payload, signature] = (await token({ sub: ABSENT })).split('.');
    const changed = Buffer.from(Buffer.from(payload!, 'base64url').toString().replace(ABSENT, me.accountId)).toString(
      'base64url',
    );
    expectProblem(
      await bearer(`${header}.${changed}.${signature}`).send('GET', '/datasets/'),
      401,
      'auth.credential_invalid',
    );
  });
});

describe('things that are not there', () => {
  it.each(['01900000-0000-7000-8000-000000000000', 'no-id', '%00', "1' OR '1'='1", '%F0%9F%92%A9'])(
    'a dataset "%s" is 404',
    async (id) => {
      expectProblem(await service.admin.send('GET', `/datasets/${id}`), 404, 'datasets.not_found');
      expectProblem(
        await service.admin.send('PATCH', `/datasets/${id}`, { description: 'x' }),
        404,
        'datasets.not_found',
      );
      expectProblem(await service.admin.send('DELETE', `/datasets/${id}`), 404, 'datasets.not_found');
    },
  );

  it.each(['status', 'timeline', 'chunks', 'text', 'content'])(
    'the %s of a document that is not there is 404',
    async (part) => {
      expectProblem(await service.admin.send('GET', `/documents/${ABSENT}/${part}`), 404, 'documents.not_found');
      expectProblem(await service.admin.send('GET', `/documents/no-id/${part}`), 404, 'documents.not_found');
    },
  );

  it('a dataset that is not there is 404 in search, chat and upload', async () => {
    const search = { query: 'x', dataset_ids: [datasetId, ABSENT] };
    expectProblem(await service.admin.send('POST', '/retrieval/search', search), 404, 'datasets.not_found');
    const chat = { messages: [{ role: 'user', content: 'x' }], dataset_ids: [ABSENT] };
    expectProblem(await service.admin.send('POST', '/chat/completions', chat), 404, 'datasets.not_found');
    expectProblem(
      await service.admin.send('POST', '/chat/completions', { ...chat, stream: true }),
      404,
      'datasets.not_found',
    );
    const form = uploadForm({ name: 'a.txt', content: 'a' }, { dataset_id: ABSENT });
    expectProblem(await service.admin.send('POST', '/documents/upload', form), 404, 'datasets.not_found');
  });

  it('a route that is not there is 404, another method 405 with Allow', async () => {
    expectProblem(await service.admin.send('GET', '/no/such/route'), 404, 'http.route_not_found');
    const answer = await service.admin.send('PUT', `/datasets/${datasetId}`, {});
    expectProblem(answer, 405, 'http.method_not_allowed');
    expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH']);
  });
});

describe('a percent escape that makes no character', () => {
  it.each(['/datasets/?q=%ff', '/datasets/?limit=1&q=%zz', '/documents/?q=100%', '/health?q=%C3'])(
    'is 400 in a query, with the parameter: %s',
    async (path) => {
      const answer = await service.admin.send('GET', path);
      expectProblem(answer, 400, 'http.malformed_request');
      expect(answer.body).toMatchObject({ errors: [{ pointer: '/q', code: 'percent_escape' }] });
    },
  );

  it('is 400 in the form of a login', async () => {
    const form = 'grant_type=password&username=admin%40example.com&password=%E9t%E9';
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await service.anonymous.send('POST', '/auth/login', form, headers);
    expectProblem(answer, 400, 'http.malformed_request');
    expect(answer.body).toMatchObject({ errors: [{ pointer: '/password', code: 'percent_escape' }] });
  });
});

describe('moments that there are not', () => {
  const cursorAt = (order: string, moment: string): string =>
    Buffer.from(JSON.stringify([order, moment, ABSENT])).toString('base64url');

  it.each(['from=2026-12-31T23:59:60Z', 'from=0000-01-01T00:00:00Z', 'from=9999-12-31T23:59:59-14:00'])(
    'are 422 in the audit log: %s',
    async (query) => {
      expectInvalid(await service.admin.send('GET', `/governance/audit-log?${query}`), ['/from']);
    },
  );

  it('are 422 in bodies', async () => {
    const key = { name: 'Too late', scopes: [], expires_at: '9999-12-31T23:59:59-14:00' };
    expectInvalid(await service.admin.send('POST', '/auth/api-keys', key), ['/expires_at']);
    const quarantine = { document_ids: [ABSENT], reason: 'test', until: '2098-12-31T23:59:60Z' };
    expectInvalid(await service.admin.send('POST', '/governance/quarantine', quarantine), ['/until']);
  });

  it.each(['0000-01-01T00:00:00.000Z', '-000001-01-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'])(
    'are 422 in a place of a list that was made up: %s',
    async (moment) => {
      const documents = await service.admin.send('GET', `/documents/?after=${cursorAt('-created_at', moment)}`);
      expectInvalid(documents, ['/after']);
      const talks = await service.admin.send('GET', `/conversations?after=${cursorAt('-last_turn_at', moment)}`);
      expectInvalid(talks, ['/after']);
    },
  );

  it.each([
    ['from=0000-01-01', '/from'],
    ['from=2026-02-30', '/from'],
    ['from=2026-11-20&to=2026-11-01', '/to'],
  ])('are 422 among the days of the usage: %s', async (query, pointer) => {
    expectInvalid(await service.admin.send('GET', `/usage?${query}`), [pointer]);
  });
});

describe('JSON bodies', () => {
  it.each(['{"name": "x"', '{name: 1}', '', 'null,', '{"name":"a"}}', '\u0000'])(
    'that are broken are 400: %j',
    async (body) => {
      expectProblem(await service.admin.send('POST', '/datasets/', body), 400, 'http.malformed_json');
    },
  );

  it('that are not in UTF-8 are 400', async () => {
    const bytes = Buffer.concat([Buffer.from('{"name": "caf'), Buffer.from([0xe9]), Buffer.from('"}')]);
    const headers = { ...service.admin.headers, 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.process.url}/datasets/`, { method: 'POST', headers, body: bytes });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'http.malformed_json' });
  });

  it('of a chat are refused for unknown search options, and not for unknown options of the protocol', async () => {
    const chat = { messages: [{ role: 'user', content: 'x' }], dataset_ids: [datasetId], user_tier: 1 };
    expect((await service.admin.send('POST', '/chat/completions', chat)).status).toBe(200);
    const answer = await service.admin.send('POST', '/chat/completions', { ...chat, retrieval: { topk: 3 } });
    expectInvalid(answer, ['/retrieval/topk']);
  });

  it.each(['[]', '"text"', '1', 'null', 'true'])('that are no object are 422: %s', async (body) => {
    expectInvalid(await service.admin.send('POST', '/datasets/', body), ['']);
  });

  it('of another media type are 415', async () => {
    const answer = await service.admin.send('POST', '/datasets/', 'name=x', {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expectProblem(answer, 415, 'http.media_type_not_supported');
  });

  it.each([
    'POST /datasets/',
    'POST /retrieval/search',
    'POST /chat/completions',
    'POST /documents/batch/delete',
    'POST /datasets/DATASET/profile/scans',
    'POST /datasets/DATASET/purge',
    'DELETE /datasets/DATASET',
  ])('of a form are 415, also where a body may be left out: %s', async (route) => {
    const [method, path] = route.replace('DATASET', datasetId).split(' ') as [string, string];
    const form = new FormData();
    form.set('name', 'x');
    expectProblem(await service.admin.send(method, path, form), 415, 'http.media_type_not_supported');
  });

  it('with an attempt on the prototype change nothing', async () => {
    const answer = await service.admin.send(
      'POST',
      '/datasets/',
      '{"name":"p","__proto__":{"acl":"all_team_members"}}',
    );
    expect([400, 422]).toContain(answer.status);
  });

  it('that are too large are 413 before they are read', async () => {
    const target = new URL(`${service.process.url}/datasets/`);
    const headers = { ...service.admin.headers, 'Content-Type': 'application/json', 'Content-Length': 9 * 1024 * 1024 };
    const sent = request(target, { method: 'POST', headers });
    sent.write('{"name":"large');
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    const body = JSON.parse(await text(reply)) as unknown;
    sent.destroy();
    const answer = { status: reply.statusCode!, headers: new Headers(reply.headers as Record<string, string>), body };
    expectProblem(answer, 413, 'http.body_too_large');
  });

  it('that are nested beyond reason are refused', async () => {
    const body = `{"name":"deep","metadata":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;
    const { status } = await service.admin.send('POST', '/datasets/', body);
    expect([400, 422]).toContain(status);
  });
});

describe('fields', () => {
  const post = (path: string, body: unknown): Promise<Answer<unknown>> => service.admin.send('POST', path, body);
  const messages = [{ role: 'user', content: 'x' }];

  it('that are missing are named', async () => {
    expectInvalid(await post('/datasets/', {}), ['/name']);
    const search = expectProblem(await post('/retrieval/search', {}), 422, 'http.validation_failed');
    expect(new Set(search.errors?.map(({ pointer }) => pointer))).toEqual(new Set(['/query', '/dataset_ids']));
    const chat = expectProblem(await post('/chat/completions', {}), 422, 'http.validation_failed');
    expect(new Set(chat.errors?.map(({ pointer }) => pointer))).toEqual(new Set(['/messages', '/dataset_ids']));
    const login = expectProblem(await service.anonymous.send('POST', '/auth/login', {}), 422, 'http.validation_failed');
    expect(new Set(login.errors?.map(({ pointer }) => pointer))).toEqual(new Set(['/email', '/password']));
  });

  it.each([
    ['/datasets/', { name: 5 }, '/name'],
    ['/datasets/', { name: '   ' }, '/name'],
    ['/datasets/', { name: 'x'.repeat(129) }, '/name'],
    ['/datasets/', { name: 'a\u0000b' }, '/name'],
    ['/datasets/', { name: 'half \ud83d' }, '/name'],
    ['/datasets/', { name: 'x', acl: 'everybody' }, '/acl'],
    ['/datasets/', { name: 'x', acl: null }, '/acl'],
    ['/datasets/', { name: 'x', partial_member_list: 'me' }, '/partial_member_list'],
    ['/datasets/', { name: 'x', metadata: [] }, '/metadata'],
    ['/datasets/', { name: 'x', metadata: { deep: { 'a\u0000': 1 } } }, '/metadata/deep'],
    ['/datasets/', { name: 'x', unknown_field: 1 }, '/unknown_field'],
    ['/retrieval/search', { query: 'x', dataset_ids: [] }, '/dataset_ids'],
    ['/retrieval/search', { query: 'x', dataset_ids: ['no-id'] }, '/dataset_ids'],
    ['/retrieval/search', { query: ' ', dataset_ids: [ABSENT] }, '/query'],
    ['/retrieval/search', { query: 'x\u0000', dataset_ids: [ABSENT] }, '/query'],
    ['/retrieval/search', { query: 'x'.repeat(4097), dataset_ids: [ABSENT] }, '/query'],
    ['/retrieval/search', { query: 'x', dataset_ids: [ABSENT], top_k: 0 }, '/top_k'],
    ['/retrieval/search', { query: 'x', dataset_ids: [ABSENT], top_k: 101 }, '/top_k'],
    ['/retrieval/search', { query: 'x', dataset_ids: [ABSENT], top_k: '10' }, '/top_k'],
    ['/retrieval/search', { query: 'x', dataset_ids: [ABSENT], search_method: 'magic' }, '/search_method'],
    ['/chat/completions', { messages: [], dataset_ids: [ABSENT] }, '/messages'],
    ['/chat/completions', { messages: [{ role: 'wizard', content: 'x' }], dataset_ids: [ABSENT] }, '/messages/0/role'],
    ['/chat/completions', { messages: [{ role: 'user', content: 5 }], dataset_ids: [ABSENT] }, '/messages/0/content'],
    ['/chat/completions', { messages, dataset_ids: ABSENT }, '/dataset_ids'],
    ['/chat/completions', { messages, dataset_ids: [ABSENT], stream: 'yes' }, '/stream'],
    ['/chat/completions', { messages, dataset_ids: [ABSENT], temperature: 9 }, '/temperature'],
  ])('that are wrong are named: POST %s %j', async (path, body, pointer) => {
    const problem = expectProblem(await post(path, body), 422, 'http.validation_failed');
    expect(new Set(problem.errors?.map((error) => error.pointer)), problem.detail).toEqual(new Set([pointer]));
  });

  it.each([
    'skip=-1',
    'skip=x',
    'limit=0',
    'limit=101',
    'limit=1.5',
    'order_by=secret',
    'category_id=x',
    'nonsense=1',
    'q=%00',
  ])('of a query that are wrong are named: %s', async (query) => {
    const problem = expectProblem(
      await service.admin.send('GET', `/datasets/?${query}`),
      422,
      'http.validation_failed',
    );
    expect(problem.errors?.[0]?.pointer).toBe(`/${query.split('=')[0]}`);
  });

  it('of an upload that are wrong are all named in one answer', async () => {
    const form = new FormData();
    form.append('dataset_id', 'no-id');
    form.append('metadata', '[1]');
    form.append('on_duplicate', 'perhaps');
    form.append('surprise', '1');
    expectInvalid(await service.admin.send('POST', '/documents/upload', form), ['/file', '/surprise']);
    form.delete('surprise');
    form.append('file', new Blob(['x']), 'x.txt');
    const answer = await service.admin.send('POST', '/documents/upload', form);
    expectInvalid(answer, ['/dataset_id', '/metadata', '/on_duplicate']);
  });

  it('of an upload with NUL bytes are refused', async () => {
    const form = uploadForm({ name: 'a.txt', content: 'a' }, { dataset_id: datasetId, tags: 'a\u0000b' });
    expectInvalid(await service.admin.send('POST', '/documents/upload', form), ['/tags']);
    const metadata = uploadForm(
      { name: 'a.txt', content: 'a' },
      { dataset_id: datasetId, metadata: '{"a":"\\u0000"}' },
    );
    expectInvalid(await service.admin.send('POST', '/documents/upload', metadata), ['/metadata/a']);
  });

  it('of an upload may hold backslashes', async () => {
    const metadata = JSON.stringify({ path: 'C:\\udf00\\u0000' });
    const document = await service.admin.upload(datasetId, { name: 'slash.txt', content: 'slash' }, { metadata });
    expect(document.metadata).toEqual({ path: 'C:\\udf00\\u0000' });
  });
});

describe('upload bodies', () => {
  it('that are no multipart are 415', async () => {
    expectProblem(
      await service.admin.send('POST', '/documents/upload', { dataset_id: datasetId }),
      415,
      'documents.not_multipart',
    );
  });

  const part = (header: string, content: string): string =>
    `--b\r\nContent-Disposition: form-data; ${header}\r\n\r\n${content}`;
  const FILE = 'name="file"; filename="torn.txt"';

  it.each([
    ['without a boundary in their type', 'multipart/form-data', 'x'],
    ['that end in a header', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-da'],
    ['that end in a field', 'multipart/form-data; boundary=b', part('name="dataset_id"', 'abc')],
    ['that end in a file', 'multipart/form-data; boundary=b', part(FILE, 'abc')],
    ['that end in a large file', 'multipart/form-data; boundary=b', part(FILE, 'abc'.repeat(500_000))],
    ['that hold no part', 'multipart/form-data; boundary=b', 'hello'],
  ])(
    '%s are 400 at once',
    async (_name, type, body) => {
      const answer = await service.admin.send('POST', '/documents/upload', body, { 'Content-Type': type });
      expectProblem(answer, 400, /^(documents\.malformed_multipart|http\.malformed_request)$/);
    },
    10_000,
  );

  it('may send the metadata as a part of type application/json', async () => {
    const json = 'name="metadata"\r\nContent-Type: application/json';
    const parts = [
      part('name="dataset_id"', datasetId),
      part(json, '{"year":2026}'),
      part(FILE, 'typed part'),
      '--b--\r\n',
    ];
    const type = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const answer = await service.admin.send('POST', '/documents/upload', parts.join('\r\n'), type);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body).toMatchObject({ metadata: { year: 2026 } });
  });

  it('whose sender leaves in the middle leave no file behind', async () => {
    const folder = join(service.process.folder, 'data');
    const partial = async (): Promise<string[]> =>
      (await filesBelow(folder)).filter((path) => /(^|\/)\.tmp\/./.test(path));
    const before = await partial();
    const socket = connect(Number(new URL(service.process.url).port), '127.0.0.1');
    const head = [
      'POST /api/v1/documents/upload HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: ${service.admin.headers['Authorization']}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 90000000',
    ];
    socket.write(
      `${head.join('\r\n')}\r\n\r\n${part('name="dataset_id"', datasetId)}\r\n${part(FILE, 'x'.repeat(300_000))}`,
    );
    await expect.poll(partial, { timeout: 10_000 }).toHaveLength(before.length + 1);
    socket.destroy();
    await expect.poll(partial, { timeout: 10_000 }).toEqual(before);
  });

  it('with two files are 422', async () => {
    const form = uploadForm({ name: 'a.txt', content: 'a' }, { dataset_id: datasetId });
    form.append('file', new Blob(['b']), 'b.txt');
    expectInvalid(await service.admin.send('POST', '/documents/upload', form), ['/file']);
  });

  it('with the dataset after the file are taken', async () => {
    const form = new FormData();
    form.append('file', new Blob(['after']), 'after.txt');
    form.append('dataset_id', datasetId);
    expect((await service.admin.send('POST', '/documents/upload', form)).status).toBe(201);
  });

  it('with a file name that is a path keep its last part only', async () => {
    const document = await service.admin.upload(datasetId, { name: '../../etc/passwd', content: 'root' });
    expect(document.name).toBe('passwd');
  });

  it('with the same content again are 409, and named', async () => {
    const first = await service.admin.upload(datasetId, { name: 'one.txt', content: 'the very same' });
    const form = uploadForm({ name: 'two.txt', content: 'the very same' }, { dataset_id: datasetId });
    const problem = expectProblem(
      await service.admin.send('POST', '/documents/upload', form),
      409,
      'documents.duplicate',
    );
    expect(problem.detail).toContain(first.id);
    const kept = await service.admin.upload(
      datasetId,
      { name: 'two.txt', content: 'the very same' },
      { on_duplicate: 'keep_both' },
    );
    expect(kept.id).not.toBe(first.id);
    const skipped = await service.admin.upload(
      datasetId,
      { name: 'two.txt', content: 'the very same' },
      { on_duplicate: 'skip' },
    );
    expect([first.id, kept.id]).toContain(skipped.id);
  });
});

describe('files that cannot be read', () => {
  const bomb = (): Buffer => makeBomb(200);
  const types = Buffer.from(
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"></Types>',
  );
  const files: [string, () => UploadFile, RegExp][] = [
    ['an empty file', () => ({ name: 'empty.txt', content: '' }), /^EMPTY_FILE$/],
    [
      'a .pdf that is text',
      () => ({ name: 'letter.pdf', content: 'Dear reader, this is no PDF at all.' }),
      /^TYPE_MISMATCH$/,
    ],
    [
      'a .pdf that breaks off',
      () => ({ name: 'torn.pdf', content: '%PDF-1.7\n1 0 obj\n<< /Type /Catalog' }),
      /^MALFORMED$/,
    ],
    ['a zip bomb named .docx', () => ({ name: 'bomb.docx', content: bomb() }), /^(ARCHIVE_LIMIT|MALFORMED)$/],
    [
      'an archive named .docx that is none',
      () => ({ name: 'other.docx', content: makeZip([{ name: 'hello.txt', data: Buffer.from('hello') }]) }),
      /^(TYPE_MISMATCH|UNSUPPORTED_TYPE|MALFORMED)$/,
    ],
    [
      'a .docx without its document',
      () => ({ name: 'hollow.docx', content: makeZip([{ name: '[Content_Types].xml', data: types }]) }),
      /^(TYPE_MISMATCH|UNSUPPORTED_TYPE|MALFORMED)$/,
    ],
    [
      'noise',
      () => ({ name: 'noise.txt', content: randomBytes(20_000) }),
      /^(UNSUPPORTED_TYPE|TYPE_MISMATCH|MALFORMED)$/,
    ],
  ];

  it.each(files)('%s is a failed document with a reason', async (_name, makeFile, code) => {
    const document = await ingest(service.admin, datasetId, makeFile());
    expect(document).toMatchObject({
      status: 'failed',
      searchable: false,
      error_message: expect.stringMatching(/\S+ \S+/),
      error: { code: expect.stringMatching(code), stage: 'parsing', retryable: false },
    });
    expect(document.processing_progress).toBeLessThan(100);
    expect(document.error_message).not.toMatch(/\/(tmp|work|home|root|var)\/|node_modules|\bat \S+:\d+/);
    expectProblem(await service.admin.send('GET', `/documents/${document.id}/text`), 409, 'documents.text_not_ready');
  });

  it('white space is completed without chunks, with a warning', async () => {
    const document = await ingest(service.admin, datasetId, { name: 'blank.txt', content: ' \n\t \n' });
    expect(document).toMatchObject({ status: 'completed', searchable: false, chunk_count: 0 });
    expect(document.warnings.map(({ code }) => code)).toContain('ZERO_CHUNKS');
  });

  it('text with NUL bytes comes to an end and never to an error of the service', async () => {
    const document = await ingest(service.admin, datasetId, {
      name: 'nul.txt',
      content: 'before\u0000after, and much more text\n'.repeat(50),
    });
    if (document.status === 'completed') expect(await service.admin.text(document.id)).not.toContain('\u0000');
    else expect(document).toMatchObject({ status: 'failed', error: { stage: 'parsing' } });
  });

  it('leave the others alone: a good file beside them is completed', async () => {
    const uploads: Promise<DocumentRecord>[] = [];
    const bad = { name: 'again.docx', content: bomb() };
    uploads.push(service.admin.upload(datasetId, bad, { on_duplicate: 'keep_both' }));
    uploads.push(service.admin.upload(datasetId, await readFixture('guide.docx')));
    const [broken, good] = await Promise.all(
      (await Promise.all(uploads)).map(({ id }) => service.admin.pollUntilTerminal(id)),
    );
    expect(broken?.status).toBe('failed');
    expect(good?.status).toBe('completed');
  });
});

describe('a service with a small MAX_UPLOAD_BYTES', () => {
  const small = useService({ settings: { MAX_UPLOAD_BYTES: '1000' } });

  it('takes a file of just that size and refuses the next byte with 413, keeping nothing', async () => {
    const id = await small.admin.createDataset('Small');
    expect((await ingest(small.admin, id, { name: 'fits.txt', content: 'a '.repeat(500) })).status).toBe('completed');
    for (const size of [1001, 3_000_000]) {
      const form = uploadForm({ name: 'large.txt', content: 'b'.repeat(size) }, { dataset_id: id });
      const problem = expectProblem(
        await small.admin.send('POST', '/documents/upload', form),
        413,
        'documents.file_too_large',
      );
      expect(problem.detail).toContain('1000');
    }
    expect(await small.admin.get(`/documents/?dataset_id=${id}`)).toMatchObject({ total: 1 });
  });

  it.each([
    ['that says how long it is, before any of it has come', { 'Content-Length': '1099511627776' }, 0],
    ['without an end, when that much has come', { 'Transfer-Encoding': 'chunked' }, 100_000_000],
  ])('answers 413 to a longer form %s', async (_name, length, most) => {
    const headers = { ...small.admin.headers, 'Content-Type': 'multipart/form-data; boundary=b', ...length };
    const sending = request(`${small.admin.url}/documents/upload`, { method: 'POST', headers });
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.flushHeaders();
    if (most > 0) sending.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
    let isAnswered = false;
    const send = async (): Promise<void> => {
      for (let sent = 0; sent < most && !isAnswered; sent += 65_536) {
        if (!sending.write('a'.repeat(65_536))) await Promise.race([once(sending, 'drain'), answered]);
      }
    };
    void send().catch(() => undefined);
    const [answer] = await answered;
    isAnswered = true;
    const problem = JSON.parse(await text(answer)) as { code: string };
    sending.destroy();
    expect([answer.statusCode, problem.code]).toEqual([413, 'documents.file_too_large']);
  });
});
