import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  uploadForm,
  type Answer,
  type ApiClient,
  type DocumentRecord,
  type Page,
  type Problem,
} from '../support/api-client.js';
import { expectProblem } from '../support/problem.js';
import { addMember, withApiKey, personOf } from '../support/people.js';
import { useService } from '../support/service-process.js';

type Dataset = {
  id: string;
  name: string;
  description: string | null;
  updated_at: string;
  metadata: Record<string, unknown>;
};

const service = useService();
let client: ApiClient;

beforeAll(() => {
  client = service.admin;
});

describe('a list', () => {
  const NAMES = ['delta', 'Alpha', 'charlie', 'Bravo', 'echo'];

  beforeAll(async () => {
    for (const name of NAMES) await client.createDataset(name);
  });

  const names = async (query: string): Promise<string[]> =>
    (await client.get<Page<Dataset>>(`/datasets/?${query}`)).items.map(({ name }) => name);

  it('has pages that join without gap or overlap', async () => {
    const whole = await names('limit=100');
    const pages = [];
    for (let skip = 0; skip < whole.length; skip += 2) pages.push(...(await names(`skip=${skip}&limit=2`)));
    expect(pages).toEqual(whole);
    expect(await client.get(`/datasets/?skip=2&limit=2`)).toMatchObject({ total: whole.length, skip: 2, limit: 2 });
    expect(await client.get(`/datasets/?skip=1000`)).toMatchObject({
      items: [],
      total: whole.length,
      skip: 1000,
      limit: 20,
    });
  });

  it('begins with the newest unless it is asked for another order', async () => {
    expect((await names('limit=5')).toReversed()).toEqual(NAMES);
    expect(await names('order_by=created_at&limit=5')).toEqual(NAMES);
    const ascending = await names('order_by=name&limit=100');
    expect(ascending.map((name) => name.toLowerCase())).toEqual(NAMES.map((name) => name.toLowerCase()).toSorted());
    expect(await names('order_by=-name&limit=100')).toEqual(ascending.toReversed());
  });

  it('can be filtered by a part of the name, taken literally', async () => {
    expect(await names('q=ALPH')).toEqual(['Alpha']);
    expect(await names('q=%25')).toEqual([]);
    expect(await names('q=_')).toEqual([]);
  });

  it('is the same route with and without a trailing slash', async () => {
    expect(await client.get('/datasets')).toEqual(await client.get('/datasets/'));
  });
});

