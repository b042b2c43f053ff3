import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, type AccountId } from '#libs/common';
import type { Settings } from '#libs/config';
import type { SecurityLog } from '#libs/tenancy';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { LoginOriginsRepository } from './login-origins.repository.js';
import type { LoginRecords } from './login-records.service.js';
import { loginOrigin } from './login-origin.js';
import { LoginThrottle, type PasswordAttempt, type RightPassword } from './login-throttle.service.js';

let test: TestDatabase;
let origins: LoginOriginsRepository;
beforeAll(async () => {
  test = await createTestDatabase();
  origins = new LoginOriginsRepository(test.unitOfWork);
});
afterAll(() => test.close());

const logged: unknown[] = [];
const security = { note: (...line: unknown[]) => logged.push(line) } as unknown as SecurityLog;
const records = { succeeded: async () => undefined, failed: () => undefined } as unknown as LoginRecords;
const throttle = (rateLimits: 'on' | 'off' = 'on'): LoginThrottle =>
  new LoginThrottle(origins, { values: { rateLimits } } as unknown as Settings, security, records);
const from = (email: string, address = '192.0.2.1', accountId?: AccountId): PasswordAttempt => ({
  purpose: 'login',
  email,
  accountIds: accountId === undefined ? [] : [accountId],
  client: { address, requestId: 'request-1' },
});
const RIGHT = { accountId: newId<AccountId>(), isFirstUse: false };
const right = async (): Promise<RightPassword> => RIGHT;
const failing = async (): Promise<undefined> => undefined;
const rows = (email: string): Promise<{ failures: number }[]> =>
  test.unitOfWork.runAsSystem((manager) =>
    manager.query('SELECT failures FROM login_origins WHERE email_key = $1', [loginOrigin(email, '').emailKey]),
  );

