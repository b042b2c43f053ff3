import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, type AccountId, type TenantId } from '#libs/common';
import { rowsOf } from '#libs/database';
import { contextOf } from '#libs/testing';
import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { ADMIN, startAccountsApp, type AccountsApp, type Answer, type Call } from '../testing/accounts-app.js';

const PASSWORD = 'a password of theirs';

interface Person {
  readonly token: string;
  readonly accountId: AccountId;
  readonly email: string;
}

let service: AccountsApp;
let platform: Person;
let home: TenantId;
let owner: Person;

beforeAll(async () => {
  service = await startAccountsApp();
  await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
  platform = await logIn(ADMIN.email, ADMIN.password);
  ({ id: home, owner } = await foundTenant('Home'));
});
afterAll(() => service.close());

const login = (email: string, password: string): Promise<Answer> =>
  service.call('POST', '/auth/login', { body: { email, password } });

async function logIn(email: string, password = PASSWORD): Promise<Person> {
  const session = await login(email, password);
  expect(session.status).toBe(200);
  const token = session.body.access_token;
  const me = await service.call('GET', '/auth/me', { token });
  return { token, accountId: me.body.account.id, email };
}

async function foundTenant(name: string): Promise<{ id: TenantId; owner: Person }> {
  const email = newAddress();
  const body = { name, admin_email: email, admin_password: PASSWORD };
  const made = await service.call('POST', '/tenants', { token: platform.token, body });
  expect(made.status).toBe(201);
  return { id: made.body.id, owner: await logIn(email) };
}

const newAddress = (): string => `${newId()}@example.com`;
/** A person with an account and another tenant. */
const somebody = async (): Promise<Person> => (await foundTenant('Elsewhere')).owner;

const invite = (email: string, more: object = {}, call: Call = {}): Promise<Answer> =>
  service.call('POST', `/tenants/${home}/members`, {
    token: owner.token,
    body: { email, role: 'editor', ...more },
    ...call,
  });
const accept = (body: object, by: Call = {}): Promise<Answer> =>
  service.call('POST', '/auth/invitations/accept', { ...by, body });
const membersOf = async (): Promise<string[]> => {
  const { body } = await service.call('GET', `/tenants/${home}/members?limit=100`, { token: owner.token });
  return body.items.map((member: { email: string }) => member.email);
};
const openOnes = async (): Promise<{ email: string; status: string; invitation_id: string }[]> =>
  (await service.call('GET', `/tenants/${home}/invitations?limit=100`, { token: owner.token })).body.items;
const runOut = (): Promise<unknown> =>
  service.test.unitOfWork.runAsSystem((manager) =>
    manager.query(`UPDATE invitations SET expires_at = now() - interval '1 second'`),
  );

