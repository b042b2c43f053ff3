import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient, type DocumentRecord } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { addTenant } from '../support/people.js';
import { expectProblem } from '../support/problem.js';
import type { ProviderRequest } from '../support/provider-process.js';
import { remoteSettings, useRemoteService } from '../support/remote-models.js';
import { ServiceProcess } from '../support/service-process.js';

const LINE = 'Part of the zebrafish handbook, section on tanks.';
const TEXT = ['first', 'second', 'third']
  .map((word) => `The ${word} tank. ${'It is cleaned in spring. '.repeat(40)}`)
  .join('\n\n');
const POLICY = { enrichment: { context: 'llm', max_tokens: 64 }, chunking: { chunk_size: 200, chunk_overlap: 0 } };
const service = useRemoteService('openai', 'sk-of-the-lines');

interface ChunkView {
  readonly text: string;
  readonly context: string | null;
  readonly position: { readonly char_start: number; readonly char_end: number };
}

const chunksOf = async (client: ApiClient, id: string): Promise<readonly ChunkView[]> =>
  (await client.get<{ items: ChunkView[] }>(`/documents/${id}/chunks?limit=100`)).items;
const putPolicy = (client: ApiClient, dataset: string, policy: object = POLICY) =>
  client.send('PUT', `/datasets/${dataset}/ingestion-policy`, JSON.stringify(policy));
const isLine = ({ path, body }: ProviderRequest): boolean =>
  path === '/v1/chat/completions' && JSON.stringify(body).includes('You describe where a passage stands');
const asked = async (): Promise<readonly ProviderRequest[]> => (await service.double.requests()).filter(isLine);

async function withLines(
  client: ApiClient,
  name: string,
  file = { name: 'tanks.txt', content: TEXT },
): Promise<{ dataset: string; document: DocumentRecord }> {
  const dataset = await client.createDataset(name);
  expect((await putPolicy(client, dataset)).status).toBe(200);
  return { dataset, document: await ingest(client, dataset, file) };
}

async function reingest(client: ApiClient, id: string): Promise<DocumentRecord> {
  await client.post('/documents/batch/reingest', { document_ids: [id] });
  return client.pollUntilTerminal(id);
}

