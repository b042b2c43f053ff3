import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, type AccountId } from '#libs/common';
import { rowsOf } from '#libs/database';
import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { ADMIN, startAccountsApp, type AccountsApp, type Answer } from '../testing/accounts-app.js';

let service: AccountsApp;
let token: string;
let tenantId: string;
let accountId: AccountId;

beforeAll(async () => {
  service = await startAccountsApp();
  await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
  token = (await service.call('POST', '/auth/login', { body: ADMIN })).body.access_token;
  const me = (await service.call('GET', '/auth/me', { token })).body;
  [tenantId, accountId] = [me.tenant_id, me.account.id];
});
afterAll(() => service.close());

const make = (body: object): Promise<Answer> => service.call('POST', '/auth/api-keys', { token, body });
const meBy = (key: string): Promise<Answer> => service.call('GET', '/auth/me', { key });

/** Logs in a new member of the tenant. */
async function join(role: string, email = `${newId()}@example.com`): Promise<{ token: string; accountId: string }> {
  const password = 'a password of theirs';
  const added = await service.call('POST', `/tenants/${tenantId}/members`, { token, body: { email, role, password } });
  expect(added.status).toBe(201);
  const session = await service.call('POST', '/auth/login', { body: { email, password } });
  const me = await service.call('GET', '/auth/me', { token: session.body.access_token });
  return { token: session.body.access_token, accountId: me.body.account.id };
}

async function update(sql: string, parameters: unknown[]): Promise<void> {
  await service.test.unitOfWork.runAsSystem((manager) => manager.query(sql, parameters));
}

describe('creating an API key', () => {
  it('shows the secret once and keeps only its hash', async () => {
    const made = await make({ name: ' Import ', scopes: ['datasets:read', 'datasets:read'] });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'Import',
      role: null,
      scopes: ['datasets:read'],
      dataset_ids: null,
      expires_at: null,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      last_used_at: null,
      secret: expect.stringMatching(/^kb_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/),
    });
    const listed = await service.call('GET', '/auth/api-keys?limit=100', { token });
    const { secret, ...rest } = made.body;
    expect(listed.body.items).toContainEqual(rest);
    const kept = await service.test.unitOfWork.runAsSystem((manager) => manager.query('SELECT * FROM api_keys'));
    expect(JSON.stringify(kept)).not.toContain(secret.slice(-43));
  });

  it('gives a key the permissions that its account, role and scopes have in common', async () => {
    const { secret } = (await make({ name: 'k', role: 'viewer', scopes: ['datasets:read', 'datasets:write'] })).body;
    const me = await meBy(secret);
    expect(me.body).toMatchObject({ tenant_id: tenantId, permissions: ['datasets:read'], account: { id: accountId } });
    expect(me.body.tenants).toEqual([{ id: tenantId, name: 'First', role: 'owner' }]);
    const nothing = (await make({ name: 'k', scopes: [] })).body;
    expect((await meBy(nothing.secret)).body.permissions).toEqual([]);
  });

  it.each([
    ['an unknown scope', { scopes: ['datasets:fly'] }, '/scopes'],
    ['the platform scope, which no key can have', { scopes: ['platform:tenants'] }, '/scopes'],
    ['an unknown role', { scopes: [], role: 'king' }, '/role'],
    ['an expiry in the past', { scopes: [], expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    ['an expiry that is no time', { scopes: [], expires_at: 'tomorrow' }, '/expires_at'],
    ['an empty dataset list', { scopes: [], dataset_ids: [] }, '/dataset_ids'],
    ['a dataset id that is none', { scopes: [], dataset_ids: ['x'] }, '/dataset_ids'],
    ['no name', { scopes: [], name: '  ' }, '/name'],
  ])('answers 422 for %s, with a pointer', async (_name, body, pointer) => {
    const answer = await make({ name: 'k', ...body });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((e: { pointer: string }) => e.pointer)).toContain(pointer);
  });

  it('refuses a scope or a role beyond the rights of its account', async () => {
    const editor = await join('editor');
    const body = { name: 'k', scopes: ['datasets:write', 'members:manage'], role: 'admin' };
    const answer = await service.call('POST', '/auth/api-keys', { token: editor.token, body });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((e: { pointer: string }) => e.pointer)).toEqual(['/scopes/1', '/role']);
  });

  it('accepts only datasets that the account sees', async () => {
    const [own, foreign] = [newId(), newId()];
    service.datasets.owners.set(own, accountId).set(foreign, newId<AccountId>());
    expect((await make({ name: 'k', scopes: [], dataset_ids: [own, foreign] })).status).toBe(404);
    const made = await make({ name: 'k', scopes: [], dataset_ids: [own.toUpperCase(), own] });
    expect(made.body.dataset_ids).toEqual([own]);
    service.datasets.owners.clear();
  });

  it('is refused for an API key, and for an account in a foreign tenant', async () => {
    const { secret } = (await make({ name: 'k', scopes: [] })).body;
    for (const bearer of [{ key: secret }, { token: secret }]) {
      const answer = await service.call('POST', '/auth/api-keys', { ...bearer, body: { name: 'k', scopes: [] } });
      expect(answer).toMatchObject({ status: 403, body: { code: 'auth.account_required' } });
    }
    const outside = { token, tenant: newId() };
    const body = { name: 'k', scopes: [] };
    expect((await service.call('POST', '/auth/api-keys', { ...outside, body })).status).toBe(403);
    expect((await service.call('GET', '/auth/api-keys', outside)).body).toMatchObject({ items: [], total: 0 });
  });
});

