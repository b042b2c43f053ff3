export { cacheErrors } from './cache.errors.js';
export { CacheModule, createCache, type CacheModuleOptions } from './cache.module.js';
export { Cache, type CacheOutage, type CounterState } from './cache.port.js';
export { MemoryCache, type MemoryCacheOptions } from './memory/memory-cache.js';
