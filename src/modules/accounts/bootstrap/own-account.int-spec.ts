import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { sentStatementsOf } from '#libs/testing';
import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { ADMIN, startAccountsApp, type AccountsApp, type Answer } from '../testing/accounts-app.js';

let service: AccountsApp;

const login = (): Promise<Answer> => service.call('POST', '/auth/login', { body: ADMIN });
const me = (token: string): Promise<Answer> => service.call('GET', '/auth/me', { token });

beforeAll(async () => {
  service = await startAccountsApp();
  await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
});
afterAll(() => service.close());

describe('GET /auth/me', () => {
  it('reads the credential with one statement, and the account with its tenants with another', async () => {
    const { access_token: token } = (await login()).body;
    const own = (await me(token)).body;
    expect(own.tenants).toEqual([{ id: own.tenant_id, name: 'First', role: 'owner' }]);
    const sent = await sentStatementsOf(() => me(token));
    expect(sent).toEqual([expect.stringMatching(/^SELECT/), expect.stringMatching(/^SELECT/)]);
  });

  it('lists the tenants in the order of their creation, without those of others', async () => {
    const { access_token: token } = (await login()).body;
    const own = (await me(token)).body;
    const ids = [newId(), newId(), newId()];
    await service.test.unitOfWork.runAsSystem(async (manager) => {
      for (const [place, id] of ids.entries())
        await manager.query(`INSERT INTO tenants (id, name, created_at) VALUES ($1, $2, now() + $3 * interval '1 s')`, [
          id,
          `Tenant ${place}`,
          3 - place,
        ]);
      for (const id of ids.slice(0, 2))
        await manager.query(`INSERT INTO memberships (tenant_id, account_id, role) VALUES ($1, $2, 'viewer')`, [
          id,
          own.account.id,
        ]);
    });
    const names = (await me(token)).body.tenants.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['First', 'Tenant 1', 'Tenant 0']);
    await service.test.unitOfWork.runAsSystem((manager) =>
      manager.query('DELETE FROM memberships WHERE tenant_id = ANY ($1::uuid[])', [ids]),
    );
  });
});