describe('an invitation', () => {
  it('gives the same answer for a known and an unknown address, with and without a password, and adds no member', async () => {
    const known = await somebody();
    const before = await membersOf();
    for (const more of [{}, { password: PASSWORD }]) {
      const answers = [await invite(known.email, more), await invite(newAddress(), more)];
      for (const { status, body, headers } of answers) {
        expect(status).toBe(201);
        expect(Object.keys(body).sort()).toEqual(['email', 'expires_at', 'invitation_id', 'role', 'secret', 'status']);
        expect(body).toMatchObject({
          role: 'editor',
          status: 'invited',
          secret: expect.stringMatching(/^kbi_[\w-]{43}$/),
        });
        const days = (Date.parse(body.expires_at) - Date.now()) / 86_400_000;
        expect(Math.round(days)).toBe(7);
        expect(headers['cache-control']).toBe('private, no-store');
      }
    }
    expect(await membersOf()).toEqual(before);
    expect((await service.call('GET', '/tenants', { token: known.token })).body.total).toBe(1);
  });

  it('refuses a password that is easy to guess for a known address as for an unknown one', async () => {
    const known = await somebody();
    for (const email of [known.email, newAddress()]) {
      expect(await invite(email, { password: 'password1' })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/password', code: 'password_too_weak' }] },
      });
    }
  });

  it('stores only a hash, and shows the secret only in the first answer', async () => {
    const call = { token: owner.token, headers: { 'idempotency-key': newId() } };
    const email = newAddress();
    const first = await invite(email, {}, call);
    const again = await invite(email, {}, call);
    expect(again).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
    const { secret, ...rest } = first.body;
    expect(again.body).toEqual(rest);
    const kept = await service.test.unitOfWork.run(contextOf(owner.accountId, home, 'owner'), async (manager) =>
      JSON.stringify([
        await manager.query('SELECT * FROM idempotency_keys'),
        await manager.query('SELECT * FROM audit_log'),
      ]),
    );
    const table = await service.test.unitOfWork.runAsSystem((manager) => manager.query('SELECT * FROM invitations'));
    for (const text of [kept, JSON.stringify(table)]) expect(text).not.toContain(secret.slice(4));
    expect((await accept({ secret, password: PASSWORD })).status).toBe(200);
  });

  it("is refused for a member and for a role above the caller's own", async () => {
    const email = newAddress();
    await invite(email, { role: 'admin', password: PASSWORD });
    const admin = await logIn(email);
    expect((await invite(email.toUpperCase())).body.code).toBe('accounts.already_member');
    const above = await invite(newAddress(), { role: 'owner' }, { token: admin.token });
    expect(above.body.code).toBe('accounts.role_beyond_own');
  });

  it('replaces an earlier one of the address, whose secret becomes invalid', async () => {
    const email = newAddress();
    const first = (await invite(email)).body.secret;
    const second = (await invite(email.toUpperCase(), { role: 'viewer' })).body.secret;
    expect((await openOnes()).filter((one) => one.email.toLowerCase() === email)).toHaveLength(1);
    expect((await accept({ secret: first, password: PASSWORD })).status).toBe(404);
    expect(await accept({ secret: second, password: PASSWORD })).toMatchObject({
      status: 200,
      body: { role: 'viewer' },
    });
  });
});

describe('accepting an invitation', () => {
  it('adds the signed-in account with the invited address, once', async () => {
    const known = await somebody();
    const { secret } = (await invite(known.email.toUpperCase())).body;
    const accepted = await accept({ secret }, known);
    expect(accepted).toMatchObject({
      status: 200,
      body: { tenant_id: home, account_id: known.accountId, role: 'editor' },
    });
    expect((await service.call('GET', '/tenants', { token: known.token })).body.total).toBe(2);
    expect((await accept({ secret }, known)).status).toBe(404);
  });

  it('is impossible for other accounts: the secret of another address does not count', async () => {
    const { secret } = (await invite((await somebody()).email)).body;
    const other = await somebody();
    const foreign = await accept({ secret }, other);
    const absent = await accept({ secret: `kbi_${'x'.repeat(43)}` }, other);
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
  });

  it('creates an account for an address that has none, with a good password', async () => {
    const email = newAddress();
    const { secret } = (await invite(email)).body;
    expect((await login(email, PASSWORD)).status).toBe(401);
    expect((await accept({ secret })).status).toBe(401);
    expect((await accept({ secret, password: 'password1' })).body.errors).toMatchObject([{ pointer: '/password' }]);
    expect((await accept({ secret, password: 'example home' })).status).toBe(422);
    expect(await accept({ secret, password: PASSWORD })).toMatchObject({ status: 200, body: { role: 'editor' } });
    const person = await logIn(email);
    const me = await service.call('GET', '/auth/me', { token: person.token });
    expect(me.body).toMatchObject({ tenant_id: home, account: { email } });
  });

  it('never changes the password of a known account: without a credential it creates another account', async () => {
    const known = await somebody();
    const { secret } = (await invite(known.email)).body;
    expect(await accept({ secret, password: PASSWORD }, known)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/password', code: 'signed_in' }] },
    });
    const accepted = await accept({ secret, password: 'another good password' });
    expect(accepted).toMatchObject({ status: 200, body: { tenant_id: home, role: 'editor' } });
    expect(accepted.body.account_id).not.toBe(known.accountId);
    expect((await logIn(known.email)).accountId).toBe(known.accountId);
    expect((await logIn(known.email, 'another good password')).accountId).toBe(accepted.body.account_id);
    expect((await service.call('GET', '/tenants', { token: known.token })).body.total).toBe(1);
  });

  it('uses a credential if there is one, and accepts no API key', async () => {
    const known = await somebody();
    const { secret } = (await invite(known.email)).body;
    expect((await accept({ secret, password: PASSWORD }, { token: 'x.y.z' })).status).toBe(401);
    const key = { name: 'k', scopes: ['members:manage'] };
    const made = await service.call('POST', '/auth/api-keys', { token: known.token, body: key });
    expect((await accept({ secret }, { key: made.body.secret })).status).toBe(403);
  });

  it('happens once when many requests come at once', async () => {
    const known = await somebody();
    const { secret } = (await invite(known.email)).body;
    const answers = await Promise.all([1, 2, 3, 4].map(() => accept({ secret }, known)));
    expect(answers.map((one) => one.status).sort((a, b) => a - b)).toEqual([200, 404, 404, 404]);
  });

  it('is no longer possible after seven days', async () => {
    const known = await somebody();
    const { secret } = (await invite(known.email)).body;
    await runOut();
    expect((await accept({ secret }, known)).status).toBe(404);
    expect(await openOnes()).toContainEqual(expect.objectContaining({ email: known.email, status: 'expired' }));
    expect((await service.call('GET', '/auth/invitations', { token: known.token })).body.items).toEqual([]);
  });
});

