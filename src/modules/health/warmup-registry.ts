import { Injectable } from '@nestjs/common';
import type { ComponentHealth } from './component-health.js';

interface Warmup {
  readonly state: 'running' | 'done' | 'failed';
  readonly ms: number;
  readonly detail: string | null;
}

/** Warm-ups that modules contribute, and how far they are. */
@Injectable()
export class WarmupRegistry {
  private readonly warmups = new Map<string, Warmup>();

  /** Starts a warm-up; its failure is shown, not thrown: the first request does the same work. */
  start(name: string, work: () => Promise<void>): void {
    const started = performance.now();
    this.warmups.set(name, { state: 'running', ms: 0, detail: null });
    const took = (): number => Math.round(performance.now() - started);
    work().then(
      () => this.warmups.set(name, { state: 'done', ms: took(), detail: null }),
      (error: unknown) =>
        this.warmups.set(name, {
          state: 'failed',
          ms: took(),
          detail: error instanceof Error ? error.message : String(error),
        }),
    );
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
}
