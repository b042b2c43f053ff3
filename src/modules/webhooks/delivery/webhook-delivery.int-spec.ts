import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, type DatasetId } from '#libs/common';
import { inTurns, runningTask } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { DeliveryRules } from './delivery-rules.js';
import type { WebhookDeliveryPayload } from '../deliveries/webhook-delivery.task.js';
import { answerWith, Receiver, type Answer } from '../testing/receiver.js';
import { selfSigned } from '../testing/self-signed.js';
import { WebhookLab } from '../testing/webhook-lab.js';

let lab: WebhookLab;
let receiver: Receiver;
let datasetId: DatasetId;

beforeAll(async () => {
  lab = await WebhookLab.open();
});
afterAll(() => lab.close());
beforeEach(async () => {
  receiver = await Receiver.open();
  datasetId = await lab.addDataset();
  lab.settings.webhookAllowedHosts = ['127.0.0.1'];
});
afterEach(async () => {
  await receiver.close();
  await lab.sql(`DELETE FROM webhook_endpoints`);
  await lab.system(`DELETE FROM tasks`);
});

const stateOf = async (id: string) => lab.webhooks().get(lab.owner.ctx, id);

describe('an event', () => {
  it('arrives once, signed by the scheme, with only ids and codes', async () => {
    const { id, secret } = await lab.addWebhook(receiver.url('/hook?a=b'));
    const documentId = newId();
    const eventId = await lab.completed(documentId, datasetId);
    await lab.completed(newId(), await lab.addDataset()); // of another document
    await lab.tell(
      'document.completed',
      documentId,
      { document_id: documentId, dataset_id: datasetId },
      { id: eventId },
    );
    await lab.work();
    expect(receiver.received).toHaveLength(2);
    const message = receiver.received.find(({ data }) => data['document_id'] === documentId)!;
    const verified = new Webhook(secret).verify(message.body, message.headers as Record<string, string>);
    expect(verified).toEqual({
      type: 'document.completed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { tenant_id: lab.owner.tenantId, document_id: documentId, dataset_id: datasetId },
    });
    expect(message.path).toBe('/hook?a=b');
    const [delivery] = await lab.deliveriesOf(id);
    expect(delivery).toMatchObject({ status: 'delivered', attempt_count: 1, status_code: 200, next_attempt_at: null });
    expect(receiver.ids).toContain(delivery!.id);
  });

  it('is sent with a separate id to each webhook that subscribes to it, and to no other', async () => {
    const [one, other] = [await lab.addWebhook(receiver.url('/one')), await lab.addWebhook(receiver.url('/other'))];
    await lab.addWebhook(receiver.url('/failed-only'), { events: ['document.failed'] });
    await lab.completed(newId(), datasetId);
    await lab.work();
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/one', '/other']);
    expect(new Set(receiver.ids).size).toBe(2);
    expect((await lab.deliveriesOf(one.id))[0]!.id).not.toBe((await lab.deliveriesOf(other.id))[0]!.id);
  });

  it('is recorded for all webhooks of an account with one check of what the account may see', async () => {
    for (let n = 0; n < 5; n += 1) await lab.addWebhook(receiver.url(`/${n}`));
    const [documentId, asked] = [newId(), lab.roles.asked];
    await lab.completed(documentId, datasetId);
    expect(lab.roles.asked - asked).toBe(1);
    const tasks = await lab.system(`SELECT subject FROM tasks WHERE kind = 'webhook_delivery'`);
    expect(tasks).toHaveLength(5);
    await lab.work();
    expect(receiver.received).toHaveLength(5);
  });

  it('lets other tenants run after each attempt, and the later events of its lane arrive once', async () => {
    await lab.addWebhook(receiver.url());
    const documentId = newId();
    for (let n = 0; n < 3; n += 1) await lab.completed(documentId, datasetId);
    const tasks = await lab.system<{ id: string; payload: WebhookDeliveryPayload }>(
      `SELECT id, payload FROM tasks WHERE kind = 'webhook_delivery'`,
    );
    expect(tasks).toHaveLength(1);
    const { id, payload } = tasks[0]!;
    const { turns } = await inTurns(lab.lanes(), { ...runningTask(lab.owner.ctx, payload), id });
    expect(turns).toBe(4);
    expect(receiver.received).toHaveLength(3);
  });

  it.each(['scan.completed', 'kg.completed', 'evaluation.completed', 'dataset.purged', 'policy.version_created'])(
    '%s of a dataset arrives',
    async (type) => {
      await lab.addWebhook(receiver.url());
      await lab.tell(type, datasetId, { dataset_id: datasetId });
      await lab.work();
      expect(receiver.received).toMatchObject([{ type, data: { dataset_id: datasetId } }]);
    },
  );
});

