import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient, type DocumentRecord } from '../support/api-client.js';
import { describeOnEngines, engineSettings } from '../support/engines.js';
import { FaultProxy, type Fault } from '../support/fault-proxy.js';
import { expectFoundOnce, numberedDocument } from '../support/numbered-documents.js';
import { ServiceProcess } from '../support/service-process.js';
import { expectSearchUnavailable, expectStoreDown, readiness, waitingReason } from '../support/store-state.js';

/** A search gives up after ten seconds. */
const SEARCH_MS = 13_000;
/** A write gives up after thirty seconds. */
const NOTICED_MS = 60_000;
const HEALED_MS = 90_000;

const FAULTS: readonly { readonly name: string; readonly fault: Fault }[] = [
  { name: 'is cut off', fault: { kind: 'cut' } },
  { name: 'takes connections and never answers', fault: { kind: 'silent' } },
  { name: 'answers 429', fault: { kind: 'status', status: 429 } },
  { name: 'answers 503', fault: { kind: 'status', status: 503 } },
  {
    name: 'answers 502 with a page of a proxy',
    fault: { kind: 'status', status: 502, body: '<html>Bad gateway</html>' },
  },
  { name: 'takes a minute for each answer', fault: { kind: 'slow', ms: 60_000 } },
];

describeOnEngines('a vector store in trouble', ({ kind, url, prefix }) => {
  let proxy: FaultProxy;
  let service: ServiceProcess;
  let client: ApiClient;
  let datasetId: string;
  let uploaded = 0;

  const ingested = async (): Promise<void> => {
    const document = numberedDocument('calm', (uploaded += 1));
    const { id } = await client.upload(datasetId, document);
    expect((await client.pollUntilTerminal(id)).status).toBe('completed');
    await expectFoundOnce(client, id, document);
  };

  beforeAll(async () => {
    proxy = await FaultProxy.start(url);
    service = await ServiceProcess.start({ settings: engineSettings(kind, proxy.url, prefix) });
    client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    datasetId = await client.createDataset('Troubled');
    await ingested();
  });
  afterAll(async () => {
    await service?.dispose();
    await proxy?.close();
  });

  describe.each(FAULTS)('that $name', ({ fault }) => {
    it('makes ingestion wait, search and readiness say 503, and leaves no trace when it heals', async () => {
      const document = numberedDocument('troubled', (uploaded += 1));
      proxy.set(fault);
      try {
        const { id } = await client.upload(datasetId, document);
        await expectSearchUnavailable(client, datasetId, SEARCH_MS);
        await expectStoreDown(client);
        await until(async () => (await waitingReason(client, id)) === 'store_unavailable', {
          what: 'it waits',
          withinMs: NOTICED_MS,
        });
        proxy.set({ kind: 'none' });
        const { status } = await client.pollUntilTerminal(id, { timeoutMs: HEALED_MS });
        expect(status).toBe('completed');
        expect(await readiness(client)).toBe(200);
        await expectFoundOnce(client, id, document);
      } finally {
        proxy.set({ kind: 'none' });
      }
    });
  });

  it('answers a little slowly without anybody noticing', async () => {
    proxy.set({ kind: 'slow', ms: 300 });
    try {
      await ingested();
      expect(await readiness(client)).toBe(200);
    } finally {
      proxy.set({ kind: 'none' });
    }
  });

  it('starts the service while it is away, and is taken into use when it comes', async () => {
    proxy.set({ kind: 'cut' });
    await service.stop();
    const starting = service.start();
    await until(async () => (await readiness(client).catch(() => 0)) === 503, { what: 'it listens', withinMs: 60_000 });
    expect((await client.send('GET', '/health')).status).toBe(200);
    proxy.set({ kind: 'none' });
    await starting;
    await ingested();
  });

  it('has full disks: ingestion waits, search goes on, uploads are refused, readiness stays and details say why', async () => {
    const block = (isOn: boolean | null): Promise<unknown> =>
      callEngine(url, 'PUT', `/${prefix}*/_settings`, { 'index.blocks.read_only_allow_delete': isOn });
    const document = numberedDocument('blocked', (uploaded += 1));
    const calm = numberedDocument('calm', 1);
    await block(true);
    try {
      const { id } = await client.upload(datasetId, document);
      await until(async () => (await waitingReason(client, id)) === 'storage_low', {
        what: 'it waits',
        withinMs: NOTICED_MS,
      });
      const refused = client.upload(datasetId, numberedDocument('refused', 1));
      await expect(refused).rejects.toMatchObject({ status: 507 });
      const { results } = await client.search(calm.sentence, [datasetId]);
      expect(results[0]?.text).toContain(calm.sentence);
      const { components } = await client.get<{ components: Record<string, unknown> }>('/health/details');
      const vectors = { status: 'degraded', detail: expect.stringMatching(/takes no writes/) };
      expect(components['vector_backend']).toMatchObject(vectors);
      expect(await readiness(client)).toBe(200);
      await block(null);
      const { status }: DocumentRecord = await client.pollUntilTerminal(id, { timeoutMs: HEALED_MS });
      expect(status).toBe('completed');
      expect(await readiness(client)).toBe(200);
      await expectFoundOnce(client, id, document);
    } finally {
      await block(null);
    }
  });
});

async function callEngine(url: string, method: string, path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}
