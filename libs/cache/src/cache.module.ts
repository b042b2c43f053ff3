import { type DynamicModule, Global, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Cache } from './cache.port.js';
import { MemoryCache } from './memory/memory-cache.js';

export interface CacheModuleOptions {
  /** A Redis server shared by all processes; without it each process has a cache of its own in memory. */
  readonly redisUrl?: string;
  /** Is before every key in Redis. Default `kb:`. */
  readonly keyPrefix?: string;
}

/** Makes the cache that the options choose; the Redis client is loaded only when it is used. */
export async function createCache(options: CacheModuleOptions): Promise<Cache> {
  if (options.redisUrl === undefined) return new MemoryCache();
  const { RedisCache } = await import('./redis/redis-cache.js');
  const logger = new Logger('RedisCache');
  return new RedisCache({
    url: options.redisUrl,
    keyPrefix: options.keyPrefix ?? 'kb:',
    events: {
      lost: ({ reason }) => logger.warn({ msg: 'cache.connection_lost', reason, counting: 'each process for itself' }),
      restored: ({ since }) => logger.warn({ msg: 'cache.connection_restored', awayMs: Date.now() - since.getTime() }),
    },
  });
}

/** Provides `Cache` everywhere and closes it at shutdown. */
@Global()
@Module({})
export class CacheModule implements OnApplicationShutdown {
  constructor(private readonly cache: Cache) {}

  static forRoot(options: CacheModuleOptions): DynamicModule {
    return {
      module: CacheModule,
      providers: [{ provide: Cache, useFactory: () => createCache(options) }],
      exports: [Cache],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.cache.close();
  }
}
