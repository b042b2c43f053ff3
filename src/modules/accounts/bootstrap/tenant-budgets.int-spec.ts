import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { ADMIN, startAccountsApp, type AccountsApp } from '../testing/accounts-app.js';

const PASSWORD = 'a password of theirs';

let service: AccountsApp;
let platform: string;
let owner: string;
let tenant: string;

async function logIn(email: string, password: string): Promise<string> {
  const session = await service.call('POST', '/auth/login', { body: { email, password } });
  return session.body.access_token;
}

beforeAll(async () => {
  service = await startAccountsApp();
  await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
  platform = await logIn(ADMIN.email, ADMIN.password);
  const email = `${newId()}@example.com`;
  const body = { name: 'A tenant', admin_email: email, admin_password: PASSWORD };
  tenant = (await service.call('POST', '/tenants', { token: platform, body })).body.id;
  owner = await logIn(email, PASSWORD);
});
afterAll(() => service.close());

const patch = (token: string, body: object, id = tenant) => service.call('PATCH', `/tenants/${id}`, { token, body });

describe('budgets of a tenant', () => {
  it('can be set only by the administrator of the installation, for any tenant', async () => {
    const budgets = { monthly_tokens: 1_000, monthly_cost: 2.5 };
    expect(await patch(owner, { budgets })).toMatchObject({ status: 403, body: { code: 'auth.permission_missing' } });
    expect(await patch(platform, { budgets })).toMatchObject({
      status: 200,
      body: { id: tenant, role: null, budgets },
    });
    expect((await service.call('GET', '/tenants', { token: owner })).body.items).toMatchObject([{ budgets }]);
    expect(await patch(platform, { budgets: null })).toMatchObject({ status: 200, body: { budgets: null } });
  });

  it('do not change the name of the tenant, and invalid ones are refused', async () => {
    expect(await patch(platform, { name: 'Taken over' })).toMatchObject({ status: 404 });
    expect(await patch(owner, { name: 'Renamed' })).toMatchObject({ status: 200, body: { name: 'Renamed' } });
    for (const budgets of [{ monthly_tokens: -1 }, { monthly_tokens: 1.5 }, { yearly: 1 }, 'none']) {
      expect((await patch(platform, { budgets })).status).toBe(422);
    }
    expect((await patch(platform, {})).status).toBe(422);
    expect((await patch(platform, { budgets: null }, newId())).status).toBe(404);
  });
});
