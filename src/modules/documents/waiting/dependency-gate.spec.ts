import { describe, expect, it } from 'vitest';
import { aiErrors } from '#libs/ai';
import { DependencyGate } from './dependency-gate.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const busy = (retryAfter?: number): Error =>
  aiErrors.provider_unavailable({ provider: 'p', model: 'm' }, retryAfter === undefined ? {} : { retryAfter });

describe('the gate of a dependency', () => {
  it('runs at most the given number of calls at once, and the others in their order', async () => {
    const gate = new DependencyGate('provider_backoff', 2);
    const log: string[] = [];
    const ends: (() => void)[] = [];
    const call = (name: string): Promise<void> =>
      gate.run(() => {
        log.push(name);
        return new Promise((resolve) => ends.push(resolve));
      });
    const calls = ['a', 'b', 'c', 'd'].map(call);
    await settled();
    expect(log).toEqual(['a', 'b']);
    ends[0]!();
    await settled();
    expect(log).toEqual(['a', 'b', 'c']);
    ends[1]!();
    ends[2]!();
    await settled();
    ends[3]!();
    await Promise.all(calls);
    expect(log).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is closed after a refusal for the time that the dependency asked for, and makes no call meanwhile', async () => {
    let now = 0;
    let calls = 0;
    const gate = new DependencyGate('provider_backoff', 4, () => now);
    const call = (outcome: () => Promise<string>): Promise<string> =>
      gate.run(() => {
        calls += 1;
        return outcome();
      });
    await expect(call(() => Promise.reject(busy(9)))).rejects.toMatchObject({
      reason: 'provider_backoff',
      code: 'ai.provider_unavailable',
      retryInMs: 9_000,
    });
    now = 4_000;
    await expect(call(async () => 'ok')).rejects.toMatchObject({ retryInMs: 5_000 });
    expect(calls).toBe(1);
    now = 9_000;
    await expect(call(async () => 'ok')).resolves.toBe('ok');
  });

  it('waits longer after each consecutive refusal, counts simultaneous ones as one, and starts over after a success', async () => {
    let now = 0;
    const gate = new DependencyGate('store_unavailable', 4, () => now);
    const refuse = async (): Promise<number> => {
      const error: unknown = await gate.run(() => Promise.reject(busy())).catch((caught: unknown) => caught);
      return (error as { retryInMs: number }).retryInMs;
    };
    const side = await Promise.all([refuse(), refuse(), refuse()]);
    expect(Math.max(...side)).toBeLessThanOrEqual(1_250);
    now = 10_000;
    expect(await refuse()).toBeGreaterThanOrEqual(1_500);
    now = 20_000;
    await gate.run(async () => undefined);
    expect(await refuse()).toBeLessThanOrEqual(1_250);
  });

  it('passes other errors on and stays open', async () => {
    const gate = new DependencyGate('store_unavailable');
    await expect(gate.run(() => Promise.reject(new Error('a defect')))).rejects.toThrow('a defect');
    await expect(gate.run(async () => 'ok')).resolves.toBe('ok');
  });

  it('makes no call for a caller who has left while waiting', async () => {
    const gate = new DependencyGate('provider_backoff', 1);
    let end: () => void = () => undefined;
    const first = gate.run(() => new Promise<void>((resolve) => (end = resolve)));
    const stop = new AbortController();
    let called = false;
    const second = gate.run(async () => {
      called = true;
    }, stop.signal);
    await settled();
    stop.abort(new Error('gone'));
    end();
    await first;
    await expect(second).rejects.toThrow('gone');
    expect(called).toBe(false);
    await expect(gate.run(async () => 'ok')).resolves.toBe('ok');
  });
});
