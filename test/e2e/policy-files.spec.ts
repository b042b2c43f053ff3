import { beforeAll, describe, expect, it } from 'vitest';
import { uploadForm, type Answer, type ApiClient, type DocumentRecord } from '../support/api-client.js';
import { expectInvalid, expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

interface PolicyVersion {
  readonly version: number;
  readonly fingerprint: string;
  readonly policy: Readonly<Record<string, unknown>>;
}

const service = useTenant();
let client: ApiClient;
let made = 0;

beforeAll(() => {
  client = service.admin;
});

const newDataset = (more: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  client.createDataset(`Files ${++made}`, more);
const policyPath = (dataset: string, rest = ''): string => `/datasets/${dataset}/ingestion-policy${rest}`;
const importFile = (dataset: string, name: string, content: string, headers = {}): Promise<Answer<PolicyVersion>> =>
  client.send('POST', policyPath(dataset, '/import'), uploadForm({ name, content }, {}), headers);

const YAML = `# Small chunks of what people send us
chunking: &small
  strategy: sentence
  chunk_size: 100
governance:
  allowed_types:
    - text/plain
    - application/pdf
  max_bytes: 1000000
`;

describe('a policy file', () => {
  it('in YAML is taken as PUT takes it', async () => {
    const dataset = await newDataset();
    const answer = await importFile(dataset, 'policy.yaml', YAML);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        version: 2,
        policy: {
          chunking: { strategy: 'sentence', chunk_size: 100, chunk_overlap: 49 },
          governance: { allowed_types: ['text/plain', 'application/pdf'], max_bytes: 1_000_000 },
          limits: { max_text_characters: null },
        },
      },
    });
    expect(answer.headers.get('etag')).toMatch(/^W\/"2\./);
  });

  it.each(['json', 'yaml'])(
    'that was exported as %s can be imported elsewhere, and is the same policy',
    async (format) => {
      const source = await newDataset();
      const { body } = await importFile(source, 'policy.yml', YAML);
      const exported = await client.send<unknown>('GET', policyPath(source, `/export?format=${format}`));
      expect(exported.headers.get('content-type')).toMatch(new RegExp(`^application/${format}\\b`));
      expect(exported.headers.get('content-disposition')).toBe(`attachment; filename="ingestion-policy-v2.${format}"`);
      const text = typeof exported.body === 'string' ? exported.body : JSON.stringify(exported.body);
      const target = await newDataset();
      for (const name of [`policy.${format}`, 'policy']) {
        const { fingerprint, policy } = (await importFile(target, name, text)).body;
        expect({ fingerprint, policy }).toEqual({ fingerprint: body.fingerprint, policy: body.policy });
      }
      expectInvalid(await client.send('GET', policyPath(source, '/export?format=xml')), ['/format']);
    },
  );

  it.each([
    ['empty', 'p.yaml', ''],
    ['JSON that breaks off', 'p.json', '{"chunking": {'],
    ['YAML that breaks off', 'p.yaml', 'chunking: [1'],
    ['YAML with a field twice', 'p.yaml', 'kg: {}\nkg: {}'],
    ['YAML with a program in it', 'p.yaml', 'kg: !!js/function "function () {}"'],
    ['two documents', 'p.yaml', 'kg: {}\n---\nkg: {}'],
    ['an alias in a circle', 'p.yaml', '&a [*a, *a]'],
    ['nested without end', 'p.yaml', '['.repeat(20_000)],
    ['no text', 'p.yaml', 'kg: \u0000'],
  ])('is 400 with a reason when it is %s', async (_what, name, content) => {
    const dataset = await newDataset();
    const problem = expectProblem(await importFile(dataset, name, content), 400, /^ingestion_policy\./);
    expect(problem.errors?.length).toBeGreaterThan(0);
    expect(await client.get(policyPath(dataset))).toMatchObject({ version: 1 });
  });

  it('may be as large as an export, and says no more than a policy', async () => {
    const dataset = await newDataset();
    const remarks = '# why this is so\n'.repeat(20_000);
    expect((await importFile(dataset, 'p.yaml', `${remarks}chunking: {}\n`)).status).toBe(200);
    const huge = JSON.stringify({ x: 'x'.repeat(8 * 1024 * 1024) });
    expectProblem(await importFile(dataset, 'p.json', huge), 413, 'ingestion_policy.file_too_large');
    const members = Array.from({ length: 20_000 }, (_, n) => `k${n}: 1`).join('\n');
    expectProblem(await importFile(dataset, 'p.yaml', members), 413, 'ingestion_policy.too_large');
  });

  it('that represents gigabytes is refused before it becomes them', async () => {
    const dataset = await newDataset();
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level += 1)
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
    expectProblem(await importFile(dataset, 'bomb.yaml', lines.join('\n')), 400, 'ingestion_policy.unreadable_file');
  });

  it('comes alone, in a form, in the field "file"', async () => {
    const dataset = await newDataset();
    const send = (body: unknown): Promise<Answer<unknown>> => client.send('POST', policyPath(dataset, '/import'), body);
    expectProblem(await send({ chunking: {} }), 415, 'ingestion_policy.not_multipart');
    expectInvalid(await send(new FormData()), ['/file']);
    const other = new FormData();
    other.append('policy', new Blob(['{}']), 'p.json');
    expectInvalid(await send(other), ['/policy']);
    const two = uploadForm({ name: 'p.json', content: '{}' }, {});
    two.append('file', new Blob(['{}']), 'q.json');
    expectInvalid(await send(two), ['/file']);
    const type = { 'Content-Type': 'multipart/form-data; boundary=B' };
    const cut = '--B\r\nContent-Disposition: form-data; name="file"; filename="p.json"\r\n\r\n{}';
    const broken = await client.send('POST', policyPath(dataset, '/import'), cut, type);
    expectProblem(broken, 400, 'ingestion_policy.malformed_multipart');
    expect(await client.get(policyPath(dataset))).toMatchObject({ version: 1 });
  });

  it('is imported once for one Idempotency-Key, which compares its content', async () => {
    const dataset = await newDataset();
    const headers = { 'Idempotency-Key': 'import-once' };
    const first = await importFile(dataset, 'p.yaml', YAML, headers);
    const again = await importFile(dataset, 'p.yaml', YAML, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await importFile(dataset, 'p.yaml', `${YAML}\n`, headers);
    expectProblem(other, 422, 'http.idempotency_key_reused');
    expect(await client.get(policyPath(dataset))).toMatchObject({ version: 2 });
    expectProblem(await importFile(dataset, 'p.yaml', YAML, { 'If-Match': '"1"' }), 412, 'http.precondition_failed');
  });
});