describe('using an API key', () => {
  it('works in both headers and fails if any part of the secret differs', async () => {
    const { secret } = (await make({ name: 'k', scopes: [] })).body;
    expect((await meBy(secret)).status).toBe(200);
    expect((await service.call('GET', '/auth/me', { token: secret })).status).toBe(200);
    const other = secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A');
    for (const bad of [
      other,
      secret.slice(0, -1),
      `${secret}x`,
      'kb_',
      `kb_${newId().replaceAll('-', '')}${secret.slice(35)}`,
    ]) {
      expect((await meBy(bad)).status).toBe(401);
    }
  });

  it('answers 404 when the tenant header names another tenant than the key', async () => {
    const { secret } = (await make({ name: 'k', scopes: [] })).body;
    expect((await service.call('GET', '/auth/me', { key: secret, tenant: tenantId.toUpperCase() })).status).toBe(200);
    const answer = await service.call('GET', '/auth/me', { key: secret, tenant: newId() });
    expect(answer).toMatchObject({ status: 404, body: { code: 'accounts.tenant_not_found' } });
  });

  it('records the last use at most once a minute', async () => {
    const { secret, id } = (await make({ name: 'k', scopes: [] })).body;
    const lastUse = async (): Promise<Date | null> =>
      service.test.unitOfWork.runAsSystem(async (manager) => {
        const [row] = await rowsOf<{ t: Date | null }>(
          manager,
          'SELECT last_used_at AS t FROM api_keys WHERE id = $1',
          [id],
        );
        return row!.t;
      });
    expect(await lastUse()).toBeNull();
    await meBy(secret);
    const first = await lastUse();
    expect(first).not.toBeNull();
    await meBy(secret);
    expect(await lastUse()).toEqual(first);
    await update(`UPDATE api_keys SET last_used_at = now() - interval '61 seconds' WHERE id = $1`, [id]);
    await meBy(secret);
    expect((await lastUse())!.getTime()).toBeGreaterThanOrEqual(first!.getTime());
  });

  it('ends with its expiry, its account and its deletion', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { secret, id, ...made } = (await make({ name: 'k', scopes: [], expires_at: expiresAt })).body;
    expect(made.expires_at).toBe(expiresAt);
    expect((await meBy(secret)).status).toBe(200);
    await update('UPDATE api_keys SET expires_at = now() WHERE id = $1', [id]);
    expect((await meBy(secret)).status).toBe(401);

    const key = (await make({ name: 'k', scopes: [] })).body;
    await update(`UPDATE accounts SET state = 'disabled' WHERE id = $1`, [accountId]);
    expect((await meBy(key.secret)).status).toBe(401);
    await update(`UPDATE accounts SET state = 'active' WHERE id = $1`, [accountId]);
    expect((await meBy(key.secret)).status).toBe(200);
    expect((await service.call('DELETE', `/auth/api-keys/${key.id}`, { token })).status).toBe(204);
    expect((await meBy(key.secret)).status).toBe(401);
    expect((await service.call('DELETE', `/auth/api-keys/${key.id}`, { token })).status).toBe(404);
    expect((await service.call('DELETE', '/auth/api-keys/not-a-uuid', { token })).status).toBe(404);
  });

  it('has no more permissions than its account has now', async () => {
    const admin = await join('admin');
    const body = { name: 'k', scopes: ['members:manage', 'datasets:write'] };
    const { secret } = (await service.call('POST', '/auth/api-keys', { token: admin.token, body })).body;
    expect((await meBy(secret)).body.permissions).toEqual(['datasets:write', 'members:manage']);
    const path = `/tenants/${tenantId}/members/${admin.accountId}`;
    await service.call('PATCH', path, { token, body: { role: 'viewer' } });
    expect((await meBy(secret)).body.permissions).toEqual([]);
  });
});

describe('listing and deleting API keys', () => {
  it('shows an account only its own keys; accounts that manage members may delete any', async () => {
    const editor = await join('editor');
    const body = { name: 'theirs', scopes: [] };
    const theirs = (await service.call('POST', '/auth/api-keys', { token: editor.token, body })).body;
    const mine = (await make({ name: 'mine', scopes: [] })).body;
    const listed = await service.call('GET', '/auth/api-keys', { token: editor.token });
    expect(listed.body).toMatchObject({ total: 1, skip: 0, limit: 20, items: [{ id: theirs.id }] });
    expect(JSON.stringify(listed.body)).not.toContain('secret');
    expect((await service.call('DELETE', `/auth/api-keys/${mine.id}`, { token: editor.token })).status).toBe(404);
    expect((await service.call('DELETE', `/auth/api-keys/${theirs.id}`, { token })).status).toBe(204);
  });

  it('pages in the requested order', async () => {
    const viewer = await join('viewer');
    for (const name of ['b', 'A', 'c']) {
      await service.call('POST', '/auth/api-keys', { token: viewer.token, body: { name, scopes: [] } });
    }
    const names = async (query: string): Promise<string[]> =>
      (await service.call('GET', `/auth/api-keys${query}`, { token: viewer.token })).body.items.map(
        (k: { name: string }) => k.name,
      );
    expect(await names('')).toEqual(['c', 'A', 'b']);
    expect(await names('?order_by=name')).toEqual(['A', 'b', 'c']);
    expect(await names('?order_by=created_at&skip=1&limit=1')).toEqual(['A']);
    expect((await service.call('GET', '/auth/api-keys?order_by=secret_hash', { token })).status).toBe(422);
  });
});
