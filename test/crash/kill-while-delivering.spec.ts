import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient } from '../../scripts/lib/api-client.js';
import { answerWith, Receiver, type Answer } from '../../src/modules/webhooks/testing/receiver.js';
import { ServiceProcess } from '../support/service-process.js';

const PATIENCE_MS = 60_000;
const HELD: Answer = () => undefined;

describe('A service that SIGKILL ends while webhooks are told of documents', () => {
  let service: ServiceProcess;
  let receiver: Receiver;
  let api: ApiClient;
  let dataset: string;

  beforeAll(async () => {
    receiver = await Receiver.open();
    const settings = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', LEASE_SECONDS: '2' };
    service = await ServiceProcess.start({ settings });
    api = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
    dataset = await api.createDataset('told of');
    await api.post('/webhooks', { url: receiver.url(), events: ['document.completed', 'document.deleted'] });
  });
  afterAll(async () => {
    await service?.dispose();
    await receiver?.close();
  });

  const upload = async (name: string): Promise<string> =>
    (await api.upload(dataset, { name: `${name}.txt`, content: `The ${name} is open.` })).id;
  const typesOf = (id: string): string[] =>
    receiver.received.filter(({ data }) => data['document_id'] === id).map(({ type }) => type);
  const idsOf = (id: string, event: string): Set<unknown> =>
    new Set(
      receiver.received
        .filter(({ type, data }) => type === event && data['document_id'] === id)
        .map(({ headers }) => headers['webhook-id']),
    );

  it('within a delivery, makes it again under the same id, before later events of the document', async () => {
    receiver.answer = HELD;
    const id = await upload('valve');
    await until(async () => typesOf(id).length === 1, { what: 'the first delivery', withinMs: PATIENCE_MS });
    await api.delete(`/documents/${id}`);
    await service.kill('SIGKILL');
    receiver.answer = answerWith(200);
    await service.start();
    await until(async () => typesOf(id).includes('document.deleted'), { what: 'both', withinMs: PATIENCE_MS });
    const types = typesOf(id);
    expect(types.filter((type) => type === 'document.completed').length).toBeGreaterThanOrEqual(2);
    expect(types.lastIndexOf('document.completed')).toBeLessThan(types.indexOf('document.deleted'));
    expect(idsOf(id, 'document.completed').size).toBe(1);
  });

  it.each([1, 2, 3])('between changes and deliveries, tells of each of them (%d)', async (round) => {
    receiver.answer = answerWith(200);
    const ids = await Promise.all(Array.from({ length: 10 }, (_, n) => upload(`gate-${round}-${n}`)));
    // As soon as the first one is told of: others have just completed, or are about to.
    await until(async () => ids.some((id) => typesOf(id).length > 0), {
      what: 'a message',
      withinMs: PATIENCE_MS,
      everyMs: 2,
    });
    await service.kill('SIGKILL');
    await service.start();
    const isTold = (id: string): boolean => typesOf(id).includes('document.completed');
    await until(async () => ids.every(isTold), { what: 'a message of each document', withinMs: PATIENCE_MS });
    for (const id of ids) expect(idsOf(id, 'document.completed').size).toBe(1);
  });
});