describe('the configuration of a dataset', () => {
  it('comes out of one dataset and into another', async () => {
    const category = await client.post<{ id: string }>('/datasets/categories', { name: 'Manuals' });
    const source = await newDataset({
      description: 'What it is for',
      metadata: { team: { name: 'search' } },
      category_ids: [category.id],
    });
    await importFile(source, 'policy.yaml', YAML);
    const exported = await client.send<Record<string, unknown>>('GET', `/datasets/${source}/config/export`);
    expect(exported.headers.get('content-disposition')).toBe(`attachment; filename="dataset-config-${source}.json"`);
    expect(exported.body).toMatchObject({
      format: 'knowledge-base-dataset-config',
      version: 1,
      dataset: { categories: [['Manuals']], metadata: { team: { name: 'search' } } },
    });
    const target = await newDataset({ metadata: { old: true } });
    const { headers } = await client.send('GET', `/datasets/${target}`);
    const ifMatch = { 'If-Match': headers.get('etag')! };
    const imported = await client.send('POST', `/datasets/${target}/config/import`, exported.body, ifMatch);
    expect(imported).toMatchObject({
      status: 200,
      body: { ingestion_policy_version: 2, warnings: [], dataset: { id: target, description: 'What it is for' } },
    });
    const { source: _from, ...rest } = await client.get<Record<string, unknown>>(`/datasets/${target}/config/export`);
    const { source: _was, ...before } = exported.body;
    expect(rest).toEqual(before);
    const stale = await client.send('POST', `/datasets/${target}/config/import`, exported.body, ifMatch);
    expectProblem(stale, 412, 'http.precondition_failed');
  });

  const HEAD = { format: 'knowledge-base-dataset-config', version: 1 };

  it.each<[string, unknown, readonly string[]]>([
    ['a list', [], ['']],
    ['nothing', {}, ['/format', '/version']],
    ['another format', { ...HEAD, format: 'x' }, ['/format']],
    ['another version', { ...HEAD, version: 2 }, ['/version']],
    ['a version in words', { ...HEAD, version: '1' }, ['/version']],
    ['an unknown part', { ...HEAD, documents: [] }, ['/documents']],
    ['settings that are null', { ...HEAD, dataset: null }, ['/dataset', '/dataset']],
    ['an unknown setting', { ...HEAD, dataset: { owner_id: 'x' } }, ['/dataset/owner_id']],
    ['an unknown access rule', { ...HEAD, dataset: { acl: 'everybody' } }, ['/dataset/acl']],
    ['a name of nothing', { ...HEAD, dataset: { name: ' ' } }, ['/dataset/name']],
    ['metadata that are a list', { ...HEAD, dataset: { metadata: [] } }, ['/dataset/metadata']],
    ['a category without names', { ...HEAD, dataset: { categories: [[]] } }, ['/dataset/categories']],
    ['a category that is a text', { ...HEAD, dataset: { categories: ['Manuals'] } }, ['/dataset/categories']],
    ['a policy that is a list', { ...HEAD, ingestion_policy: [] }, ['/ingestion_policy']],
    [
      'a bad policy',
      { ...HEAD, ingestion_policy: { kg: { x: 1 }, y: 1 } },
      ['/ingestion_policy/kg/x', '/ingestion_policy/y'],
    ],
    [
      'another model',
      { ...HEAD, embedding: { provider: 'builtin', model: 'x', dimensions: 384 } },
      ['/embedding/model'],
    ],
    [
      'a model without a name',
      { ...HEAD, embedding: { provider: 'builtin', dimensions: 384 } },
      ['/embedding/model', '/embedding/model'],
    ],
  ])('is 422 at its place when it is %s', async (_what, document, pointers) => {
    const dataset = await newDataset();
    const answer = await client.send('POST', `/datasets/${dataset}/config/import`, JSON.stringify(document));
    const problem = expectProblem(answer, 422, 'http.validation_failed');
    const named = [...new Set(problem.errors?.map(({ pointer }) => pointer))];
    expect(named.toSorted(), JSON.stringify(problem)).toEqual([...new Set(pointers)].toSorted());
    expect(await client.get(`/datasets/${dataset}`)).toMatchObject({ ingestion_policy_version: 1 });
  });

  it('renames the dataset only to a name that is free', async () => {
    const dataset = await newDataset();
    const taken = await client.get<{ name: string }>(`/datasets/${await newDataset()}`);
    const rename = (name: string): Promise<Answer<unknown>> =>
      client.send('POST', `/datasets/${dataset}/config/import`, { ...HEAD, dataset: { name }, ingestion_policy: {} });
    expectProblem(await rename(taken.name.toUpperCase()), 409, 'datasets.name_taken');
    expect(await client.get(`/datasets/${dataset}`)).toMatchObject({ ingestion_policy_version: 1 });
    expect((await rename('A free name')).body).toMatchObject({ dataset: { name: 'A free name' } });
  });
});

