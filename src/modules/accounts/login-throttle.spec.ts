import { describe, expect, it } from 'vitest';
import { MemoryCache } from '#libs/cache';
import type { Settings } from '#libs/config';
import { FAILED_LOGIN_LIMIT, LoginThrottle } from './login-throttle.js';

function throttleWith(rateLimits: 'on' | 'off'): { throttle: LoginThrottle; advance: (ms: number) => void } {
  let now = 1_000_000;
  const cache = new MemoryCache({ clock: { now: () => new Date(now) } });
  const throttle = new LoginThrottle(cache, { values: { rateLimits } } as unknown as Settings);
  return { throttle, advance: (ms) => (now += ms) };
}

async function attempt(throttle: LoginThrottle, email: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await throttle.admit(email);
}

describe('LoginThrottle', () => {
  it('refuses an address after ten attempts, however it is written, and tells when to come back', async () => {
    const { throttle, advance } = throttleWith('on');
    await attempt(throttle, 'Someone@Example.com', FAILED_LOGIN_LIMIT);
    advance(60_000);
    await expect(throttle.admit(' someone@example.COM ')).rejects.toMatchObject({
      code: 'accounts.login_blocked',
      status: 429,
      retryAfter: 14 * 60,
    });
    await expect(throttle.admit('another@example.com')).resolves.toBeUndefined();
  });

  it('opens again after fifteen minutes', async () => {
    const { throttle, advance } = throttleWith('on');
    await attempt(throttle, 'a@example.com', FAILED_LOGIN_LIMIT);
    advance(15 * 60_000);
    await expect(throttle.admit('a@example.com')).resolves.toBeUndefined();
  });

  it('counts from the beginning after a success', async () => {
    const { throttle } = throttleWith('on');
    await attempt(throttle, 'a@example.com', FAILED_LOGIN_LIMIT);
    await throttle.forget('A@example.com');
    await expect(attempt(throttle, 'a@example.com', FAILED_LOGIN_LIMIT)).resolves.toBeUndefined();
  });

  it('counts nothing when rate limits are off', async () => {
    const { throttle } = throttleWith('off');
    await expect(attempt(throttle, 'a@example.com', 50)).resolves.toBeUndefined();
  });
});
