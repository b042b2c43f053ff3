import type { FastifyReply } from 'fastify';
import { describe, expect, it } from 'vitest';
import { MemoryCache } from '#libs/cache';
import type { Settings } from '#libs/config';
import type { AccountId, TenantId } from '#libs/common';
import type { ContextRequest } from '#libs/tenancy';
import { RequestCounter } from './rate-limit.js';

function counterOf(search: { readonly credential: number; readonly tenant: number }): RequestCounter {
  const values = { rateLimits: 'on', rateLimitSearch: search.credential, rateLimitSearchTenant: search.tenant };
  return new RequestCounter(new MemoryCache(), { values } as unknown as Settings);
}

function requestOf(accountId: string): ContextRequest {
  const principal = { kind: 'account', accountId: accountId as AccountId };
  return { kbContext: { tenantId: 'tenant' as TenantId, principal } } as unknown as ContextRequest;
}

/** Headers of the last answer. */
function replyInto(headers: Record<string, string>): FastifyReply {
  const reply = {
    header: (name: string, value: string) => {
      headers[name] = value;
      return reply;
    },
  };
  return reply as unknown as FastifyReply;
}

describe('limits by cost', () => {
  it('count an expensive request as several', async () => {
    const counter = counterOf({ credential: 12, tenant: 100 });
    const headers: Record<string, string> = {};
    const ask = (cost?: number): Promise<void> => counter.count('search', requestOf('anna'), replyInto(headers), cost);
    await ask(5);
    expect(headers['RateLimit-Remaining']).toBe('7');
    await ask();
    expect(headers['RateLimit-Remaining']).toBe('6');
    await ask(5);
    await expect(ask(5)).rejects.toMatchObject({ code: 'http.rate_limited' });
  });

  it('count it for the tenant, too', async () => {
    const counter = counterOf({ credential: 12, tenant: 12 });
    for (const name of ['anna', 'ben']) await counter.count('search', requestOf(name), replyInto({}), 5);
    await expect(counter.count('search', requestOf('clara'), replyInto({}), 5)).rejects.toMatchObject({
      code: 'http.rate_limited',
    });
  });

  it('let one through where the limit is less than its cost', async () => {
    const counter = counterOf({ credential: 2, tenant: 100 });
    await counter.count('search', requestOf('anna'), replyInto({}), 5);
    await expect(counter.count('search', requestOf('anna'), replyInto({}))).rejects.toMatchObject({
      code: 'http.rate_limited',
    });
  });
});
