import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient, type DocumentRecord } from '../support/api-client.js';
import { describeOnEngines, engineSettings, startEngine, type EngineProcess } from '../support/engines.js';
import {
  countByStatus,
  expectFoundOnce,
  numberedDocument,
  type NumberedDocument,
} from '../support/numbered-documents.js';
import { ServiceProcess } from '../support/service-process.js';
import { expectSearchUnavailable, expectStoreDown, readiness, waitingReason } from '../support/store-state.js';

const BEFORE = 10;
const DURING = 60;
const AWAY = 10;
const AWAY_MS = 30_000;
/** A search gives up after ten seconds. */
const SEARCH_MS = 13_000;
/** Half a minute without the engine, its start, and pauses of up to a minute. */
const OUTAGE_MS = 400_000;

describeOnEngines('a vector store that dies in the middle of ingestion', ({ kind }) => {
  let engine: EngineProcess;
  let service: ServiceProcess;
  let client: ApiClient;
  let datasetId: string;
  const documents = new Map<string, NumberedDocument>();

  const upload = async (name: string, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const document = numberedDocument(name, n);
      const { id } = await client.upload(datasetId, document);
      documents.set(id, document);
      ids.push(id);
    }
    return ids;
  };
  const rowsOfStore = async (): Promise<number> => {
    await engine.call('POST', '/_refresh');
    return (await engine.call<{ count: number }>('GET', '/_count')).count;
  };

  beforeAll(async () => {
    engine = await startEngine(kind);
    service = await ServiceProcess.start({ settings: engineSettings(kind, engine.url) });
    client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    datasetId = await client.createDataset('Lighthouses');
  });
  afterAll(async () => {
    await service?.dispose();
    await engine?.dispose();
  });

  it('loses nothing, says 503 meanwhile and answers rightly afterwards', { timeout: OUTAGE_MS }, async () => {
    const [deleted, ...early] = await upload('before', BEFORE);
    for (const id of [deleted!, ...early]) await client.pollUntilTerminal(id);

    const during = await upload('during', DURING);
    await until(async () => ((await countByStatus(client, during))['completed'] ?? 0) > 3, {
      what: 'some are done',
      withinMs: 60_000,
    });
    await engine.kill('SIGKILL');
    const killedAt = Date.now();

    await expectSearchUnavailable(client, datasetId, SEARCH_MS);
    await until(async () => (await readiness(client)) === 503, { what: 'readiness is 503', withinMs: 10_000 });
    await expectStoreDown(client);
    const away = await upload('away', AWAY);
    expect((await client.send('DELETE', `/documents/${deleted!}`)).status).toBe(204);
    documents.delete(deleted!);
    await until(async () => (await waitingReason(client, away[0]!)) === 'store_unavailable', {
      what: 'one waits',
      withinMs: 20_000,
    });
    await wait(Math.max(0, AWAY_MS - (Date.now() - killedAt)));
    expect(await countByStatus(client, away)).not.toHaveProperty('failed');
    await expectSearchUnavailable(client, datasetId, SEARCH_MS);

    await engine.start();
    const end = Date.now() + 90_000;
    for (const id of documents.keys()) await client.pollUntilTerminal(id, { timeoutMs: end - Date.now() });
    expect(await countByStatus(client, documents.keys())).toEqual({ completed: BEFORE + DURING + AWAY - 1 });
    expect(await readiness(client)).toBe(200);
    for (const [id, document] of documents) await expectFoundOnce(client, id, document);
    expect(await waitingReason(client, away[0]!)).toBe(null);
  });

  it('holds each chunk once afterwards, and nothing of the document that was deleted meanwhile', async () => {
    const records = await Promise.all(
      [...documents.keys()].map((id) => client.get<DocumentRecord>(`/documents/${id}`)),
    );
    const chunks = records.reduce((sum, { chunk_count: count }) => sum + count, 0);
    await until(async () => (await rowsOfStore()) <= chunks, { what: 'superfluous rows are gone', withinMs: 60_000 });
    expect(await rowsOfStore()).toBe(chunks);
  });

  it('is taken for away while it is frozen, and into use again when it goes on', async () => {
    engine.pause();
    try {
      await expectSearchUnavailable(client, datasetId, SEARCH_MS);
      await expectStoreDown(client);
    } finally {
      engine.resume();
    }
    await until(async () => (await readiness(client)) === 200, { what: 'readiness is 200', withinMs: 15_000 });
    const [[id, document]] = [...documents] as [[string, NumberedDocument]];
    await expectFoundOnce(client, id, document);
  });
});
