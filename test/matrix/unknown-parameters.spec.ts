import { afterAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { ServiceProcess } from '../support/service-process.js';
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
          detail: `limt is none of this route, which takes ${takes}`,
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
