import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '#libs/database';
import { contextOf } from '#libs/testing';
import { newId, type AccountId, type TenantId } from '#libs/common';
import { PresentPrincipals } from '#libs/tenancy';
import { AccessTokens } from '../sessions/access-tokens.service.js';
import { ADMIN, startAccountsApp, type AccountsApp, type Answer } from '../testing/accounts-app.js';
import { newAddress, PASSWORD, TenantPeople, type Founded, type Person } from '../testing/tenant-people.js';
import { OidcAccounts } from './oidc-accounts.service.js';
import type { OidcSubject } from '../identities/oidc-claims.js';

const ISSUER = 'https://login.example.com';
const OTHER = 'another good password';

let service: AccountsApp;
let people: TenantPeople;
let a: Founded;
let b: Founded;
let issuedAt = 1_000_000;

beforeAll(async () => {
  service = await startAccountsApp();
  people = new TenantPeople(service);
  [a, b] = [await people.found('Alpha'), await people.found('Beta')];
});
afterAll(() => service.close());

/** The account as which requests with a token of the issuer act. */
async function arrive(subject: string, email: string | null, tenantId: TenantId | null = null): Promise<Person> {
  issuedAt += 60;
  const claims: OidcSubject = { subject, email, name: 'Ada', issuedAt, tenantId, role: 'viewer', unknown: [] };
  const accountId = await service.app.get(OidcAccounts).ensure(ISSUER, claims);
  const { token } = await service.app.get(AccessTokens).issue({ accountId, tokenVersion: 0 });
  return { token, accountId, email: email ?? '' };
}
const meOf = async (by: Pick<Person, 'token'>, tenant?: string): Promise<Answer> =>
  service.call('GET', '/auth/me', { token: by.token, ...(tenant === undefined ? {} : { tenant }) });