describe('names', () => {
  it('are unique in the tenant without regard to case, white space around and Unicode form', async () => {
    const id = await client.createDataset('Café Menu');
    for (const name of ['café menu', '  CAFÉ MENU ', 'Cafe\u0301 Menu']) {
      const problem = expectProblem(await client.send('POST', '/datasets/', { name }), 409, 'datasets.name_taken');
      expect(problem.detail).toMatch(/already/);
    }
    const other = await client.createDataset('Tea Menu');
    expectProblem(await client.send('PATCH', `/datasets/${other}`, { name: 'CAFÉ menu' }), 409, 'datasets.name_taken');
    expect(await client.patch<Dataset>(`/datasets/${id}`, { name: 'CAFÉ menu' })).toMatchObject({ name: 'CAFÉ menu' });
  });

  it('are taken by one of several who ask at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => client.send('POST', '/datasets/', { name: 'Contested' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

describe('entity tags', () => {
  it('guard a change: the old one is 412 and changes nothing', async () => {
    const made = await client.send<Dataset>('POST', '/datasets/', { name: 'Guarded' });
    const path = `/datasets/${made.body.id}`;
    expect(made.headers.get('location')).toBe(`/api/v1${path}`);
    const first = made.headers.get('etag')!;
    expect(first).toMatch(/^W\/"\d+\.[\w-]+"$/);
    expect((await client.send('GET', path)).headers.get('etag')).toBe(first);
    const changed = await client.send('PATCH', path, { description: 'one' }, { 'If-Match': first });
    expect(changed.status).toBe(200);
    const second = changed.headers.get('etag')!;
    expect(second).not.toBe(first);
    const problem = expectProblem(
      await client.send('PATCH', path, { description: 'two' }, { 'If-Match': first }),
      412,
      'http.precondition_failed',
    );
    expect(problem.detail).toContain(/^W\/"(\d+)\./.exec(second)![1]);
    expect(await client.get<Dataset>(path)).toMatchObject({ description: 'one' });
    expect((await client.send('PATCH', path, { description: 'three' }, { 'If-Match': `"x", ${second}` })).status).toBe(
      200,
    );
    expect((await client.send('PATCH', path, { description: 'four' }, { 'If-Match': '*' })).status).toBe(200);
    expect((await client.send('PATCH', path, { description: 'five' })).status).toBe(200);
  });

  it('name all that is shown to If-None-Match, and the version alone to If-Match', async () => {
    const made = await client.send<Dataset>('POST', '/datasets/', { name: 'Watched' });
    const path = `/datasets/${made.body.id}`;
    const before = made.headers.get('etag')!;
    const known = (tag: string): Promise<Answer<unknown>> =>
      client.send('GET', path, undefined, { 'If-None-Match': tag });
    for (const tag of [before, before.slice(2), `"x", ${before}`, '*']) {
      const answer = await known(tag);
      expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([304, '', before]);
    }
    const upload = uploadForm({ name: 'a.txt', content: 'a' }, { dataset_id: made.body.id });
    const { body } = await client.send<DocumentRecord>('POST', '/documents/upload', upload);
    await client.pollUntilTerminal(body.id);
    const after = await known(before);
    expect(after.status).toBe(200);
    const tag = after.headers.get('etag')!;
    const versionOf = (one: string): string => /"(\d+)\./.exec(one)![1]!;
    expect(tag).not.toBe(before);
    expect(versionOf(tag)).toBe(versionOf(before));
    const change = (description: string, ifMatch: string): Promise<Answer<unknown>> =>
      client.send('PATCH', path, { description }, { 'If-Match': ifMatch });
    expect((await change('one', before)).status).toBe(200);
    expectProblem(await change('two', tag), 412, 'http.precondition_failed');
    expect((await change('three', `"${Number(versionOf(before)) + 1}"`)).status).toBe(200);
  });

  it('let one of several changes through that were made from the same version', async () => {
    const made = await client.send<Dataset>('POST', '/datasets/', { name: 'Raced' });
    const etag = made.headers.get('etag')!;
    const change = (text: string): Promise<Answer<unknown>> =>
      client.send('PATCH', `/datasets/${made.body.id}`, { description: text }, { 'If-Match': etag });
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map(change));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
  });
});

describe('a merge patch', () => {
  it('merges metadata at every level and removes what is null', async () => {
    const id = await client.createDataset('Patched', { metadata: { a: 1, b: { c: 2, d: 3 } }, description: 'here' });
    const path = `/datasets/${id}`;
    await client.patch(path, { metadata: { a: null, b: { c: 4 }, e: [1] } });
    expect(await client.get<Dataset>(path)).toMatchObject({
      metadata: { b: { c: 4, d: 3 }, e: [1] },
      description: 'here',
    });
    const answer = await client.send<Dataset>('PATCH', path, '{"description":null}', {
      'Content-Type': 'application/merge-patch+json',
    });
    expect(answer.body).toMatchObject({ description: null });
  });
});

describe('an Idempotency-Key', () => {
  const post = (name: string, key: string, by: ApiClient = client): Promise<Answer<Dataset>> =>
    by.send<Dataset>('POST', '/datasets/', { name }, { 'Idempotency-Key': key });

  it('answers the first result again and does nothing twice', async () => {
    const key = randomUUID();
    const first = await post('Only once', key);
    const again = await post('Only once', key);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(await client.get('/datasets/?q=Only once')).toMatchObject({ total: 1 });
  });

  it('with another body is 422', async () => {
    const key = randomUUID();
    await post('First body', key);
    expectProblem(await post('Second body', key), 422, 'http.idempotency_key_reused');
  });

  it('answers a refusal again, with the request id of now', async () => {
    const key = randomUUID();
    await client.createDataset('Taken before');
    const first = expectProblem(await post('Taken before', key), 409, 'datasets.name_taken');
    const again = expectProblem(await post('Taken before', key), 409, 'datasets.name_taken');
    expect(again.request_id).not.toBe(first.request_id);
  });

  it('makes one thing when many ask at once', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post('Raced once', key)));
    for (const answer of answers) expect([201, 409], JSON.stringify(answer.body)).toContain(answer.status);
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status === 409))
      expectProblem(answer, 409, 'http.idempotency_in_progress');
    expect(await client.get('/datasets/?q=Raced once')).toMatchObject({ total: 1 });
  });

  it('belongs to its principal: another one starts again', async () => {
    const key = randomUUID();
    await post('Mine', key);
    const person = await personOf(client, service.process.admin.email);
    const other = await withApiKey(person, ['datasets:read', 'datasets:write']);
    expectProblem(await post('Mine', key, other), 409, 'datasets.name_taken');
  });

  it('works for uploads by content: the same file in another multipart body is the same request', async () => {
    const datasetId = await client.createDataset('Uploads');
    const key = randomUUID();
    const upload = (content: string): Promise<Answer<DocumentRecord>> =>
      client.send('POST', '/documents/upload', uploadForm({ name: 'a.txt', content }, { dataset_id: datasetId }), {
        'Idempotency-Key': key,
      });
    const first = await upload('content');
    const again = await upload('content');
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.id).toBe(first.body.id);
    expectProblem(await upload('other content'), 422, 'http.idempotency_key_reused');
    expect(await client.get(`/documents/?dataset_id=${datasetId}`)).toMatchObject({ total: 1 });
  });

  it('answers the first result also when what it made is gone', async () => {
    const key = randomUUID();
    const { body } = await post('Made and deleted', key);
    await client.delete(`/datasets/${body.id}`);
    const again = await post('Made and deleted', key);
    expect([again.status, again.body.id, again.headers.get('idempotency-replayed')]).toEqual([201, body.id, 'true']);
    expect(await client.get('/datasets/?q=Made and deleted')).toMatchObject({ total: 0 });
  });

  it('gives no result to who no longer sees a dataset that the request or its result names', async () => {
    const owner = await personOf(client, service.process.admin.email);
    const { client: member } = await addMember(owner, 'no-longer-sees@example.com', 'editor');
    const datasetId = await client.createDataset('Shared for a while', { acl: 'all_team_members' });
    const further = await client.createDataset('Shared for a while, too', { acl: 'all_team_members' });
    const own = await member.createDataset('Stays seen');
    const file = { name: 'a.txt', content: 'content' };
    const failing = { name: 'empty.txt', content: '' };
    const { body: document } = await member.send<DocumentRecord>(
      'POST',
      '/documents/upload',
      uploadForm(failing, { dataset_id: datasetId }),
    );
    const absent = randomUUID();
    const documentIds = [document.id, absent];
    const failed = async (): Promise<string> =>
      (await member.get<{ status: string }>(`/documents/${document.id}/status`)).status;
    await expect.poll(failed, { timeout: 30_000 }).toBe('failed');
    const ofDocuments: [string, () => unknown][] = [
      ['/documents/batch/update', () => ({ document_ids: documentIds, patch: { tags: ['a'] } })],
      ['/documents/batch/reingest', () => ({ document_ids: documentIds })],
      ['/documents/batch/cancel', () => ({ document_ids: documentIds })],
      [`/documents/${document.id}/cancel`, () => undefined],
    ];
    // An id that was not seen the first time says nothing now.
    const ofNothing: [string, () => unknown] = ['/documents/batch/cancel', () => ({ document_ids: [absent] })];
    const requests: [string, () => unknown][] = [
      ['/documents/upload', () => uploadForm(file, { dataset_id: datasetId })],
      [`/datasets/${datasetId}/purge`, () => undefined],
      [`/datasets/${datasetId}/clone`, () => ({ name: 'Cloned while shared' })],
      ['/kg/trigger', () => ({ dataset_id: datasetId })],
      [
        '/evaluations/case-sets',
        () => ({ name: 'Of a shared one', dataset_ids: [datasetId], cases: [{ query: 'x', answerable: false }] }),
      ],
      [
        '/evaluations/case-sets/generate',
        () => ({ dataset_id: own, unanswerable_from: [further], count: 2, method: 'rules' }),
      ],
      ...ofDocuments,
      ofNothing,
      // Refused for its form, which tells nothing of the dataset.
      ['/evaluations/case-sets', () => ({ name: 'Of a shared one', dataset_ids: [datasetId], cases: 'none' })],
    ];
    const send = (key: string): Promise<Answer<Problem>[]> =>
      Promise.all(
        requests.map(([path, body], index) =>
          member.send<Problem>('POST', path, body(), { 'Idempotency-Key': `${key}-${index}` }),
        ),
      );
    const key = randomUUID();
    const first = await send(key);
    expect(first.map(({ status }) => status)).toEqual([201, 202, 201, 202, 201, 202, 200, 202, 200, 409, 200, 422]);
    expect((await send(key)).map(({ status }) => status)).toEqual(first.map(({ status }) => status));
    for (const id of [datasetId, further]) await client.patch(`/datasets/${id}`, { acl: 'only_me' });
    const again = await send(key);
    expect(again.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
      ...Array.from({ length: 6 }, () => '404 datasets.not_found'),
      ...ofDocuments.map(() => '404 documents.not_found'),
      '200 undefined',
      '422 http.validation_failed',
    ]);
    for (const id of [datasetId, further]) await client.patch(`/datasets/${id}`, { acl: 'all_team_members' });
    expect((await send(key)).map(({ status }) => status)).toEqual(first.map(({ status }) => status));
  });

  it.each(['x'.repeat(256), 'ümlaut', ' '])('that is not valid is 422: %j', async (key) => {
    const sent = Buffer.from(key, 'utf8').toString('latin1');
    const answer = await post('Never', sent);
    // White space around a header value is not part of it: " " is an empty key.
    expectProblem(answer, 422, 'http.idempotency_key_invalid');
  });
});

