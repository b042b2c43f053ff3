import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { useTenant } from '../support/shared-service.js';
import { operationsOf, resolveResponse, type Description } from './operations.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FILE = `${ROOT}docs/openapi.json`;
const text = await readFile(FILE, 'utf8');
const description = JSON.parse(text) as Description;
const operations = operationsOf(description);
const run = promisify(execFile);

type Node = Record<string, unknown>;

/** Every object of the description with its path. */
function nodesOf(value: unknown, path = ''): [string, Node][] {
  if (value === null || typeof value !== 'object') return [];
  const inner = Object.entries(value).flatMap(([key, item]) => nodesOf(item, `${path}/${key}`));
  return Array.isArray(value) ? inner : [[path, value as Node], ...inner];
}

/** Every id in a path is a UUID, but the names of models and tables are not. */
function kindOf(path: string, parameter: string): Node {
  if (parameter === 'version' || parameter === 'page') return { type: 'integer' };
  return path === '/models/{id}' || parameter === 'table' ? { type: 'string' } : { type: 'string', format: 'uuid' };
}

describe('docs/openapi.json', () => {
  const service = useTenant();

  it('is what the built service prints', async () => {
    const program = ['dist/src/description/print-openapi.js', FILE, '--check'];
    await expect(run(process.execPath, program, { cwd: ROOT })).resolves.toMatchObject({ stderr: '' });
  });

  it('is what the running service serves', async () => {
    expect(await service.anonymous.get('/openapi.json')).toEqual(description);
  });

  it('is shown by Swagger UI, which keeps the credential', async () => {
    const site = new ApiClient(service.url.replace(/\/api\/v1$/, ''));
    const page = await site.send<string>('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html\b/);
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, path]) => new URL(path!, `${site.url}/docs`).pathname,
    );
    expect(assets.some((path) => path.endsWith('swagger-ui-bundle.js'))).toBe(true);
    for (const path of assets) expect((await site.send('GET', path)).status, path).toBe(200);
    const settings = await site.send<string>(
      'GET',
      assets.find((path) => path.endsWith('swagger-ui-init.js'))!,
    );
    expect(settings.body).toMatch(/"persistAuthorization":\s*true/);
  });
});

