import { join } from 'node:path';
import { Module, type DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { AiModule } from '#libs/ai';
import { CacheModule } from '#libs/cache';
import { ConfigModule, type SettingsValues } from '#libs/config';
import { DatabaseModule, findEmbeddedHome, UnitOfWork, type Database } from '#libs/database';
import { EventDispatcherOptions, EventRules, EventsModule, type EventsModuleOptions } from '#libs/events';
import { meterAdapter, Metrics, MetricsModule } from '#libs/metrics';
import { ObjectStorageModule, type ObjectStorage } from '#libs/object-storage';
import { QueueModule } from '#libs/queue';
import { SecretsModule } from '#libs/secrets';
import { TableEngineModule } from '../modules/tables/index.js';
import { growthOf, StorageSpaceModule, VolumesOfFolders } from '#libs/storage-space';
import { ProcessesModule, TasksModule } from '#libs/tasks';
import { VectorStoreModule } from '#libs/vector-store';
import { AuditLines } from './audit-lines.js';
import { logOptions } from './log-options.js';
import { FrameworkLogger } from './framework-logger.js';
import { modelOptions } from './model-decorators.js';
import { objectStorageOptions, RecordedUploads } from './object-storage-options.js';
import { serviceVersion } from './service-version.js';
import { vectorStoreSettings } from './vector-store-settings.js';

/** Work of a dead process on events is taken over after this time. */
const LEASE_SECONDS = 30;

/** What both graphs rest on: settings, log, database, queue, cache, files, vectors, models, tables. */
@Module({ providers: [FrameworkLogger, AuditLines] })
export class InfrastructureModule {
  static forRoot(settings: SettingsValues, database: Database): DynamicModule {
    const metrics = new Metrics();
    const process = { role: settings.role, version: serviceVersion() };
    metrics.describeBuild(process);
    return {
      module: InfrastructureModule,
      imports: [
        ConfigModule.forRoot(settings),
        SecretsModule,
        MetricsModule.forRoot(metrics),
        LoggerModule.forRoot({
          // Wrapped, the serializer of errors would be given what is left of one after another serializer.
          pinoHttp: { ...logOptions(settings), wrapSerializers: false, autoLogging: false },
          forRoutes: [],
        }),
        DatabaseModule.forRoot(database),
        CacheModule.forRoot(settings.redisUrl === undefined ? {} : { redisUrl: settings.redisUrl }),
        ...backgroundModules(settings, database),
        storageSpace(settings),
        ProcessesModule.forRoot(process),
        EventsModule.forRoot(eventOptions(settings)),
        ObjectStorageModule.forRoot({
          ...objectStorageOptions(settings, new RecordedUploads(new UnitOfWork(database))),
          decorate: (storage) => meterStorage(storage, settings.objectStorage, metrics),
        }),
        VectorStoreModule.forRoot(vectorStoreSettings(settings, database, metrics)),
        AiModule.forRoot(modelOptions(settings, database, metrics)),
        tableEngine(settings),
      ],
    };
  }
}

/** What lies on the volume of the data folder grows there; who neither keeps nor works there needs no space of it. */
function storageSpace(settings: SettingsValues): DynamicModule {
  const { dataDir, databaseUrl, objectStorage, role, storageReserveBytes: reserveBytes, vectorStore } = settings;
  const database = databaseUrl === undefined;
  const local = { files: objectStorage === 'filesystem', database, vectors: vectorStore === 'embedded' };
  const writes = role !== 'api' || Object.values(local).some(Boolean);
  const volumes = new VolumesOfFolders(async () => {
    const home = database ? await findEmbeddedHome(join(dataDir, 'postgres')) : null;
    return [...(writes ? [dataDir] : []), ...(home === null ? [] : [home])];
  });
  return StorageSpaceModule.forRoot({ volumes, reserveBytes, growth: growthOf(local) });
}

/** Requests ask tables, and so do the chats that an evaluation asks in a process that works. */
function tableEngine({ dataDir, tablesMemoryMebibytes }: SettingsValues): DynamicModule {
  const memoryBytes = tablesMemoryMebibytes * 1024 * 1024;
  const engine = TableEngineModule.forRoot({ memoryBytes, workFolder: join(dataDir, 'work'), hidden: [dataDir] });
  return { ...engine, global: true };
}

/** What is done with a local copy is the caller's work. */
function meterStorage(storage: ObjectStorage, kind: string, metrics: Metrics): ObjectStorage {
  return meterAdapter(storage, { port: 'object_storage', kind, unmetered: ['withLocalFile'] }, metrics);
}

/** The embedded store belongs to one process, so beside it no other one works. */
function eventOptions({ role, vectorStore, eventRetryHours, eventKeepDays }: SettingsValues): EventsModuleOptions {
  const alone = role === 'all' && vectorStore === 'embedded';
  return {
    delivery: role === 'api' ? null : new EventDispatcherOptions(alone),
    rules: new EventRules(LEASE_SECONDS, eventRetryHours * 3600, eventKeepDays * 86_400),
  };
}

/** A process that works receives notifications and carries tasks out; one that only answers promises them. */
function backgroundModules({ role, redisUrl }: SettingsValues, { url, roles }: Database): DynamicModule[] {
  const works = role !== 'api';
  return [QueueModule.forRoot({ databaseUrl: url, roles, redisUrl, listens: works }), TasksModule.forRoot({ works })];
}