describe('an invitation with a password', () => {
  it('creates an account whose first login accepts it, and another tenant’s invitation creates another account', async () => {
    const email = newAddress();
    await invite(email, { password: PASSWORD });
    const elsewhere = await foundTenant('Elsewhere');
    const other = { token: elsewhere.owner.token, body: { email, role: 'viewer', password: 'another good password' } };
    await service.call('POST', `/tenants/${elsewhere.id}/members`, other);
    const [person, stranger] = [await logIn(email), await logIn(email, 'another good password')];
    for (const [{ token }, expected] of [
      [person, { id: home, role: 'editor' }],
      [stranger, { id: elsewhere.id, role: 'viewer' }],
    ] as const) {
      expect((await service.call('GET', '/tenants', { token })).body.items).toMatchObject([expected]);
      expect((await service.call('GET', '/auth/invitations', { token })).body.items).toEqual([]);
    }
  });

  it('can be renewed with another password, and then only that one counts', async () => {
    const email = newAddress();
    await invite(email, { password: PASSWORD });
    const { secret } = (await invite(email, { password: 'another good password' })).body;
    expect((await login(email, PASSWORD)).status).toBe(401);
    expect((await accept({ secret, password: 'a third good password' })).status).toBe(200);
    expect((await login(email, 'another good password')).status).toBe(401);
    await logIn(email, 'a third good password');
  });

  it('never adds an existing account', async () => {
    const known = await somebody();
    await invite(known.email, { password: 'another good password' });
    await logIn(known.email);
    expect(await membersOf()).not.toContain(known.email);
  });

  it('adds no member at a login after its expiry, nor when it is renewed after that login', async () => {
    const email = newAddress();
    await invite(email, { password: PASSWORD });
    await runOut();
    const person = await logIn(email);
    await invite(email);
    await logIn(email);
    expect(await membersOf()).not.toContain(person.email);
  });

  it('accepts many first logins at once and adds one member', async () => {
    const email = newAddress();
    await invite(email, { password: PASSWORD });
    const answers = await Promise.all([1, 2, 3, 4].map(() => login(email, PASSWORD)));
    expect(answers.map((one) => one.status)).toEqual([200, 200, 200, 200]);
    expect(await membersOf()).toContain(email);
  });
});

