import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccountsBootstrap } from './accounts-bootstrap.service.js';
import { ADMIN, startAccountsApp, type AccountsApp } from '../testing/accounts-app.js';

describe('AccountsBootstrap', () => {
  let service: AccountsApp;
  afterEach(() => service.close());

  const count = (table: string): Promise<number> =>
    service.test.unitOfWork.runAsSystem(async (manager) => {
      const [row] = (await manager.query(`SELECT count(*)::int AS n FROM ${table}`)) as { n: number }[];
      return row!.n;
    });

  describe('with a password in the settings', () => {
    beforeEach(async () => {
      service = await startAccountsApp();
    });

    it('creates one administrator, however many processes start at once, and never shows the password', async () => {
      const bootstrap = service.app.get(AccountsBootstrap);
      const results = await Promise.all(Array.from({ length: 5 }, () => bootstrap.ensureFirstAdministrator()));
      expect(results.filter((result) => result !== null)).toEqual([{ email: ADMIN.email }]);
      expect([await count('accounts'), await count('tenants'), await count('memberships')]).toEqual([1, 1, 1]);
      expect(await bootstrap.ensureFirstAdministrator()).toBeNull();
    });

    it('makes the administrator the owner of the tenant, with the permission to create more tenants', async () => {
      await service.app.get(AccountsBootstrap).ensureFirstAdministrator();
      const { body: session } = await service.call('POST', '/auth/login', { body: ADMIN });
      const { body: me } = await service.call('GET', '/auth/me', { token: session.access_token });
      expect(me.account.name).toBe('Admin');
      expect(me.tenants).toEqual([{ id: me.tenant_id, name: 'First', role: 'owner' }]);
      expect(me.permissions).toEqual(expect.arrayContaining(['platform:tenants', 'tenant:manage', 'members:manage']));
    });
  });

  it('refuses a password that is easy to guess, but not if an account exists already', async () => {
    service = await startAccountsApp({ BOOTSTRAP_ADMIN_PASSWORD: 'admin123' });
    const bootstrap = service.app.get(AccountsBootstrap);
    await expect(bootstrap.ensureFirstAdministrator()).rejects.toThrow(
      /BOOTSTRAP_ADMIN_PASSWORD: its value is too easy to guess: .*commonly used/,
    );
    expect([await count('accounts'), await count('tenants')]).toEqual([0, 0]);
    await service.test.unitOfWork.runAsSystem((manager) =>
      manager.query(`INSERT INTO accounts (id, email, name) VALUES (gen_random_uuid(), 'a@example.com', 'a')`),
    );
    expect(await bootstrap.ensureFirstAdministrator()).toBeNull();
  });

  it('generates a password if none is set, and shows it once', async () => {
    service = await startAccountsApp({ BOOTSTRAP_ADMIN_PASSWORD: '' });
    const bootstrap = service.app.get(AccountsBootstrap);
    const made = await bootstrap.ensureFirstAdministrator();
    expect(made?.password).toMatch(/^[A-Za-z0-9_-]{20}$/);
    const body = { email: made!.email, password: made!.password };
    expect((await service.call('POST', '/auth/login', { body })).status).toBe(200);
    expect(await bootstrap.ensureFirstAdministrator()).toBeNull();
  });

  it('replaces a generated password unless it was shown, someone has signed in, or there is another account', async () => {
    service = await startAccountsApp({ BOOTSTRAP_ADMIN_PASSWORD: '' });
    const bootstrap = service.app.get(AccountsBootstrap);
    const login = async (password: string): Promise<number> =>
      (await service.call('POST', '/auth/login', { body: { email: 'Admin@Example.com', password } })).status;
    const first = await bootstrap.ensureFirstAdministrator();
    const second = await bootstrap.ensureFirstAdministrator();
    expect(second?.password).not.toBe(first?.password);
    // The process that generated the first one must not show it any more.
    expect(await bootstrap.noteShown(first)).toBeNull();
    expect(await login(first!.password!)).toBe(401);
    expect(await bootstrap.noteShown(second)).toBe(second);
    expect(await bootstrap.ensureFirstAdministrator()).toBeNull();
    expect(await login(second!.password!)).toBe(200);
    await service.test.unitOfWork.runAsSystem((manager) =>
      manager.query(`UPDATE accounts SET password_unshown = true`),
    );
    // Someone has signed in.
    expect(await bootstrap.ensureFirstAdministrator()).toBeNull();
    await service.test.unitOfWork.runAsSystem(async (manager) => {
      await manager.query(`DELETE FROM refresh_families`);
      await manager.query(`INSERT INTO accounts (id, email, name) VALUES (gen_random_uuid(), 'b@example.com', 'b')`);
    });
    expect(await bootstrap.ensureFirstAdministrator()).toBeNull();
    expect(await login(second!.password!)).toBe(200);
  });
});