describe('the description', () => {
  it('is OpenAPI 3.1 without words of 3.0', () => {
    expect(description.openapi).toBe('3.1.0');
    expect(
      nodesOf(description).filter(
        ([path, node]) => typeof node['nullable'] === 'boolean' && !path.endsWith('/properties'),
      ),
    ).toEqual([]);
  });

  it('refers to nothing that is not there', () => {
    const known = new Set(nodesOf(description).map(([path]) => path));
    const references = nodesOf(description).flatMap(([, node]) =>
      typeof node['$ref'] === 'string' ? [node['$ref'].slice(1)] : [],
    );
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((reference) => !known.has(reference))).toEqual([]);
  });

  // Generators of clients leave out what has another media type, or make types of it that do not compile.
  it('gives each request one schema, and each answer a media type that a generator knows', () => {
    const several = operations.filter(({ described }) => {
      // Generators take JSON, the first, where there is a table beside it.
      const contents = Object.entries(described.requestBody?.content ?? {}).filter(([type]) => type !== 'text/csv');
      const schemas = contents.map(([, { schema }]) => JSON.stringify(schema));
      return new Set(schemas).size > 1;
    });
    expect(several.map(({ name }) => name)).toEqual([]);
    const answers = nodesOf(description.paths).filter(([path]) => /\/responses\/\d+\/content$/.test(path));
    expect(answers.length).toBeGreaterThan(50);
    expect(answers.filter(([, content]) => Object.keys(content).every((type) => type.includes('*')))).toEqual([]);
    const chosen = nodesOf(description).filter(
      ([, node]) => [node['type']].flat().includes('boolean') && Array.isArray(node['enum']),
    );
    expect(chosen.map(([path]) => path)).toEqual([]);
  });

  // openapi-generator makes types of these that are not there: of alternatives without a type, and, where exactly one has to fit, of maps and of
  // lists whose items have alternatives of the same kind. `if` and `else` it leaves alone.
  it('has alternatives that a generator makes types of', () => {
    const typed = ['type', '$ref', 'anyOf', 'oneOf', 'allOf'];
    const isMap = (one: Node): boolean => typeof one['additionalProperties'] === 'object' && !('properties' in one);
    const isMixedList = (one: Node): boolean =>
      ((one['items'] as Node | undefined)?.['oneOf'] as Node[] | undefined)?.every((item) => !('$ref' in item)) ===
      true;
    const withAlternatives = nodesOf(description).filter(
      ([path, node]) =>
        !/\/(?:if|else)(?:\/|$)/.test(path) && (Array.isArray(node['oneOf']) || Array.isArray(node['anyOf'])),
    );
    expect(withAlternatives.length).toBeGreaterThan(50);
    const unclear = withAlternatives.filter(([, { oneOf = [], anyOf = [] }]) => {
      const [exactlyOne, some] = [oneOf as Node[], anyOf as Node[]];
      const hasNoType = [...exactlyOne, ...some].some((one) => !typed.some((word) => word in one));
      return hasNoType || exactlyOne.some((one) => isMap(one) || isMixedList(one));
    });
    expect(unclear.map(([path]) => path)).toEqual([]);
    const withDefault = withAlternatives.filter(([, node]) => Array.isArray(node['default']));
    expect(withDefault.map(([path]) => path)).toEqual([]);
  });

  it('names the values of an enumeration where one is no identifier', () => {
    const enumerations = nodesOf(description).filter(([, node]) => Array.isArray(node['enum']));
    const signs = enumerations.filter(([, node]) =>
      (node['enum'] as (string | number | null)[]).some(
        (value) => value !== null && !/^[A-Za-z]\w*$/.test(String(value)),
      ),
    );
    expect(signs.length).toBeGreaterThan(20);
    for (const [path, { enum: values, 'x-enum-varnames': names }] of signs) {
      expect(names, path).toHaveLength((values as unknown[]).length);
      expect(new Set(names as string[]).size, path).toBe((values as unknown[]).length);
      for (const name of names as string[]) expect(name, path).toMatch(/^[A-Z]\w*$/);
    }
  });

  it('says of case sets that they may be CSV, with what the query then carries', () => {
    const asCsv = operations.filter(({ described }) => 'text/csv' in (described.requestBody?.content ?? {}));
    expect(asCsv.map(({ described }) => described.operationId)).toEqual(['createCaseSet', 'updateCaseSet']);
    for (const { described } of asCsv) {
      expect(Object.keys(described.requestBody?.content ?? {})).toEqual(['application/json', 'text/csv']);
    }
    const inQuery = asCsv.map(({ described }) =>
      described.parameters.filter((one) => one.in === 'query').map(({ name }) => name),
    );
    expect(inQuery).toEqual([['name', 'dataset_ids'], ['name']]);
  });

  it('says of `stop` that it is a text or a list of texts', () => {
    const { stop } = description.components.schemas['ChatCompletionRequest']!['properties'] as Record<string, Node>;
    const alternatives = (stop!['anyOf'] as Node[] | undefined)?.flatMap((one) => (one['oneOf'] as Node[]) ?? [one]);
    expect(alternatives?.map(({ type }) => type)).toEqual(['string', 'array', 'null']);
  });

  it('has no schema without type', () => {
    const typed = ['type', '$ref', 'anyOf', 'oneOf', 'allOf'];
    const fields = Object.entries(description.components.schemas).flatMap(([name, schema]) =>
      Object.entries((schema['properties'] ?? {}) as Record<string, Node>).map(
        ([field, node]) => [`${name}.${field}`, node] as const,
      ),
    );
    expect(fields.filter(([, node]) => !typed.some((word) => word in node)).map(([name]) => name)).toEqual([]);
  });

  it('gives each operation an id of its own', () => {
    const ids = operations.map(({ described }) => described.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  it.each([
    ['GET /documents/{document_id}/content', '410'],
    ['GET /documents/{document_id}/pages/{page}/boxes', '410'],
    ['GET /evaluations/jobs/{job_id}/report', '409'],
    ['POST /requests/{request_id}/replay', '409'],
  ])('names the refusal that comes with a state: %s %s', (name, status) => {
    const { described } = operations.find((operation) => operation.name === name)!;
    expect(Object.keys(described.responses)).toContain(status);
  });

  it('spells the paths as the interface specification does', () => {
    const paths = operations.map(({ name }) => name);
    expect(paths).toEqual(
      expect.arrayContaining(['POST /datasets/', 'GET /datasets/', 'GET /documents/', 'POST /documents/upload']),
    );
  });
});

describe.each(operations)('$name', ({ described, isPublic, method, path, permission }) => {
  it('says what it does, and belongs to one group', () => {
    expect(described.summary).toMatch(/^[A-Z].{3,80}\.$/);
    expect(described.description).toMatch(/\S.{10,}/);
    expect(described.tags).toHaveLength(1);
  });

  it('names its success and its errors, each with a schema', () => {
    const success = Object.keys(described.responses).filter((status) => status.startsWith('2'));
    expect(success.length).toBeGreaterThan(0);
    expect(Object.keys(described.responses)).toEqual(
      expect.arrayContaining(isPublic ? ['500'] : ['401', '403', '404', '500']),
    );
    for (const [status, response] of Object.entries(described.responses)) {
      const { description: words, content } = resolveResponse(description, response);
      expect(words, status).toMatch(/\S/);
      const isEmpty = status === '204' || status === '304' || (status === '202' && path === '/mcp');
      if (isEmpty) expect(content).toBeUndefined();
      else
        for (const { schema } of Object.values(content ?? { none: { schema: {} } }))
          expect(Object.keys(schema), status).not.toEqual([]);
    }
  });

  it('says who may use it', () => {
    expect(Object.hasOwn(described, 'x-permission')).toBe(!isPublic);
    if (!isPublic) expect(permission).toMatch(/^any$|^[a-z]+:[a-z]+$/);
    expect(described.parameters.some(({ name }) => name === 'X-Tenant-ID')).toBe(!isPublic);
  });

  it('describes its parameters; only those of the path are required', () => {
    for (const parameter of described.parameters) {
      expect(parameter.description, parameter.name).toMatch(/\S/);
      expect(parameter.required, parameter.name).toBe(parameter.in === 'path');
      if (parameter.in === 'path') expect(parameter.schema).toMatchObject(kindOf(path, parameter.name));
    }
    const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
    expect(
      described.parameters
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(inPath.toSorted());
  });

  it('takes an Idempotency-Key when it makes or starts something', () => {
    const taken = described.parameters.some(({ name }) => name === 'Idempotency-Key');
    const starts =
      method === 'POST' &&
      !/^\/(auth|retrieval|chat|requests|integrations)\/|^\/(embeddings|mcp)$|\/(dry-run|tables\/query\/[a-z-]+|semantic-filter)$/.test(
        path,
      );
    expect(taken).toBe(starts);
  });
});
