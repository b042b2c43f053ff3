import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { answerWith, Receiver } from '../../src/modules/webhooks/testing/receiver.js';
import { selfSigned, type SelfSigned } from '../../src/modules/webhooks/testing/self-signed.js';
import { expectProblem } from '../support/problem.js';
import { useService } from '../support/service-process.js';

const GUIDE = new URL('../../docs/webhooks.md', import.meta.url);
// A proxy that answers no one: had the settings of proxies an effect, nothing would arrive.
const PROXIES = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' };
const TRUSTED = selfSigned(['127.0.0.1']);
const ELSEWHERE = selfSigned(['hooks.example.org']);
const AUTHORITY = join(mkdtempSync(join(tmpdir(), 'webhook-authority-')), 'authority.pem');
writeFileSync(AUTHORITY, TRUSTED.cert + ELSEWHERE.cert);
const settings = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', NODE_EXTRA_CA_CERTS: AUTHORITY, ...PROXIES };
const service = useService({ settings });
let receiver: Receiver;

interface Made {
  readonly id: string;
  readonly secret?: string;
}

interface Logged {
  readonly items: readonly { id: string; event: string; status: string; error_code: string | null }[];
}

beforeAll(async () => {
  receiver = await Receiver.open();
});
afterAll(async () => {
  rmSync(dirname(AUTHORITY), { recursive: true });
  await receiver.close();
});

const arrived = async (isIt: (received: Receiver['received'][number]) => boolean) => {
  const find = () => receiver.received.find(isIt);
  await until(async () => find() !== undefined, { what: 'a message', withinMs: 30_000 });
  return find()!;
};

describe('a webhook of the built service', () => {
  it('is told of a document, in a message that the check of the guide accepts in Node and Python', async () => {
    const { admin } = service;
    const events = ['document.completed', 'document.deleted'];
    const { id, secret } = await admin.post<Made>('/webhooks', { url: receiver.url('/guide'), events });
    const dataset = await admin.createDataset('with a webhook');
    const { id: documentId } = await admin.upload(dataset, { name: 'seal.txt', content: 'The seal is tight.' });
    const message = await arrived(({ path, data }) => path === '/guide' && data['document_id'] === documentId);
    expect(JSON.parse(message.body)).toMatchObject({ type: 'document.completed', data: { dataset_id: dataset } });
    expect(message.body).not.toContain('seal');
    expect(new Verifier(secret!).verify(message.body, message.headers as Record<string, string>)).toBeTruthy();
    const { headers, body } = message;
    const folder = await mkdtemp(join(tmpdir(), 'webhook-guide-'));
    try {
      const guide = await readFile(GUIDE, 'utf8');
      const [, node] = /```js\n([\s\S]*?)```/.exec(guide)!;
      const [, python] = /```python\n([\s\S]*?)```/.exec(guide)!;
      await writeFile(join(folder, 'check.mjs'), node!);
      const { verify } = (await import(pathToFileURL(join(folder, 'check.mjs')).href)) as {
        verify: (...given: unknown[]) => boolean;
      };
      const late = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 301) };
      const cases = [
        [secret, headers, body, true],
        [secret, headers, `${body} `, false],
        [secret, late, body, false],
        [`whsec_${'A'.repeat(43)}=`, headers, body, false],
      ] as const;
      expect(cases.map(([key, given, text]) => verify(key, given, text))).toEqual(cases.map((one) => one[3]));
      await writeFile(
        join(folder, 'check.py'),
        `${python}
import json, sys
print(json.dumps([verify(key, given, text.encode()) for key, given, text, _ in json.load(sys.stdin)]))`,
      );
      const run = spawnSync('python3', [join(folder, 'check.py')], { input: JSON.stringify(cases), encoding: 'utf8' });
      if (run.error === undefined) expect(JSON.parse(run.stdout), run.stderr).toEqual(cases.map((one) => one[3]));
      else process.stdout.write('not run: python3 is missing\n');
    } finally {
      await rm(folder, { recursive: true });
    }
    await admin.delete(`/datasets/${dataset}`);
    await arrived(({ type, data }) => type === 'document.deleted' && data['document_id'] === documentId);
    await admin.delete(`/webhooks/${id}`);
  });

  it('is told of each of many documents once, though its receiver is slow', async () => {
    const { admin } = service;
    receiver.answer = (response, received) => {
      setTimeout(() => answerWith(200)(response, received), 50);
    };
    await admin.post<Made>('/webhooks', { url: receiver.url('/many'), events: ['document.completed'] });
    const dataset = await admin.createDataset('many');
    const ids: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      ids.push((await admin.upload(dataset, { name: `${n}.txt`, content: `Valve number ${n} is open.` })).id);
    }
    const told = () => receiver.received.filter(({ path }) => path === '/many').map(({ data }) => data['document_id']);
    await until(async () => told().length >= ids.length, { what: 'all messages', withinMs: 60_000 });
    expect(told().toSorted()).toEqual(ids.toSorted());
    receiver.answer = answerWith(200);
  });

  it('answers a repeated creation without the secret', async () => {
    const { admin } = service;
    const body = { url: receiver.url('/once'), events: ['kg.completed'] };
    const key = { 'Idempotency-Key': 'webhook-1' };
    const first = await admin.send<Made>('POST', '/webhooks', body, key);
    const second = await admin.send<Made>('POST', '/webhooks', body, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.headers.get('location')).toBe(`/api/v1/webhooks/${first.body.id}`);
    expect(second.body.id).toBe(first.body.id);
    expect(first.body.secret).toMatch(/^whsec_/);
    expect(second.body).not.toHaveProperty('secret');
    const rotated = await admin.send<Made>('POST', `/webhooks/${first.body.id}/rotate-secret`, {}, key);
    expect(rotated).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^whsec_/) } });
  });

  it('tests its receiver and shows how that went', async () => {
    const { admin } = service;
    const { id } = await admin.post<Made>('/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['kg.completed'] });
    const { id: deliveryId } = await admin.post<Made>(`/webhooks/${id}/test`, {});
    const read = () => admin.get<Logged['items'][number]>(`/webhooks/${id}/deliveries/${deliveryId}`);
    await until(async () => (await read()).status === 'failed', { what: 'the test event', withinMs: 30_000 });
    expect(await read()).toMatchObject({ event: 'webhook.test', error_code: 'CONNECTION_FAILED', attempt_count: 1 });
    expect((await admin.get<Logged>(`/webhooks/${id}/deliveries?status=failed`)).items).toHaveLength(1);
  });
});

