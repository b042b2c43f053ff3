import { Injectable } from '@nestjs/common';
import { storageLowOf, withDeadline } from '#libs/common';
import type { ComponentHealth } from './component-health.js';
import { HealthProbes, PROBE_DEADLINE_MS } from './health-probes.service.js';
import { WarmupRegistry } from './warmup-registry.service.js';

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
export type ComponentStates = Readonly<Record<ComponentName, ComponentHealth>>;

/** Checks the dependencies of the service, each within a deadline. */
@Injectable()
export class ComponentChecks {
  constructor(
    private readonly probes: HealthProbes,
    private readonly warmups: WarmupRegistry,
  ) {}

  async checkAll(): Promise<ComponentStates> {
    const entries = await Promise.all(
      COMPONENTS.map(async (name) => [name, toHealth(await this.check(name))] as const),
    );
    return Object.fromEntries(entries) as unknown as ComponentStates;
  }

  /** `isFull`: the only limitation is that there is no space. */
  async check(name: ComponentName): Promise<ComponentHealth & { readonly isFull: boolean }> {
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
      return { status: 'down', latency_ms: took(), detail: reasonOf(error), isFull: false };
    }
  }
}

/**
 * The message of a probe with the code of the operating system, such as “The object storage does not answer at the moment. Try again later.
 * (EROFS)”.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || error.message === '') return 'does not answer';
  const { message, cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^E[A-Z]+$/.test(code) && !message.includes(code) ? `${message} (${code})` : message;
}

function toHealth({ status, latency_ms, detail }: ComponentHealth): ComponentHealth {
  return { status, latency_ms, detail };
}
