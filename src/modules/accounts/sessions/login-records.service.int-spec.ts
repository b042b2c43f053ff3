import type { PinoLogger } from 'nestjs-pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditLog } from '#libs/database';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { AccountsBootstrap } from '../bootstrap/accounts-bootstrap.service.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { LoginRecords } from './login-records.service.js';
import { ADMIN, startAccountsApp } from '../testing/accounts-app.js';

interface Entry {
  readonly event: string;
  readonly actor: string;
  readonly subject: string;
  readonly details: unknown;
}

const LOGINS = `SELECT event, actor, subject, details FROM audit_log WHERE event LIKE 'auth.%' ORDER BY seq`;
const CLIENT = { address: '192.0.2.7', requestId: 'request-1' };

describe('logins in the audit log', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.close());

  const recordsOf = (windowSeconds: number): LoginRecords =>
    new LoginRecords(
      new AuditLog(test.unitOfWork),
      new CredentialsRepository(test.unitOfWork),
      { error: () => undefined } as unknown as PinoLogger,
      windowSeconds,
    );
  const member = (): Promise<TestMember> => createTestMember(test.unitOfWork, 'editor');
  const entriesOf = ({ ctx }: TestMember): Promise<Entry[]> =>
    test.unitOfWork.run(ctx, (manager) => manager.query(LOGINS));

  it('count failures of an account and an address together', async () => {
    const one = await member();
    const records = recordsOf(0);
    for (const outcome of ['failed', 'failed', 'blocked', 'blocked'] as const) {
      records.failed(one.accountId, CLIENT, outcome);
    }
    records.failed(one.accountId, { ...CLIENT, address: '192.0.2.8' }, 'failed');
    await records.flush();
    const failure = { event: 'auth.login_failed', actor: 'system', subject: `account:${one.accountId}` };
    const { address } = CLIENT;
    const entries = await entriesOf(one);
    expect(entries.reduce((sum, { details }) => sum + (details as { count: number }).count, 0)).toBe(5);
    expect(entries).toContainEqual({ ...failure, details: { address: '192.0.2.8', count: 1, blocked: 0 } });
    expect(entries.filter(({ details }) => (details as { address: string }).address === address)).toHaveLength(1);
    await records.beforeApplicationShutdown();
    expect(await entriesOf(one)).toHaveLength(entries.length);
  });

  it('record failures once a minute, whichever process counts them, and lose none', async () => {
    const one = await member();
    const [first, second] = [recordsOf(60), recordsOf(60)];
    for (const records of [first, second, first]) {
      records.failed(one.accountId, CLIENT, 'failed');
      await records.flush();
    }
    expect((await entriesOf(one)).map(({ details }) => details)).toEqual([
      { address: CLIENT.address, count: 1, blocked: 0 },
    ]);
    for (const records of [first, second]) await records.beforeApplicationShutdown();
  });

  it('do not include accounts without a tenant', async () => {
    const one = await member();
    await test.unitOfWork.runAsSystem((manager) =>
      manager.query('UPDATE accounts SET default_tenant_id = NULL WHERE id = $1', [one.accountId]),
    );
    const records = recordsOf(0);
    records.failed(one.accountId, CLIENT, 'failed');
    await records.succeeded(one.accountId, CLIENT);
    await records.beforeApplicationShutdown();
    expect(await entriesOf(one)).toEqual([]);
  });

  it('are recorded by the routes, only for known accounts, with the address', async () => {
    const app = await startAccountsApp();
    try {
      await app.app.get(AccountsBootstrap).ensureFirstAdministrator();
      await app.call('POST', '/auth/login', { body: { email: ADMIN.email, password: 'not the password' } });
      await app.call('POST', '/auth/login', { body: { email: 'nobody@example.com', password: 'not the password' } });
      const { body } = await app.call('POST', '/auth/login', { body: ADMIN });
      const me = await app.call('GET', '/auth/me', { token: body.access_token });
      await app.app.get(LoginRecords).flush();
      const tenantId = me.body.tenant_id;
      const ctx = { tenantId, principal: { kind: 'system', permissions: new Set<never>() }, requestId: 'r' } as const;
      const entries: Entry[] = await app.test.unitOfWork.run(ctx, (manager) => manager.query(LOGINS));
      const subject = `account:${me.body.account.id}`;
      const address = expect.stringContaining('127.0.0.1');
      expect(entries).toHaveLength(2);
      expect(entries).toContainEqual({
        event: 'auth.login_failed',
        actor: 'system',
        subject,
        details: { address, count: 1, blocked: 0 },
      });
      expect(entries).toContainEqual({ event: 'auth.login_succeeded', actor: subject, subject, details: { address } });
    } finally {
      await app.close();
    }
  });
});
