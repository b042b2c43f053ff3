import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { openAdapter } from '#libs/config';
import { testValuesOf } from '../../../config/src/testing/test-values.js';
import { OBJECT_STORAGES } from '../object-storage-adapters.js';
import { MemoryUploads } from './memory-uploads.js';
import { describeObjectStorage } from './describe-object-storage.js';

const base = await mkdtemp(join(tmpdir(), 'object-storages-'));
afterAll(() => rm(base, { recursive: true, force: true }));

describe.each(OBJECT_STORAGES.adapters)('OBJECT_STORAGE=$kind', (definition) => {
  const values = testValuesOf(definition);
  describe.skipIf(values === undefined)('with the settings that this machine has', () => {
    describeObjectStorage(definition.kind, async () =>
      openAdapter(OBJECT_STORAGES, definition.kind, values ?? {}, {
        directory: await mkdtemp(join(base, 'store-')),
        uploads: new MemoryUploads(),
      }),
    );
  });
});
