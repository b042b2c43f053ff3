import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId, type DatasetId } from '#libs/common';
import { SecretsBox } from '#libs/secrets';
import { createTestMember } from '#libs/testing';
import { answerWith, Receiver } from '../testing/receiver.js';
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
});
afterEach(async () => {
  await receiver.close();
  await lab.sql(`DELETE FROM webhook_endpoints`);
  await lab.system(`DELETE FROM tasks`);
});

const verify = (secret: string, place: number): unknown => {
  const { body, headers } = receiver.received[place]!;
  return new Verifier(secret).verify(body, headers as Record<string, string>);
};

describe('secrets', () => {
  it('are encrypted in the database and contained only in the answer of the creation', async () => {
    const { id, secret, ...shown } = await lab.addWebhook(receiver.url());
    expect(secret).toMatch(/^whsec_/);
    expect(await lab.webhooks().get(lab.owner.ctx, id)).toEqual({ id, ...shown });
    const [row] = await lab.sql<object>(`SELECT * FROM webhook_endpoints WHERE id = $1`, [id]);
    expect(JSON.stringify(row)).not.toContain(secret.slice('whsec_'.length));
    const audited = await lab.sql<object>(`SELECT * FROM audit_log`);
    expect(JSON.stringify(audited)).not.toContain(secret.slice('whsec_'.length));
  });

  it('are two for a day after a rotation, and then one', async () => {
    const { id, secret: first } = await lab.addWebhook(receiver.url());
    const rotated = await lab.webhooks().rotateSecret(lab.owner.ctx, id);
    const ends = new Date(rotated.former_secret_expires_at!).getTime() - Date.now();
    expect(ends / 3_600_000).toBeCloseTo(24, 1);
    await lab.completed(newId(), datasetId);
    await lab.work();
    expect(String(receiver.received[0]!.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(verify(rotated.secret, 0)).toMatchObject({ type: 'document.completed' });
    expect(verify(first, 0)).toMatchObject({ type: 'document.completed' });
    await lab.pass('24 hours 1 second');
    expect((await lab.webhooks().get(lab.owner.ctx, id)).former_secret_expires_at).toBeNull();
    await lab.completed(newId(), datasetId);
    await lab.work();
    expect(verify(rotated.secret, 1)).toMatchObject({ type: 'document.completed' });
    expect(() => verify(first, 1)).toThrow('No matching signature');
  });

  it('are not created without a key, and the error names the setting', async () => {
    const without = lab.webhooks(new SecretsBox({ current: null, former: [] }));
    const wanted = { url: receiver.url(), events: ['document.failed' as const] };
    const made = without.create(lab.owner.ctx, wanted);
    await expect(made).rejects.toMatchObject({ code: 'webhooks.secrets_key_missing', status: 503 });
    await expect(made).rejects.toThrow(/SECRETS_KEY/);
    expect((await without.list(lab.owner.ctx, { skip: 0, limit: 20, order_by: '-created_at' })).total).toBe(0);
  });

  it('that no key decrypts fail the attempt, and nothing is sent unsigned', async () => {
    const { id } = await lab.addWebhook(receiver.url());
    await lab.sql(`UPDATE webhook_endpoints SET secret = 'v1.unknown.AAAA.AAAA'`);
    await lab.completed(newId(), datasetId);
    await lab.work();
    expect(receiver.received).toEqual([]);
    expect(await lab.deliveriesOf(id)).toMatchObject([{ status: 'pending', error_code: 'SECRET_UNREADABLE' }]);
  });
});

describe('a webhook', () => {
  it('is created, with repeated events counted once, changed and deleted', async () => {
    const events = ['document.failed', 'document.failed'];
    const { id, events: kept } = await lab.addWebhook(receiver.url(), { events });
    expect(kept).toEqual(['document.failed']);
    const change = { url: receiver.url('/new'), events: ['document.deleted' as const], description: 'For Anna' };
    expect(await lab.webhooks().update(lab.owner.ctx, id, change)).toMatchObject(change);
    expect(await lab.webhooks().update(lab.owner.ctx, id, {})).toMatchObject(change);
    await lab.webhooks().remove(lab.owner.ctx, id);
    const gone = { code: 'webhooks.not_found' };
    await expect(lab.webhooks().get(lab.owner.ctx, id)).rejects.toMatchObject(gone);
    await expect(lab.webhooks().remove(lab.owner.ctx, id)).rejects.toMatchObject(gone);
    const audited = await lab.sql<{ event: string }>(`SELECT event FROM audit_log WHERE subject = $1 ORDER BY seq`, [
      `webhook:${id}`,
    ]);
    expect(audited.map(({ event }) => event)).toEqual([
      'webhook.created',
      'webhook.updated',
      'webhook.updated',
      'webhook.deleted',
    ]);
  });

  it('of another tenant is neither found nor listed', async () => {
    const { id } = await lab.addWebhook(receiver.url());
    const { ctx } = await createTestMember(lab.unitOfWork, 'owner');
    const gone = { code: 'webhooks.not_found' };
    await expect(lab.webhooks().get(ctx, id)).rejects.toMatchObject(gone);
    await expect(lab.webhooks().update(ctx, id, { enabled: false })).rejects.toMatchObject(gone);
    await expect(lab.webhooks().remove(ctx, id)).rejects.toMatchObject(gone);
    await expect(lab.webhooks().rotateSecret(ctx, id)).rejects.toMatchObject(gone);
    await expect(lab.log().test(ctx, id)).rejects.toMatchObject(gone);
    await expect(lab.log().list(ctx, id, { skip: 0, limit: 20 })).rejects.toMatchObject(gone);
    await expect(lab.webhooks().get(lab.owner.ctx, 'no-id')).rejects.toMatchObject(gone);
    expect((await lab.webhooks().list(ctx, { skip: 0, limit: 20, order_by: '-created_at' })).total).toBe(0);
  });

  it('of a colleague may be disabled, described and deleted, but its url may not be changed', async () => {
    const { id } = await lab.addWebhook(receiver.url());
    const { ctx } = await lab.addMember('admin');
    const refused = { code: 'webhooks.acts_for_another', status: 403 };
    await expect(lab.webhooks().update(ctx, id, { url: 'https://example.com/' })).rejects.toMatchObject(refused);
    await expect(lab.webhooks().update(ctx, id, { events: ['document.failed'] })).rejects.toMatchObject(refused);
    await expect(lab.webhooks().rotateSecret(ctx, id)).rejects.toMatchObject(refused);
    await expect(lab.log().test(ctx, id)).rejects.toMatchObject(refused);
    const off = await lab.webhooks().update(ctx, id, { enabled: false, description: 'Too loud' });
    expect(off).toMatchObject({ enabled: false, disabled_reason: 'requested', description: 'Too loud' });
    await expect(lab.webhooks().update(ctx, id, { enabled: true })).rejects.toMatchObject(refused);
    await lab.webhooks().remove(ctx, id);
  });

  it('with a refused address is not created, and the error has a pointer and the reason', async () => {
    for (const url of [
      'http://169.254.169.254/',
      'http://[::ffff:127.0.0.1]/',
      'ftp://example.com',
      'https://a:b@c.de/',
    ]) {
      await expect(lab.addWebhook(url)).rejects.toMatchObject({ status: 422, errors: [{ pointer: '/url' }] });
    }
    const { id } = await lab.addWebhook(receiver.url());
    const change = lab.webhooks().update(lab.owner.ctx, id, { url: 'http://10.0.0.1/' });
    await expect(change).rejects.toMatchObject({ errors: [{ pointer: '/url', code: 'target_not_public' }] });
  });

  it('is read once for events of one kind that are recorded at the same time, only within its tenant', async () => {
    const { id } = await lab.addWebhook(receiver.url(), { events: ['document.completed'] });
    const stranger = await createTestMember(lab.unitOfWork, 'owner');
    const endpoints = lab.endpoints();
    const asked = vi.spyOn(lab.unitOfWork, 'runOne');
    const kinds = ['document.completed', 'document.completed', 'document.failed', 'document.completed'];
    const own = kinds.map((kind) => endpoints.listSubscribed(lab.owner.ctx, kind));
    const found = await Promise.all([...own, endpoints.listSubscribed(stranger.ctx, 'document.completed')]);
    expect(asked).toHaveBeenCalledTimes(3);
    asked.mockRestore();
    expect(found.map((those) => those.map((one) => one.id))).toEqual([[id], [id], [], [id], []]);
  });

  it('is one of at most fifty', async () => {
    for (let made = 0; made < 50; made += 1) await lab.addWebhook(receiver.url());
    await expect(lab.addWebhook(receiver.url())).rejects.toMatchObject({ code: 'webhooks.too_many', status: 409 });
  });
});

describe('deliveries that callers request', () => {
  it('a test event is sent once, even if the webhook is disabled, and is neither a success nor a failure', async () => {
    const { id, secret } = await lab.addWebhook(receiver.url());
    receiver.answer = answerWith(500);
    await lab.webhooks().update(lab.owner.ctx, id, { enabled: false });
    expect(await lab.log().test(lab.owner.ctx, id)).toMatchObject({ event: 'webhook.test', status: 'pending' });
    await lab.work();
    expect(verify(secret, 0)).toMatchObject({ type: 'webhook.test', data: { webhook_id: id } });
    expect(await lab.deliveriesOf(id)).toMatchObject([{ status: 'failed', attempt_count: 1, status_code: 500 }]);
    expect((await lab.webhooks().get(lab.owner.ctx, id)).failing_since).toBeNull();
  });

  it('a delivery is sent again with its id, from the beginning of the schedule, but not while the webhook is disabled', async () => {
    const { id } = await lab.addWebhook(receiver.url());
    await lab.completed(newId(), datasetId);
    await lab.work();
    const [sent] = await lab.deliveriesOf(id);
    const again = () => lab.log().redeliver(lab.owner.ctx, id, sent!.id);
    expect(await again()).toMatchObject({ id: sent!.id, status: 'pending', ended_at: null });
    await lab.work();
    expect(receiver.ids).toEqual([sent!.id, sent!.id]);
    expect(await lab.deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempt_count: 2 }]);
    await lab.webhooks().update(lab.owner.ctx, id, { enabled: false });
    await expect(again()).rejects.toMatchObject({ code: 'webhooks.disabled', status: 409 });
    for (const deliveryId of [newId(), 'no-id']) {
      const absent = lab.log().redeliver(lab.owner.ctx, id, deliveryId);
      await expect(absent).rejects.toMatchObject({ code: 'webhooks.delivery_not_found' });
    }
  });

  it('one that waits for its next attempt is sent at once', async () => {
    receiver.answer = answerWith(500);
    const { id } = await lab.addWebhook(receiver.url());
    await lab.completed(newId(), datasetId);
    await lab.work();
    const [waiting] = await lab.deliveriesOf(id);
    receiver.answer = answerWith(200);
    await lab.log().redeliver(lab.owner.ctx, id, waiting!.id);
    await lab.work();
    expect(await lab.deliveriesOf(id)).toMatchObject([{ status: 'delivered', attempt_count: 2 }]);
    await lab.pass('1 hour');
    await lab.work();
    expect(receiver.received).toHaveLength(2);
    expect(await lab.system(`SELECT id FROM tasks`)).toEqual([]);
  });
});

it('the log is filtered and paged', async () => {
  const { id } = await lab.addWebhook(receiver.url());
  const documentId = newId();
  await lab.completed(documentId, datasetId);
  await lab.tell('document.failed', documentId, { document_id: documentId, dataset_id: datasetId });
  const list = (query: object) => lab.log().list(lab.owner.ctx, id, { skip: 0, limit: 20, ...query });
  expect(await list({ status: 'pending', limit: 1 })).toMatchObject({
    total: 2,
    items: [{ event: 'document.failed' }],
  });
  expect(await list({ skip: 1 })).toMatchObject({ total: 2, items: [{ event: 'document.completed' }] });
  expect(await list({ event: 'document.failed' })).toMatchObject({ total: 1 });
  expect(await list({ status: 'delivered' })).toMatchObject({ total: 0, items: [] });
  await lab.work();
  expect(await list({ status: 'delivered' })).toMatchObject({ total: 2 });
});