describe('an address that an issuer has verified', () => {
  it('joins its accounts, and ends their passwords, keys and sessions', async () => {
    const email = newAddress();
    const [inA, inB] = [await people.join(a, email), await people.join(b, email.toUpperCase(), OTHER)];
    const session = (await people.login(email, OTHER)).body;
    const made = await service.call('POST', '/auth/api-keys', { token: inA.token, body: { name: 'k', scopes: [] } });
    const ada = await arrive(newId(), email);

    expect((await people.tenantsOf(ada)).sort()).toEqual([a.id, b.id].sort());
    for (const [tenant, account] of [
      [a, inA],
      [b, inB],
    ] as const) {
      expect((await meOf(ada, tenant.id)).body).toMatchObject({
        tenant_id: tenant.id,
        account: { id: account.accountId },
      });
    }
    for (const password of [PASSWORD, OTHER]) expect((await people.login(email, password)).status).toBe(401);
    for (const one of [inA, inB]) expect((await meOf(one)).status).toBe(401);
    expect((await service.call('GET', '/auth/me', { key: made.body.secret })).status).toBe(401);
    const refresh = { refresh_token: session.refresh_token };
    expect((await service.call('POST', '/auth/refresh', { body: refresh })).status).toBe(401);
  });

  it('shows each tenant only its own account; keys and sessions made afterwards stay valid', async () => {
    const email = newAddress();
    const [inA, inB] = [await people.join(a, email), await people.join(b, email, OTHER)];
    const subject = newId();
    const ada = await arrive(subject, email);
    const of = async (tenant: Founded): Promise<string[]> =>
      (await people.membersOf(tenant)).filter((one) => one.email === email).map((one) => one.account_id);
    expect([await of(a), await of(b)]).toEqual([[inA.accountId], [inB.accountId]]);
    const key = await service.call('POST', '/auth/api-keys', {
      token: ada.token,
      tenant: b.id,
      body: { name: 'k', scopes: ['datasets:read'] },
    });
    await arrive(subject, email);
    const byKey = await service.call('GET', '/auth/me', { key: key.body.secret });
    expect(byKey.body).toMatchObject({ account: { id: inB.accountId }, tenant_id: b.id });
    expect(byKey.body.tenants).toHaveLength(1);
    const principals = service.app.get(PresentPrincipals);
    for (const accountId of [inB.accountId, ada.accountId]) {
      expect(await principals.find(b.id, { kind: 'account', accountId })).toMatchObject({ accountId: inB.accountId });
    }
    const audited = await service.test.unitOfWork.run(contextOf(b.owner.accountId, b.id, 'owner'), (manager) =>
      rowsOf<{ subject: string }>(manager, `SELECT subject FROM audit_log WHERE event = 'account.joined'`),
    );
    expect(audited).toContainEqual({ subject: `account:${inB.accountId}` });
    expect(JSON.stringify(audited)).not.toContain(inA.accountId);
  });

  it('also joins accounts that inviters create later, and can read and decline its invitations', async () => {
    const email = newAddress();
    const subject = newId();
    const ada = await arrive(subject, email);
    expect(await people.tenantsOf(ada)).toEqual([]);
    await people.invite(b, email, { password: OTHER });
    const squatter = await people.logIn(email, OTHER);
    await arrive(subject, email);
    expect((await meOf(squatter)).status).toBe(401);
    expect(await people.tenantsOf(ada)).toEqual([b.id]);
    const { invitation_id: id, secret } = (await people.invite(a, email)).body;
    const listed = await service.call('GET', '/auth/invitations', { token: ada.token });
    expect(listed.body.items).toMatchObject([{ invitation_id: id, tenant_id: a.id }]);
    const accepted = await people.accept({ secret }, { token: ada.token });
    expect(accepted.body).toEqual({ tenant_id: a.id, account_id: ada.accountId, role: 'editor' });
    expect((await people.tenantsOf(ada)).sort()).toEqual([a.id, b.id].sort());
  });

  it('ends the password of an account before its first login, and keeps the invitation', async () => {
    const email = newAddress();
    const { invitation_id: id } = (await people.invite(a, email, { password: OTHER })).body;
    const ada = await arrive(newId(), email);
    expect((await people.login(email, OTHER)).status).toBe(401);
    const decline = await service.call('POST', `/auth/invitations/${id}/decline`, { token: ada.token });
    expect(decline.status).toBe(204);
    expect(await people.tenantsOf(ada)).toEqual([]);
  });

  it('belongs to one subject only, and never joins the first administrator', async () => {
    const email = newAddress();
    await people.join(a, email);
    const first = await arrive(newId(), email);
    const second = await arrive(newId(), email);
    expect(await people.tenantsOf(first)).toEqual([a.id]);
    expect(await people.tenantsOf(second)).toEqual([]);
    const impostor = await arrive(newId(), ADMIN.email);
    expect(await people.tenantsOf(impostor)).toEqual([]);
    expect((await people.login(ADMIN.email, ADMIN.password)).status).toBe(200);
  });

  it('joins accounts only once the issuer has verified it', async () => {
    const email = newAddress();
    const person = await people.join(a, email);
    const subject = newId();
    const ada = await arrive(subject, null);
    expect(await people.tenantsOf(ada)).toEqual([]);
    expect((await meOf(person)).status).toBe(200);
    await arrive(subject, email);
    expect((await meOf(ada)).body).toMatchObject({ account: { id: person.accountId, email } });
    expect((await meOf(person)).status).toBe(401);
  });

  it('is replaced by a newer address of the issuer', async () => {
    const [before, after] = [newAddress(), newAddress()];
    const subject = newId();
    const ada = await arrive(subject, before);
    await arrive(subject, after);
    expect((await meOf(ada)).body.account.email).toBe(after);
    await people.invite(a, before);
    expect((await service.call('GET', '/auth/invitations', { token: ada.token })).body.items).toEqual([]);
  });

  it('creates no second membership beside that of a joined account', async () => {
    const email = newAddress();
    const person = await people.join(a, email);
    const ada = await arrive(newId(), email, a.id);
    expect((await meOf(ada)).body).toMatchObject({ account: { id: person.accountId }, tenants: [{ role: 'editor' }] });
    const members = (await people.membersOf(a)).filter((one) => one.email === email);
    expect(members).toHaveLength(1);
  });

  it('joins each account once with many simultaneous requests', async () => {
    const email = newAddress();
    await people.join(a, email);
    const subject = newId();
    const ids = await Promise.all(Array.from({ length: 6 }, () => arrive(subject, email)));
    expect(new Set(ids.map((one): AccountId => one.accountId)).size).toBe(1);
    expect(await people.tenantsOf(ids[0]!)).toEqual([a.id]);
  });
});
