import { Injectable } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { storageLowOf, withDeadline } from '#libs/common';
import { Settings } from '#libs/config';
import { Drain } from '#libs/http';
import type { ComponentHealth } from './component-health.js';
import { HealthProbes, PROBE_DEADLINE_MS } from './health-probes.js';
import { WarmupRegistry } from './warmup-registry.js';

export const COMPONENTS = [
  'database',
  'vector_backend',
  'cache',
  'object_storage',
  'retrieval_warmup',
  'task_queue',
  'upload_directory',
  'event_delivery',
] as const;
export type ComponentName = (typeof COMPONENTS)[number];

/** Looks at everything that the service stands on. */
@Injectable()
export class HealthChecksService {
  constructor(
    private readonly probes: HealthProbes,
    private readonly settings: Settings,
    private readonly warmups: WarmupRegistry,
    private readonly drain: Drain,
    private readonly terminus: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  /**
   * True when every component of `READINESS_REQUIRES` is there, takes what it is asked to take, and the required warm-ups are done; never
   * in a process that is about to stop.
   */
  async isReady(): Promise<boolean> {
    if (this.drain.isLeaving) return false;
    const { readinessRequires, readinessWarmups } = this.settings.values;
    try {
      const result = await this.terminus.check(readinessRequires.map((name) => () => this.indicate(name)));
      return result.status === 'ok' && this.warmups.areDone(readinessWarmups);
    } catch {
      return false;
    }
  }

  async details(): Promise<Record<ComponentName, ComponentHealth>> {
    const entries = await Promise.all(COMPONENTS.map(async (name) => [name, toHealth(await this.look(name))] as const));
    return Object.fromEntries(entries) as Record<ComponentName, ComponentHealth>;
  }

  private async indicate(name: ComponentName): Promise<HealthIndicatorResult> {
    const { status, isFull } = await this.look(name);
    const indicator = this.indicators.check(name);
    // Low space alone makes nothing unready: reads, searches, deletions and logins go on.
    const mayBeDegraded = isFull || name !== 'vector_backend' || this.settings.values.readinessStore === 'searchable';
    return status === 'down' || (status === 'degraded' && !mayBeDegraded) ? indicator.down() : indicator.up();
  }

  private async look(name: ComponentName): Promise<ComponentHealth & { readonly isFull: boolean }> {
    if (name === 'retrieval_warmup') return { ...this.warmups.health('retrieval'), isFull: false };
    const started = performance.now();
    const took = (): number => Math.round((performance.now() - started) * 10) / 10;
    try {
      const late = (): Error => new Error(`no answer within ${PROBE_DEADLINE_MS} ms`);
      const { detail, limited, isFull = false } = await withDeadline(this.probes.run(name), PROBE_DEADLINE_MS, late);
      return { status: limited === true ? 'degraded' : 'up', latency_ms: took(), detail, isFull };
    } catch (error) {
      const low = storageLowOf(error);
      if (low !== undefined) return { status: 'degraded', latency_ms: took(), detail: low.message, isFull: true };
      const reason = error instanceof Error && error.message !== '' ? error.message : 'does not answer';
      return { status: 'down', latency_ms: took(), detail: reason, isFull: false };
    }
  }
}

function toHealth({ status, latency_ms, detail }: ComponentHealth): ComponentHealth {
  return { status, latency_ms, detail };
}