describe('a request id', () => {
  it('is taken, sent back, and part of errors and of answers', async () => {
    const headers = { 'X-Request-ID': 'from-the_client.42' };
    const fine = await client.send('GET', '/datasets/', undefined, headers);
    expect(fine.headers.get('x-request-id')).toBe('from-the_client.42');
    expect(
      expectProblem(await client.send('GET', '/datasets/none', undefined, headers), 404, 'datasets.not_found')
        .request_id,
    ).toBe('from-the_client.42');
    const id = await client.createDataset('Correlated');
    const search = await client.send<{ request_id: string }>(
      'POST',
      '/retrieval/search',
      { query: 'x', dataset_ids: [id] },
      headers,
    );
    expect(search.body.request_id).toBe('from-the_client.42');
    const chat = { messages: [{ role: 'user', content: 'x' }], dataset_ids: [id] };
    expect(
      (await client.send<{ request_id: string }>('POST', '/chat/completions', chat, headers)).body.request_id,
    ).toBe('from-the_client.42');
  });

  it.each(['with space', 'x'.repeat(129), '<script>', ''])('that is not valid is replaced: "%s"', async (value) => {
    const answer = await client.send('GET', '/health', undefined, { 'X-Request-ID': value });
    expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    expect(answer.headers.get('x-request-id')).not.toBe(value);
  });

  it('goes with the work that a request starts, into the log of the service', async () => {
    const id = await client.createDataset('Logged');
    const form = uploadForm({ name: 'a.txt', content: 'logged' }, { dataset_id: id });
    const requestId = `upload-${randomUUID()}`;
    const { body } = await client.send<DocumentRecord>('POST', '/documents/upload', form, {
      'X-Request-ID': requestId,
    });
    await client.pollUntilTerminal(body.id);
    const tells = (line: string): boolean => line.includes('"document.completed"') && line.includes(requestId);
    await expect.poll(() => service.process.log.some(tells), { timeout: 10_000 }).toBe(true);
  });
});

