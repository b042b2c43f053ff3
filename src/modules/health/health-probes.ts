import { access, constants } from 'node:fs/promises';
import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Cache } from '#libs/cache';
import { Settings } from '#libs/config';
import { Database } from '#libs/database';
import { ObjectStorage } from '#libs/object-storage';
import { VectorStore } from '#libs/vector-store';

/** A probe answers within this time even when its dependency hangs. */
export const PROBE_DEADLINE_MS = 1_500;

/** Things that can be asked whether they work. */
export type ProbeName = 'database' | 'vector_backend' | 'cache' | 'object_storage' | 'task_queue' | 'upload_directory';

/** Answers with a detail to show, or null; rejects when the thing does not work. */
type Probe = () => Promise<string | null>;

/** One question for each thing that the service stands on. They have no deadline of their own, except the vector store's. */
@Injectable()
export class HealthProbes {
  private readonly probes: Readonly<Record<ProbeName, Probe>>;

  constructor(
    database: Database,
    store: VectorStore,
    cache: Cache,
    storage: ObjectStorage,
    @InjectQueue('ingestion') queue: Queue,
    settings: Settings,
  ) {
    const { objectStorage, dataDir } = settings.values;
    this.probes = {
      database: async () => {
        await database.source.query('SELECT 1');
        return null;
      },
      vector_backend: async () => {
        await store.ping({ deadlineMs: PROBE_DEADLINE_MS });
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

  run(name: ProbeName): Promise<string | null> {
    return this.probes[name]();
  }
}
