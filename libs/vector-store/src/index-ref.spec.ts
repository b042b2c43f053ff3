import { describe, expect, it } from 'vitest';
import { newId, type DatasetId } from '#libs/common';
import { indexRef, isIndexRef } from './index-ref.js';
import { newContext, newIndex } from './testing/chunk-builder.js';

describe('indexRef', () => {
  it('carries the tenant of the context', () => {
    const ctx = newContext();
    const datasetId = newId<DatasetId>();
    expect(indexRef(ctx, datasetId, 'hashing-v1-384')).toMatchObject({
      tenantId: ctx.tenantId,
      datasetId,
      spaceId: 'hashing-v1-384',
      key: `${ctx.tenantId}/${datasetId}/hashing-v1-384`,
    });
  });

  it.each(['', '../escape', 'a/b', 'a b', '-a', 'x'.repeat(101)])('refuses the embedding space %j', (space) => {
    expect(() => newIndex(newContext(), space)).toThrow('embedding space');
  });

  it('cannot be imitated by an object of the same shape', () => {
    const real = newIndex();
    const copy = { tenantId: real.tenantId, datasetId: real.datasetId, spaceId: real.spaceId, key: real.key };
    expect(isIndexRef(real)).toBe(true);
    expect(isIndexRef(copy)).toBe(false);
  });
});
