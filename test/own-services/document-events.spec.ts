import { describe, expect, it } from 'vitest';
import { ApiClient, readSse, type DocumentRecord, type Page, type Problem } from '../support/api-client.js';
import { addMember, personOf, withApiKey } from '../support/people.js';
import { useService } from '../support/service-process.js';

interface FeedEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: { readonly document?: DocumentRecord; readonly document_id?: string; readonly code?: string };
}

interface FeedEvents {
  readonly items: readonly ({ readonly type: string } & FeedEvent['data'])[];
  readonly next: string;
}

/** An open stream of documents. */
class Feed {
  readonly seen: FeedEvent[] = [];
  private constructor(
    private readonly events: AsyncGenerator<FeedEvent>,
    private readonly controller: AbortController,
  ) {}

  static async open(client: ApiClient, datasetId: string, headers: Record<string, string> = {}): Promise<Feed> {
    const controller = new AbortController();
    const response = await fetch(`${client.url}/datasets/${datasetId}/documents/events`, {
      headers: { ...client.headers, Accept: 'text/event-stream', ...headers },
      signal: controller.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    return new Feed(parsed(response.body!), controller);
  }

  /** Reads until an event is as it is asked for. */
  async until(wanted: (event: FeedEvent) => boolean): Promise<FeedEvent> {
    for (let next = await this.events.next(); next.done !== true; next = await this.events.next()) {
      this.seen.push(next.value);
      if (wanted(next.value)) return next.value;
    }
    throw new Error(`The stream has ended: ${JSON.stringify(this.seen.at(-1))}`);
  }

  leave(): void {
    this.controller.abort();
  }
}

async function* parsed(body: ReadableStream<Uint8Array>): AsyncGenerator<FeedEvent> {
  for await (const { id, event, data } of readSse(body))
    yield { id, event, data: JSON.parse(data) as FeedEvent['data'] };
}

const isReady = ({ event }: FeedEvent): boolean => event === 'documents.ready';
const isOf =
  (id: string, status: string) =>
  ({ data }: FeedEvent): boolean =>
    data.document?.id === id && data.document.status === status;
const isGone =
  (id: string) =>
  ({ event, data }: FeedEvent): boolean =>
    event === 'document.deleted' && data.document_id === id;
const file = (name: string): { name: string; content: string } => ({ name, content: `The lamp of ${name} is lit.` });

describe('the event stream of the documents of a dataset', () => {
  const service = useService({ settings: { MAX_STREAMS_PER_PRINCIPAL: '3', RATE_LIMITS: 'off' } });

  it('tells each state of a document as lists show it, and its deletion', async () => {
    const admin = service.admin;
    const datasetId = await admin.createDataset('Stages');
    const feed = await Feed.open(admin, datasetId);
    await feed.until(isReady);
    const { id } = await admin.upload(datasetId, file('pier.txt'));
    const done = await feed.until(isOf(id, 'completed'));
    const { items } = await admin.get<Page<DocumentRecord>>(`/documents/?dataset_id=${datasetId}`);
    expect(done.data.document).toEqual(items[0]);
    const broken = await admin.upload(datasetId, { name: 'broken.pdf', content: '%PDF-1.7 and no more' });
    const failed = await feed.until(isOf(broken.id, 'failed'));
    expect(failed.data.document).toMatchObject({ error_message: expect.stringMatching(/./) as string });

    await admin.post('/governance/quarantine', { document_ids: [id], reason: 'Under review' });
    const kept = await feed.until(isOf(id, 'quarantined'));
    const listed = await admin.get<Page<DocumentRecord>>(`/documents/?dataset_id=${datasetId}&status=quarantined`);
    expect(kept.data.document).toEqual(listed.items[0]);
    await admin.delete(`/documents/${broken.id}`);
    await feed.until(isGone(broken.id));
    feed.leave();
  });

  it('goes on behind the last event, also in a service that was started again, without a loss', async () => {
    const admin = service.admin;
    const datasetId = await admin.createDataset('Resumed');
    const first = await admin.upload(datasetId, file('first.txt'));
    const feed = await Feed.open(admin, datasetId);
    const { id: place } = await feed.until(isReady);
    const stays = await admin.upload(datasetId, file('second.txt'));
    const last = await feed.until(isOf(stays.id, 'completed'));
    expect(last.id).toMatch(/^\d+-\d+$/);
    feed.leave();
    const missed = await admin.upload(datasetId, file('third.txt'));
    await admin.pollUntilTerminal(missed.id);
    await admin.delete(`/documents/${first.id}`);

    const open = await Feed.open(admin, datasetId, { 'Last-Event-ID': last.id! });
    await open.until(isGone(first.id));
    const ended = open.until(({ event }) => event === 'error');
    await service.process.restart();
    expect((await ended).data.code).toBe('http.stream_passed_on');

    for (const id of [place!, last.id!]) {
      const resumed = await Feed.open(admin, datasetId, { 'Last-Event-ID': id });
      await resumed.until(isGone(first.id));
      expect(resumed.seen.some(isOf(missed.id, 'completed'))).toBe(true);
      resumed.leave();
    }
  });

  it('comes as a list for those who poll', async () => {
    const admin = service.admin;
    const datasetId = await admin.createDataset('Polled');
    const poll = (after?: string): Promise<FeedEvents> =>
      admin
        .with({ Accept: 'application/json' })
        .get(`/datasets/${datasetId}/documents/events${after === undefined ? '' : `?after=${after}`}`);
    const start = await poll();
    expect(start.items).toEqual([]);
    const { id } = await admin.upload(datasetId, file('polled.txt'));
    await admin.pollUntilTerminal(id);
    const { items, next } = await poll(start.next);
    expect(items).toMatchObject([{ type: 'document.changed', document: { id, status: 'completed' } }]);
    expect((await poll(next)).items).toEqual([]);
    const old = `${next.split('-')[0]}-${Date.now() - 2 * 3_600_000}`;
    expect((await poll(old)).items).toEqual([{ type: 'documents.reset' }]);
  });

  it('is refused to anyone who does not see the dataset, may not read documents, names a strange place, or has too many', async () => {
    const admin = await personOf(service.admin, service.process.admin.email);
    const datasetId = await admin.client.createDataset('Mine', { acl: 'only_me' });
    const viewer = await addMember(admin, 'events-viewer@example.com', 'viewer');
    const refusal = async (
      client: ApiClient,
      headers: Record<string, string> = {},
      id = datasetId,
    ): Promise<string> => {
      const { status, body } = await client.send<Problem>(
        'GET',
        `/datasets/${id}/documents/events`,
        undefined,
        headers,
      );
      return `${status} ${body.code}`;
    };
    expect(await refusal(viewer.client)).toBe('404 datasets.not_found');
    expect(await refusal(viewer.client, {}, 'no-id')).toBe('404 datasets.not_found');
    expect(await refusal(service.anonymous)).toBe('401 auth.credential_missing');
    expect(await refusal(await withApiKey(admin, ['chat:complete']))).toBe('403 auth.permission_missing');
    expect(await refusal(admin.client, { 'Last-Event-ID': 'yesterday' })).toBe('422 http.validation_failed');
    const open = [];
    for (let n = 0; n < 3; n += 1) open.push(await Feed.open(admin.client, datasetId));
    expect(await refusal(admin.client)).toBe('429 http.too_many_streams');
    for (const feed of open) feed.leave();
  });
});

describe('a stream whose access token runs out', () => {
  const service = useService({ settings: { AUTH_ACCESS_TOKEN_SECONDS: '20' } });

  it('ends with the reason, and goes on with the next token', async () => {
    const { email, password } = service.process.admin;
    const client = await service.anonymous.login(email, password);
    const datasetId = await client.createDataset('Short');
    const feed = await Feed.open(client, datasetId);
    const { id: place } = await feed.until(isReady);
    const end = await feed.until(({ event }) => event === 'error');
    expect(end).toMatchObject({ id: undefined, data: { code: 'auth.credential_invalid', status: 401 } });
    const again = await service.anonymous.login(email, password);
    const { id } = await again.upload(datasetId, file('late.txt'));
    const resumed = await Feed.open(again, datasetId, { 'Last-Event-ID': place! });
    await resumed.until(isOf(id, 'completed'));
    resumed.leave();
  });
});
