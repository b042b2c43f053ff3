import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId, type AccountId, type TenantId } from '#libs/common';
import { AccessWatch, type WatchedAccess } from './access-watch.js';
import type { AuthenticatedAccount, Authenticator } from './authenticator.port.js';

/** What a reader is promised: the loss of a right ends its answer within two seconds, of which the looks take a quarter. */
const MOST_MS_BETWEEN_LOOKS = 500;
const TENANT = newId<TenantId>();

function accountIn(tenantId: TenantId): AuthenticatedAccount {
  const accountId = newId<AccountId>();
  return {
    accountId,
    memberships: [{ tenantId, accountId, role: 'viewer' }],
    defaultTenantId: null,
    platformAdmin: false,
  } as unknown as AuthenticatedAccount;
}

describe('AccessWatch', () => {
  let looks: number[];
  let tookMs: number;
  let lost: Set<AuthenticatedAccount>;
  let watch: AccessWatch;

  beforeEach(() => {
    vi.useFakeTimers();
    [looks, tookMs, lost] = [[], 0, new Set()];
    const authenticator = {
      findNow: async (identity: AuthenticatedAccount) => {
        looks.push(Date.now());
        if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs));
        return lost.has(identity) ? { refused: 'unknown' } : identity;
      },
    };
    watch = new AccessWatch(authenticator as unknown as Authenticator);
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  function begin(identity: AuthenticatedAccount): WatchedAccess {
    const request = {
      kbIdentity: identity,
      kbContext: { tenantId: TENANT, principal: { kind: 'account', accountId: identity.accountId }, requestId: 'r' },
      routeOptions: { config: { access: { permission: 'chat:complete' } } },
    };
    return watch.begin(request as unknown as Parameters<AccessWatch['begin']>[0]);
  }

  const gaps = (from: number): number[] => [from, ...looks].slice(0, -1).map((at, n) => looks[n]! - at);

  it.each([0, 100])(
    'pauses at most half a second between looks that take %d ms, for as long as the answer takes',
    async (ms) => {
      tookMs = ms;
      const began = Date.now();
      const watched = begin(accountIn(TENANT));
      await vi.advanceTimersByTimeAsync(60_000);
      expect(looks.length).toBeGreaterThanOrEqual(Math.floor(60_000 / (MOST_MS_BETWEEN_LOOKS + ms)));
      expect(Math.max(...gaps(began))).toBeLessThanOrEqual(MOST_MS_BETWEEN_LOOKS + ms);
      expect(watched.signal.aborted).toBe(false);
    },
  );

  it('ends an answer at the next look after the loss, and those of others not', async () => {
    const [loser, other] = [accountIn(TENANT), accountIn(TENANT)];
    const [ending, going] = [begin(loser), begin(other)];
    await vi.advanceTimersByTimeAsync(7_777);
    lost.add(loser);
    expect(ending.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(MOST_MS_BETWEEN_LOOKS);
    expect([ending.signal.aborted, going.signal.aborted]).toEqual([true, false]);
    expect(ending.signal.reason).toMatchObject({ code: 'auth.credential_invalid' });
  });

  it('ends an answer whose rights cannot be read for seconds, as an outage and not as a defect', async () => {
    const watched = begin(accountIn(TENANT));
    tookMs = 60_000;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(watched.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(watched.signal.reason).toMatchObject({ code: 'auth.unconfirmed', status: 503, retryAfter: 5 });
  });

  it('ends a stream without an end with its access token, and no other', async () => {
    const soon = { ...accountIn(TENANT), expiresAt: Math.floor(Date.now() / 1_000) + 60 };
    const [endless, ending, closed] = [begin(soon), begin(soon), begin(soon)];
    for (const watched of [endless, closed]) watched.endWithToken();
    closed.close();
    const unending = begin({ ...accountIn(TENANT), expiresAt: Math.floor(Date.now() / 1_000) + 10 ** 9 });
    unending.endWithToken();
    await vi.advanceTimersByTimeAsync(58_000);
    expect(endless.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(endless.signal.reason).toMatchObject({ code: 'auth.credential_invalid', status: 401 });
    expect([ending, closed, unending].map(({ signal }) => signal.aborted)).toEqual([false, false, false]);
  });

  it('looks once for all answers to one caller, and no more when the last one has ended', async () => {
    const one = accountIn(TENANT);
    const open = Array.from({ length: 20 }, () => begin(one));
    await vi.advanceTimersByTimeAsync(MOST_MS_BETWEEN_LOOKS);
    expect(looks).toHaveLength(1);
    for (const watched of open) watched.close();
    await vi.advanceTimersByTimeAsync(10 * MOST_MS_BETWEEN_LOOKS);
    expect(looks.length).toBeLessThanOrEqual(2);
    begin(one);
    await vi.advanceTimersByTimeAsync(MOST_MS_BETWEEN_LOOKS);
    expect(looks.length).toBeGreaterThanOrEqual(2);
  });
});
