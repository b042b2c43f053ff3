import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Cache } from '#libs/cache';
import { Settings } from '#libs/config';
import { Database } from '#libs/database';
import { ParkedEvents, type ParkedCount } from '#libs/events';
import { ObjectStorage } from '#libs/object-storage';
import { VectorStore, type WriteRefusal } from '#libs/vector-store';
import type { ProbeAnswer } from './component-health.js';
import { pingDatabase } from './database-ping.repository.js';
import { WorkProbe } from './work-probe.service.js';

/** Maximum duration of a probe, even when its dependency hangs. */
export const PROBE_DEADLINE_MS = 1_500;

/** Components with a probe. */
export type ProbeName =
  'database' | 'vector_backend' | 'cache' | 'object_storage' | 'task_queue' | 'upload_directory' | 'event_delivery';

/** A probe; rejects when the component does not work. */
type Probe = () => Promise<ProbeAnswer>;

const FINE: ProbeAnswer = { detail: null };

/** One probe for each dependency of the service. Only the probe of the vector store has its own deadline. */
@Injectable()
export class HealthProbes {
  private readonly probes: Readonly<Record<ProbeName, Probe>>;

  constructor(
    database: Database,
    store: VectorStore,
    cache: Cache,
    storage: ObjectStorage,
    settings: Settings,
    parked: ParkedEvents,
    work: WorkProbe,
  ) {
    const { objectStorage, dataDir } = settings.values;
    this.probes = {
      database: async () => {
        await pingDatabase(database);
        return FINE;
      },
      vector_backend: async () => {
        const options = { deadlineMs: PROBE_DEADLINE_MS };
        const [refusal] = await Promise.all([store.refusesWrites(options), store.ping(options)]);
        return describeStore(store.capabilities.kind, refusal);
      },
      cache: () => probeCache(cache, settings.values.redisUrl === undefined ? 'memory' : 'redis'),
      object_storage: async () => {
        await storage.ping();
        return { detail: objectStorage };
      },
      task_queue: () => work.run(),
      event_delivery: async () => describeParked(await parked.count()),
      upload_directory: async () => {
        await requireWritable(dataDir);
        return FINE;
      },
    };
  }

  run(name: ProbeName): Promise<ProbeAnswer> {
    return this.probes[name]();
  }
}

/** Files are in `work` while they are parsed, wherever originals are stored; the first file creates that folder. */
async function requireWritable(dataDir: string): Promise<void> {
  try {
    // With the dot, a path that is no folder fails.
    await access(`${join(dataDir, 'work')}/.`, constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await access(dataDir, constants.W_OK);
  }
}

/** `redis: connect ECONNREFUSED …; each process counts for itself since 2026-11-22T…`. */
async function probeCache(cache: Cache, kind: string): Promise<ProbeAnswer> {
  try {
    await cache.ping();
    return { detail: kind };
  } catch (error) {
    const { outage } = cache;
    if (outage === null) throw error;
    const { since, reason } = outage;
    throw new Error(`${kind}: ${reason}; each process counts for itself since ${since.toISOString()}`, {
      cause: error,
    });
  }
}

/** Searches work even when the store accepts no writes; a setting and the state of its disks decide whether the service is ready then. */
function describeStore(kind: string, refusal: WriteRefusal | string | null): ProbeAnswer {
  if (refusal === null) return { detail: kind };
  const { reason, isFull } = typeof refusal === 'string' ? { reason: refusal, isFull: false } : refusal;
  return { detail: `${kind}: ${reason}`, limited: true, isFull };
}

/** `parked: 3 document.completed for webhooks since 2026-11-22T…`: counts only, because they are of all tenants. */
function describeParked(counts: readonly ParkedCount[]): ProbeAnswer {
  if (counts.length === 0) return FINE;
  const parts = counts.map(
    ({ subscriber, type, events, oldest }) => `${events} ${type} for ${subscriber} since ${oldest.toISOString()}`,
  );
  return { detail: `parked: ${parts.join('; ')}`, limited: true };
}
