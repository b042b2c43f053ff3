import { describe, expect, it } from 'vitest';
import { cacheErrors, MemoryCache, type Cache } from '#libs/cache';
import type { Settings } from '#libs/config';
import type { Client } from './client.js';
import { RefusedCredentials } from './refused-credentials.js';
import type { SecurityLog } from './security-log.js';

const LIMIT = 3;
const client: Client = { address: '192.0.2.1', requestId: 'request-1' };
const blocked = { code: 'auth.too_many_refused', status: 429 };

function limits(cache: Cache, rateLimits: 'on' | 'off' = 'on', logged: string[] = []): RefusedCredentials {
  const settings = { values: { rateLimits, refusedCredentialsPerMinute: LIMIT } } as unknown as Settings;
  return new RefusedCredentials(cache, settings, {
    note: (event: string) => logged.push(event),
  } as unknown as SecurityLog);
}

async function refuse(one: RefusedCredentials, times: number, from = client): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await one.admit(`wrong-${n}`, from);
    await one.noteRefused(`wrong-${n}`, from, { kind: 'API key' });
  }
}

describe('RefusedCredentials', () => {
  it('refuses what no one knows once a network has sent too much that was refused, and says for how long', async () => {
    let now = 1_000_000;
    const one = limits(new MemoryCache({ now: () => now }));
    await refuse(one, LIMIT);
    now += 10_000;
    await expect(one.admit('another', client)).rejects.toMatchObject({ ...blocked, retryAfter: 50 });
    await expect(one.admit('another', { ...client, address: '192.0.2.2' })).resolves.toBeUndefined();
    now += 50_000;
    await expect(one.admit('another', client)).resolves.toBeUndefined();
  });

  it('looks at a credential that was accepted lately, in another process too', async () => {
    const cache = new MemoryCache();
    const [one, other] = [limits(cache), limits(cache)];
    await one.noteAccepted('good');
    await refuse(one, LIMIT);
    await expect(one.admit('good', client)).resolves.toBeUndefined();
    await expect(other.admit('good', client)).resolves.toBeUndefined();
    await expect(other.admit('unknown', client)).rejects.toMatchObject(blocked);
  });

  it('no longer spares a credential that has been refused since', async () => {
    const one = limits(new MemoryCache());
    await one.noteAccepted('good');
    await one.noteRefused('good', client, { kind: 'API key' });
    await refuse(one, LIMIT - 1);
    await expect(one.admit('good', client)).rejects.toMatchObject(blocked);
  });

  it('logs each refusal, and once that a network is blocked', async () => {
    const logged: string[] = [];
    const one = limits(new MemoryCache(), 'on', logged);
    await refuse(one, LIMIT);
    await one.admit('late', client).catch((error: unknown) => expect(error).toMatchObject(blocked));
    expect(logged).toEqual([...Array.from({ length: LIMIT }, () => 'auth.credential_refused'), 'auth.address_blocked']);
  });

  it('keeps no credential readable', async () => {
    const keys: string[] = [];
    const cache = new MemoryCache();
    const set = cache.set.bind(cache);
    cache.set = (key, ...rest) => {
      keys.push(key);
      return set(key, ...rest);
    };
    await limits(cache).noteAccepted('kb_id_secret');
    expect(keys).toHaveLength(1);
    expect(keys.join()).not.toContain('secret');
  });

  it('goes on counting while the cache is away, and looks at what this process has accepted itself', async () => {
    const cache = new CacheThatGoesAway();
    const one = limits(cache);
    cache.isAway = true;
    await one.noteAccepted('good');
    await refuse(one, LIMIT);
    await expect(one.admit('another', client)).rejects.toMatchObject(blocked);
    await expect(one.admit('good', client)).resolves.toBeUndefined();
  });

  it('tells other processes of a credential that was accepted while the cache was away', async () => {
    const cache = new CacheThatGoesAway();
    const [one, other] = [limits(cache), limits(cache)];
    cache.isAway = true;
    await one.noteAccepted('good');
    cache.isAway = false;
    await one.noteAccepted('good');
    await refuse(one, LIMIT);
    await expect(other.admit('good', client)).resolves.toBeUndefined();
  });

  it('refuses no one with rate limits off', async () => {
    const one = limits(new MemoryCache(), 'off');
    await refuse(one, 10);
    await expect(one.admit('another', client)).resolves.toBeUndefined();
  });
});

/** Counts while it is away, as every cache does, and knows nothing else then. */
class CacheThatGoesAway extends MemoryCache {
  isAway = false;

  override get(key: string): Promise<string | null> {
    return this.isAway ? Promise.reject(cacheErrors.unavailable({})) : super.get(key);
  }

  override set(key: string, value: string, ttlMs: number): Promise<void> {
    return this.isAway ? Promise.reject(cacheErrors.unavailable({})) : super.set(key, value, ttlMs);
  }

  override delete(key: string): Promise<void> {
    return this.isAway ? Promise.reject(cacheErrors.unavailable({})) : super.delete(key);
  }
}
