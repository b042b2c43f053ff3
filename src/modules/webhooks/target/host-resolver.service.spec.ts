import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SystemHostResolver, type ResolvedAddress } from './host-resolver.service.js';

/** A resolver that knows some names and counts the calls. */
class CountedResolver extends SystemHostResolver {
  readonly asked: string[] = [];
  readonly known = new Map<string, ResolvedAddress>();

  protected override async lookUp(host: string): Promise<readonly ResolvedAddress[]> {
    this.asked.push(host);
    const address = this.known.get(host);
    if (address === undefined) throw new Error(`Nobody knows ${host}.`);
    return [address];
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('names of hosts', () => {
  it('that are unknown are resolved once for any number of callers, and again after ten seconds', async () => {
    const resolver = new CountedResolver();
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => resolver.resolve('nowhere.example')));
    expect(all.every(({ status }) => status === 'rejected')).toBe(true);
    await expect(resolver.resolve('nowhere.example')).rejects.toThrow('Nobody knows');
    expect(resolver.asked).toHaveLength(1);
    resolver.known.set('nowhere.example', { address: '203.0.113.9', family: 4 });
    vi.advanceTimersByTime(10_000);
    expect(await resolver.resolve('nowhere.example')).toEqual([{ address: '203.0.113.9', family: 4 }]);
  });

  it('that are known are resolved each time, because their addresses may change', async () => {
    const resolver = new CountedResolver();
    resolver.known.set('hooks.example', { address: '203.0.113.9', family: 4 });
    await resolver.resolve('hooks.example');
    await resolver.resolve('hooks.example');
    expect(resolver.asked).toHaveLength(2);
  });
});
