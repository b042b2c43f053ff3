import { afterAll, describe, expect, it } from 'vitest';
import { ApiClient, type Answer } from '../support/api-client.js';
import { sendBytes } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';
import { eachOperation } from './each-operation.js';
import { operationsOf, readDescription } from './operations.js';
import { SchemaCheck } from './schema-check.js';
import { prepare } from './send-request.js';
import { makeWorld, WORLD_SETTINGS } from './world.js';

// Tests are made of the description of the running service, so it starts before them.
const service = await ServiceProcess.start({ settings: WORLD_SETTINGS });
afterAll(() => service.dispose());
const description = await readDescription(new ApiClient(service.url));
const operations = operationsOf(description);
const world = await makeWorld(service);
const check = new SchemaCheck(description);
const owner = world.owner.client;
const site = service.url.replace(/\/api\/v1$/, '');

/** Their callers are clients and probes of other products, which may send parameters of their own. */
const FOREIGN = [
  'GET /health',
  'GET /health/ready',
  'GET /metrics',
  'GET /models',
  'GET /models/{id}',
  'POST /chat/completions',
  'POST /embeddings',
  'POST /integrations/dify/retrieval',
  'POST /mcp',
];

function withMore(path: string, parameters: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${parameters}`;
}

describe('a parameter of a query that a route does not know', () => {
  it.each(operations.filter(({ name }) => !FOREIGN.includes(name)))('is refused by $name', async (operation) => {
    const known = operation.described.parameters.filter((one) => one.in === 'query').map((one) => one.name);
    const request = await prepare(operation, world);
    const answer = await request.send(world.owner.client, withMore(request.path, 'limt=5'));
    const { errors } = answer.body as { errors?: unknown };
    const takes = known.length === 0 ? 'no parameters' : known.toSorted().join(', ');
    expect({ status: answer.status, errors }).toEqual({
      status: 422,
      errors: expect.arrayContaining([
        {
          pointer: '/limt',
          code: 'whitelist_validation',
          detail: `limt is not a parameter of this route, which takes ${takes}`,
        },
      ]),
    });
    expect(check.problemsWith(operation, answer)).toEqual([]);
  });

  it.each(operations.filter(({ name }) => FOREIGN.includes(name)))('is ignored by $name', async (operation) => {
    const request = await prepare(operation, world);
    const answer = await request.send(world.owner.client, withMore(request.path, 'limt=5&api-version=1'));
    expect(answer.status).toBe(200);
  });

  it('is told after who may not use the route is refused', async () => {
    const path = `/datasets/${world.target.dataset}?limt=5`;
    const [anonymous, foreign] = [
      await world.anonymous.send('GET', path),
      await world.foreigner.client.send('GET', path),
    ];
    expect([anonymous.status, foreign.status]).toEqual([401, 422]);
  });
});

/** What an answer says of its being kept, as it must by the other headers that it has. */
function expectRule({ headers, status }: Answer<unknown>, name: string): void {
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const kept = headers.has('etag') ? 'private, no-cache' : 'private, no-store';
  expect(headers.get('cache-control'), `${name} ${status}`).toBe(isStream ? 'no-cache, no-transform' : kept);
}

describe('whether an answer may be kept is said', () => {
  eachOperation(operations, 'of every answer of $name', async (operation) => {
    const request = await prepare(operation, world);
    expectRule(await request.send(world.anonymous), 'nobody');
    expectRule(await request.send(world.foreigner.client), 'another tenant');
    expectRule(await request.send(owner), 'the owner');
  });

  it('of what has not changed, and of HEAD', async () => {
    const ask = (method: string, path: string, headers = {}): Promise<Response> =>
      fetch(service.url + path, { method, headers: { ...owner.headers, ...headers } });
    const path = `/datasets/${world.target.dataset}`;
    const shown = await ask('GET', path);
    const again = await ask('GET', path, { 'If-None-Match': shown.headers.get('etag')! });
    const heads = [await ask('HEAD', path), await ask('HEAD', '/datasets/')];
    expect([shown, again, ...heads].map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual([
      [200, 'private, no-cache'],
      [304, 'private, no-cache'],
      [200, 'private, no-cache'],
      [200, 'private, no-store'],
    ]);
  });

  it('of a stream of an answer', async () => {
    const body = { messages: [{ role: 'user', content: 'Which colour?' }], stream: true };
    const answer = await owner.send('POST', '/chat/completions', { ...body, dataset_ids: [world.target.dataset] });
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expectRule(answer, 'a stream');
  });

  it('of what is refused before any route', async () => {
    const outside = new ApiClient(site);
    expectRule(await outside.send('GET', '/nowhere'), 'no route');
    expectRule(await outside.send('DELETE', '/api/v1/health'), 'no method');
    expectRule(await outside.send('GET', '/docs/nothing.js'), 'no asset');
    const bytes = ['GET /%ff HTTP/1.1', 'GET / HTTP/9.9', 'CONNECT / HTTP/1.1', 'POST / HTTP/1.1\r\nExpect: more'];
    for (const line of bytes) {
      expectRule(await sendBytes(service.url, `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`), line);
    }
  });

  it('but of the description and of the files of its page, which are the same for everybody', async () => {
    const outside = new ApiClient(site);
    for (const path of ['/docs', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/api/v1/openapi.json']) {
      const { status, headers } = await outside.send('GET', path);
      expect(status, path).toBe(200);
      expect(headers.get('cache-control') ?? '', path).not.toMatch(/private|no-store/);
    }
  });
});