describe('a webhook over HTTPS', () => {
  async function attempt(certificate: SelfSigned) {
    const secure = await Receiver.open(0, certificate);
    const { admin } = service;
    const { id } = await admin.post<Made>('/webhooks', { url: secure.url(), events: ['kg.completed'] });
    const { id: deliveryId } = await admin.post<Made>(`/webhooks/${id}/test`, {});
    const read = () => admin.get<Logged['items'][number]>(`/webhooks/${id}/deliveries/${deliveryId}`);
    await until(async () => (await read()).status !== 'pending', { what: 'the test event', withinMs: 30_000 });
    await secure.close();
    const { status, error_code: error } = await read();
    return { status, error, received: secure.received.map(({ type }) => type) };
  }

  it('arrives where NODE_EXTRA_CA_CERTS names the authority and the certificate is for the host', async () => {
    expect(await attempt(TRUSTED)).toEqual({ status: 'delivered', error: null, received: ['webhook.test'] });
    expect(await attempt(ELSEWHERE)).toEqual({ status: 'failed', error: 'CERTIFICATE_REFUSED', received: [] });
  });

  it('is not sent to a receiver for whose certificate no one vouches', async () => {
    const unknown = selfSigned(['127.0.0.1']);
    expect(await attempt(unknown)).toEqual({ status: 'failed', error: 'CERTIFICATE_REFUSED', received: [] });
  });
});

describe('bad input', () => {
  const good = { url: 'https://hooks.invalid/', events: ['document.failed'] };
  it.each([
    [{ ...good, url: 'http://169.254.169.254/latest' }, '/url'],
    [{ ...good, url: 'http://2130706433/' }, '/url'],
    [{ ...good, url: 'http://localhost:8000/' }, '/url'],
    [{ ...good, url: 'http://[::ffff:127.0.0.1]/' }, '/url'],
    [{ ...good, url: 'gopher://example.com/' }, '/url'],
    [{ ...good, url: 'https://user:pass@example.com/' }, '/url'],
    [{ ...good, url: 7 }, '/url'],
    [{ ...good, url: null }, '/url'],
    [{ events: good.events }, '/url'],
    [{ ...good, events: [] }, '/events'],
    [{ ...good, events: ['document.renamed'] }, '/events'],
    [{ ...good, events: ['webhook.test'] }, '/events'],
    [{ ...good, events: 'document.failed' }, '/events'],
    [{ url: good.url }, '/events'],
    [{ ...good, description: 'x'.repeat(501) }, '/description'],
    [{ ...good, description: 'a\u0000b' }, '/description'],
    [{ ...good, enabled: 'yes' }, '/enabled'],
    [{ ...good, enabled: null }, '/enabled'],
    [{ ...good, secret: 'whsec_mine' }, '/secret'],
  ])('%j is 422 and names the field', async (body, pointer) => {
    const answer = await service.admin.send('POST', '/webhooks', body);
    expectProblem(answer, 422, 'http.validation_failed');
    const { errors } = answer.body as { errors: { pointer: string }[] };
    expect(errors.map((one) => one.pointer)).toContain(pointer);
  });

  it.each([
    [{ url: 'http://10.0.0.1/' }],
    [{ events: [] }],
    [{ enabled: 1 }],
    [{ url: null }],
    [{ account_id: '019c1b6e-7a35-7c11-9d53-6f6d8e8e3b11' }],
  ])('a change %j is 422', async (change) => {
    const { id } = await service.admin.post<Made>('/webhooks', { ...good, events: ['kg.completed'] });
    expectProblem(await service.admin.send('PATCH', `/webhooks/${id}`, change), 422, 'http.validation_failed');
    await service.admin.delete(`/webhooks/${id}`);
  });

  it.each(['?status=sent', '?event=other', '?limit=0', '?order_by=url', '?unknown=1'])('%s is 422', async (query) => {
    const { id } = await service.admin.post<Made>('/webhooks', good);
    expectProblem(await service.admin.send('GET', `/webhooks/${id}/deliveries${query}`), 422, 'http.validation_failed');
    await service.admin.delete(`/webhooks/${id}`);
  });
});
