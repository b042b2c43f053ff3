import { join } from 'node:path';
import { Module, type DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { AiModule } from '#libs/ai';
import { CacheModule } from '#libs/cache';
import { ConfigModule, type SettingsValues } from '#libs/config';
import { DatabaseModule, type Database } from '#libs/database';
import { meterCalls, Metrics, MetricsModule } from '#libs/metrics';
import { ObjectStorageModule } from '#libs/object-storage';
import { QueueModule } from '#libs/queue';
import { VectorStoreModule } from '#libs/vector-store';
import { AuditLines } from './audit-lines.js';
import { logOptions } from './log-options.js';
import { FrameworkLogger } from './framework-logger.js';
import { vectorStoreSettings } from './vector-store-settings.js';

/** What both graphs stand on: settings, log, database, queue, cache, files, vectors, models. */
@Module({ providers: [FrameworkLogger, AuditLines] })
export class InfrastructureModule {
  static forRoot(settings: SettingsValues, database: Database): DynamicModule {
    const metrics = new Metrics();
    return {
      module: InfrastructureModule,
      imports: [
        ConfigModule.forRoot(settings),
        MetricsModule.forRoot(metrics),
        LoggerModule.forRoot({
          // Wrapped, the serializer of errors would be given what is left of one after another serializer.
          pinoHttp: { ...logOptions(settings), wrapSerializers: false, autoLogging: false },
          forRoutes: [],
        }),
        DatabaseModule.forRoot(database),
        CacheModule.forRoot(settings.redisUrl === undefined ? {} : { redisUrl: settings.redisUrl }),
        QueueModule.forRoot({
          databaseUrl: database.url,
          roles: database.roles,
          redisUrl: settings.redisUrl,
          relay: settings.role !== 'api',
        }),
        ObjectStorageModule.forRoot({ kind: settings.objectStorage, directory: join(settings.dataDir, 'files') }),
        VectorStoreModule.forRoot(vectorStoreSettings(settings, database, metrics)),
        AiModule.forRoot({
          embedding: settings.embeddingProvider,
          localEmbedding: {
            path: settings.embeddingModelPath ?? '',
            name: settings.embeddingModel,
            pooling: settings.embeddingPooling,
            maxTokens: settings.embeddingMaxTokens,
            threads: settings.embeddingThreads,
          },
          rerank: settings.rerankProvider,
          chat: settings.chatProvider,
          decorators: {
            embedder: (embedder) => meterCalls(embedder, 'embedder', ['embed'], metrics),
            reranker: (reranker) => meterCalls(reranker, 'reranker', ['rerank'], metrics),
          },
        }),
      ],
    };
  }
}