describe('what the service says of itself', () => {
  it('is the whole catalogue of errors, each code once', async () => {
    const { items, total } = await service.anonymous.get<{
      items: { code: string; status: number; title: string }[];
      total: number;
    }>('/errors');
    expect(total).toBe(items.length);
    expect(new Set(items.map(({ code }) => code)).size).toBe(total);
    for (const code of [
      'datasets.name_taken',
      'auth.credential_missing',
      'http.rate_limited',
      'documents.file_too_large',
    ]) {
      expect(items.map((item) => item.code)).toContain(code);
    }
    for (const { code, status, title } of items) {
      expect(code).toMatch(/^[a-z_]+\.[a-z_]+$/);
      expect(status >= 400 && status < 600).toBe(true);
      expect(title).toMatch(/\S/);
    }
  });

  it('are the limits in force', async () => {
    const limits = await client.get<{ rate_limits_enabled: boolean; rate_limits: { name: string; limit: number }[] }>(
      '/limits',
    );
    expect(limits).toMatchObject({
      rate_limits_enabled: false,
      upload: { max_bytes: 512 * 1024 * 1024, max_field_bytes: 262_144, max_fields_bytes: 1_048_576, idle_seconds: 30 },
      connections: { max_anonymous_per_address: 64 },
      paging: { default_limit: 20, max_limit: 100 },
    });
    expect(Object.fromEntries(limits.rate_limits.map(({ name, limit }) => [name, limit]))).toMatchObject({
      search: 120,
      chat: 30,
      upload: 60,
      default: 300,
    });
  });

  it('is an OpenAPI 3.1 description in the spelling of the specification', async () => {
    const description = await service.anonymous.get<{ openapi: string; paths: Record<string, unknown> }>(
      '/openapi.json',
    );
    expect(description.openapi).toMatch(/^3\.1\./);
    const spelled = [
      '/datasets/',
      '/datasets/{id}',
      '/documents/',
      '/documents/upload',
      '/retrieval/search',
      '/chat/completions',
      '/health',
    ];
    expect(Object.keys(description.paths)).toEqual(expect.arrayContaining(spelled.map((path) => `/api/v1${path}`)));
  });

  it('is a page to try it out', async () => {
    const page = await fetch(new URL('/docs', service.process.url));
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await page.text()).toContain('swagger');
  });

  it('is that it lives and is ready', async () => {
    expect(await service.anonymous.get('/health')).toEqual({ ok: true, status: 'ok' });
    expect(await service.anonymous.get('/health/ready')).toEqual({ ok: true, status: 'ready' });
  });
});