describe('a receiver that fails', () => {
  const down: Answer = (response) => response.destroy();
  const silent: Answer = () => undefined;
  const endless: Answer = (response) => {
    response.writeHead(500);
    response.write('x'.repeat(100_000));
  };

  it.each([
    ['answers 500', answerWith(500, 'no\u0000pe'), 'HTTP_STATUS', 500, 'no pe'],
    ['answers 302', answerWith(302, '', { Location: 'http://127.0.0.1:1/' }), 'HTTP_STATUS', 302, null],
    ['answers 307 to itself', answerWith(307, '', { Location: '/other' }), 'HTTP_STATUS', 307, null],
    ['answers 404', answerWith(404, 'no such hook'), 'HTTP_STATUS', 404, 'no such hook'],
    ['is silent', silent, 'TIMEOUT', null, null],
    ['breaks off', down, 'CONNECTION_FAILED', null, null],
    ['does not end', endless, 'HTTP_STATUS', 500, 'x'.repeat(1_000)],
  ] as const)(
    'and %s is tried again with the same id, until it answers and the event is delivered',
    async (...given) => {
      const [, answer, error, statusCode, excerpt] = given;
      receiver.answer = answer;
      const { id, secret } = await lab.addWebhook(receiver.url());
      await lab.completed(newId(), datasetId);
      await lab.work(lab.lanes(new DeliveryRules(300)));
      const [waiting] = await lab.deliveriesOf(id);
      expect(waiting).toMatchObject({
        status: 'pending',
        error_code: error,
        attempt_count: 1,
        status_code: statusCode,
      });
      expect(waiting!.attempts).toMatchObject([{ error, status_code: statusCode, response_excerpt: excerpt }]);
      const pause = new Date(waiting!.next_attempt_at!).getTime() - new Date(waiting!.attempts[0]!.at).getTime();
      expect(pause).toBeGreaterThan(4_900);
      expect(pause).toBeLessThan(7_500);
      expect(receiver.received).toHaveLength(1);
      receiver.answer = answerWith(204);
      await lab.pass('7 seconds');
      await lab.work();
      expect(await lab.deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempt_count: 2, error_code: null }]);
      expect(new Set(receiver.ids)).toEqual(new Set([waiting!.id]));
      for (const { body, headers } of receiver.received) {
        expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
      }
      expect(await stateOf(id)).toMatchObject({ enabled: true, failing_since: null });
    },
  );

  it('and does not answer is paused after five documents, and later documents lose no attempt by that', async () => {
    const { id } = await lab.addWebhook(receiver.url());
    receiver.answer = down;
    for (let n = 0; n < 30; n += 1) await lab.completed(newId(), datasetId);
    const lanes = lab.lanes();
    await lab.work(lanes);
    const attempts = (await lab.deliveriesOf(id)).map(({ attempt_count: count }) => count);
    // Eight are running when the fifth has failed.
    expect(attempts.filter((count) => count > 0).length).toBeLessThanOrEqual(12);
    expect(attempts).toHaveLength(30);
    receiver.answer = answerWith(200);
    await lab.pass('1 hour');
    await lab.work();
    expect((await lab.deliveriesOf(id)).every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('and refuses connections is tried again', async () => {
    const { id } = await lab.addWebhook('http://127.0.0.1:1/hook');
    await lab.completed(newId(), datasetId);
    await lab.work();
    // A receiver is no dependency of the service, so it is not reported to the operator.
    expect(lab.postponed.at(-1)).toBe('NOT_DUE');
    expect(await lab.deliveriesOf(id)).toMatchObject([{ status: 'pending', error_code: 'CONNECTION_FAILED' }]);
  });

  it('and fails ten times on the schedule of the scheme loses the event, and later events are sent', async () => {
    receiver.answer = answerWith(503);
    const { id } = await lab.addWebhook(receiver.url());
    const documentId = newId();
    await lab.completed(documentId, datasetId);
    const pauses: number[] = [];
    for (let tries = 1; tries < 10; tries += 1) {
      await lab.work();
      const [delivery] = await lab.deliveriesOf(id);
      expect(delivery!.attempt_count).toBe(tries);
      const last = new Date(delivery!.attempts.at(-1)!.at).getTime();
      pauses.push((new Date(delivery!.next_attempt_at!).getTime() - last) / 1000);
      await lab.sql(`UPDATE webhook_deliveries SET next_attempt_at = now()`);
      await lab.system(`UPDATE tasks SET not_before = now()`);
    }
    const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    schedule.forEach((seconds, place) => {
      expect(pauses[place]).toBeGreaterThanOrEqual(seconds - 0.1);
      expect(pauses[place]).toBeLessThan(seconds * 1.2 + 1);
    });
    receiver.answer = (response, { type }) => answerWith(type === 'document.failed' ? 200 : 503)(response, {} as never);
    await lab.tell('document.failed', documentId, { document_id: documentId, dataset_id: datasetId });
    await lab.work();
    expect(await lab.deliveriesOf(id)).toMatchObject([
      { status: 'failed', attempt_count: 10, next_attempt_at: null },
      { status: 'delivered', attempt_count: 1 },
    ]);
  });

  it('with 410 is disabled at once, and nothing more is sent', async () => {
    receiver.answer = answerWith(410);
    const { id } = await lab.addWebhook(receiver.url());
    await lab.completed(newId(), datasetId);
    await lab.work();
    await lab.completed(newId(), datasetId);
    await lab.work();
    expect(receiver.received).toHaveLength(1);
    expect(await lab.deliveriesOf(id)).toMatchObject([{ status: 'failed', error_code: 'GONE', attempt_count: 1 }]);
    const [listed] = (await lab.webhooks().list(lab.owner.ctx, { skip: 0, limit: 20, order_by: '-created_at' })).items;
    expect(listed).toMatchObject({ enabled: false, disabled_reason: 'gone', disabled_at: expect.any(String) });
    const audited = await lab.sql<{ event: string; details: object }>(
      `SELECT event, details FROM audit_log WHERE subject = $1 ORDER BY seq`,
      [`webhook:${id}`],
    );
    expect(audited.at(-1)).toEqual({ event: 'webhook.disabled', details: { reason: 'gone' } });
  });

  it('for five days is disabled, with its waiting deliveries, and not before', async () => {
    receiver.answer = answerWith(500);
    const { id } = await lab.addWebhook(receiver.url());
    await lab.completed(newId(), datasetId);
    await lab.work();
    await lab.pass('4 days 23 hours');
    await lab.work();
    expect(await stateOf(id)).toMatchObject({ enabled: true, failing_since: expect.any(String) });
    await lab.completed(newId(), datasetId);
    await lab.pass('1 hour 1 minute');
    await lab.work();
    expect(await stateOf(id)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    const statuses = (await lab.deliveriesOf(id)).map(({ status, error_code: code }) => [status, code]);
    expect(statuses).toEqual([
      ['cancelled', 'WEBHOOK_DISABLED'],
      ['cancelled', 'WEBHOOK_DISABLED'],
    ]);
    receiver.answer = answerWith(200);
    await lab.webhooks().update(lab.owner.ctx, id, { enabled: true });
    expect(await stateOf(id)).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
    await lab.completed(newId(), datasetId);
    await lab.work();
    expect((await lab.deliveriesOf(id)).at(-1)).toMatchObject({ status: 'delivered' });
  });
});

describe('the order', () => {
  it('of one document is kept, while events of others are sent, whatever fails', async () => {
    const [failing, fine] = [newId(), newId()];
    receiver.answer = (response, { data }) =>
      answerWith(data['document_id'] === failing ? 500 : 200)(response, {} as never);
    const { id } = await lab.addWebhook(receiver.url());
    for (const revision of [1, 2, 3]) {
      for (const documentId of [failing, fine]) {
        const payload = { document_id: documentId, dataset_id: datasetId, revision };
        await lab.tell('document.completed', documentId, payload);
      }
    }
    await lab.work();
    const revisionsOf = (documentId: string): unknown[] =>
      receiver.received.filter(({ data }) => data['document_id'] === documentId).map(({ data }) => data['revision']);
    expect(revisionsOf(failing)).toEqual([1]);
    expect(revisionsOf(fine)).toEqual([1, 2, 3]);
    await lab.tell('document.deleted', failing, { document_id: failing, dataset_id: datasetId, revision: 4 });
    await lab.work();
    expect(revisionsOf(failing)).toEqual([1]);
    receiver.answer = answerWith(200);
    await lab.pass('7 seconds');
    await lab.work();
    expect(revisionsOf(failing)).toEqual([1, 1, 2, 3, 4]);
    expect((await lab.deliveriesOf(id)).every(({ status }) => status === 'delivered')).toBe(true);
    expect(await lab.system(`SELECT id FROM tasks`)).toEqual([]);
  });

  it('is kept when many tasks of a lane run at the same time', async () => {
    await lab.addWebhook(receiver.url());
    const documentId = newId();
    for (let revision = 1; revision <= 8; revision += 1) {
      await lab.tell('document.completed', documentId, { document_id: documentId, dataset_id: datasetId, revision });
      await lab.system(`UPDATE tasks SET subject = id::text`); // so that each event has a task of its own
    }
    await lab.work();
    expect(receiver.received.map(({ data }) => data['revision'])).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('a delivery whose worker died is repeated by the task that takes over', async () => {
    const { id } = await lab.addWebhook(receiver.url());
    await lab.completed(newId(), datasetId);
    const [task] = await lab.system<{ id: string }>(`SELECT id FROM tasks`);
    await lab.sql(`UPDATE webhook_deliveries SET claimed_by = $1, claimed_until = now() + interval '1 hour'`, [
      task!.id,
    ]);
    await lab.work();
    expect(await lab.deliveriesOf(id)).toMatchObject([{ status: 'delivered' }]);
  });
});

describe('what its account does not see', () => {
  it('is not sent, neither of a private dataset of another account nor of a dataset that is no longer visible', async () => {
    const admin = await lab.addMember('admin');
    const hidden = await lab.addDataset('only_me');
    const { id } = await lab.addWebhook(receiver.url(), { ctx: admin.ctx });
    await lab.completed(newId(), hidden);
    expect(await lab.work()).toBe(0);
    await lab.completed(newId(), datasetId);
    await lab.sql(`UPDATE datasets SET acl = 'only_me' WHERE id = $1`, [datasetId]);
    await lab.work();
    expect(receiver.received).toEqual([]);
    expect(await lab.deliveriesOf(id)).toMatchObject([{ status: 'cancelled', error_code: 'DATASET_NOT_VISIBLE' }]);
    expect(await lab.deliveriesOf(id, admin.ctx)).toEqual([]);
  });

  it('is sent for the deletion of a dataset that was visible', async () => {
    await lab.addWebhook(receiver.url());
    await lab.sql(`UPDATE datasets SET deleted_at = now() WHERE id = $1`, [datasetId]);
    const documentId = newId();
    await lab.tell('document.deleted', documentId, {
      document_id: documentId,
      dataset_id: datasetId,
      with_dataset: true,
    });
    await lab.sql(`DELETE FROM datasets WHERE id = $1`, [datasetId]);
    await lab.work();
    expect(receiver.received).toMatchObject([{ type: 'document.deleted' }]);
  });

  it.each([
    [null, 'account_left'],
    ['viewer', 'permission_lost'],
  ] as const)('is no longer sent when its account loses its rights (%s)', async (role, reason) => {
    const admin = await lab.addMember('admin');
    const { id } = await lab.addWebhook(receiver.url(), { ctx: admin.ctx });
    await lab.completed(newId(), datasetId);
    lab.roles.byAccount.set(admin.accountId, role);
    await lab.work();
    await lab.completed(newId(), datasetId);
    await lab.work();
    expect(receiver.received).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ enabled: false, disabled_reason: reason });
    expect(await lab.deliveriesOf(id)).toMatchObject([{ status: 'cancelled', error_code: 'WEBHOOK_DISABLED' }]);
  });

  it('is limited by the list of the API key that made the webhook', async () => {
    const other = await lab.addDataset();
    const { accountId, ctx } = lab.owner;
    const principal = {
      ...ctx.principal,
      kind: 'api_key',
      keyId: newId(),
      accountId,
      datasetIds: [datasetId],
    } as never;
    const { dataset_ids: listed } = await lab.addWebhook(receiver.url(), { ctx: { ...ctx, principal } });
    expect(listed).toEqual([datasetId]);
    await lab.completed(newId(), other);
    await lab.completed(newId(), datasetId);
    await lab.work();
    expect(receiver.received).toMatchObject([{ data: { dataset_id: datasetId } }]);
  });
});

describe('the address', () => {
  it('is resolved and checked at each attempt, and the connection goes to the checked address', async () => {
    lab.settings.webhookAllowedHosts = [];
    lab.resolver.script = [[{ address: '93.184.215.14', family: 4 }], [{ address: '127.0.0.1', family: 4 }]];
    const { id } = await lab.addWebhook(`http://rebinding.example.com:${receiver.port}/hook`);
    expect((await lab.targets().check((await stateOf(id)).url)).kind).toBe('checked');
    await lab.completed(newId(), datasetId);
    await lab.work();
    expect(receiver.received).toEqual([]);
    expect(await lab.deliveriesOf(id)).toMatchObject([
      { status: 'pending', error_code: 'TARGET_REFUSED', status_code: null },
    ]);
  });

  it('is resolved once for an attempt: a second answer is never used', async () => {
    lab.settings.webhookAllowedHosts = ['receiver.example.com'];
    lab.resolver.asked.length = 0;
    lab.resolver.script = [[{ address: '127.0.0.1', family: 4 }], [{ address: '192.0.2.1', family: 4 }]];
    await lab.addWebhook(`http://receiver.example.com:${receiver.port}/hook`);
    await lab.completed(newId(), datasetId);
    await lab.work();
    expect(lab.resolver.asked).toEqual(['receiver.example.com']);
    expect(receiver.received).toMatchObject([{ headers: { host: `receiver.example.com:${receiver.port}` } }]);
  });

  it('is refused when one of several addresses is private, and waits while the name cannot be resolved', async () => {
    lab.settings.webhookAllowedHosts = [];
    const { id } = await lab.addWebhook(`http://mixed.example.com:${receiver.port}/hook`);
    lab.resolver.script = [
      [
        { address: '93.184.215.14', family: 4 },
        { address: '::ffff:127.0.0.1', family: 6 },
      ],
    ];
    await lab.completed(newId(), datasetId);
    await lab.work();
    expect(await lab.deliveriesOf(id)).toMatchObject([{ error_code: 'TARGET_REFUSED' }]);
    lab.resolver.script = [];
    await lab.pass('7 seconds');
    await lab.work();
    expect(await lab.deliveriesOf(id)).toMatchObject([{ error_code: 'NAME_UNKNOWN', attempt_count: 2 }]);
  });
});

describe('a receiver that speaks HTTPS', () => {
  const HOST = 'hooks.example.test';
  const trusted = selfSigned([HOST]);
  const authorities = getCACertificates('default');
  let secure: Receiver;
  beforeEach(() => {
    setDefaultCACertificates([...authorities, trusted.cert]);
    // No resolver knows the name, so the connection must have used the checked address.
    lab.resolver.script = [[{ address: '127.0.0.1', family: 4 }]];
    lab.settings.webhookAllowedHosts = [HOST, '127.0.0.1', 'other.example.test'];
  });
  afterEach(async () => {
    setDefaultCACertificates(authorities);
    lab.resolver.script = [];
    await secure.close();
  });

  async function attempt(url: string) {
    const { id } = await lab.addWebhook(url);
    await lab.completed(newId(), datasetId);
    await lab.work();
    const [delivery] = await lab.deliveriesOf(id);
    return { delivery, received: secure.received.length };
  }

  it('gets events at the checked address, with a certificate for the name', async () => {
    secure = await Receiver.open(0, trusted);
    const { delivery, received } = await attempt(secure.urlAt(HOST));
    expect(delivery).toMatchObject({ status: 'delivered', status_code: 200 });
    expect(received).toBe(1);
    expect(secure.received[0]!.headers.host).toBe(`${HOST}:${secure.port}`);
  });

  it.each([
    ['another name', 'other.example.test', trusted],
    ['a name, where the URL has the address', '127.0.0.1', trusted],
    ['the name, which nobody trusted has signed', HOST, selfSigned([HOST])],
    ['the name, and expired', HOST, selfSigned([HOST], new Date(Date.now() - 1_000))],
  ])('gets nothing when its certificate is for %s', async (_what, host, certificate) => {
    setDefaultCACertificates([...authorities, trusted.cert, ...(_what.includes('expired') ? [certificate.cert] : [])]);
    secure = await Receiver.open(0, certificate);
    const { delivery, received } = await attempt(secure.urlAt(host));
    expect(delivery).toMatchObject({ status: 'pending', error_code: 'CERTIFICATE_REFUSED', status_code: null });
    expect(received).toBe(0);
  });
});

describe('a receiver that requests a pause', () => {
  it.each([
    [429, '900', 900],
    [503, '900', 900],
    [429, '1', 5],
    [503, 'in a while', 5],
    [500, '900', 5],
    [429, '99999999', 24 * 3600],
  ])('with %d and Retry-After %s is tried again after at least %d seconds', async (status, header, seconds) => {
    receiver.answer = answerWith(status, '', { 'Retry-After': header });
    const { id } = await lab.addWebhook(receiver.url());
    await lab.completed(newId(), datasetId);
    await lab.work();
    const [waiting] = await lab.deliveriesOf(id);
    const pause = (new Date(waiting!.next_attempt_at!).getTime() - new Date(waiting!.attempts[0]!.at).getTime()) / 1000;
    expect(pause).toBeGreaterThan(seconds - 0.1);
    expect(pause).toBeLessThan(seconds * 1.2 + 2);
  });
});
