import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { openAdapter } from '#libs/config';
import { testValuesOf } from '../../../config/src/testing/test-values.js';
import { VECTOR_STORES } from '../vector-store-adapters.js';
import { describeVectorStore } from './describe-vector-store.js';

const directory = await mkdtemp(join(tmpdir(), 'vector-stores-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

describe.each(VECTOR_STORES.adapters)('VECTOR_STORE=$kind', (definition) => {
  const values = testValuesOf(definition);
  describe.skipIf(values === undefined)('with the settings that this machine has', () => {
    const prefixed = { VECTOR_STORE_INDEX_PREFIX: `kb-suite-${process.pid}`, ...values };
    describeVectorStore(definition.kind, () => openAdapter(VECTOR_STORES, definition.kind, prefixed, { directory }));
  });
});
