import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.js';
import { addMember, personOf } from '../support/people.js';
import { useTenant } from '../support/shared-service.js';

interface Item {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
}

interface DocumentPage {
  readonly items: readonly Item[];
  readonly total: number;
  readonly next: string | null;
}

type Counts = readonly { readonly value: string; readonly count: number }[];
type Facets = { readonly total: number } & Readonly<Record<string, Counts>>;

const NAMES = Array.from({ length: 23 }, (_, n) => `${n % 2 === 0 ? 'Note' : 'note'} ${String(n % 7)}.md`);

describe('lists of documents', () => {
  const service = useTenant();
  let client: ApiClient;
  let datasetId: string;

  beforeAll(async () => {
    client = service.admin;
    datasetId = await client.createDataset('Lists');
    const ids: string[] = [];
    for (const [n, name] of NAMES.entries()) {
      const file = { name, content: `# ${n}\n\nThe lamp of pier ${n} is counted at dusk.`, mediaType: 'text/markdown' };
      ids.push((await client.upload(datasetId, file, n % 3 === 0 ? { tags: '100% lamps' } : {})).id);
    }
    ids.push((await client.upload(datasetId, { name: 'broken.pdf', content: '%PDF-1.7 and no more' })).id);
    for (const id of ids) await client.pollUntilTerminal(id);
  });

  const page = (query: string): Promise<DocumentPage> => client.get(`/documents/?dataset_id=${datasetId}&${query}`);
  const facets = (query = ''): Promise<Facets> => client.get(`/documents/facets?dataset_id=${datasetId}&${query}`);

  it.each(['created_at', '-created_at', 'name', '-name', 'updated_at', '-updated_at'])(
    'are read to their end by %s, page by page, in the order of one long page',
    async (order) => {
      const whole = await page(`order_by=${order}&limit=100`);
      expect(whole).toMatchObject({ total: NAMES.length + 1, next: null });
      const seen: string[] = [];
      let after: string | null = '';
      while (after !== null) {
        const part: DocumentPage = await page(`order_by=${order}&limit=5${after === '' ? '' : `&after=${after}`}`);
        expect(part.total).toBe(NAMES.length + 1);
        expect(part.items.length).toBeLessThanOrEqual(5);
        seen.push(...part.items.map(({ id }) => id));
        after = part.next;
      }
      expect(seen).toEqual(whole.items.map(({ id }) => id));
    },
  );

  it('leave nothing out and show nothing twice while rows of earlier pages come and go', async () => {
    const first = await page('order_by=name&limit=4');
    const extra = await client.upload(datasetId, { name: 'a first one.txt', content: 'It comes before all others.' });
    await client.pollUntilTerminal(extra.id);
    const removed = await client.upload(datasetId, { name: 'zz the last.txt', content: 'It comes after all others.' });
    await client.pollUntilTerminal(removed.id);
    await client.send('DELETE', `/documents/${extra.id}`);
    await client.send('DELETE', `/documents/${removed.id}`);
    const rest = await page(`order_by=name&limit=100&after=${first.next}`);
    const all = [...first.items, ...rest.items].map(({ id }) => id);
    expect(new Set(all).size).toBe(NAMES.length + 1);
    expect(all).toHaveLength(NAMES.length + 1);
  });

  it.each([
    ['a cursor of another order', async () => `order_by=name&after=${(await page('limit=1')).next}`],
    ['no cursor', async () => 'after=abc'],
    [
      'a cursor that holds something else',
      async () => `after=${Buffer.from('["-created_at",{},5]').toString('base64url')}`,
    ],
    [
      'a cursor with a time that is none',
      async () => `after=${Buffer.from(`["-created_at","soon","${datasetId}"]`).toString('base64url')}`,
    ],
    ['a cursor beside skip', async () => `skip=1&after=${(await page('limit=1')).next}`],
    ['nothing', async () => 'after='],
  ])('refuse %s', async (_name, query) => {
    const answer = await client.send('GET', `/documents/?dataset_id=${datasetId}&${await query()}`);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ errors: [{ pointer: '/after' }] });
  });

  it('are counted by what they can be filtered by', async () => {
    const counted = await facets();
    expect(counted).toMatchObject({
      total: 24,
      status: [
        { value: 'completed', count: 23 },
        { value: 'failed', count: 1 },
      ],
      searchable: [
        { value: 'true', count: 23 },
        { value: 'false', count: 1 },
      ],
      tag: [{ value: '100% lamps', count: 8 }],
      waiting_reason: [],
    });
    expect(counted['error_code']).toHaveLength(1);
    expect(counted['warning_code']).toContainEqual({ value: 'SAME_NAME', count: expect.any(Number) });
  });

  it('hold as many rows as each count says', async () => {
    const { total, ...counted } = await facets();
    for (const [name, counts] of Object.entries(counted)) {
      for (const { value, count } of counts) {
        const listed = await page(`${name}=${encodeURIComponent(value)}&limit=100`);
        expect([name, value, listed.items.length, listed.total]).toEqual([name, value, count, count]);
        const within = await facets(`${name}=${encodeURIComponent(value)}`);
        // The facet itself goes on to show what else could be chosen.
        expect([within.total, within[name]]).toEqual([count, counts]);
      }
    }
    expect(total).toBe(24);
  });

  it('are counted within the other conditions', async () => {
    expect(await facets('q=note%203&tag=100%25%20lamps')).toMatchObject({ status: [{ value: 'completed' }] });
    expect(await facets('q=broken')).toMatchObject({ total: 1, searchable: [{ value: 'false', count: 1 }], tag: [] });
    expect(await facets('q=nothing%20like%20it')).toMatchObject({ total: 0, status: [], media_type: [] });
  });

  it('tell what another policy than the one in force has made, as health counts it', async () => {
    const all = (await facets()).total;
    expect([(await facets('outdated=true')).total, (await facets('outdated=false')).total]).toEqual([0, all]);
    const path = `/datasets/${datasetId}/ingestion-policy`;
    const { policy } = await client.get<{ policy: Record<string, object> }>(path);
    const put = (changed: object): Promise<unknown> => client.send('PUT', path, { ...policy, ...changed });
    // Defaults of searches decide nothing that is ingested.
    await put({ retrieval_defaults: { top_k: 5 } });
    expect((await page('outdated=true')).total).toBe(0);
    await put({ chunking: { ...policy['chunking'], chunk_size: 128, chunk_overlap: 16 } });
    const { stale } = await client.get<{ stale: { policy: number } }>(`/datasets/${datasetId}/health`);
    expect(stale.policy).toBeGreaterThan(0);
    const outdated = await page('outdated=true&limit=100');
    expect([outdated.total, outdated.items.length]).toEqual([stale.policy, stale.policy]);
    expect((await facets('outdated=true&status=failed')).total).toBe(0);
    expect((await page('outdated=false')).total).toBe(all - stale.policy);
    const { id } = outdated.items[0]!;
    await client.post('/documents/batch/reingest', { document_ids: [id] });
    await client.pollUntilTerminal(id);
    expect((await page('outdated=true')).total).toBe(stale.policy - 1);
    const unknown = `/documents/?dataset_id=${crypto.randomUUID()}&outdated=true`;
    expect(await client.get<DocumentPage>(unknown)).toMatchObject({ items: [], total: 0 });
    expect((await client.send('GET', '/documents/?outdated=true')).status).toBe(422);
  });

  describe('by the sums of files', () => {
    const sumOf = (content: string): string => createHash('sha256').update(content).digest('hex');
    const KNOWN = 'The first pier has a lamp, and a ladder.';
    const NEXT = 'The second pier has a bell.';
    let id: string;

    beforeAll(async () => {
      ({ id } = await client.upload(datasetId, { name: 'sum of pier.txt', content: KNOWN }));
      await client.pollUntilTerminal(id);
    });

    it('say which of many files are there', async () => {
      const asked = [sumOf(KNOWN).toUpperCase(), sumOf(NEXT), sumOf('broken')];
      const { items, total } = await page(asked.map((sum) => `sha256=${sum}`).join('&'));
      expect(items.map(({ name, sha256 }) => [name, sha256])).toEqual([['sum of pier.txt', sumOf(KNOWN)]]);
      expect(total).toBe(1);
      expect((await page(`sha256=${sumOf(KNOWN)}`)).total).toBe(1);
      expect(await facets(`sha256=${sumOf(KNOWN)}`)).toMatchObject({ total: 1, status: [{ value: 'completed' }] });
      expect((await page(`sha256=${sumOf(KNOWN)}&status=failed`)).total).toBe(0);
    });

    it('know the present file of a document alone, and none that was deleted', async () => {
      const made = await client.upload(
        datasetId,
        { name: 'sum of pier.txt', content: NEXT },
        { on_same_name: 'new_revision' },
      );
      expect(made.id).toBe(id);
      await client.pollUntilTerminal(id);
      expect((await page(`sha256=${sumOf(KNOWN)}`)).total).toBe(0);
      expect((await page(`sha256=${sumOf(NEXT)}`)).items.map((item) => item.id)).toEqual([id]);
      await client.send('DELETE', `/documents/${id}`);
      expect((await page(`sha256=${sumOf(NEXT)}`)).total).toBe(0);
    });

    it('tell no one of what the list does not show', async () => {
      const content = 'Only its owner knows that this is kept.';
      const secret = await client.createDataset('Secret sums', { acl: 'only_me' });
      await client.upload(secret, { name: 'secret.txt', content });
      const owner = await personOf(client, service.owner.email);
      const colleague = await addMember(owner, 'sums@example.com', 'editor');
      const asked = `/documents/?sha256=${sumOf(content)}`;
      expect((await client.get<DocumentPage>(asked)).total).toBe(1);
      expect((await colleague.client.get<DocumentPage>(asked)).total).toBe(0);
      expect((await colleague.client.get<DocumentPage>(`${asked}&dataset_id=${secret}`)).total).toBe(0);
    });

    it.each([
      ['a sum that is too short', `sha256=${sumOf('a').slice(1)}`],
      ['a sum that is no hexadecimal', `sha256=${'g'.repeat(64)}`],
      ['nothing', 'sha256='],
      ['one that is wrong among others', `sha256=${sumOf('a')}&sha256=abc`],
      ['more than fifty', Array.from({ length: 51 }, (_, n) => `sha256=${sumOf(String(n))}`).join('&')],
    ])('refuse %s', async (_name, query) => {
      const answer = await client.send('GET', `/documents/?dataset_id=${datasetId}&${query}`);
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ errors: [{ pointer: expect.stringMatching(/^\/sha256/) }] });
    });
  });

  it.each(['searchable=1', 'searchable=', 'outdated=1', 'status=done', 'colour=red', 'limit=5'])(
    'refuse %s',
    async (query) => {
      expect((await client.send('GET', `/documents/facets?${query}`)).status).toBe(422);
    },
  );
});
