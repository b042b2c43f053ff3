import { beforeAll, describe, expect, it } from 'vitest';
import { uploadForm, type Answer, type ApiClient, type DocumentRecord, type Page } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import { addMember, addTenant, personOf, type Person } from '../support/people.js';
import { expectInvalid, expectProblem } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

interface BulkResult {
  readonly accepted: readonly string[];
  readonly rejected: readonly { readonly id: string; readonly code: string; readonly detail: string }[];
}

interface Status extends DocumentRecord {
  readonly attempt: number;
  readonly waiting_reason: string | null;
}

interface TimelineEvent {
  readonly event: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The long reports have the same name, and an own word each. */
const KEEP = { on_duplicate: 'keep_both' };
const NEVER = '01900000-0000-7000-8000-000000000003';

const service = useTenant();
let anna: Person;
let viewer: Person;
let client: ApiClient;
let dataset: string;
let made = 0;

beforeAll(async () => {
  anna = await personOf(service.admin, service.owner.email);
  viewer = await addMember(anna, 'viewer@example.com', 'viewer');
  client = anna.client;
  dataset = await client.createDataset('Operations', { acl: 'all_team_members' });
});

const word = (): string => `magnolia${++made}x`;
const small = (text: string): Promise<DocumentRecord> =>
  ingest(client, dataset, { name: `${text}.txt`, content: text });
/** Documents of which a search shows a chunk that holds the word itself, not only one that looks like it. */
const found = async (marker: string): Promise<string[]> => {
  const { results } = await client.search(marker, [dataset], { search_method: 'keyword', top_k: 100 });
  return [...new Set(results.filter(({ text }) => text.includes(marker)).map((result) => result.document_id))];
};
const eventsOf = async (id: string): Promise<string[]> =>
  (await client.get<{ items: TimelineEvent[] }>(`/documents/${id}/timeline`)).items.map(({ event }) => event);
const post = <T>(path: string, body?: unknown): Promise<Answer<T>> => client.send<T>('POST', path, body);

/** Takes a second or more to ingest. Its first paragraph alone holds the word. */
function uploadLong(marker: string): Promise<DocumentRecord> {
  const paragraphs = Array.from(
    { length: 6_000 },
    (_, n) => `Paragraph ${n} of the long report counts ${n * 7} lamps.`,
  );
  return client.upload(
    dataset,
    { name: 'report.txt', content: [`It names ${marker}.`, ...paragraphs].join('\n\n') },
    KEEP,
  );
}

describe('cancelling', () => {
  it('stops the work: the document never becomes searchable, and its timeline ends', async () => {
    const marker = word();
    const { id } = await uploadLong(marker);
    await expect
      .poll(async () => (await client.get<Status>(`/documents/${id}/status`)).status, { timeout: 30_000 })
      .toBe('processing');
    const answer = await post<Status>(`/documents/${id}/cancel`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toMatchObject({
      id,
      status: 'cancelled',
      searchable: false,
      error: null,
      waiting_reason: null,
    });
    expect(await found(marker)).toEqual([]);
    await small(word());
    const events = await eventsOf(id);
    expect(events.at(-1)).toBe('cancelled');
    await small(word());
    expect(await eventsOf(id)).toEqual(events);
    expect(await found(marker)).toEqual([]);
    expect(await client.get(`/documents/${id}/chunks`)).toMatchObject({ items: [], total: 0 });
  });

  it('is refused in any other state, and the answer names the state and what is possible', async () => {
    const { id } = await small(word());
    const problem = expectProblem(await post(`/documents/${id}/cancel`), 409, 'documents.illegal_state');
    expect(problem.detail).toMatch(
      /^The document is completed, and only a pending or processing one can be cancelled\./,
    );
    expect(problem.detail).toMatch(/A completed document can be reingested/);
    expectProblem(await post(`/documents/${id}/retry`), 409, 'documents.illegal_state');
    expectProblem(await post(`/documents/${NEVER}/cancel`), 404, 'documents.not_found');
    expectProblem(await post('/documents/no-id/cancel'), 404, 'documents.not_found');
    expectProblem(await viewer.client.send('POST', `/documents/${id}/cancel`), 403, 'auth.permission_missing');
  });
});

describe('retrying', () => {
  it('begins another attempt, which says so in the timeline', async () => {
    const { id } = await client.upload(dataset, { name: 'empty.txt', content: '' });
    expect(await client.pollUntilTerminal(id)).toMatchObject({ status: 'failed', error: { code: 'EMPTY_FILE' } });
    const answer = await post<Status>(`/documents/${id}/retry`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    expect(answer.body).toMatchObject({ id, status: 'pending', attempt: 2, processing_progress: 0, error: null });
    expect(await client.pollUntilTerminal(id)).toMatchObject({ status: 'failed', attempt: 2 });
    const events = await eventsOf(id);
    expect(events.filter((event) => event === 'failed')).toHaveLength(2);
    expect(events.indexOf('retried')).toBeGreaterThan(events.indexOf('failed'));
  });

  it('of all failed ones of a dataset takes those and no others', async () => {
    const own = await client.createDataset('Failures');
    const failed = await client.upload(own, { name: 'empty.txt', content: '' });
    await client.pollUntilTerminal(failed.id);
    await ingest(client, own, { name: 'good.txt', content: 'Good.' });
    const answer = await post<BulkResult>('/documents/batch/retry', { dataset_id: own });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    expect(answer.body).toEqual({ accepted: [failed.id], rejected: [] });
    await client.pollUntilTerminal(failed.id);
  });
});

describe('ingesting again', () => {
  it('keeps the old chunks searchable until the new ones take their place in one step', async () => {
    const own = await client.createDataset('Again');
    const marker = word();
    const sentences = Array.from(
      { length: 400 },
      (_, n) => `Sentence ${n} speaks of ${marker} and of the number ${n * 13}.`,
    );
    const { id } = await ingest(client, own, { name: 'again.txt', content: sentences.join(' ') });
    const seen = new Set<string>();
    const before = (await client.get<Page<unknown>>(`/documents/${id}/chunks?limit=1`)).total;
    const { policy } = await client.get<{ policy: Record<string, Record<string, unknown>> }>(
      `/datasets/${own}/ingestion-policy`,
    );
    const smaller = { ...policy, chunking: { ...policy['chunking'], chunk_size: 64, chunk_overlap: 8 } };
    const put = await client.send<{ version: number }>('PUT', `/datasets/${own}/ingestion-policy`, smaller);
    expect(put.status, JSON.stringify(put.body)).toBe(200);
    const body = { dataset_id: own, where: { policy_version_lt: put.body.version } };
    const answer = await post<BulkResult>('/documents/batch/reingest', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    expect(answer.body).toEqual({ accepted: [id], rejected: [] });
    for (let state = 'pending'; state !== 'completed';) {
      const { results } = await client.search(marker, [own], { search_method: 'vector', top_k: 100 });
      const versions = new Set(
        results.map((result) => (result as unknown as { policy_version: number }).policy_version),
      );
      expect(versions.size, 'one generation at a time').toBe(1);
      for (const version of versions) seen.add(`${version}`);
      const status = await client.get<Status>(`/documents/${id}/status`);
      expect(status.searchable).toBe(true);
      state = status.status;
    }
    const { results } = await client.search(marker, [own], { search_method: 'vector', top_k: 100 });
    expect(results.every((result) => (result as unknown as { policy_version: number }).policy_version === 2)).toBe(
      true,
    );
    expect(seen).toContain('1');
    expect(await client.get(`/documents/${id}`)).toMatchObject({ policy_version: 2, attempt: 2, status: 'completed' });
    expect((await client.get<Page<unknown>>(`/documents/${id}/chunks?limit=1`)).total).toBeGreaterThan(before);
    expect(await eventsOf(id)).toEqual(expect.arrayContaining(['reingest_requested', 'queued']));
    expect(await post<BulkResult>('/documents/batch/reingest', body)).toMatchObject({
      body: { accepted: [], rejected: [] },
    });
  });

  it('that is cancelled goes back to the old chunks', async () => {
    const marker = word();
    const { id } = await uploadLong(marker);
    await client.pollUntilTerminal(id);
    await client.post('/documents/batch/reingest', { document_ids: [id] });
    const answer = await post<Status>(`/documents/${id}/cancel`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'completed',
      current_stage: 'completed',
      processing_progress: 100,
      searchable: true,
    });
    expect(await found(marker)).toEqual([id]);
    expect((await eventsOf(id)).at(-1)).toBe('cancelled');
  });
});

describe('the quarantine', () => {
  it('hides a document before it answers, and a release shows it again', async () => {
    const marker = word();
    const { id } = await small(`The ${marker} is in the cellar.`);
    expect(await found(marker)).toEqual([id]);
    const body = { document_ids: [id], reason: 'Holds personal data', note: 'See the ticket' };
    expect(await post<BulkResult>('/governance/quarantine', body)).toMatchObject({
      status: 200,
      body: { accepted: [id], rejected: [] },
    });
    expect(await found(marker)).toEqual([]);
    expect(await client.get(`/documents/${id}/status`)).toMatchObject({ status: 'quarantined', searchable: false });
    expect(await client.get(`/governance/quarantine?dataset_id=${dataset}`)).toMatchObject({
      items: [
        { document_id: id, dataset_id: dataset, reason: body.reason, note: body.note, quarantined_by: anna.accountId },
      ],
      total: 1,
    });
    expect(await post<BulkResult>('/governance/quarantine', body)).toMatchObject({
      body: { accepted: [], rejected: [{ id, code: 'documents.illegal_state' }] },
    });
    expect(await post<BulkResult>('/governance/quarantine/release', { document_ids: [id, NEVER] })).toMatchObject({
      status: 200,
      body: { accepted: [id], rejected: [{ id: NEVER, code: 'documents.not_found' }] },
    });
    expect(await found(marker)).toEqual([id]);
    expect(await client.pollUntilTerminal(id)).toMatchObject({ status: 'completed', attempt: 2 });
    expect(await found(marker)).toEqual([id]);
    expect(await eventsOf(id)).toEqual(expect.arrayContaining(['quarantined', 'released', 'queued']));
    expect(await client.get('/governance/quarantine')).toMatchObject({ items: [], total: 0 });
  });

  it('keeps its content from those without governance:read, while status and timeline stay readable', async () => {
    const { id } = await small(`The ${word()} is in the attic.`);
    await client.post('/governance/quarantine', { document_ids: [id], reason: 'Secret' });
    for (const part of ['text', 'chunks', 'content']) {
      expectProblem(await viewer.client.send('GET', `/documents/${id}/${part}`), 403, 'documents.quarantined');
      expect((await client.send('GET', `/documents/${id}/${part}`)).status, part).toBe(200);
    }
    for (const part of ['', '/status', '/timeline']) {
      expect((await viewer.client.send('GET', `/documents/${id}${part}`)).status, part).toBe(200);
    }
    const body = { document_ids: [id], reason: 'Once more' };
    expectProblem(await viewer.client.send('POST', '/governance/quarantine', body), 403, 'auth.permission_missing');
    expectProblem(await viewer.client.send('GET', '/governance/quarantine'), 403, 'auth.permission_missing');
  });

  it('ends the work on a document, and a release takes it up again', async () => {
    const marker = word();
    const { id } = await uploadLong(marker);
    const quarantined = await post<BulkResult>('/governance/quarantine', { document_ids: [id], reason: 'Too early' });
    expect(quarantined.body.accepted).toEqual([id]);
    await small(word());
    expect(await client.get(`/documents/${id}/status`)).toMatchObject({ status: 'quarantined' });
    expect(await found(marker)).toEqual([]);
    await client.post('/governance/quarantine/release', { document_ids: [id] });
    expect(await client.pollUntilTerminal(id)).toMatchObject({ status: 'completed' });
    expect(await found(marker)).toEqual([id]);
  });

  it.each([
    ['no id', { document_ids: [] as string[], reason: 'x' }, ['/document_ids']],
    ['too many ids', { document_ids: Array.from({ length: 501 }, () => NEVER), reason: 'x' }, ['/document_ids']],
    ['something that is no id', { document_ids: ['no-id'], reason: 'x' }, ['/document_ids']],
    ['no reason', { document_ids: [NEVER] }, ['/reason']],
    ['a reason of white space', { document_ids: [NEVER], reason: ' \t' }, ['/reason']],
    ['a long reason', { document_ids: [NEVER], reason: 'x'.repeat(501) }, ['/reason']],
    ['a long note', { document_ids: [NEVER], reason: 'x', note: 'x'.repeat(2001) }, ['/note']],
    ['an unknown field', { document_ids: [NEVER], reason: 'x', other: 1 }, ['/other']],
    ['a NUL', { document_ids: [NEVER], reason: 'a\u0000b' }, ['/reason']],
  ])('refuses a body with %s', async (_what, body, pointers) => {
    expectInvalid(await post('/governance/quarantine', body), pointers);
  });
});

describe('batches', () => {
  it('do what is possible and name each document that they could not handle', async () => {
    const [done, foreign] = [await small(word()), await addTenant(service.platform, 'Elsewhere', 'dora@example.com')];
    const theirs = await foreign.client.createDataset('Theirs');
    const hidden = await ingest(foreign.client, theirs, { name: 'x.txt', content: 'Theirs.' });
    const ids = [NEVER, done.id, hidden.id, done.id];
    const retried = await post<BulkResult>('/documents/batch/retry', { document_ids: ids });
    expect(retried.status).toBe(202);
    expect(retried.body.accepted).toEqual([]);
    expect(retried.body.rejected.map(({ id, code }) => [id, code])).toEqual([
      [NEVER, 'documents.not_found'],
      [done.id, 'documents.illegal_state'],
      [hidden.id, 'documents.not_found'],
    ]);
    expect(retried.body.rejected[0]?.detail).toBe(retried.body.rejected[2]?.detail);
    const deleted = await post<BulkResult>('/documents/batch/delete', { document_ids: ids });
    expect(deleted.status).toBe(200);
    expect(deleted.body.accepted).toEqual([done.id]);
    expectProblem(await client.send('GET', `/documents/${done.id}`), 404, 'documents.not_found');
    expect((await foreign.client.send('GET', `/documents/${hidden.id}`)).status).toBe(200);
  });

  it('cancel what is under way, and name what is not', async () => {
    const done = await small(`The ${word()} is done.`);
    const { id } = await uploadLong(word());
    const answer = await post<BulkResult>('/documents/batch/cancel', { document_ids: [id, done.id, NEVER] });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.accepted).toEqual([id]);
    expect(answer.body.rejected.map((one) => [one.id, one.code])).toEqual([
      [done.id, 'documents.illegal_state'],
      [NEVER, 'documents.not_found'],
    ]);
    expect((await client.get<Status>(`/documents/${id}/status`)).status).toBe('cancelled');
    expect((await post('/documents/batch/cancel', { document_ids: [] })).status).toBe(422);
    expect((await viewer.client.send('POST', '/documents/batch/cancel', { document_ids: [done.id] })).status).toBe(403);
  });

  it('delete by conditions, out of search before the answer', async () => {
    const own = await client.createDataset('Drafts');
    const marker = word();
    const upload = async (name: string, fields: Record<string, string>): Promise<string> => {
      const document = await client.upload(own, { name, content: `${name} names ${marker}.` }, fields);
      await client.pollUntilTerminal(document.id);
      return document.id;
    };
    const draft = await upload('draft.txt', { tags: 'draft', metadata: '{"year":2026}' });
    const kept = await upload('kept.txt', { tags: 'final', metadata: '{"year":2026}' });
    const where = { tag: 'draft', metadata: { year: 2026 }, status: 'completed' };
    const answer = await post<BulkResult>('/documents/batch/delete', { dataset_id: own, where });
    expect(answer).toMatchObject({ status: 200, body: { accepted: [draft], rejected: [] } });
    const left = await client.search(marker, [own], { search_method: 'keyword' });
    expect(left.results.map((result) => result.document_id)).toEqual([kept]);
  });

  it('are done once for an Idempotency-Key', async () => {
    const { id } = await small(word());
    const send = (): Promise<Answer<BulkResult>> =>
      client.send('POST', '/documents/batch/delete', { document_ids: [id] }, { 'Idempotency-Key': `delete-${id}` });
    const first = await send();
    expect(first.body).toEqual({ accepted: [id], rejected: [] });
    const second = await send();
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  it.each([
    ['retry', {}, ['/document_ids', '/dataset_id']],
    ['retry', { document_ids: [NEVER], dataset_id: NEVER }, ['/document_ids', '/dataset_id']],
    ['retry', { document_ids: [] }, ['/document_ids']],
    ['retry', { document_ids: null }, ['/document_ids']],
    ['retry', { dataset_id: 'x' }, ['/dataset_id']],
    ['retry', { dataset_id: NEVER, where: {} }, ['/where']],
    ['reingest', { document_ids: [NEVER], where: { policy_version_lt: 2 } }, ['/where']],
    ['reingest', { dataset_id: NEVER, where: { policy_version_lt: 0 } }, ['/where/policy_version_lt']],
    ['reingest', { dataset_id: NEVER, where: { status: 'failed' } }, ['/where/status']],
    ['reingest', { dataset_id: NEVER, where: [] }, ['/where']],
    ['delete', { dataset_id: NEVER }, ['/where']],
    ['delete', { dataset_id: NEVER, where: {} }, ['/where']],
    ['delete', { dataset_id: NEVER, where: { metadata: {} } }, ['/where/metadata']],
    ['delete', { dataset_id: NEVER, where: { created_before: 'yesterday' } }, ['/where/created_before']],
    ['delete', { dataset_id: NEVER, where: { status: 'done' } }, ['/where/status']],
  ])('batch/%s refuses a body that is wrong: %j', async (name, body, pointers) => {
    expectInvalid(await post(`/documents/batch/${name}`, body), pointers);
  });

  it('of a dataset that the caller does not see are 404', async () => {
    for (const [name, body] of [
      ['retry', { dataset_id: NEVER }],
      ['reingest', { dataset_id: NEVER }],
      ['delete', { dataset_id: NEVER, where: { tag: 'x' } }],
    ] as const) {
      expectProblem(await post(`/documents/batch/${name}`, body), 404, 'datasets.not_found');
    }
  });

  it('need documents:write', async () => {
    for (const name of ['retry', 'reingest', 'delete']) {
      const answer = await viewer.client.send('POST', `/documents/batch/${name}`, { document_ids: [NEVER] });
      expectProblem(answer, 403, 'auth.permission_missing');
    }
  });
});

describe('a pending document', () => {
  it('says that it is queued', async () => {
    const answer = await client.send<Status>(
      'POST',
      '/documents/upload',
      uploadForm({ name: 'queued.txt', content: word() }, { dataset_id: dataset }),
    );
    expect(answer.body).toMatchObject({ status: 'pending', waiting_reason: 'queued' });
  });
});