describe('ending an invitation', () => {
  it('is possible for the invited person without the secret', async () => {
    const known = await somebody();
    const { secret, invitation_id: id } = (await invite(known.email)).body;
    const decline = (by: Call): Promise<Answer> => service.call('POST', `/auth/invitations/${id}/decline`, by);
    expect((await decline(await somebody())).status).toBe(404);
    expect((await decline(known)).status).toBe(204);
    expect((await decline(known)).status).toBe(404);
    expect((await accept({ secret }, known)).status).toBe(404);
  });

  it('is possible for administrators of the tenant; an unused account is removed with it', async () => {
    const email = newAddress();
    const { invitation_id: id } = (await invite(email, { password: PASSWORD })).body;
    const withdraw = (by: Person): Promise<Answer> =>
      service.call('DELETE', `/tenants/${home}/invitations/${id}`, { token: by.token });
    expect((await withdraw(await somebody())).status).toBe(404);
    expect((await withdraw(owner)).status).toBe(204);
    expect((await withdraw(owner)).status).toBe(404);
    expect((await login(email, PASSWORD)).status).toBe(401);
    const known = await somebody();
    const second = (await invite(known.email, { password: PASSWORD })).body.invitation_id;
    await service.call('DELETE', `/tenants/${home}/invitations/${second}`, { token: owner.token });
    await logIn(known.email);
  });
});

it('records every step in the audit log, without addresses', async () => {
  const tenant = await foundTenant('Audited');
  const path = `/tenants/${tenant.id}`;
  const by = { token: tenant.owner.token };
  const call = { ...by, body: { email: newAddress(), role: 'viewer' } };
  const first = (await service.call('POST', `${path}/members`, call)).body;
  const joined = (await accept({ secret: first.secret, password: PASSWORD })).body;
  const second = (
    await service.call('POST', `${path}/members`, { ...by, body: { email: platform.email, role: 'viewer' } })
  ).body;
  await service.call('POST', `/auth/invitations/${second.invitation_id}/decline`, { token: platform.token });
  const third = (
    await service.call('POST', `${path}/members`, { ...call, body: { email: newAddress(), role: 'viewer' } })
  ).body;
  await service.call('DELETE', `${path}/invitations/${third.invitation_id}`, by);
  const rows = await service.test.unitOfWork.run(contextOf(tenant.owner.accountId, tenant.id, 'owner'), (manager) =>
    rowsOf<{ event: string }>(
      manager,
      `SELECT event, actor, subject, details FROM audit_log WHERE event NOT LIKE 'auth.%' ORDER BY seq`,
    ),
  );
  expect(rows).toMatchObject([
    { event: 'invitation.created', actor: `account:${tenant.owner.accountId}` },
    {
      event: 'member.added',
      subject: `account:${joined.account_id}`,
      details: { role: 'viewer', invitation_id: first.invitation_id, invited_by: tenant.owner.accountId },
    },
    { event: 'invitation.created' },
    {
      event: 'invitation.declined',
      actor: `account:${platform.accountId}`,
      subject: `invitation:${second.invitation_id}`,
    },
    { event: 'invitation.created' },
    { event: 'invitation.withdrawn', subject: `invitation:${third.invitation_id}` },
  ]);
  expect(JSON.stringify(rows)).not.toContain('@');
});

describe('previewing an invitation', () => {
  const preview = (secret: unknown): Promise<Answer> =>
    service.call('POST', '/auth/invitations/preview', { body: { secret } });

  it('shows what the invitation is for, and accepts nothing', async () => {
    const email = newAddress();
    const { secret, expires_at: expiresAt } = (await invite(email)).body;
    const before = await membersOf();
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await preview(secret);
      expect(status).toBe(200);
      expect(body).toEqual({
        tenant_name: 'Home',
        inviter_name: owner.email.split('@')[0],
        email,
        role: 'editor',
        expires_at: expiresAt,
      });
    }
    expect(await membersOf()).toEqual(before);
    expect((await accept({ secret, password: PASSWORD })).status).toBe(200);
  });

  it('has the same answer for a secret that never existed, was used, or has expired', async () => {
    const used = (await invite(newAddress())).body.secret;
    await accept({ secret: used, password: PASSWORD });
    const late = (await invite(newAddress())).body;
    await service.test.unitOfWork.runAsSystem((manager) =>
      manager.query(`UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1`, [
        late.invitation_id,
      ]),
    );
    const answers = await Promise.all(['kbi_never', used, late.secret].map(preview));
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect({ ...body, request_id: '' }).toEqual({ ...answers[0]!.body, request_id: '' });
    }
    expect((await preview(7)).status).toBe(422);
  });
});
