import { describe, expect, it } from 'vitest';
import { LowPriority } from './low-priority.js';
import type { Steps } from './steps.js';

/** Holds the thread for this many milliseconds. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

function* working(steps: number): Steps<number> {
  for (let n = 0; n < steps; n += 1) {
    work(1);
    yield;
  }
  return steps;
}

describe('work of low priority', () => {
  it('comes to its result and leaves most of the time to others', async () => {
    const before = performance.eventLoopUtilization();
    expect(await new LowPriority().inTurns(working(60))).toBe(60);
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });

  it('ends when its signal fires', async () => {
    const stopped = new AbortController();
    const running = new LowPriority().inTurns(working(1_000), stopped.signal);
    stopped.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });
});
