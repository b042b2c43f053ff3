import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { uploadForm, type Answer } from '../support/api-client.js';
import { expectInvalid, expectProblem } from '../support/problem.js';
import { sendBytes } from '../support/raw-http.js';
import { useService } from '../support/service-process.js';
import { useTenant } from '../support/shared-service.js';

const ABSENT = '01900000-0000-7000-8000-000000000000';
const service = useTenant();
const send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Answer<unknown>> => service.admin.send(method, path, body, headers);
let datasetId: string;

beforeAll(async () => {
  datasetId = await service.admin.createDataset('Refusals');
});

describe('a path', () => {
  it.each(['/datasets/%zz', '/datasets/%', '/datasets/%ff%fe', '/documents/%e0%a4/status'])(
    'with a bad escape is a problem: %s',
    async (path) => {
      const { detail } = expectProblem(await send('GET', path), 400, 'http.malformed_request');
      expect(detail).toContain('"%"');
    },
  );

  it.each([600, 10_000])(
    'with a parameter of %d characters leads to its route, where nothing is found',
    async (length) => {
      expectProblem(await send('GET', `/datasets/${'a'.repeat(length)}`), 404, 'datasets.not_found');
      expectProblem(await send('GET', `/documents/${'é'.repeat(length / 10)}/status`), 404, 'documents.not_found');
    },
  );

  it('under the documentation that is not there is 404', async () => {
    const response = await fetch(new URL('/docs/xyz', service.url));
    const answer = { status: response.status, headers: response.headers, body: await response.json() };
    expectProblem(answer, 404, 'http.route_not_found');
  });
});

