import { afterAll, describe, expect, it } from 'vitest';
import { ApiClient, readSse, type Answer, type SseEvent } from '../support/api-client.js';
import { ServiceProcess } from '../support/service-process.js';
import { eachOperation } from './each-operation.js';
import { operationsOf, readDescription, type Operation } from './operations.js';
import { SchemaCheck } from './schema-check.js';
import { prepare, recipeOf } from './send-request.js';
import { makeWorld, WORLD_SETTINGS } from './world.js';

// Tests are made of the description of the running service, so it starts before them.
const service = await ServiceProcess.start({ settings: WORLD_SETTINGS });
afterAll(() => service.dispose());
const description = await readDescription(new ApiClient(service.url));
const operations = operationsOf(description);
const world = await makeWorld(service);
const check = new SchemaCheck(description);
const owner = world.owner.client;

const paths = new Map<Operation, Promise<string>>();

/** Where the path leads for the owner. Found once: what is refused leaves what the path names as it is. */
function pathOf(operation: Operation): Promise<string> {
  const path = paths.get(operation) ?? findPath(operation);
  paths.set(operation, path);
  return path;
}

async function findPath(operation: Operation): Promise<string> {
  let seen = '';
  const spy = { send: (_method: string, path: string) => Promise.resolve((seen = path)) } as unknown as ApiClient;
  await (await prepare(operation, world)).send(spy);
  return seen;
}

function mediaTypesOf(operation: Operation): string[] {
  return Object.keys(operation.described.requestBody?.content ?? {});
}

const withJson = operations.filter((operation) => mediaTypesOf(operation).includes('application/json'));
const withIds = operations.filter((operation) => operation.path.includes('{'));
const withLists = operations.filter(({ described }) => described.parameters.some(({ name }) => name === 'limit'));

describe('the description fits what the service answers', () => {
  eachOperation(operations, 'to a valid request: $name', async (operation) => {
    const answer = await (await prepare(operation, world)).send(owner);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    expect(check.problemsWith(operation, answer)).toEqual([]);
  });

  it.each(operations.filter(({ described }) => described.responses['304'] !== undefined))(
    'to a client whose copy is up to date: $name',
    async (operation) => {
      const answer = await owner.send('GET', await pathOf(operation), undefined, { 'If-None-Match': '*' });
      expect(answer.status).toBe(304);
      expect(check.problemsWith(operation, answer)).toEqual([]);
    },
  );

  it.each(operations.filter(({ isPublic }) => !isPublic))('to no one: $name', async (operation) => {
    const answer = await (await prepare(operation, world)).send(world.anonymous);
    expect(answer.status).toBe(401);
    expect(check.problemsWith(operation, answer)).toEqual([]);
  });

  eachOperation(operations, 'to another tenant: $name', async (operation) => {
    const answer = await (await prepare(operation, world)).send(world.foreigner.client);
    expect(check.problemsWith(operation, answer)).toEqual([]);
  });

  eachOperation(operations, 'to a caller in a tenant that is not its own: $name', async (operation) => {
    const lost = owner.with({ 'X-Tenant-ID': world.foreigner.tenantId });
    const answer = await (await prepare(operation, world)).send(lost);
    expect(check.problemsWith(operation, answer)).toEqual([]);
  });

  it.each(withIds)('to something that is no id: $name', async (operation) => {
    const path = operation.path.replaceAll(/\{[^}]+\}/g, 'no-id');
    const { body } = (await recipeOf(operation).parts?.(world.target, world)) ?? {};
    const answer = await owner.send(operation.method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(404);
    expect(check.problemsWith(operation, answer)).toEqual([]);
  });
});

