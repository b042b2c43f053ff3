import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, NOWHERE_TENANT, type AccountId, type TenantId } from '#libs/common';
import { contextOf } from '#libs/testing';
import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { MemberDirectory } from '../members/member-directory.service.js';
import { ADMIN, startAccountsApp, type AccountsApp, type Answer, type Call } from '../testing/accounts-app.js';

const PASSWORD = 'a password of theirs';

interface Person {
  readonly token: string;
  readonly accountId: AccountId;
  readonly email: string;
}

let service: AccountsApp;
let platform: Person;

beforeAll(async () => {
  service = await startAccountsApp();
  await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
  platform = await logIn(ADMIN.email, ADMIN.password);
});
afterAll(() => service.close());

async function logIn(email: string, password = PASSWORD): Promise<Person> {
  const session = await service.call('POST', '/auth/login', { body: { email, password } });
  expect(session.status).toBe(200);
  const token = session.body.access_token;
  const me = await service.call('GET', '/auth/me', { token });
  return { token, accountId: me.body.account.id, email };
}

/** A new tenant for one test, with its owner. */
async function foundTenant(email = `${newId()}@example.com`): Promise<{ id: TenantId; owner: Person }> {
  const body = { name: 'A tenant', admin_email: email, admin_password: PASSWORD };
  const made = await service.call('POST', '/tenants', { token: platform.token, body });
  expect(made.status).toBe(201);
  return { id: made.body.id, owner: await logIn(email) };
}

const add = (tenant: string, by: Person, role: string, email = `${newId()}@example.com`): Promise<Answer> =>
  service.call('POST', `/tenants/${tenant}/members`, { token: by.token, body: { email, role, password: PASSWORD } });

const accept = (by: Person, secret: string): Promise<Answer> =>
  service.call('POST', '/auth/invitations/accept', { token: by.token, body: { secret } });

async function join(tenant: string, by: Person, role: string): Promise<Person> {
  const email = `${newId()}@example.com`;
  expect((await add(tenant, by, role, email)).status).toBe(201);
  return logIn(email);
}

const setRole = (tenant: string, by: Call, accountId: string, role: string): Promise<Answer> =>
  service.call('PATCH', `/tenants/${tenant}/members/${accountId}`, { ...by, body: { role } });
const remove = (tenant: string, by: Person, accountId: string, query = ''): Promise<Answer> =>
  service.call('DELETE', `/tenants/${tenant}/members/${accountId}${query}`, { token: by.token });

describe('tenants', () => {
  it('are created by the administrator of the installation, who has no access to their data', async () => {
    const body = { name: ' New  ', admin_email: ' Boss@Example.com ', admin_password: PASSWORD };
    const made = await service.call('POST', '/tenants', { token: platform.token, body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'New', role: null, admin_account_id: expect.any(String) });
    const own = await service.call('GET', '/tenants', { token: platform.token });
    expect(own.body.items.map((t: { id: string }) => t.id)).not.toContain(made.body.id);
    const inside = { token: platform.token, tenant: made.body.id };
    expect((await service.call('GET', '/auth/me', inside)).status).toBe(404);
    expect((await service.call('GET', `/tenants/${made.body.id}/members`, inside)).status).toBe(404);
    const boss = await logIn('boss@example.com');
    const listed = await service.call('GET', '/tenants', { token: boss.token });
    expect(listed.body).toMatchObject({ total: 1, items: [{ id: made.body.id, role: 'owner', name: 'New' }] });
  });

  it('are not created with an owner whose password is easy to guess', async () => {
    const body = { name: 'Kumquat Orchard', admin_email: `${newId()}@example.com`, admin_password: 'kumquatorchard' };
    const answer = await service.call('POST', '/tenants', { token: platform.token, body });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/admin_password' }] } });
  });

  it('get a known account as the owner unchanged: its password stays', async () => {
    const { owner } = await foundTenant();
    const body = { name: 'Second', admin_email: owner.email.toUpperCase(), admin_password: 'another password' };
    const made = await service.call('POST', '/tenants', { token: platform.token, body });
    expect(made.body.admin_account_id).toBe(owner.accountId);
    const wrong = { email: owner.email, password: 'another password' };
    expect((await service.call('POST', '/auth/login', { body: wrong })).status).toBe(401);
    const me = await service.call('GET', '/auth/me', { token: owner.token, tenant: made.body.id });
    expect(me.body).toMatchObject({ tenant_id: made.body.id });
    expect(me.body.tenants).toHaveLength(2);
  });

  it('are not created by other accounts', async () => {
    const { owner } = await foundTenant();
    const body = { name: 'Mine', admin_email: owner.email, admin_password: PASSWORD };
    expect((await service.call('POST', '/tenants', { token: owner.token, body })).status).toBe(403);
  });

  it('can be renamed by an owner who acts in them', async () => {
    const { id, owner } = await foundTenant();
    const other = await foundTenant();
    const rename = (tenant: string, by: Person): Promise<Answer> =>
      service.call('PATCH', `/tenants/${tenant}`, { token: by.token, body: { name: 'Renamed' } });
    expect(await rename(id, owner)).toMatchObject({ status: 200, body: { id, name: 'Renamed', role: 'owner' } });
    expect((await rename(id, await join(id, owner, 'admin'))).status).toBe(403);
    expect((await rename(id, other.owner)).status).toBe(404);
    expect((await rename(newId(), owner)).status).toBe(404);
    expect((await rename('nonsense', owner)).status).toBe(404);
  });

  it('are an empty list for an account that names a foreign tenant', async () => {
    const answer = await service.call('GET', '/tenants', { token: platform.token, tenant: newId() });
    expect(answer).toMatchObject({ status: 200, body: { items: [], total: 0, skip: 0, limit: 20 } });
  });
});

