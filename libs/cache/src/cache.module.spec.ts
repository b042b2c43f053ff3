import { Test } from '@nestjs/testing';
import { describe, expect, it, vi } from 'vitest';
import { CacheModule } from './cache.module.js';
import { Cache } from './cache.port.js';
import { MemoryCache } from './memory/memory-cache.js';

describe('CacheModule', () => {
  it('provides a cache in memory without a Redis address, and closes it at shutdown', async () => {
    const module = await Test.createTestingModule({ imports: [CacheModule.forRoot({})] }).compile();
    const cache = module.get(Cache);
    expect(cache).toBeInstanceOf(MemoryCache);
    const close = vi.spyOn(cache, 'close');
    await module.close();
    expect(close).toHaveBeenCalledOnce();
  });
});
