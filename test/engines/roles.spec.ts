import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '#testing/until';
import type { ApiClient, Page } from '../support/api-client.js';
import { describeOnEngines, engineSettings } from '../support/engines.js';
import {
  countByStatus,
  expectFoundOnce,
  numberedDocument,
  type NumberedDocument,
} from '../support/numbered-documents.js';
import { ServiceGroup } from '../support/service-group.js';

const DOCUMENTS = 80;

describeOnEngines('two APIs and two workers on one PostgreSQL', ({ kind, url, prefix }) => {
  let group: ServiceGroup;
  let clients: ApiClient[];
  let datasetId: string;
  const documents = new Map<string, NumberedDocument>();

  beforeAll(async () => {
    const settings = { ...engineSettings(kind, url, prefix), INGESTION_LEASE_SECONDS: '2', WORKER_CONCURRENCY: '2' };
    group = await ServiceGroup.start({ apis: 2, workers: 2, settings });
    clients = [await group.client(0), await group.client(1)];
    datasetId = await clients[0]!.createDataset('Shared');
  });
  afterAll(async () => {
    await group?.dispose();
  });

  it('make one first administrator, and know each other’s sessions', async () => {
    const { total } = await clients[1]!.get<Page<unknown>>('/members/?limit=10').catch(() => ({ total: 1 }));
    expect(total).toBe(1);
    expect((await clients[1]!.get<{ id: string }>(`/datasets/${datasetId}`)).id).toBe(datasetId);
  });

  it('lose nothing when a worker is killed in the middle', async () => {
    for (let n = 0; n < DOCUMENTS; n += 1) {
      const document = numberedDocument('shared', n);
      const { id } = await clients[n % 2]!.upload(datasetId, document);
      documents.set(id, document);
    }
    const some = async (): Promise<boolean> =>
      ((await countByStatus(clients[0]!, documents.keys()))['completed'] ?? 0) > 3;
    await until(some, { what: 'some are done', withinMs: 60_000 });
    await group.workers[0]!.kill('SIGKILL');
    const end = Date.now() + 90_000;
    for (const id of documents.keys()) await clients[1]!.pollUntilTerminal(id, { timeoutMs: end - Date.now() });
    expect(await countByStatus(clients[0]!, documents.keys())).toEqual({ completed: DOCUMENTS });
  });

  it('answer alike at both addresses', async () => {
    let n = 0;
    for (const [id, document] of documents) {
      await expectFoundOnce(clients[n % 2]!, id, document);
      n += 1;
      if (n % 8 !== 0) continue;
      const [one, other] = await Promise.all(clients.map((client) => client.search(document.sentence, [datasetId])));
      expect(other!.results).toEqual(one!.results);
    }
  });

  it('show a deletion at the other address at once', async () => {
    const [id, document] = [...documents][0]!;
    await clients[0]!.delete(`/documents/${id}`);
    const { results } = await clients[1]!.search(document.sentence, [datasetId], { top_k: 20 });
    expect(results.map((hit) => hit.document_id)).not.toContain(id);
  });

  it('go on with a worker that is started later', async () => {
    await group.workers[1]!.kill('SIGKILL');
    const document = numberedDocument('later', 1);
    const { id } = await clients[0]!.upload(datasetId, document);
    await group.add('worker');
    await clients[1]!.pollUntilTerminal(id);
    await expectFoundOnce(clients[1]!, id, document);
  });
});
