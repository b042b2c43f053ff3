import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Settings } from '#libs/config';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { LoginOriginsRepository } from './login-origins.repository.js';
import { loginOrigin } from './login-origin.js';
import { LoginThrottle } from './login-throttle.js';

let test: TestDatabase;
let origins: LoginOriginsRepository;
beforeAll(async () => {
  test = await createTestDatabase();
  origins = new LoginOriginsRepository(test.unitOfWork);
});
afterAll(() => test.close());

const throttle = (rateLimits: 'on' | 'off' = 'on'): LoginThrottle =>
  new LoginThrottle(origins, { values: { rateLimits } } as unknown as Settings);
const failing = async (): Promise<undefined> => undefined;
const rows = (email: string): Promise<{ failures: number }[]> =>
  test.unitOfWork.runAsSystem((manager) =>
    manager.query('SELECT failures FROM login_origins WHERE email_key = $1', [loginOrigin(email, '').emailKey]),
  );

describe('LoginThrottle', () => {
  it('counts in all processes together', async () => {
    const processes = [throttle(), throttle()];
    for (let n = 0; n < 5; n += 1) await processes[n % 2]!.attempt('a@example.com', '192.0.2.1', failing);
    for (const one of processes) {
      await expect(one.attempt('a@example.com', '192.0.2.1', failing)).rejects.toMatchObject({
        code: 'accounts.login_blocked',
        status: 429,
        retryAfter: 2,
      });
    }
  });

  it('doubles the delay with each failure, to 15 minutes', async () => {
    const delays: number[] = [];
    for (let n = 0; n < 16; n += 1) {
      await throttle().attempt('h@example.com', '192.0.2.1', failing);
      delays.push(Math.round(await origins.blockedSeconds(loginOrigin('h@example.com', '192.0.2.1'))));
      await test.unitOfWork.runAsSystem((manager) => manager.query('UPDATE login_origins SET blocked_until = now()'));
    }
    expect(delays).toEqual([0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  });

  it('does not count an attempt that could not be checked', async () => {
    for (let n = 0; n < 20; n += 1) {
      const busy = throttle().attempt('b@example.com', '192.0.2.1', () => Promise.reject(new Error('busy')));
      await expect(busy).rejects.toThrow('busy');
    }
    expect(await rows('b@example.com')).toEqual([{ failures: 0 }]);
  });

  it('counts nothing when rate limits are off, and still learns who logs in from where', async () => {
    for (let n = 0; n < 50; n += 1) await throttle('off').attempt('c@example.com', '192.0.2.1', failing);
    expect(await rows('c@example.com')).toEqual([]);
    await throttle('off').attempt('c@example.com', '192.0.2.1', async () => true);
    expect((await origins.standing(loginOrigin('c@example.com', '192.0.2.1'), 1)).trusted).toBe(true);
  });

  it('trusts a network for 30 days after a login', async () => {
    const origin = loginOrigin('d@example.com', '192.0.2.1');
    await throttle().attempt('d@example.com', '192.0.2.1', async () => true);
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

  it('forgets failures after a day without an attempt', async () => {
    const origin = loginOrigin('e@example.com', '192.0.2.1');
    for (let n = 0; n < 4; n += 1) await throttle().attempt('e@example.com', '192.0.2.1', failing);
    await test.unitOfWork.runAsSystem((manager) =>
      manager.query(`UPDATE login_origins SET attempted_at = now() - interval '25 hours' WHERE email_key = $1`, [
        origin.emailKey,
      ]),
    );
    await throttle().attempt('e@example.com', '192.0.2.1', failing);
    expect(await rows('e@example.com')).toEqual([{ failures: 1 }]);
  });

  it('remembers 50 networks that somebody logged in from, the newest', async () => {
    for (let n = 0; n < 55; n += 1) await throttle().attempt('f@example.com', `192.0.2.${n}`, async () => true);
    expect(await rows('f@example.com')).toHaveLength(50);
    expect((await origins.standing(loginOrigin('f@example.com', '192.0.2.54'), 1)).trusted).toBe(true);
  });

  it('holds a bounded number of origins that nobody logged in from', async () => {
    await throttle().attempt('g@example.com', '192.0.2.1', async () => true);
    for (let n = 0; n < 20; n += 1) await throttle().attempt(`stranger${n}@example.com`, '192.0.2.1', failing);
    await origins.prune(10);
    const [left] = await test.unitOfWork.runAsSystem((manager) =>
      manager.query(`SELECT count(*)::int AS n FROM login_origins WHERE logged_in_at IS NULL`),
    );
    expect(left.n).toBeLessThanOrEqual(11);
    expect(await rows('g@example.com')).toHaveLength(1);
  });
});
