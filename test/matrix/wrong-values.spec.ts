import { afterAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { ServiceProcess } from '../support/service-process.js';
import { operationsOf, readDescription, type Operation, type Schema } from './operations.js';
import { SchemaCheck } from './schema-check.js';
import { prepare, recipeOf } from './send-request.js';
import { makeWorld, WORLD_SETTINGS } from './world.js';

// Tests are made of the description of the running service, so it starts before them.
const service = await ServiceProcess.start({ settings: WORLD_SETTINGS });
afterAll(() => service.dispose());
const description = await readDescription(new ApiClient(service.url));
const world = await makeWorld(service);
const check = new SchemaCheck(description);

type Body = Readonly<Record<string, unknown>>;
/** What is sent in place of every field; those that its schema takes are left out. */
const VALUES: readonly unknown[] = [null, [], {}, [[{}]], [null], 'x', '', 7, -1, 1.5, true];
const DEPTH = 3;

const withJson = operationsOf(description)
  .map((operation) => ({ ...operation, schema: operation.described.requestBody?.content['application/json']?.schema }))
  .filter((operation): operation is Operation & { schema: Schema } => operation.schema !== undefined);

/** The schema that is meant, without references to it; of several, the first one that names fields. */
function resolve(schema: Schema): Schema {
  const reference = schema['$ref'] as string | undefined;
  if (reference !== undefined) return resolve(description.components.schemas[reference.split('/').at(-1)!]!);
  const parts = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((list) => (list ?? []) as Schema[]);
  if (schema['properties'] !== undefined || parts.length === 0) return schema;
  return parts.map(resolve).find((part) => part['properties'] !== undefined) ?? schema;
}

/** Every field that the schema names, with the fields of its objects. */
function* fieldsOf(schema: Schema, parents: readonly string[] = []): Generator<{ path: string[]; schema: Schema }> {
  const fields = (resolve(schema)['properties'] ?? {}) as Record<string, Schema>;
  for (const [name, field] of Object.entries(fields)) {
    const path = [...parents, name];
    yield { path, schema: field };
    if (path.length < DEPTH) yield* fieldsOf(field, path);
  }
}

function withValue(body: Body, [name, ...rest]: readonly string[], value: unknown): Body {
  if (rest.length === 0) return { ...body, [name!]: value };
  const inner = body[name!];
  const parent = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Body) : {};
  return { ...body, [name!]: withValue(parent, rest, value) };
}

/** What is sent in place of every parameter of a query that is no plain text. */
const QUERY_VALUES = ['', 'x', '-1', '1.5', '1e3', '0x10', '99999999999999999999', 'null', 'TRUE', '%F0%9F%92%A9'];
const withQuery = operationsOf(description).filter(({ described }) =>
  described.parameters.some(({ in: place }) => place === 'query'),
);

/** The value as its schema sees it. */
function asSent(schema: Schema, value: string): unknown {
  const { type } = resolve(schema);
  if (type === 'array') return value.split(',');
  if (type === 'boolean') return value === 'true' || (value !== 'false' && value);
  const isNumber = (type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(value);
  return isNumber ? Number(value) : decodeURIComponent(value);
}

describe('a parameter that the description does not allow is refused', () => {
  it.each(withQuery)('$name', async (operation) => {
    const [path, query] = (await prepare(operation, world)).path.split('?', 2);
    const taken: string[] = [];
    for (const { name, schema } of operation.described.parameters.filter(({ in: place }) => place === 'query')) {
      for (const value of QUERY_VALUES.filter((one) => check.problemsOf(schema, asSent(schema, one)).length > 0)) {
        const others = new URLSearchParams(query);
        others.delete(name);
        const rest = others.size === 0 ? '' : `&${others.toString()}`;
        const answer = await world.owner.client.send(operation.method, `${path}?${name}=${value}${rest}`);
        const what = `${name}=${value}: ${answer.status}`;
        if (answer.status !== 422) taken.push(`${what} ${JSON.stringify(answer.body)}`.slice(0, 300));
        else expect(check.problemsWith(operation, answer), what).toEqual([]);
      }
    }
    expect(taken).toEqual([]);
  });
});

describe('a value that the description does not allow for a field is refused', () => {
  it.each(withJson)('$name', async (operation) => {
    const valid = ((await recipeOf(operation).parts?.(world.target, world))?.body ?? {}) as Body;
    const { path } = await prepare(operation, world);
    const taken: string[] = [];
    for (const field of fieldsOf(operation.schema)) {
      for (const value of VALUES.filter((one) => check.problemsOf(field.schema, one).length > 0)) {
        const body = withValue(valid, field.path, value);
        const answer = await world.owner.client.send(operation.method, path, body);
        const what = `${field.path.join('.')} = ${JSON.stringify(value)}: ${answer.status}`;
        if (answer.status !== 422 && answer.status !== 400)
          taken.push(`${what} ${JSON.stringify(answer.body)}`.slice(0, 300));
        else expect(check.problemsWith(operation, answer), what).toEqual([]);
      }
    }
    expect(taken).toEqual([]);
  });
});