describe('roles', () => {
  it('are never granted, changed or removed above the caller’s own', async () => {
    const { id, owner } = await foundTenant();
    const admin = await join(id, owner, 'admin');
    const viewer = await join(id, owner, 'viewer');
    expect((await add(id, admin, 'owner')).body.code).toBe('accounts.role_beyond_own');
    expect((await setRole(id, admin, viewer.accountId, 'owner')).status).toBe(403);
    expect((await setRole(id, admin, owner.accountId, 'viewer')).status).toBe(403);
    expect((await remove(id, admin, owner.accountId)).status).toBe(403);
    expect((await setRole(id, admin, viewer.accountId, 'admin')).status).toBe(200);
    expect((await setRole(id, owner, viewer.accountId, 'owner')).status).toBe(200);
  });

  it('take effect at the next request of the member, with the same token', async () => {
    const { id, owner } = await foundTenant();
    const member = await join(id, owner, 'admin');
    expect((await add(id, member, 'viewer')).status).toBe(201);
    await setRole(id, owner, member.accountId, 'editor');
    expect((await add(id, member, 'viewer')).status).toBe(403);
  });

  it('leave at least one owner in every tenant, also when two owners leave at once', async () => {
    const { id, owner } = await foundTenant();
    expect((await setRole(id, owner, owner.accountId, 'admin')).body.code).toBe('accounts.last_owner');
    expect((await remove(id, owner, owner.accountId)).body.code).toBe('accounts.last_owner');
    const second = await join(id, owner, 'owner');
    const answers = await Promise.all([
      setRole(id, owner, owner.accountId, 'viewer'),
      setRole(id, second, second.accountId, 'viewer'),
    ]);
    expect(answers.map((a) => a.status).sort((a, b) => a - b)).toEqual([200, 409]);
  });

  it('are not granted by an API key that has fewer permissions than the role', async () => {
    const { id, owner } = await foundTenant();
    const body = { name: 'k', scopes: ['members:manage'] };
    const { secret } = (await service.call('POST', '/auth/api-keys', { token: owner.token, body })).body;
    const wanted = { email: `${newId()}@example.com`, role: 'owner', password: PASSWORD };
    const answer = await service.call('POST', `/tenants/${id}/members`, { key: secret, body: wanted });
    expect(answer).toMatchObject({ status: 403, body: { code: 'accounts.role_beyond_own' } });
    expect((await service.call('GET', `/tenants/${id}/members`, { key: secret })).status).toBe(200);
  });
});

