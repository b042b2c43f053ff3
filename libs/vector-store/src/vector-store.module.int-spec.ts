import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VectorStoreModule } from './vector-store.module.js';
import { VectorStore } from './vector-store.port.js';

describe('VectorStoreModule', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'vector-store-module-'));
  });
  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  it('provides the embedded store and lets go of its folder at shutdown', async () => {
    const folder = join(directory, 'made', 'when', 'absent');
    const app = await Test.createTestingModule({
      imports: [VectorStoreModule.forRoot({ kind: 'embedded', directory: folder })],
    }).compile();
    const store = app.get(VectorStore);
    expect(store.capabilities).toMatchObject({ kind: 'embedded', keyword: true, vector: true });
    await store.ping();
    expect(await readdir(folder)).toContain('owner.lock');
    await app.close();
    expect(await readdir(folder)).not.toContain('owner.lock');
  });

  it.each(['elasticsearch', 'opensearch'] as const)('needs to know where %s is', async (kind) => {
    const building = Test.createTestingModule({ imports: [VectorStoreModule.forRoot({ kind, directory })] }).compile();
    await expect(building).rejects.toMatchObject({ code: 'vector_store.not_configured' });
  });

  it.each(['elasticsearch', 'opensearch'] as const)('starts while %s is down, and says so when asked', async (kind) => {
    const values = { [`${kind.toUpperCase()}_URL`]: ['http://127.0.0.1:9'] };
    const app = await Test.createTestingModule({
      imports: [VectorStoreModule.forRoot({ kind, directory, values })],
    }).compile();
    const store = app.get(VectorStore);
    expect(store.capabilities).toMatchObject({ kind, keyword: true, vector: true });
    await expect(store.ping()).rejects.toMatchObject({ code: 'vector_store.unavailable', status: 503 });
    await app.close();
  });
});