describe('a clone', () => {
  it('has the configuration and none of the documents', async () => {
    const source = await newDataset({ description: 'Original', metadata: { a: 1 } });
    await importFile(source, 'policy.yaml', YAML);
    await client.upload(source, { name: 'a.txt', content: 'Nothing of interest.' });
    const answer = await client.send<{ id: string }>('POST', `/datasets/${source}/clone`, { name: 'The clone' });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        name: 'The clone',
        description: 'Original',
        metadata: { a: 1 },
        ingestion_policy_version: 1,
        document_counts: { total: 0 },
      },
    });
    expect(answer.headers.get('location')).toBe(`/api/v1/datasets/${answer.body.id}`);
    const [original, cloned] = await Promise.all(
      [source, answer.body.id].map((id) => client.get<PolicyVersion>(policyPath(id))),
    );
    expect(cloned).toMatchObject({ version: 1, fingerprint: original!.fingerprint, policy: original!.policy });
    expect(await client.get(`/datasets/${answer.body.id}/health`)).toEqual({ status: 'empty' });
    expectProblem(
      await client.send('POST', `/datasets/${source}/clone`, { name: 'the CLONE' }),
      409,
      'datasets.name_taken',
    );
    expectInvalid(await client.send('POST', `/datasets/${source}/clone`, { name: 'x', acl: 'only_me' }), ['/acl']);
    expectProblem(await client.send('POST', '/datasets/no-id/clone', { name: 'y' }), 404, 'datasets.not_found');
  });
});

describe('a trial of a policy', () => {
  it('shows the chunks before and after, and leaves the document alone', async () => {
    const dataset = await newDataset();
    const content = '# Pumps\n\nEach pump has a number. Each number stands on a plate. '.repeat(200);
    const { id } = await client.upload(dataset, { name: 'pumps.md', content });
    await client.pollUntilTerminal(id);
    const before = await client.get<DocumentRecord>(`/documents/${id}`);
    const text = await client.text(id);
    const { documents } = await client.post<{ documents: readonly Trial[] }>(policyPath(dataset, '/dry-run'), {
      policy: { chunking: { chunk_size: 64, strategy: 'sentence' }, parsing: { charset: 'utf-8' } },
      document_ids: [id],
    });
    const [trial] = documents;
    expect(trial!.before).toMatchObject({ policy_version: 1, chunk_count: before.chunk_count });
    expect(trial!.after.chunk_count).toBeGreaterThan(before.chunk_count);
    for (const chunk of trial!.after.chunks) expect(chunk.text).toBe(text.slice(chunk.char_start, chunk.char_end));
    expect(trial!.warnings).toMatchObject([{ code: 'NEEDS_PARSING', pointer: '/parsing/charset' }]);
    expect(await client.get(`/documents/${id}`)).toEqual(before);
    const many = Array.from({ length: 21 }, () => id);
    const tooMany = await client.send('POST', policyPath(dataset, '/dry-run'), { policy: {}, document_ids: many });
    expectInvalid(tooMany, ['/document_ids']);
  });
});

interface Trial {
  readonly before: { readonly chunk_count: number; readonly policy_version: number };
  readonly after: {
    readonly chunk_count: number;
    readonly chunks: readonly { readonly text: string; readonly char_start: number; readonly char_end: number }[];
  };
  readonly warnings: readonly object[];
}