describe('a service with RATE_LIMITS=on', () => {
  const limited = useService({ settings: { RATE_LIMITS: 'on' } });

  it('counts each class of routes and each credential for itself, and refuses beyond the limit with Retry-After', async () => {
    const id = await limited.admin.createDataset('Limited');
    const ask = (by: ApiClient): Promise<Answer<unknown>> =>
      by.send('POST', '/chat/completions', { messages: [{ role: 'user', content: 'x' }], dataset_ids: [id] });
    const first = await ask(limited.admin);
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit-limit')).toBe('30');
    expect(first.headers.get('ratelimit-remaining')).toBe('29');
    expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    let refused: Answer<unknown> | undefined;
    // A window may end meanwhile, so the limit is reached within two of them.
    for (let count = 0; count < 61 && refused === undefined; count += 1) {
      const answer = await ask(limited.admin);
      if (answer.status === 429) refused = answer;
    }
    expectProblem(refused!, 429, 'http.rate_limited');
    expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused!.headers.get('ratelimit-remaining')).toBe('0');
    const list = await limited.admin.send('GET', '/datasets/');
    expect(list.status).toBe(200);
    expect(list.headers.get('ratelimit-limit')).toBe('300');
    const person = await personOf(limited.admin, limited.process.admin.email);
    expect((await ask(await withApiKey(person, ['datasets:read', 'chat:complete']))).status).toBe(200);
  });

  it('blocks guessing of passwords for one address', async () => {
    const guess = { email: limited.process.admin.email, password: 'a wrong password' };
    const answers = [];
    for (let count = 0; count < 12; count += 1)
      answers.push(await limited.anonymous.send('POST', '/auth/login', guess));
    const statuses = answers.map(({ status }) => status);
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    expectProblem(answers.at(-1)!, 429, /^(accounts\.login_blocked|http\.rate_limited)$/);
    expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('never refuses probes', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 400 }, async () => (await limited.anonymous.send('GET', '/health')).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
