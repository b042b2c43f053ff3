import { access, constants } from 'node:fs/promises';
import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import type { Queue } from 'bullmq';
import { withDeadline } from '#libs/common';
import { Cache } from '#libs/cache';
import { Settings } from '#libs/config';
import { Database } from '#libs/database';
import { ObjectStorage } from '#libs/object-storage';
import { VectorStore } from '#libs/vector-store';
import type { ComponentHealth } from './component-health.js';
import { WarmupRegistry } from './warmup-registry.js';

export const COMPONENTS = [
  'database',
  'vector_backend',
  'cache',
  'object_storage',
  'retrieval_warmup',
  'task_queue',
  'upload_directory',
] as const;
export type ComponentName = (typeof COMPONENTS)[number];

/** Probes answer within this time even when a dependency hangs. */
const DEADLINE_MS = 1_500;

type Check = () => Promise<string | null>;

/** Looks at everything that the service stands on. */
@Injectable()
export class HealthChecksService {
  private readonly checks: Readonly<Record<Exclude<ComponentName, 'retrieval_warmup'>, Check>>;

  constructor(
    database: Database,
    store: VectorStore,
    cache: Cache,
    storage: ObjectStorage,
    @InjectQueue('ingestion') queue: Queue,
    private readonly settings: Settings,
    private readonly warmups: WarmupRegistry,
    private readonly terminus: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {
    const { objectStorage, dataDir } = settings.values;
    this.checks = {
      database: async () => {
        await database.source.query('SELECT 1');
        return null;
      },
      vector_backend: async () => {
        await store.ping({ deadlineMs: DEADLINE_MS });
        return store.capabilities.kind;
      },
      cache: async () => {
        await cache.ping();
        return settings.values.redisUrl === undefined ? 'memory' : 'redis';
      },
      object_storage: async () => {
        await storage.ping();
        return objectStorage;
      },
      task_queue: async () => {
        const counts = await queue.getJobCounts('waiting', 'active', 'delayed');
        return `waiting ${counts['waiting'] ?? 0}, active ${counts['active'] ?? 0}, delayed ${counts['delayed'] ?? 0}`;
      },
      upload_directory: async () => {
        if (objectStorage === 'filesystem') await access(dataDir, constants.W_OK);
        return null;
      },
    };
  }

  /** True when every dependency that requests need is there and the required warm-ups are done. */
  async isReady(): Promise<boolean> {
    const required: ComponentName[] = ['database', 'vector_backend', 'cache', 'object_storage'];
    try {
      const result = await this.terminus.check(required.map((name) => () => this.indicate(name)));
      return result.status === 'ok' && this.warmups.areDone(this.settings.values.readinessWarmups);
    } catch {
      return false;
    }
  }

  async details(): Promise<Record<ComponentName, ComponentHealth>> {
    const entries = await Promise.all(COMPONENTS.map(async (name) => [name, await this.look(name)] as const));
    return Object.fromEntries(entries) as Record<ComponentName, ComponentHealth>;
  }

  private async indicate(name: ComponentName): Promise<HealthIndicatorResult> {
    const health = await this.look(name);
    const indicator = this.indicators.check(name);
    return health.status === 'down' ? indicator.down() : indicator.up();
  }

  private async look(name: ComponentName): Promise<ComponentHealth> {
    if (name === 'retrieval_warmup') return this.warmups.health('retrieval');
    const started = performance.now();
    const took = (): number => Math.round((performance.now() - started) * 10) / 10;
    try {
      const late = (): Error => new Error(`no answer within ${DEADLINE_MS} ms`);
      const detail = await withDeadline(this.checks[name](), DEADLINE_MS, late);
      return { status: 'up', latency_ms: took(), detail };
    } catch (error) {
      const reason = error instanceof Error && error.message !== '' ? error.message : 'does not answer';
      return { status: 'down', latency_ms: took(), detail: reason };
    }
  }
}