describe('removing a member', () => {
  it('takes effect at the next request, for tokens and for API keys', async () => {
    const { id, owner } = await foundTenant();
    const member = await join(id, owner, 'editor');
    const body = { name: 'k', scopes: [] };
    const { secret } = (await service.call('POST', '/auth/api-keys', { token: member.token, body })).body;
    expect((await remove(id, owner, member.accountId)).status).toBe(204);
    expect((await service.call('GET', '/auth/me', { key: secret })).status).toBe(401);
    const me = await service.call('GET', '/auth/me', { token: member.token });
    expect(me.body).toMatchObject({ tenant_id: null, tenants: [], permissions: [] });
    expect((await remove(id, owner, member.accountId)).status).toBe(404);
    expect((await add(id, owner, 'viewer', member.email)).status).toBe(201);
    expect((await service.call('GET', '/auth/me', { key: secret })).status).toBe(401);
  });

  it('moves the account to another of its tenants', async () => {
    const first = await foundTenant();
    const second = await foundTenant();
    const member = await join(first.id, first.owner, 'viewer');
    const { secret } = (await add(second.id, second.owner, 'viewer', member.email)).body;
    expect((await accept(member, secret)).status).toBe(200);
    await remove(first.id, first.owner, member.accountId);
    expect((await service.call('GET', '/auth/me', { token: member.token })).body.tenant_id).toBe(second.id);
  });

  it('is refused until another member takes over the datasets', async () => {
    const { id, owner } = await foundTenant();
    const stranger = await foundTenant();
    const member = await join(id, owner, 'editor');
    const heir = await join(id, owner, 'viewer');
    const dataset = newId();
    service.datasets.owners.set(dataset, member.accountId);
    expect(await remove(id, owner, member.accountId)).toMatchObject({
      status: 409,
      body: { code: 'accounts.member_owns_datasets' },
    });
    expect((await remove(id, owner, member.accountId, `?transfer_to=${member.accountId}`)).status).toBe(422);
    expect((await remove(id, owner, member.accountId, '?transfer_to=x')).status).toBe(422);
    expect((await remove(id, owner, member.accountId, `?transfer_to=${stranger.owner.accountId}`)).status).toBe(404);
    expect(service.datasets.owners.get(dataset)).toBe(member.accountId);
    expect((await remove(id, owner, member.accountId, `?transfer_to=${heir.accountId}`)).status).toBe(204);
    expect(service.datasets.owners.get(dataset)).toBe(heir.accountId);
  });
});

describe('invitations of a member', () => {
  it('are valid as long as the role of that member', async () => {
    const { id, owner } = await foundTenant();
    const invited = (await foundTenant()).owner;
    for (const end of ['demote', 'remove']) {
      const admin = await join(id, owner, 'admin');
      const { secret } = (await add(id, admin, 'admin', invited.email)).body;
      if (end === 'demote') await setRole(id, owner, admin.accountId, 'viewer');
      else await remove(id, owner, admin.accountId);
      expect((await accept(invited, secret)).status, end).toBe(404);
    }
  });
});

describe('members of another tenant', () => {
  it('are neither visible nor changeable', async () => {
    const mine = await foundTenant();
    const theirs = await foundTenant();
    const victim = await join(theirs.id, theirs.owner, 'viewer');
    const path = `/tenants/${theirs.id}/members`;
    for (const tenant of [undefined, mine.id, theirs.id]) {
      const by: Call = { token: mine.owner.token, ...(tenant === undefined ? {} : { tenant }) };
      const body = { email: mine.owner.email, role: 'owner' };
      expect((await service.call('GET', path, by)).status).toBe(404);
      expect((await service.call('POST', path, { ...by, body })).status).toBe(404);
      expect((await setRole(theirs.id, by, victim.accountId, 'owner')).status).toBe(404);
      expect((await service.call('DELETE', `${path}/${victim.accountId}`, by)).status).toBe(404);
    }
    expect((await setRole(mine.id, mine.owner, victim.accountId, 'viewer')).status).toBe(404);
    expect((await setRole(mine.id, mine.owner, 'x', 'viewer')).status).toBe(404);
    const nowhere: Call = { token: mine.owner.token, tenant: NOWHERE_TENANT };
    expect((await service.call('GET', `/tenants/${NOWHERE_TENANT}/members`, nowhere)).status).toBe(404);
    const seen = (await service.call('GET', path, { token: theirs.owner.token })).body;
    expect(seen.items.map((m: { role: string }) => m.role).sort()).toEqual(['owner', 'viewer']);
  });

  it('are unknown in the member directory', async () => {
    const mine = await foundTenant();
    const theirs = await foundTenant();
    const member = await join(mine.id, mine.owner, 'viewer');
    const ctx = contextOf(mine.owner.accountId, mine.id, 'owner');
    const asked = [theirs.owner.accountId, member.accountId, mine.owner.accountId];
    const directory = service.app.get(MemberDirectory);
    expect(await directory.areMembers(ctx, asked)).toEqual([theirs.owner.accountId]);
    expect(await directory.areMembers(ctx, [])).toEqual([]);
  });
});
