import type { PinoLogger } from 'nestjs-pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ComponentHealth } from './component-health.js';
import { COMPONENTS, type ComponentChecks, type ComponentStates } from './component-checks.service.js';
import { ComponentWatch } from './component-watch.service.js';

const UP: ComponentHealth = { status: 'up', latency_ms: 1, detail: 'redis' };

describe('the watch of the components', () => {
  let cache: ComponentHealth;
  let warmup: ComponentHealth;
  let looks: number;
  let lines: [event: string, facts: object][];
  let watch: ComponentWatch;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    [cache, warmup, looks, lines] = [UP, UP, 0, []];
    const checkAll = async (): Promise<ComponentStates> => {
      looks += 1;
      const states = Object.fromEntries(COMPONENTS.map((name) => [name, UP]));
      return { ...states, cache, retrieval_warmup: warmup } as unknown as ComponentStates;
    };
    const logger = { warn: (facts: object, event: string) => lines.push([event, facts]) };
    watch = new ComponentWatch({ checkAll } as unknown as ComponentChecks, logger as unknown as PinoLogger);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A check some time after the last one. */
  const lookLater = async (): Promise<void> => {
    vi.advanceTimersByTime(5_000);
    await watch.states();
  };

  it('writes one line when a component degrades, fails and recovers, and none in between', async () => {
    await lookLater();
    cache = { ...UP, status: 'degraded', detail: 'slow' };
    for (let n = 0; n < 3; n += 1) await lookLater();
    cache = { ...UP, status: 'down', detail: 'gone' };
    for (let n = 0; n < 3; n += 1) await lookLater();
    cache = UP;
    for (let n = 0; n < 3; n += 1) await lookLater();
    expect(lines).toEqual([
      ['component.degraded', { component: 'cache', detail: 'slow' }],
      ['component.down', { component: 'cache', detail: 'gone' }],
      ['component.restored', { component: 'cache', detail: 'redis', awayMs: 30_000 }],
    ]);
  });

  it('does not treat a running warm-up as an outage, but a failed one', async () => {
    warmup = { ...UP, status: 'degraded', detail: 'running' };
    await lookLater();
    expect(lines).toEqual([]);
    warmup = { ...UP, status: 'down', detail: 'failed' };
    await lookLater();
    expect(lines).toEqual([['component.down', { component: 'retrieval_warmup', detail: 'failed' }]]);
  });

  it('checks once for all simultaneous calls', async () => {
    await Promise.all([watch.states(), watch.states()]);
    await watch.states();
    expect(looks).toBe(1);
    await lookLater();
    expect(looks).toBe(2);
  });
});