describe('LoginThrottle', () => {
  it('counts in all processes together', async () => {
    const processes = [throttle(), throttle()];
    for (let n = 0; n < 5; n += 1) await processes[n % 2]!.attempt(from('a@example.com'), failing);
    for (const one of processes) {
      await expect(one.attempt(from('a@example.com'), failing)).rejects.toMatchObject({
        code: 'accounts.login_blocked',
        status: 429,
        retryAfter: 2,
      });
    }
  });

  it('doubles the delay with each failure, to 15 minutes', async () => {
    const delays: number[] = [];
    for (let n = 0; n < 16; n += 1) {
      await throttle().attempt(from('h@example.com'), failing);
      delays.push(Math.round(await origins.blockedSeconds(loginOrigin('h@example.com', '192.0.2.1'))));
      await test.unitOfWork.runAsSystem((manager) => manager.query('UPDATE login_origins SET blocked_until = now()'));
    }
    expect(delays).toEqual([0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  it('does not count an attempt that could not be checked', async () => {
    for (let n = 0; n < 20; n += 1) {
      const busy = throttle().attempt(from('b@example.com'), () => Promise.reject(new Error('busy')));
      await expect(busy).rejects.toThrow('busy');
    }
    expect(await rows('b@example.com')).toEqual([{ failures: 0 }]);
  });

  it('counts nothing when rate limits are off, but still remembers trusted networks', async () => {
    for (let n = 0; n < 50; n += 1) await throttle('off').attempt(from('c@example.com'), failing);
    expect(await rows('c@example.com')).toEqual([]);
    await throttle('off').attempt(from('c@example.com'), right);
    expect((await origins.standing(loginOrigin('c@example.com', '192.0.2.1'), 1)).trusted).toBe(true);
  });

  it('trusts a network for 30 days after a login', async () => {
    const origin = loginOrigin('d@example.com', '192.0.2.1');
    await throttle().attempt(from('d@example.com'), right);
    const age = (interval: string): Promise<unknown> =>
      test.unitOfWork.runAsSystem((manager) =>
        manager.query(`UPDATE login_origins SET logged_in_at = now() - $2::interval WHERE email_key = $1`, [
          origin.emailKey,
          interval,
        ]),
      );
    await age('29 days 23 hours');
    expect((await origins.standing(origin, 1)).trusted).toBe(true);
    await age('30 days 1 hour');
    expect((await origins.standing(origin, 1)).trusted).toBe(false);
  });

  it('clears failures after a day without an attempt', async () => {
    const origin = loginOrigin('e@example.com', '192.0.2.1');
    for (let n = 0; n < 4; n += 1) await throttle().attempt(from('e@example.com'), failing);
    await test.unitOfWork.runAsSystem((manager) =>
      manager.query(`UPDATE login_origins SET attempted_at = now() - interval '25 hours' WHERE email_key = $1`, [
        origin.emailKey,
      ]),
    );
    await throttle().attempt(from('e@example.com'), failing);
    expect(await rows('e@example.com')).toEqual([{ failures: 1 }]);
  });

  it('remembers the newest 50 trusted networks', async () => {
    for (let n = 0; n < 55; n += 1) await throttle().attempt(from('f@example.com', `192.0.2.${n}`), right);
    expect(await rows('f@example.com')).toHaveLength(50);
    expect((await origins.standing(loginOrigin('f@example.com', '192.0.2.54'), 1)).trusted).toBe(true);
  });

  it('keeps a limited number of origins without a login', async () => {
    await throttle().attempt(from('g@example.com'), right);
    for (let n = 0; n < 20; n += 1) await throttle().attempt(from(`stranger${n}@example.com`), failing);
    await origins.prune(10);
    const [left] = await test.unitOfWork.runAsSystem((manager) =>
      manager.query(`SELECT count(*)::int AS n FROM login_origins WHERE logged_in_at IS NULL`),
    );
    expect(left.n).toBe(10);
    expect(await rows('g@example.com')).toHaveLength(1);
  });

  it('clears failures at a success, at most ten times a day, because an attacker may log in to an own account between two guesses', async () => {
    const guess = from('k@example.com');
    for (let n = 0; n < 10; n += 1) {
      for (let m = 0; m < 4; m += 1) await throttle().attempt(guess, failing);
      await throttle().attempt(guess, right);
      expect(await rows('k@example.com')).toEqual([{ failures: 0 }]);
    }
    for (let m = 0; m < 4; m += 1) await throttle().attempt(guess, failing);
    await throttle().attempt(guess, right);
    expect(await rows('k@example.com')).toEqual([{ failures: 4 }]);
    await throttle().attempt(guess, failing);
    await expect(throttle().attempt(guess, right)).rejects.toMatchObject({ code: 'accounts.login_blocked' });
    await test.unitOfWork.runAsSystem((manager) =>
      manager.query(`UPDATE login_origins SET blocked_until = now(), resets_since = now() - interval '25 hours'`),
    );
    await throttle().attempt(guess, right);
    expect(await rows('k@example.com')).toEqual([{ failures: 0 }]);
  });

  it('counts the first login with a new password as a guess, because it reveals whether others have the same password', async () => {
    const guess = from('l@example.com');
    const anew = async (): Promise<RightPassword> => ({ ...RIGHT, isFirstUse: true });
    for (let n = 0; n < 5; n += 1) await throttle().attempt(guess, anew);
    await expect(throttle().attempt(guess, anew)).rejects.toMatchObject({ code: 'accounts.login_blocked' });
  });

  it('logs failures, blocked attempts and successes with account, network address and request, but never the e-mail address', async () => {
    const accountId = newId<AccountId>();
    logged.length = 0;
    for (let n = 0; n < 5; n += 1) await throttle().attempt(from('i@example.com', '192.0.2.7', accountId), failing);
    await expect(throttle().attempt(from('i@example.com', '192.0.2.7', accountId), failing)).rejects.toThrow();
    await throttle().attempt(from('i@example.com', '192.0.2.8', accountId), async () => ({ ...RIGHT, accountId }));
    await throttle().attempt(from('j@example.com', '192.0.2.8'), failing);
    const client = (address: string): unknown => ({ address, requestId: 'request-1' });
    expect(logged.slice(4)).toEqual([
      ['auth.login_failed', client('192.0.2.7'), { accountId }],
      ['auth.login_blocked', client('192.0.2.7'), { accountId }],
      ['auth.login_succeeded', client('192.0.2.8'), { accountId }],
      ['auth.login_failed', client('192.0.2.8'), {}],
    ]);
  });
});
