import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type DocumentRecord, uploadForm } from '../support/api-client.js';
import { NESTED_FILES, nestedFile } from '../support/nested-files.js';
import { expectProblem } from '../support/problem.js';
import { useService } from '../support/service-process.js';
import { operationsOf, readDescription } from '../matrix/operations.js';

const ABSENT = '01900000-0000-7000-8000-000000000000';
/** One beyond every bound, and one that a reader with a call for each level takes halfway down. */
const DEPTHS = [100_000, 1_500];
/** These are read as deep as that; a third of it is more than any stack holds, and is ingested sooner. */
const DEEPEST = /^(lists\.json|divisions\.html|elements\.xml|tables\.docx|lists\.odt|quotes\.md)$/;
/** Whatever a reader that ran out of stack, or a process that died of it, may say. */
const OUT_OF_STACK = /call stack|RangeError|too much recursion|stack overflow|PARSER_CRASHED|out of memory/i;

const service = useService({ settings: { RATE_LIMITS: 'off' } });
let datasetId: string;

const around = (open: string, close: string, inside: string, depth: number): string =>
  open.repeat(depth) + inside + close.repeat(depth);
const send = (method: string, path: string, body: unknown, type?: string): Promise<Answer<unknown>> =>
  service.admin.send(method, path, body, type === undefined ? {} : { 'Content-Type': type });

/** Refused as what was sent wrongly, in words of this service. */
function expectRefused(answer: Answer<unknown>, what: string): void {
  const shown = `${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`;
  expect([400, 413, 414, 415, 422, 431], shown).toContain(answer.status);
  expect(expectProblem(answer, answer.status, /^/).detail, shown).not.toMatch(OUT_OF_STACK);
}

/** Done, or refused as above: no failure of the service. */
function expectNoFailure(answer: Answer<unknown>, what: string): void {
  if (answer.status >= 300) return expectRefused(answer, what);
  expect(JSON.stringify(answer.body)).not.toMatch(OUT_OF_STACK);
}

beforeAll(async () => {
  datasetId = await service.admin.createDataset('Nested');
  const { id } = await service.admin.upload(
    datasetId,
    { name: 'sales.csv', content: 'Region,Amount\nNorth,5\nSouth,7\n' },
    { metadata: '{"a":"x"}' },
  );
  await service.admin.pollUntilTerminal(id);
});