describe('lines about chunks that a chat model writes', () => {
  beforeEach(async () => {
    await service.double.forgetRequests();
    await service.double.always({ kind: 'text', text: LINE });
  });

  it('are searched by words and vectors, and shown apart from the text, whose offsets stay', async () => {
    const { dataset, document } = await withLines(service.admin, 'Lines');
    expect(document).toMatchObject({ status: 'completed', warnings: [] });
    const chunks = await chunksOf(service.admin, document.id);
    expect(chunks.length).toBeGreaterThan(2);
    const text = await service.admin.text(document.id);
    for (const chunk of chunks) {
      expect(chunk.context).toBe(LINE);
      expect(chunk.text).toBe(text.slice(chunk.position.char_start, chunk.position.char_end));
      expect(chunk.text).not.toContain('zebrafish');
    }
    for (const search_method of ['keyword', 'vector']) {
      const { results } = await service.admin.search('zebrafish handbook', [dataset], { search_method });
      expect(results.length, search_method).toBeGreaterThan(0);
      expect(results[0]).toMatchObject({ context: LINE });
      expect(results[0]!.text).not.toContain('zebrafish');
    }
    const embedded = (await service.double.textsToEmbed()).filter((one) => one.includes('tank'));
    expect(embedded.every((one) => one.includes(LINE))).toBe(true);
    expect(await asked()).toHaveLength(chunks.length);
    const usage = await service.admin.get<{ items: { purpose: string; requests: number }[] }>(
      '/usage?group_by=purpose',
    );
    expect(usage.items.find(({ purpose }) => purpose === 'enrichment')?.requests).toBe(chunks.length);
    // Written once for a text, whatever is done with the document.
    await service.double.forgetRequests();
    expect(await reingest(service.admin, document.id)).toMatchObject({ status: 'completed', warnings: [] });
    const smaller = { ...POLICY, limits: { max_text_characters: 1_000_000 } };
    await putPolicy(service.admin, dataset, smaller);
    expect(await reingest(service.admin, document.id)).toMatchObject({ status: 'completed', warnings: [] });
    expect(await chunksOf(service.admin, document.id)).toMatchObject(
      chunks.map(({ context, text: body }) => ({ context, text: body })),
    );
    expect(await asked()).toEqual([]);
  });

  it('are asked for again by another tenant with the same file', async () => {
    const { document } = await withLines(service.admin, 'One tenant');
    const count = (await asked()).length;
    const { client } = await addTenant(service.admin, 'Lines of others', 'lines@example.org');
    await service.double.always({ kind: 'text', text: 'Of the other tenant.' });
    const other = await withLines(client, 'Other tenant');
    expect((await chunksOf(client, other.document.id)).map(({ context }) => context)).not.toContain(LINE);
    expect((await asked()).length).toBe(2 * count);
    expect((await client.send('GET', `/documents/${document.id}/chunks`)).status).toBe(404);
  });

  it('cost a warning where the model fails, and those that are missing are asked for later', async () => {
    const count = (await chunksOf(service.admin, (await withLines(service.admin, 'All')).document.id)).length;
    await service.double.forgetRequests();
    await service.double.always({ kind: 'text', text: '…' });
    await service.double.next({ kind: 'text', text: LINE });
    const { document } = await withLines(service.admin, 'Some');
    expect(document).toMatchObject({
      status: 'completed',
      warnings: [{ code: 'ENRICHMENT_FAILED', detail: expect.stringContaining(` of ${count} chunks`) }],
    });
    // Lines are asked for at the same time: the one good answer may come after the failures that end the asking.
    const kept = (await chunksOf(service.admin, document.id)).filter(({ context }) => context !== null).length;
    const missing = count - kept;
    expect(kept).toBeLessThanOrEqual(1);
    expect(JSON.stringify(document)).toContain(`${missing} of ${count} chunks`);
    expect((await asked()).length).toBeLessThanOrEqual(1 + 3 + 3);
    await service.double.forgetRequests();
    await service.double.always({ kind: 'text', text: LINE });
    expect(await reingest(service.admin, document.id)).toMatchObject({ status: 'completed', warnings: [] });
    // A request that was under way when the asking ended may still bring its line.
    expect((await asked()).length).toBeLessThanOrEqual(missing);
    expect((await chunksOf(service.admin, document.id)).map(({ context }) => context)).toEqual(Array(count).fill(LINE));
  });

  it('are written in a trial of no policy, which says so', async () => {
    const dataset = await service.admin.createDataset('Trial');
    const { id } = await ingest(service.admin, dataset, { name: 'tanks.txt', content: TEXT });
    const tried = await service.admin.post<unknown>(`/datasets/${dataset}/ingestion-policy/dry-run`, {
      policy: POLICY,
      document_ids: [id],
    });
    expect(JSON.stringify(tried)).toContain('LINES_NOT_WRITTEN');
    expect(await asked()).toEqual([]);
  });
});

describe('a service whose chat model was taken away', () => {
  let process: ServiceProcess;
  let admin: ApiClient;
  let dataset: string;
  let id: string;
  beforeAll(async () => {
    await service.double.always({ kind: 'text', text: LINE });
    const settings = remoteSettings('openai', service.double.baseUrl, 'sk-of-the-lines');
    process = await ServiceProcess.start({ settings });
    admin = await new ApiClient(process.url).login(process.admin.email, process.admin.password);
    const made = await withLines(admin, 'Taken away');
    [dataset, id] = [made.dataset, made.document.id];
    process.change({ CHAT_PROVIDER: 'builtin', CHAT_MODEL: '' });
    await process.restart();
  });
  afterAll(() => process?.dispose());

  it('keeps the lines that there are, and completes documents with a warning', async () => {
    expect((await chunksOf(admin, id))[0]).toMatchObject({ context: LINE });
    const later = await ingest(admin, dataset, { name: 'later.txt', content: 'The pond freezes in winter.' });
    expect(later).toMatchObject({
      status: 'completed',
      warnings: [{ code: 'ENRICHMENT_FAILED', detail: expect.stringContaining('CHAT_PROVIDER') }],
    });
  });

  it('refuses a policy that wants lines', async () => {
    const { errors } = expectProblem(await putPolicy(admin, dataset), 400, 'ingestion_policy.invalid');
    expect(errors).toMatchObject([{ pointer: '/enrichment/context', code: 'needs_chat_model' }]);
  });
});
