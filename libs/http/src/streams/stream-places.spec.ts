import type { PinoLogger } from 'nestjs-pino';
import { describe, expect, it } from 'vitest';
import { Cache, createCache } from '#libs/cache';
import { newId, NOWHERE_TENANT, type AccountId, type ApiKeyId, type TenantId } from '#libs/common';
import type { Settings } from '#libs/config';
import type { RequestContext } from '#libs/tenancy';
import { StreamPlaces } from './stream-places.js';

const SILENT = { warn: () => undefined } as unknown as PinoLogger;
const TENANT = newId<TenantId>();

function placesOver(cache: Cache, { principal = 2, tenant = 3, isShared = true } = {}): StreamPlaces {
  const redisUrl = isShared ? 'redis://shared' : undefined;
  const values = { redisUrl, maxStreamsPerPrincipal: principal, maxStreamsPerTenant: tenant };
  return new StreamPlaces(cache, { values } as unknown as Settings, SILENT);
}

function accountIn(tenantId: TenantId = TENANT): RequestContext {
  const principal = {
    kind: 'account',
    accountId: newId<AccountId>(),
    role: null,
    permissions: new Set<never>(),
  } as const;
  return { tenantId, principal, requestId: 'r' };
}

const REFUSED = { code: 'http.too_many_streams', status: 429, retryAfter: 10 };

describe('places of streams', () => {
  it('are as many for a caller as it may have, and free again once each, however often it is given back', async () => {
    const [places, one, other] = [placesOver(await createCache({}), { isShared: false }), accountIn(), accountIn()];
    const leave = await places.take(one);
    await places.take(one);
    await expect(places.take(one)).rejects.toMatchObject(REFUSED);
    await places.take(other);
    leave();
    leave();
    await places.take(one);
    await expect(places.take(one)).rejects.toMatchObject(REFUSED);
  });

  it('are bounded for a tenant, and a caller that is refused for its tenant has lost none of its own', async () => {
    const places = placesOver(await createCache({}), { isShared: false });
    const leaves = [await places.take(accountIn()), await places.take(accountIn()), await places.take(accountIn())];
    const late = accountIn();
    await expect(places.take(late)).rejects.toMatchObject({ ...REFUSED, facts: { whose: 'the tenant' } });
    leaves.forEach((leave) => leave());
    await places.take(late);
    await places.take(late);
  });

  it('are counted for an API key as itself, without a tenant, and not at all where the limit is 0', async () => {
    const places = placesOver(await createCache({}), { tenant: 0, isShared: false });
    const account = accountIn(NOWHERE_TENANT);
    const key = { ...account.principal, kind: 'api_key', keyId: newId<ApiKeyId>(), datasetIds: null } as never;
    for (const ctx of [account, { ...account, principal: key }]) {
      await places.take(ctx);
      await places.take(ctx);
      await expect(places.take(ctx)).rejects.toMatchObject(REFUSED);
    }
    const unbounded = placesOver(await createCache({}), { principal: 0, tenant: 0, isShared: false });
    await Promise.all(Array.from({ length: 50 }, () => unbounded.take(account)));
  });

  it('are counted over processes that share a cache, also when many ask at once', async () => {
    const cache = await createCache({});
    const processes = [placesOver(cache, { principal: 5, tenant: 0 }), placesOver(cache, { principal: 5, tenant: 0 })];
    const one = accountIn();
    const asked = Array.from({ length: 12 }, (_, n) => processes[n % 2]!.take(one));
    const taken = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled');
    expect(taken).toHaveLength(5);
  });

  it('are counted by each process for itself while the cache is away', async () => {
    const away = { hold: () => Promise.reject(new Error('away')) } as unknown as Cache;
    const [places, one] = [placesOver(away), accountIn()];
    await places.take(one);
    await places.take(one);
    await expect(places.take(one)).rejects.toMatchObject(REFUSED);
  });
});