describe.each(DEPTHS)('nested %d deep', (depth) => {
  it.each(NESTED_FILES)('%s is read, or fails with a reason', async (name) => {
    const form = uploadForm(nestedFile(name, DEEPEST.test(name) ? depth : Math.min(depth, 30_000)), {
      dataset_id: datasetId,
      // Archives are no deeper at the second depth than at the first.
      on_duplicate: 'keep_both',
    });
    const answer = await service.admin.send<DocumentRecord>('POST', '/documents/upload', form);
    if (answer.status !== 201) return expectRefused(answer, name);
    const document = await service.admin.pollUntilTerminal(answer.body.id);
    const shown = JSON.stringify(document);
    expect(shown).not.toMatch(OUT_OF_STACK);
    expect(['completed', 'failed'], shown).toContain(document.status);
    if (document.status === 'failed') {
      expect(document.error, shown).toMatchObject({
        code: expect.stringMatching(/^(MALFORMED|UNSUPPORTED_TYPE|BOMB_.*|.*TOO_.*)$/),
      });
      expect(document.error_message, shown).toMatch(/\S/);
    }
  });

  it('a JSON body is refused by every route that reads one', async () => {
    const operations = operationsOf(await readDescription(service.anonymous));
    const bodies = operations.flatMap(({ method, path, described }) =>
      Object.keys(described.requestBody?.content ?? {})
        .filter((type) => /\bjson$/.test(type))
        .map((type) => ({ method, path: path.replaceAll(/\{[^}]+\}/g, ABSENT), type })),
    );
    expect(bodies.length).toBeGreaterThan(40);
    for (const { method, path, type } of bodies) {
      for (const body of [around('[', ']', '1', depth), around('{"a":', '}', '1', depth), '['.repeat(depth)]) {
        expectRefused(await send(method, path, body, type), `${method} ${path} ${type}`);
      }
    }
  });

  it.each<[string, string, (depth: number) => string]>([
    [
      'filters',
      '/retrieval/search',
      (n) =>
        `{"query":"x","dataset_ids":["ID"],"filters":${around('{"type":"not","filters":[', ']}', '{"type":"eq","key":"metadata.a","value":"x"}', n)}}`,
    ],
    [
      'filters of a chat',
      '/chat/completions',
      (n) =>
        `{"messages":[{"role":"user","content":"x"}],"dataset_ids":["ID"],"retrieval":{"filters":${around('{"type":"and","filters":[', ']}', '{"type":"eq","key":"metadata.a","value":"x"}', n)}}}`,
    ],
    [
      'what is expected',
      '/retrieval/explain',
      (n) => `{"query":"x","dataset_ids":["ID"],"expected":${around('{"text":', '}', '"x"', n)}}`,
    ],
    [
      'a schema of answers',
      '/chat/completions',
      (n) =>
        `{"messages":[{"role":"user","content":"x"}],"dataset_ids":["ID"],"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":${around('{"type":"object","properties":{"a":', '}}', '{"type":"string"}', n)}}}}`,
    ],
    [
      'a call of a tool',
      '/mcp',
      (n) =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"x","filters":${around('{"not":', '}', '1', n)}}}}`,
    ],
    [
      'content of a message',
      '/chat/completions',
      (n) =>
        `{"messages":[{"role":"user","content":${around('[', ']', '{"type":"text","text":"x"}', n)}}],"dataset_ids":["ID"]}`,
    ],
    [
      'parameters of SQL',
      '/datasets/ID/tables/query/sql',
      (n) => `{"sql":"SELECT 1","params":${around('[', ']', '1', n)}}`,
    ],
    ['input of embeddings', '/embeddings', (n) => `{"model":"default","input":${around('[', ']', '"x"', n)}}`],
    [
      'fields of Dify',
      '/integrations/dify/retrieval',
      (n) =>
        `{"knowledge_id":"ID","query":"x","retrieval_setting":{"top_k":1,"score_threshold":0},"metadata_condition":${around('{"conditions":[', ']}', '1', n)}}`,
    ],
  ])('%s are refused', async (what, path, bodyOf) => {
    const body = bodyOf(depth).replaceAll('ID', datasetId);
    expectRefused(await send('POST', path.replace('ID', datasetId), body), what);
    // Within the bound of bodies too it is the rule of the field that decides.
    expectNoFailure(await send('POST', path.replace('ID', datasetId), bodyOf(12).replaceAll('ID', datasetId)), what);
  });

  it.each<[string, string, (deep: (open: string, close: string, inside?: string) => string) => object]>([
    ['parentheses of SQL', '/datasets/ID/tables/query/sql', (deep) => ({ sql: `SELECT ${deep('(', ')', '1')}` })],
    [
      'subqueries of SQL',
      '/datasets/ID/tables/query/sql',
      (deep) => ({ sql: deep('SELECT * FROM (', ')', 'SELECT 1') }),
    ],
    ['lists of SQL', '/datasets/ID/tables/query/sql', (deep) => ({ sql: `SELECT ${deep('[', ']', '1')}` })],
    [
      'cases of SQL',
      '/datasets/ID/tables/query/sql',
      (deep) => ({ sql: `SELECT ${deep('CASE WHEN true THEN ', ' END', '1')}` }),
    ],
    ['signs of SQL', '/datasets/ID/tables/query/sql', (deep) => ({ sql: `SELECT ${deep('- ', '', '1')}` })],
    ['nots of SQL', '/datasets/ID/tables/query/sql', (deep) => ({ sql: `SELECT ${deep('NOT ', '', 'true')}` })],
    ['sums of SQL', '/datasets/ID/tables/query/sql', (deep) => ({ sql: `SELECT ${deep('1+', '', '1')}` })],
    ['comments of SQL', '/datasets/ID/tables/query/sql', (deep) => ({ sql: `SELECT 1 ${deep('/*', '*/', '')}` })],
    [
      'a question over tables',
      '/datasets/ID/tables/query/natural-language',
      (deep) => ({ question: `What is the total amount of ${deep('(', ')', 'North')}?` }),
    ],
    [
      'a predicate',
      '/datasets/ID/semantic-filter',
      (deep) => ({ predicate: deep('not (', ')', 'amount is over 5'), target: 'rows' }),
    ],
    ['a query', '/retrieval/search', (deep) => ({ query: deep('("', '")', 'x'), dataset_ids: ['ID'] })],
    [
      'a question',
      '/chat/completions',
      (deep) => ({ messages: [{ role: 'user', content: deep('[![', '](x)', 'What is it?') }], dataset_ids: ['ID'] }),
    ],
    [
      'words that are expected',
      '/retrieval/explain',
      (deep) => ({ query: 'North', dataset_ids: ['ID'], expected: { text: deep('(', ')', 'x') } }),
    ],
  ])('%s are answered or refused', async (what, path, bodyOf) => {
    // As deep as the longest text that the field takes; with all of it, the text is too long.
    for (const levels of [depth, 9_000, 1_000, 300]) {
      const deep = (open: string, close: string, inside = 'x'): string =>
        around(open, close, inside, Math.min(levels, depth));
      const body = JSON.stringify(bodyOf(deep)).replaceAll('"ID"', `"${datasetId}"`);
      expectNoFailure(await send('POST', path.replace('ID', datasetId), body), `${what} ${levels}`);
    }
  });

  it.each<[string, (depth: number) => string]>([
    ['flow.yaml', (n) => `chunking: ${around('{a: ', '}', '1', n)}`],
    ['block.yaml', (n) => Array.from({ length: Math.min(n, 3_000) }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
    ['lists.yaml', (n) => `chunking: ${'- '.repeat(n)}1`],
    ['policy.json', (n) => `{"chunking":${around('{"a":', '}', '1', n)}}`],
  ])('a policy file is refused: %s', async (name, textOf) => {
    const file = uploadForm({ name, content: textOf(depth) }, {});
    expectRefused(await service.admin.send('POST', `/datasets/${datasetId}/ingestion-policy/import`, file), name);
  });

  it('a case set in CSV is refused', async () => {
    const cells = `x,${around('[', ']', '1', depth)}\ny,"${around('[', ']', '{""text"":""x""}', depth)}"\n`;
    const path = `/evaluations/case-sets?name=x&dataset_ids=${datasetId}`;
    expectRefused(await send('POST', path, `query,relevant\n${cells}`, 'text/csv'), 'text/csv');
  });

  it.each(['[a]', '.a', '%5Ba%5D', '[]'])(
    'names of parameters in a query, %s, are refused or left out',
    async (part) => {
      const query = `a${part.repeat(Math.floor(6_000 / part.length))}=1`;
      expectNoFailure(await service.admin.send('GET', `/documents/?${query}`), query.slice(0, 20));
    },
  );
});

it('filters of many conditions are searched or refused', async () => {
  const condition = { type: 'eq', key: 'metadata.a', value: 'x' };
  for (const type of ['and', 'or']) {
    for (const count of [100, 1_000, 4_500]) {
      const filters = { type, filters: Array.from({ length: count }, () => condition) };
      const body = { query: 'North', dataset_ids: [datasetId], filters };
      expectNoFailure(await service.admin.send('POST', '/retrieval/search', body), `${type} ${count}`);
    }
  }
  for (const value of [Array.from({ length: 15_000 }, (_, n) => `v${n}`)]) {
    const filters = { type: 'in', key: 'metadata.a', value };
    const body = { query: 'North', dataset_ids: [datasetId], filters };
    expectNoFailure(await service.admin.send('POST', '/retrieval/search', body), 'in');
  }
});

it('the process is the one that was started, and its log has no failure', async () => {
  expect(service.process.isRunning).toBe(true);
  const failures = service.process.log.filter(
    (line) => OUT_OF_STACK.test(line) || /"level":"(error|fatal)"/.test(line),
  );
  expect(failures.map((line) => line.slice(0, 400))).toEqual([]);
  expect(service.process.log.filter((line) => line.includes('service.started'))).toHaveLength(1);
});
