import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { serviceVersion } from '../../src/app/service-version.js';
import type { ApiClient } from '../support/api-client.js';
import { CrampedEngine } from '../support/cramped-engine.js';
import type { LogLine } from '../support/log-lines.js';
import { freePort } from '../support/own-port.js';
import { ServiceGroup } from '../support/service-group.js';
import type { ServiceProcess } from '../support/service-process.js';

const version = serviceVersion();
const TOKEN = 'a-token-for-the-scraper';
const COMPONENTS = ['database', 'vector_backend', 'cache', 'object_storage', 'task_queue', 'upload_directory'];

interface Details {
  readonly status: string;
  readonly components: Readonly<Record<string, { readonly status: string; readonly detail: string }>>;
}

describe('an api and a worker on an engine that allows no more indexes', () => {
  let engine: CrampedEngine;
  let group: ServiceGroup;
  let api: ServiceProcess;
  let worker: ServiceProcess;
  let metricsPort: number;
  let admin: ApiClient;

  beforeAll(async () => {
    engine = await CrampedEngine.start();
    const settings = { VECTOR_STORE: 'elasticsearch', ELASTICSEARCH_URL: engine.url, METRICS_TOKEN: TOKEN };
    group = await ServiceGroup.start({ apis: 1, workers: 0, settings });
    metricsPort = await freePort();
    worker = await group.add('worker', { METRICS_PORT: String(metricsPort) });
    [api] = group.apis as [ServiceProcess];
    admin = await group.client(0);
  });
  afterAll(async () => {
    await group?.dispose();
    await engine?.close();
  });

  const ofApi = async (): Promise<string> =>
    (await fetch(`${api.url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } })).text();
  const ofWorker = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const details = (): Promise<Details> => admin.get<Details>('/health/details');
  /** Lines of the log with this event; before it serves a process prints its address as plain text, too. */
  const linesOf = (process: ServiceProcess, event: string): LogLine[] =>
    process.log
      .filter((text) => text.startsWith('{'))
      .map((text) => JSON.parse(text) as LogLine)
      .filter(({ msg }) => msg === event);

  it('both say once which version was started as what', async () => {
    for (const [process, role] of [
      [api, 'api'],
      [worker, 'worker'],
    ] as const) {
      await until(() => linesOf(process, 'service.started').length > 0, { what: `the line of ${role}` });
      expect(linesOf(process, 'service.started')).toMatchObject([{ level: 'info', version, role }]);
    }
    expect(await ofApi()).toContain(`kb_build_info{version="${version}",role="api"`);
    expect(await ofWorker()).toContain(`kb_build_info{version="${version}",role="worker"`);
    expect((await details()).components['task_queue']?.detail).toContain(`this process: api ${version}`);
  });

  it('both tell of each component and of the workers that live', async () => {
    for (const read of [ofApi, ofWorker]) {
      // A scrape may take what a look of the two seconds before saw: the api's first one was before the worker came.
      await until(async () => (await read()).includes('kb_component_up{component="task_queue"} 1'), {
        what: 'the worker',
      });
      const text = await read();
      for (const name of COMPONENTS) expect(text).toContain(`kb_component_up{component="${name}"} 1`);
      expect(text).toContain('kb_workers_live 1');
      expect(text).toContain('kb_documents_waiting{reason="store_unavailable"} 0');
    }
    const { task_queue: queue } = (await details()).components;
    expect(queue).toMatchObject({ status: 'up', detail: expect.stringContaining('workers 1; nothing waits') });
  });

  it('a document that waits for the engine is seen in metrics, details and the log, with the reason', async () => {
    const datasetId = await admin.createDataset('One too many');
    const { id } = await admin.upload(datasetId, { name: 'a.txt', content: 'The lamps are counted at dusk.' });
    const waiting = 'kb_documents_waiting{reason="store_unavailable"} 1';
    await until(async () => (await ofApi()).includes(waiting), { what: 'the document', everyMs: 500 });
    expect(await ofWorker()).toContain('kb_documents_waiting{reason="store_unavailable"}');
    expect((await details()).components['task_queue']?.detail).toMatch(/ingestion (store_unavailable|queued) 1/);
    expect(await admin.get(`/documents/${id}/status`)).toMatchObject({ status: 'pending' });
    await until(() => linesOf(worker, 'work.waiting').length > 0, { what: 'the warning', withinMs: 30_000 });
    expect(linesOf(worker, 'work.waiting')).toMatchObject([
      {
        level: 'warn',
        workers: 1,
        waiting: { 'ingestion.store_unavailable': 1 },
        causes: [{ code: 'vector_store.unavailable', message: expect.stringContaining('no more indexes') }],
      },
    ]);
  });

  it('no live worker is seen in metrics, details and the log of the api, which stays ready', async () => {
    await worker.kill('SIGKILL');
    const hasNone = (text: string): boolean =>
      text.includes('kb_workers_live 0') && text.includes('kb_component_up{component="task_queue"} 0');
    await until(async () => hasNone(await ofApi()), {
      what: 'no worker',
      withinMs: 40_000,
      everyMs: 500,
    });
    expect(await ofApi()).toMatch(/^kb_ingestion_oldest_waiting_seconds [1-9]/m);
    const { status, components } = await details();
    expect(status).toBe('down');
    expect(components['task_queue']).toMatchObject({
      status: 'down',
      detail: expect.stringContaining('no process works'),
    });
    expect((await admin.send('GET', '/health/ready')).status).toBe(200);
    const told = (event: string): boolean =>
      linesOf(api, event).some((line) => line['component'] === 'task_queue' || line['workers'] === 0);
    await until(() => told('component.down') && told('work.waiting'), { what: 'both lines', withinMs: 90_000 });
  });

  it('a worker that comes back is told of', async () => {
    const restored = (): LogLine[] =>
      linesOf(api, 'component.restored').filter(({ component }) => component === 'task_queue');
    const before = restored().length;
    await group.add('worker');
    await until(async () => (await ofApi()).includes('kb_workers_live 1'), {
      what: 'the worker',
      withinMs: 30_000,
      everyMs: 500,
    });
    await until(() => restored().length > before, { what: 'the line', withinMs: 30_000 });
    expect(restored()).toHaveLength(before + 1);
  });
});
