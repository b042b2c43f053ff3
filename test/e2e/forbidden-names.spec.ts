import { beforeAll, describe, expect, it } from 'vitest';
import { uploadForm, type Answer, type DocumentRecord, type SearchAnswer } from '../support/api-client.js';
import { expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';
import { operationsOf, readDescription } from '../matrix/operations.js';

const ABSENT = '01900000-0000-7000-8000-000000000000';
/** Values with a name that would change what an object is. */
const FORBIDDEN = [
  '{"__proto__":{"polluted":1}}',
  '{"a":[{"__proto__":1}]}',
  '{"constructor":{"prototype":{"polluted":1}}}',
];
const NAMES_THEM = /__proto__|constructor/;
/** What every object has by inheritance: names like any other in what people send. */
const INHERITED = ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

const service = useTenant();
let datasetId: string;

beforeAll(async () => {
  datasetId = await service.admin.createDataset('Names');
});

/** Refused as what was sent wrongly; where a body is read at all, by the name. */
function expectRefused(answer: Answer<unknown>, what: string): string {
  const shown = `${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`;
  expect([400, 422], shown).toContain(answer.status);
  return JSON.stringify(expectProblem(answer, answer.status, /^/));
}

describe('a name that would change what an object is', () => {
  it('is refused in the JSON body of every route', async () => {
    const operations = operationsOf(await readDescription(service.anonymous));
    const routes = operations.flatMap(({ method, path, described }) =>
      Object.keys(described.requestBody?.content ?? {})
        .filter((type) => /\bjson$/.test(type))
        .map((type) => ({ method, path: path.replaceAll(/\{[^}]+\}/g, ABSENT), type })),
    );
    expect(routes.length).toBeGreaterThan(40);
    for (const { method, path, type } of routes) {
      for (const body of FORBIDDEN) {
        const answer = await service.admin.send(method, path, body, { 'Content-Type': type });
        expect(expectRefused(answer, `${method} ${path} ${body}`)).toMatch(NAMES_THEM);
      }
    }
  });

  it.each(['/documents/upload', '/documents/batch/upload'])('is refused in the metadata of %s', async (path) => {
    for (const metadata of FORBIDDEN) {
      const form = uploadForm({ name: 'a.txt', content: 'Some text.' }, { dataset_id: datasetId, metadata });
      if (path.includes('batch')) {
        form.append('files', form.get('file')!);
        form.delete('file');
      }
      expect(expectRefused(await service.admin.send('POST', path, form), metadata)).toMatch(NAMES_THEM);
    }
  });

  it.each(['__proto__', ...INHERITED])('is no field of a form: %s', async (name) => {
    const form = uploadForm({ name: 'a.txt', content: 'Some text.' }, { dataset_id: datasetId, [name]: 'x' });
    // FormData of an object would have lost it.
    if (!form.has(name)) form.append(name, 'x');
    const problem = expectProblem(
      await service.admin.send('POST', '/documents/upload', form),
      422,
      'http.validation_failed',
    );
    expect(problem.errors).toEqual([{ pointer: `/${name}`, code: 'unknown_field', detail: expect.any(String) }]);
  });

  it.each([
    ['policy.json', '{"chunking":{"__proto__":{"a":1}}}'],
    ['policy.yaml', '__proto__:\n  chunking: {}\n'],
    ['policy.yaml', 'chunking: {constructor: {prototype: {a: 1}}}\n'],
  ])('is refused in a policy file, %s: %s', async (name, content) => {
    const file = uploadForm({ name, content }, {});
    const answer = await service.admin.send('POST', `/datasets/${datasetId}/ingestion-policy/import`, file);
    expect(expectRefused(answer, content)).toMatch(NAMES_THEM);
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'is no column of case sets, and no parameter of a query: %s',
    async (name) => {
      const path = `/evaluations/case-sets?name=Names&dataset_ids=${datasetId}`;
      const csv = `query,${name},relevant_text\nWhat?,x,Some text\n`;
      expectRefused(await service.admin.send('POST', path, csv, { 'Content-Type': 'text/csv' }), name);
      const listed = await service.admin.send('GET', `/documents/?${name}=1&${name}[a]=1`);
      expect([200, 422], JSON.stringify(listed.body)).toContain(listed.status);
    },
  );
});

describe('what every object inherits', () => {
  it('is a name like any other in metadata: kept, filtered by and counted', async () => {
    const metadata = JSON.stringify(Object.fromEntries(INHERITED.map((name) => [name, `of ${name}`])));
    const file = { name: 'inherited.txt', content: 'The lantern of the pier is lit at dusk.' };
    const { id } = await service.admin.upload(datasetId, file, { metadata });
    const document = await service.admin.pollUntilTerminal(id);
    expect([document.status, document.metadata]).toEqual(['completed', JSON.parse(metadata)]);
    for (const name of INHERITED) {
      const ask = async (value: string): Promise<number> => {
        const filters = { type: 'eq', key: `metadata.${name}`, value };
        const { results } = await service.admin.post<SearchAnswer>('/retrieval/search', {
          query: 'lantern',
          dataset_ids: [datasetId],
          filters,
        });
        return results.length;
      };
      expect([name, await ask(`of ${name}`), await ask('another')]).toEqual([name, 1, 0]);
    }
  });

  it.each([
    [
      'columns.csv',
      `${['__proto__', ...INHERITED].join(',')}\n${['__proto__', ...INHERITED].map((_, n) => n).join(',')}\n`,
    ],
    [
      'members.json',
      `[{"__proto__":{"a":"first words"},"constructor":{"prototype":"second words"},"toString":"third words"}]`,
    ],
    ['lines.jsonl', `{"__proto__":"first words","constructor":{"prototype":"second words"}}\n`],
    ['front.md', `---\n__proto__: {a: 1}\nconstructor: {prototype: {b: 2}}\ntitle: Names\n---\n\nSome words.\n`],
    ['elements.xml', `<r><__proto__>first words</__proto__><constructor toString="x">second words</constructor></r>`],
    [
      'page.html',
      `<p id="__proto__" class="constructor">Some words.</p><table><tr><th>__proto__</th><th>constructor</th></tr><tr><td>1</td><td>2</td></tr></table>`,
    ],
  ])('are words like any other in a file: %s', async (name, content) => {
    const { id } = await service.admin.upload(datasetId, { name, content });
    const document: DocumentRecord = await service.admin.pollUntilTerminal(id);
    expect(document.status, JSON.stringify(document)).toBe('completed');
    const text = await service.admin.text(id);
    for (const word of content.match(/(first|second|third|Some) words/g) ?? []) expect(text).toContain(word);
    if (name === 'columns.csv') for (const word of ['__proto__', ...INHERITED]) expect(text).toContain(word);
  });

  it('is a column of a table that SQL reads', async () => {
    const { items } = await service.admin.get<{ items: { name: string; columns?: { label: string }[] }[] }>(
      `/datasets/${datasetId}/tables`,
    );
    const table = items.find(({ name }) => name.startsWith('columns'));
    expect(table, JSON.stringify(items)).toBeDefined();
    const answer = await service.admin.send('POST', `/datasets/${datasetId}/tables/query/sql`, {
      sql: `SELECT * FROM ${table!.name}`,
    });
    expect(
      [answer.status, (answer.body as { rows: unknown[][] }).rows[0]?.slice(0, 7)],
      JSON.stringify(answer.body),
    ).toEqual([200, [0, 1, 2, 3, 4, 5, 6]]);
  });
});