describe('the description fits what the service answers to a bad request', () => {
  const BAD: readonly { what: string; body: string; headers?: Record<string, string>; status: number }[] = [
    { what: 'no JSON', body: '{"name":', status: 400 },
    { what: 'a list', body: '[]', status: 422 },
    {
      what: 'numbers for everything',
      body: '{"name":1,"email":1,"query":1,"messages":1,"role":1,"category_ids":1}',
      status: 422,
    },
    { what: 'another media type', body: 'name: x', headers: { 'Content-Type': 'text/yaml' }, status: 415 },
  ];
  describe.each(BAD)('with $what', ({ body, headers, status }) => {
    it.each(withJson)('$name', async (operation) => {
      const answer = await owner.send(operation.method, await pathOf(operation), body, headers);
      const expected = isPolicy(operation) && status === 422 ? 400 : status;
      expect(answer.status, JSON.stringify(answer.body)).toBe(expected);
      expect(check.problemsWith(operation, answer)).toEqual([]);
    });
  });

  it.each(withLists)('with a page that is out of bounds: $name', async (operation) => {
    const most = operation.described.parameters.find(({ name }) => name === 'limit')!.schema.maximum as number;
    for (const query of ['limit=0', `limit=${most + 1}`, 'skip=-1', 'skip=x', 'order_by=shoe_size', 'unknown=1']) {
      const path = (await pathOf(operation)).split('?', 1)[0]!;
      const answer = await owner.send('GET', `${path}?${query}`);
      expect(answer.status, query).toBe(422);
      expect(check.problemsWith(operation, answer)).toEqual([]);
    }
  });

  it('that is repeated with its Idempotency-Key', async () => {
    const operation = operations.find(({ name }) => name === 'POST /datasets/')!;
    const body = { name: 'Repeated', category_ids: ['01900000-0000-7000-8000-000000000001'] };
    const send = (): Promise<Answer<unknown>> =>
      owner.send('POST', operation.path, body, { 'Idempotency-Key': 'a refusal that is repeated' });
    const [first, again] = [await send(), await send()];
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([again.status, null]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([first, again].map((answer) => check.problemsWith(operation, answer))).toEqual([[], []]);
  });

  it('with another method: 405 and the methods that are possible', async () => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'];
    for (const path of new Set(operations.map((operation) => operation.path))) {
      const known = operations.filter((operation) => operation.path === path).map(({ method }) => method);
      const example = operations.find((operation) => operation.path === path)!;
      for (const method of methods.filter((candidate) => !known.includes(candidate))) {
        // A path of names may be a path of ids too: DELETE /datasets/categories is DELETE /datasets/{id}.
        if (operations.some((other) => isAnotherReading(other, path, method))) continue;
        const answer = await owner.send(method, (await pathOf(example)).split('?', 1)[0]!);
        expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(405);
        expect(answer.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(known));
      }
    }
  });
});

/** A policy that is not valid is 400 (contract, section 3). */
function isPolicy(operation: Operation): boolean {
  return operation.name === 'PUT /datasets/{id}/ingestion-policy';
}

function isAnotherReading(other: Operation, path: string, method: string): boolean {
  const pattern = new RegExp(`^${other.path.replace(/\/$/, '').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
  return other.method === method && other.path !== path && pattern.test(path.replace(/\/$/, ''));
}

describe('a streamed chat completion', () => {
  it('is made of events as the description says', async () => {
    const events: SseEvent[] = [];
    for await (const event of owner.chatEvents('Which colour does the vault have?', [world.target.dataset]))
      events.push(event);
    expect(events.at(-1)?.data).toBe('[DONE]');
    expect(events.length).toBeGreaterThan(2);
    const schema = { $ref: '#/components/schemas/ChatCompletionChunk' };
    for (const { data } of events.slice(0, -1)) expect(check.problemsOf(schema, JSON.parse(data)), data).toEqual([]);
  });

  it('has a described media type and headers', async () => {
    const body = {
      messages: [{ role: 'user', content: 'Which colour?' }],
      dataset_ids: [world.target.dataset],
      stream: true,
    };
    const response = await fetch(`${service.url}/chat/completions`, {
      method: 'POST',
      headers: { ...owner.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream\b/);
    expect(response.headers.get('x-request-id')).toMatch(/\S/);
    for await (const event of readSse(response.body!)) expect(event.event).toBe('message');
  });
});

describe('examples of the description', () => {
  const examples = operations.flatMap((operation) =>
    Object.values(operation.described.requestBody?.content ?? {}).flatMap(({ schema, ...more }) => {
      const named = (more as { examples?: Record<string, { value: unknown }> }).examples ?? {};
      return Object.entries(named).map(([name, { value }]) => ({ title: `${operation.name}: ${name}`, schema, value }));
    }),
  );
  it.each(examples)('fit their schema: $title', ({ schema, value }) => {
    expect(check.problemsOf(schema, value)).toEqual([]);
  });
});

/** The answer that the matrix takes for granted is one that the check would refuse, were it another. */
describe('the check itself', () => {
  it('finds a missing field, a field that no one named and a wrong type', async () => {
    const operation = operations.find(({ name }) => name === 'GET /datasets/{id}')!;
    const answer = (await (await prepare(operation, world)).send(owner)) as Answer<Record<string, unknown>>;
    const { name: _name, ...rest } = answer.body;
    for (const body of [rest, { ...answer.body, more: 1 }, { ...answer.body, chunk_count: '1' }]) {
      expect(check.problemsWith(operation, { ...answer, body })).not.toEqual([]);
    }
  });
});
