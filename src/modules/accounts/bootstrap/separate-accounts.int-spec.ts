import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { rowsOf } from '#libs/database';
import { contextOf } from '#libs/testing';
import { AccountsRecovery } from './accounts-recovery.service.js';
import { startAccountsApp, type AccountsApp, type Answer } from '../testing/accounts-app.js';
import { newAddress, PASSWORD, TenantPeople, type Founded, type Person } from '../testing/tenant-people.js';

const OTHER = 'another good password';

let service: AccountsApp;
let people: TenantPeople;
let a: Founded;
let b: Founded;

beforeAll(async () => {
  service = await startAccountsApp();
  people = new TenantPeople(service);
  [a, b] = [await people.found('Alpha'), await people.found('Beta')];
});
afterAll(() => service.close());

const get = (by: Pick<Person, 'token'>, path: string, tenant?: string): Promise<Answer> =>
  service.call('GET', path, { token: by.token, ...(tenant === undefined ? {} : { tenant }) });

/** Everything that responses show an account of itself. */
async function sightOf(by: Person): Promise<unknown> {
  const paths = ['/auth/me', '/tenants', '/auth/api-keys', '/auth/invitations'];
  return Promise.all(paths.map(async (path) => (await get(by, path)).body));
}

async function auditOf({ id, owner }: Founded): Promise<string> {
  const rows = await service.test.unitOfWork.run(contextOf(owner.accountId, id, 'owner'), (manager) =>
    rowsOf<{ event: string }>(manager, 'SELECT event, actor, subject, details FROM audit_log ORDER BY seq'),
  );
  return JSON.stringify(rows);
}

describe.each([
  ['B’s owner and a person of A', (): [Founded, Founded] => [a, b]],
  ['A’s owner and a person of B', (): [Founded, Founded] => [b, a]],
])('an owner who accepts an own invitation of a person of another tenant: %s', (_name, sides) => {
  it.each([
    [
      'by the secret and a password',
      async (tenant: Founded, email: string): Promise<Person> => people.join(tenant, email, OTHER),
    ],
    [
      'by a password in the invitation',
      async (tenant: Founded, email: string): Promise<Person> => {
        expect((await people.invite(tenant, email, { password: OTHER })).status).toBe(201);
        return people.logIn(email, OTHER);
      },
    ],
  ])('gains no access, %s', async (_how, take) => {
    const [home, elsewhere] = sides();
    const person = await people.join(home);
    const key = await service.call('POST', '/auth/api-keys', {
      token: person.token,
      body: { name: 'mine', scopes: [] },
    });
    const before = await sightOf(person);
    const taken = await take(elsewhere, person.email);

    expect(taken.accountId).not.toBe(person.accountId);
    expect(await people.tenantsOf(taken)).toEqual([elsewhere.id]);
    expect((await get(taken, '/auth/api-keys')).body.total).toBe(0);
    expect((await get(taken, '/auth/me', home.id)).status).toBe(404);
    expect((await get(taken, `/tenants/${home.id}/members`)).status).toBe(404);
    for (const sight of [await sightOf(taken), await people.membersOf(elsewhere), await auditOf(elsewhere)]) {
      expect(JSON.stringify(sight)).not.toContain(home.id);
      expect(JSON.stringify(sight)).not.toContain(person.accountId);
    }
    expect(await sightOf(person)).toEqual(before);
    expect((await service.call('GET', '/auth/me', { key: key.body.secret })).status).toBe(200);
    expect((await people.logIn(person.email)).accountId).toBe(person.accountId);
    expect(await auditOf(elsewhere)).not.toContain(person.accountId);
  });
});

describe('an account that an invitation created', () => {
  it('can neither read nor decline invitations of other tenants to its address', async () => {
    const email = newAddress();
    await people.invite(b, email, { password: OTHER });
    const squatter = await people.logIn(email, OTHER);
    const invitation = (await people.invite(a, email)).body;
    expect((await get(squatter, '/auth/invitations')).body).toMatchObject({ items: [], total: 0 });
    const path = `/auth/invitations/${invitation.invitation_id}/decline`;
    expect((await service.call('POST', path, { token: squatter.token })).status).toBe(404);
    const real = await people.accept({ secret: invitation.secret, password: PASSWORD });
    expect(real).toMatchObject({ status: 200, body: { tenant_id: a.id } });
    expect(await people.tenantsOf(squatter)).toEqual([b.id]);
    expect(await people.tenantsOf(await people.logIn(email))).toEqual([a.id]);
  });

  it('does not become the owner of a tenant that the administrator of the installation creates for its address', async () => {
    const squatter = await people.join(b, newAddress(), OTHER);
    const made = await people.found('Gamma', squatter.email);
    expect(made.owner.accountId).not.toBe(squatter.accountId);
    expect(await people.tenantsOf(squatter)).toEqual([b.id]);
    const again = await people.found('Delta', squatter.email);
    expect(again.owner.accountId).toBe(made.owner.accountId);
    expect(await people.tenantsOf(again.owner)).toEqual([made.id, again.id]);
  });

  it('can join another tenant when it is signed in, and reveals nothing of the first one', async () => {
    const person = await people.join(a);
    const { secret } = (await people.invite(b, person.email)).body;
    const accepted = await people.accept({ secret }, { token: person.token });
    expect(accepted.body).toEqual({ tenant_id: b.id, account_id: person.accountId, role: 'editor' });
    expect(await people.tenantsOf(person)).toEqual([a.id, b.id]);
    expect(JSON.stringify([await people.membersOf(b), await auditOf(b)])).not.toContain(a.id);
    const foreign = (await people.invite(b, newAddress())).body.secret;
    expect((await people.accept({ secret: foreign }, { token: person.token })).status).toBe(404);
  });

  it('is not created beside a member with the same address', async () => {
    const person = await people.join(a);
    const { secret } = (await people.invite(b, person.email)).body;
    const owned = await people.invite(b, person.email.toUpperCase());
    expect((await people.accept({ secret, password: OTHER })).status).toBe(404);
    await people.accept({ secret: owned.body.secret }, { token: person.token });
    expect((await people.invite(b, person.email)).body.code).toBe('accounts.already_member');
  });
});

