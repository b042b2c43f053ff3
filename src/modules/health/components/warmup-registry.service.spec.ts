import type { PinoLogger } from 'nestjs-pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WarmupRegistry } from './warmup-registry.service.js';

describe('a warm-up', () => {
  const lines: unknown[] = [];
  let registry: WarmupRegistry;

  beforeEach(() => {
    vi.useFakeTimers();
    lines.length = 0;
    const log = (facts: object, event: string): void => void lines.push([event, facts]);
    registry = new WarmupRegistry({ info: log, warn: log } as unknown as PinoLogger);
  });

  afterEach(() => {
    registry.onModuleDestroy();
    vi.useRealTimers();
  });

  it('is retried until its dependencies are available, with one line for each change', async () => {
    let fault: string | undefined = 'connect ECONNREFUSED';
    let tries = 0;
    registry.start('retrieval', async () => {
      tries += 1;
      if (fault !== undefined) throw new Error(fault);
    });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(registry.health('retrieval')).toMatchObject({ status: 'down', detail: 'connect ECONNREFUSED' });
    expect(registry.areDone(['retrieval'])).toBe(false);
    fault = 'no master';
    await vi.advanceTimersByTimeAsync(16_000);
    fault = undefined;
    await vi.advanceTimersByTimeAsync(16_000);
    expect(registry.areDone(['retrieval'])).toBe(true);
    expect(registry.health('retrieval')).toMatchObject({ status: 'up' });
    expect(lines).toEqual([
      ['warmup.waits', { name: 'retrieval', reason: 'connect ECONNREFUSED' }],
      ['warmup.waits', { name: 'retrieval', reason: 'no master' }],
      ['warmup.done', { name: 'retrieval', ms: expect.any(Number) }],
    ]);
    const until = tries;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tries).toBe(until);
  });

  it('pauses longer each time, and ends when the process stops', async () => {
    let tries = 0;
    registry.start('retrieval', async () => {
      tries += 1;
      throw new Error('away');
    });
    await vi.advanceTimersByTimeAsync(10_000);
    // At 0, 0.5, 1.5, 3.5 and 7.5 seconds.
    expect(tries).toBe(5);
    registry.onModuleDestroy();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tries).toBe(5);
  });
});
