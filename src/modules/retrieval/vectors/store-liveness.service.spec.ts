import { describe, expect, it, vi } from 'vitest';
import type { VectorStore } from '#libs/vector-store';
import { StoreLiveness } from './store-liveness.service.js';

function livenessOver(ping: () => Promise<void>): { liveness: StoreLiveness; pings: () => number } {
  const spy = vi.fn(ping);
  const liveness = new StoreLiveness({ ping: spy } as unknown as VectorStore);
  return { liveness, pings: () => spy.mock.calls.length };
}

describe('StoreLiveness', () => {
  it('asks once for searches of one moment, and again for the next', async () => {
    const { liveness, pings } = livenessOver(() => Promise.resolve());
    await Promise.all([liveness.confirm({}), liveness.confirm({}), liveness.confirm({})]);
    expect(pings()).toBe(1);
    await liveness.confirm({});
    expect(pings()).toBe(2);
  });

  it('believes no earlier answer once the store has gone', async () => {
    const away = new Error('away');
    const { liveness, pings } = livenessOver(() => (pings() === 1 ? Promise.resolve() : Promise.reject(away)));
    await liveness.confirm({});
    await expect(liveness.confirm({})).rejects.toBe(away);
  });

  it('remembers no failure', async () => {
    const away = new Error('away');
    const { liveness, pings } = livenessOver(() => (pings() < 3 ? Promise.reject(away) : Promise.resolve()));
    await expect(liveness.confirm({})).rejects.toBe(away);
    await expect(liveness.confirm({})).rejects.toBe(away);
    await expect(liveness.confirm({})).resolves.toBeUndefined();
  });

  it('lets one that leaves take nothing from the others', async () => {
    const answer = Promise.withResolvers<void>();
    const { liveness } = livenessOver(() => answer.promise);
    const leaving = new AbortController();
    const left = liveness.confirm({ signal: leaving.signal });
    const staying = liveness.confirm({ signal: new AbortController().signal });
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    answer.resolve();
    await expect(staying).resolves.toBeUndefined();
  });
});