describe('a login of an address with several accounts', () => {
  let email: string;
  let inA: Person;
  let inB: Person;
  beforeAll(async () => {
    email = newAddress();
    [inA, inB] = [await people.join(a, email), await people.join(b, email, OTHER)];
  });

  it('is for the account whose password it is', async () => {
    expect((await people.logIn(email)).accountId).toBe(inA.accountId);
    expect((await people.logIn(email.toUpperCase(), OTHER)).accountId).toBe(inB.accountId);
    expect((await people.login(email, 'neither of them')).status).toBe(401);
  });

  it('needs one computation: their hashes have one salt, also after a change of the password', async () => {
    const body = { current_password: OTHER, new_password: 'changed to this one' };
    expect((await service.call('POST', '/auth/password', { token: inB.token, body })).status).toBe(204);
    const rows = await service.test.unitOfWork.runAsSystem<{ password_hash: string }[]>((manager) =>
      manager.query('SELECT password_hash FROM accounts WHERE lower(email) = $1', [email]),
    );
    expect(rows).toHaveLength(2);
    expect(new Set(rows.map(({ password_hash: hash }) => hash.slice(0, hash.lastIndexOf('$')))).size).toBe(1);
    inB = await people.logIn(email, 'changed to this one');
  });

  it('requires the tenant if the password is right for several, and names the tenants', async () => {
    const body = { current_password: 'changed to this one', new_password: PASSWORD };
    expect((await service.call('POST', '/auth/password', { token: inB.token, body })).status).toBe(204);
    const asked = await people.login(email);
    expect(asked).toMatchObject({ status: 409, body: { code: 'accounts.tenant_needed' } });
    expect(asked.body.detail).toContain(`${a.id} (Alpha), ${b.id} (Beta)`);
    expect((await people.logIn(email, PASSWORD, a.id)).accountId).toBe(inA.accountId);
    expect((await people.logIn(email, PASSWORD, b.id.toUpperCase())).accountId).toBe(inB.accountId);
  });

  it('has the same answer for a tenant without the account as for a wrong password', async () => {
    const other = await people.found('Other');
    const known = await people.login(email, PASSWORD, other.id);
    for (const answer of [
      await people.login(email, PASSWORD, newId()),
      await people.login(newAddress(), PASSWORD, other.id),
      await people.login(email, 'neither of them', a.id),
    ]) {
      expect(answer.status).toBe(401);
      expect({ ...answer.body, request_id: '' }).toEqual({ ...known.body, request_id: '' });
    }
    expect((await people.login(email, PASSWORD, 'no id')).status).toBe(422);
  });

  it('may also name the tenant before the first login, and for a single account', async () => {
    const fresh = newAddress();
    await people.invite(a, fresh, { password: PASSWORD });
    await people.invite(b, fresh, { password: PASSWORD });
    expect((await people.login(fresh)).body.code).toBe('accounts.tenant_needed');
    expect(await people.tenantsOf(await people.logIn(fresh, PASSWORD, b.id))).toEqual([b.id]);
    expect(await people.tenantsOf(await people.logIn(fresh, PASSWORD, a.id))).toEqual([a.id]);
    await people.logIn(a.owner.email, PASSWORD, a.id);
  });

  it('ignores an account that no longer belongs to a tenant', async () => {
    const person = await people.join(a);
    const path = `/tenants/${a.id}/members/${person.accountId}`;
    expect((await service.call('DELETE', path, { token: a.owner.token })).status).toBe(204);
    const again = await people.join(a, person.email);
    expect(again.accountId).not.toBe(person.accountId);
    expect((await people.logIn(person.email)).accountId).toBe(again.accountId);
  });

  it('accepts the tenant in the form of OAuth2', async () => {
    const form = async (more: Record<string, string>): Promise<Answer> => {
      const payload = new URLSearchParams({ grant_type: 'password', username: email, password: PASSWORD, ...more });
      return service.call('POST', '/auth/login', {
        body: payload.toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    };
    expect((await form({})).status).toBe(409);
    const session = await form({ tenant_id: b.id, scope: 'anything' });
    expect((await get({ token: session.body.access_token }, '/auth/me')).body.account.id).toBe(inB.accountId);
    expect((await form({ tenant_id: 'x' })).status).toBe(422);
    const other = await form({ grant_type: 'client_credentials' });
    expect(other).toMatchObject({ status: 422, body: { errors: [{ pointer: '/grant_type' }] } });
    expect(other.body.detail).toBe('grant_type must be "password" in a form.');
  });
});

describe('a password reset on the machine', () => {
  it('is for the account of the named tenant if an address has several', async () => {
    const email = newAddress();
    const [inA, inB] = [await people.join(a, email), await people.join(b, email, OTHER)];
    const recovery = service.app.get(AccountsRecovery);
    await expect(recovery.resetPassword(email)).rejects.toMatchObject({ code: 'accounts.several_accounts' });
    await expect(recovery.resetPassword(email, newId())).rejects.toMatchObject({ code: 'accounts.account_unknown' });
    const { password } = await recovery.resetPassword(email, b.id);
    expect((await people.logIn(email, password)).accountId).toBe(inB.accountId);
    expect((await people.logIn(email)).accountId).toBe(inA.accountId);
  });
});