describe('what the parser of HTTP refuses', () => {
  const host = 'Host: localhost\r\n';
  const refusals: [string, string, number, string][] = [
    [
      'headers that are too long',
      `GET /api/v1/health HTTP/1.1\r\n${host}X: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'http.headers_too_long',
    ],
    ['no HTTP at all', `${randomBytes(40).toString('base64')}\r\n\r\n`, 400, 'http.malformed_request'],
    ['a method that does not exist', `BREW /api/v1/health HTTP/1.1\r\n${host}\r\n`, 400, 'http.malformed_request'],
    [
      'a header without a colon',
      `GET /api/v1/health HTTP/1.1\r\n${host}nonsense\r\n\r\n`,
      400,
      'http.malformed_request',
    ],
    [
      'two lengths',
      `POST /api/v1/auth/login HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      'http.malformed_request',
    ],
    ['a missing Host', 'GET /api/v1/health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'http.malformed_request'],
    ['a CONNECT', `CONNECT other.example:443 HTTP/1.1\r\n${host}\r\n`, 400, 'http.malformed_request'],
    [
      'an unknown expectation',
      `POST /api/v1/auth/login HTTP/1.1\r\n${host}Expect: cake\r\n\r\n`,
      417,
      'http.expectation_failed',
    ],
  ];

  it.each(refusals)('is a problem: %s', async (_name, bytes, status, code) => {
    const answer = await sendBytes(service.url, bytes);
    expectProblem(answer, status, code);
    expect(answer.headers.get('connection')).toBe('close');
  });
});

describe('a body', () => {
  const name = (): string => JSON.stringify({ name: `Body ${randomUUID()}` });

  it.each(['gzip', 'br', 'deflate', 'x-unknown'])(
    'in the Content-Encoding %s is 415, which names it',
    async (encoding) => {
      const answer = await send('POST', '/datasets/', name(), { 'Content-Encoding': encoding });
      expect(expectProblem(answer, 415, 'http.content_encoding_not_supported').detail).toContain(encoding);
      expect(answer.headers.get('accept-encoding')).toBe('identity');
      const form = uploadForm({ name: 'a.txt', content: 'a' }, { dataset_id: datasetId });
      expectProblem(
        await send('POST', '/documents/upload', form, { 'Content-Encoding': encoding }),
        415,
        'http.content_encoding_not_supported',
      );
    },
  );

  it.each(['iso-8859-1', 'utf-16le', '"latin1"', 'none'])(
    'in the charset %s is 415, which names it',
    async (charset) => {
      const answer = await send('POST', '/datasets/', name(), {
        'Content-Type': `application/json; charset=${charset}`,
      });
      expect(expectProblem(answer, 415, 'http.charset_not_supported').detail).toContain(charset.replaceAll('"', ''));
    },
  );

  it.each(['utf-8', 'UTF-8', '"utf-8"', 'us-ascii'])('in the charset %s is read', async (charset) => {
    const answer = await send('POST', '/datasets/', name(), { 'Content-Type': `application/json; charset=${charset}` });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  });

  it('without an encoding may say so', async () => {
    expect((await send('POST', '/datasets/', name(), { 'Content-Encoding': 'identity' })).status).toBe(201);
  });

  it('that is empty may have the JSON type where none is needed', async () => {
    const empty = { 'Content-Type': 'application/json' };
    expectProblem(await send('POST', `/documents/${ABSENT}/cancel`, '', empty), 404, 'documents.not_found');
    expectProblem(await send('DELETE', `/datasets/${ABSENT}`, '', empty), 404, 'datasets.not_found');
    expect((await send('POST', `/datasets/${datasetId}/purge`, '', empty)).status).toBe(202);
    expectProblem(await send('POST', '/datasets/', '', empty), 400, 'http.malformed_json');
  });

  const deep = '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000);
  const lists = '{"a":' + '['.repeat(40_000) + ']'.repeat(40_000) + '}';

  it.each([
    ['POST', '/datasets/', (value: string) => `{"name":"deep","metadata":${value}}`],
    ['PATCH', '/datasets/:id', (value: string) => `{"metadata":${value}}`],
    ['PUT', '/datasets/:id/ingestion-policy', (value: string) => value],
    ['POST', '/datasets/:id/config/import', (value: string) => value],
    ['POST', '/retrieval/search', (value: string) => `{"query":"x","dataset_ids":[":id"],"filters":${value}}`],
    ['POST', '/auth/login', (value: string) => value],
  ])('that is nested without end is refused in words of this service: %s %s', async (method, path, bodyOf) => {
    for (const value of [deep, lists]) {
      const answer = await send(method, path.replace(':id', datasetId), bodyOf(value).replace(':id', datasetId));
      expect([400, 413, 422], JSON.stringify(answer.body)).toContain(answer.status);
      expect(expectProblem(answer, answer.status, /^/).detail).not.toContain('call stack');
    }
  });
});

describe("an upload's metadata", () => {
  const upload = (metadata: string, headers?: Record<string, string>): Promise<Answer<unknown>> =>
    send(
      'POST',
      '/documents/upload',
      uploadForm({ name: 'a.txt', content: 'a' }, { dataset_id: datasetId, metadata }),
      headers,
    );

  it.each(['{"a":1e400}', '{"a":{"b":[1,-1e999]}}'])('with a number out of range is 422: %s', async (metadata) => {
    const answer = await upload(metadata);
    const pointer = metadata.includes('"b"') ? '/metadata/a/b/1' : '/metadata/a';
    expectInvalid(answer, [pointer]);
  });

  it('that is nested without end is 422 in words of this service', async () => {
    for (const metadata of [
      `{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}`,
      '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000),
    ]) {
      for (const headers of [undefined, { 'Idempotency-Key': randomUUID() }]) {
        const problem = expectProblem(await upload(metadata, headers), 422, 'http.validation_failed');
        expect(JSON.stringify(problem)).not.toContain('call stack');
      }
    }
  });
});

describe('a JSON body', () => {
  it.each([
    ['POST', '/datasets/', '{"name":"x","metadata":{"a":1e400}}', '/metadata/a'],
    [
      'POST',
      '/retrieval/search',
      `{"query":"x","dataset_ids":["${ABSENT}"],"score_threshold":1e999}`,
      '/score_threshold',
    ],
    ['POST', '/auth/login', '{"email":1e400,"password":"x"}', '/email'],
  ])('with a number out of range is 422: %s %s %s', async (method, path, body, pointer) => {
    const problem = expectProblem(await send(method, path, body), 422, 'http.validation_failed');
    expect(problem.errors?.map((error) => error.pointer)).toEqual([pointer]);
    expect(problem.errors?.[0]?.code).toBe('number_range');
  });

  it.each([
    '{"name":"p","__proto__":{"acl":"x"}}',
    '{"name":"p","metadata":{"__proto__":1}}',
    '{"name":"p","\\u005f_proto__":1}',
  ])('with the key __proto__ is refused by that name: %s', async (body) => {
    const answer = await send('POST', '/datasets/', body);
    expect([400, 422]).toContain(answer.status);
    expect(expectProblem(answer, answer.status, /^/).detail).toContain('__proto__');
  });

  it.each(['{"__proto__":{"a":1}}', '{"a":[{"__proto__":1}]}', '{"constructor":{"prototype":{}}}'])(
    'with such a key in the metadata of an upload is refused as well: %s',
    async (metadata) => {
      const dataset = await service.admin.createDataset(`Names ${metadata}`);
      const form = uploadForm({ name: 'a.txt', content: 'Some text.' }, { dataset_id: dataset, metadata });
      const problem = expectProblem(
        await service.admin.send('POST', '/documents/upload', form),
        422,
        'http.validation_failed',
      );
      expect(problem.errors).toEqual([
        { pointer: '/metadata', code: 'forbidden_name', detail: expect.stringMatching(/__proto__|constructor/) },
      ]);
    },
  );
});

interface Description {
  readonly paths: Record<string, Record<string, unknown>>;
}

describe('Allow', () => {
  it('names exactly the methods of each path, and no other path answers for it', async () => {
    const { paths } = await service.anonymous.get<Description>('/openapi.json');
    const wrong: string[] = [];
    for (const [path, item] of Object.entries(paths)) {
      const described = Object.keys(item).map((method) => method.toUpperCase());
      const expected = described.includes('GET') ? [...described, 'HEAD'] : described;
      const url = path.replace('/api/v1', '').replaceAll(/\{[^}]+\}/g, ABSENT);
      for (const method of ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (expected.includes(method)) continue;
        const answer = await send(method, url, ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined);
        const allowed = answer.headers.get('allow') ?? 'nothing';
        if (answer.status !== 405 || allowed.split(', ').toSorted().join() !== expected.toSorted().join())
          wrong.push(`${method} ${path}: ${answer.status}, Allow: ${allowed}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('a service with CORS_ORIGINS', () => {
  const shared = useService({ settings: { CORS_ORIGINS: 'https://app.example' } });
  const from = { Origin: 'https://app.example' };

  it('answers preflights, and lets pages read its refusals', async () => {
    const asked = { ...from, 'Access-Control-Request-Method': 'POST' };
    for (const headers of [asked, {}]) {
      expect((await shared.anonymous.send('OPTIONS', '/documents/upload', undefined, headers)).status).toBe(204);
    }
    for (const [method, path, status] of [
      ['PUT', '/documents/upload', 405],
      ['GET', '/datasets/', 401],
      ['GET', '/no/such/route', 404],
    ] as const) {
      const answer = await shared.anonymous.send(method, path, method === 'PUT' ? {} : undefined, from);
      expect(expectProblem(answer, status, /^/).status).toBe(status);
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example');
    }
  });
});
