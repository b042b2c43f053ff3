import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { delay, reasonOf } from '#libs/common';
import type { ComponentHealth } from './component-health.js';

interface Warmup {
  readonly state: 'running' | 'done' | 'failed';
  readonly ms: number;
  readonly detail: string | null;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** Warm-ups that modules contribute, with their state. */
@Injectable()
export class WarmupRegistry implements OnModuleDestroy {
  private readonly warmups = new Map<string, Warmup>();
  private readonly closing = new AbortController();

  constructor(private readonly logger: PinoLogger) {}

  /**
   * Starts a warm-up and retries it with growing pauses until it succeeds, because its dependencies may start later than this process. The
   * log gets a line when it begins to fail, when it fails for another reason, and when it succeeds after that.
   */
  start(name: string, work: () => Promise<void>): void {
    void this.tryUntilDone(name, work);
  }

  onModuleDestroy(): void {
    this.closing.abort(new Error('The service is stopping.'));
  }

  areDone(names: readonly string[]): boolean {
    return names.every((name) => this.warmups.get(name)?.state === 'done');
  }

  health(name: string): ComponentHealth {
    const warmup = this.warmups.get(name);
    if (warmup === undefined) return { status: 'disabled', latency_ms: 0, detail: null };
    const status = { running: 'degraded', done: 'up', failed: 'down' } as const;
    return { status: status[warmup.state], latency_ms: warmup.ms, detail: warmup.detail ?? warmup.state };
  }

  private async tryUntilDone(name: string, work: () => Promise<void>): Promise<void> {
    const started = performance.now();
    const note = (state: Warmup['state'], detail: string | null = null): number => {
      const ms = Math.round(performance.now() - started);
      this.warmups.set(name, { state, ms, detail });
      return ms;
    };
    note('running');
    let failure: string | undefined;
    for (let pause = FIRST_PAUSE_MS; !this.closing.signal.aborted; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      try {
        await work();
        const ms = note('done');
        if (failure !== undefined) this.logger.info({ name, ms }, 'warmup.done');
        return;
      } catch (error) {
        const reason = reasonOf(error);
        note('failed', reason);
        if (reason !== failure) this.logger.warn({ name, reason }, 'warmup.waits');
        failure = reason;
      }
      await delay(pause, this.closing.signal).catch(() => undefined);
    }
  }
}
