import { describe, expect, it, vi } from 'vitest';
import type { VectorStore } from '#libs/vector-store';
import { ANSWER_COUNTS_MS, StoreLiveness } from './store-liveness.js';

function livenessOver(ping: () => Promise<void>): {
  liveness: StoreLiveness;
  pings: () => number;
  pass: (ms: number) => void;
} {
  const spy = vi.fn(ping);
  let now = 1_000;
  const liveness = new StoreLiveness({ ping: spy } as unknown as VectorStore, ANSWER_COUNTS_MS, () => now);
  return { liveness, pings: () => spy.mock.calls.length, pass: (ms) => void (now += ms) };
}

describe('StoreLiveness', () => {
  it('asks once for searches of one moment, and again a moment later', async () => {
    const { liveness, pings, pass } = livenessOver(() => Promise.resolve());
    await Promise.all([liveness.confirm({}), liveness.confirm({}), liveness.confirm({})]);
    await liveness.confirm({});
    expect(pings()).toBe(1);
    pass(ANSWER_COUNTS_MS);
    await liveness.confirm({});
    expect(pings()).toBe(2);
  });

  it('counts an answer from when it was asked for', async () => {
    const { liveness, pings, pass } = livenessOver(() => {
      pass(ANSWER_COUNTS_MS);
      return Promise.resolve();
    });
    await liveness.confirm({});
    await liveness.confirm({});
    expect(pings()).toBe(2);
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
