import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatasetId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { DatasetAccess } from '../datasets/index.js';
import { IngestionPolicies } from './ingestion-policies.service.js';
import { DEFAULT_POLICY } from './ingestion-policy.entity.js';
import { fingerprintOf } from './policy-fingerprint.js';
import { PolicyVersionsRepository } from './policy-versions.repository.js';

describe('ingestion policies', () => {
  let db: TestDatabase;
  let policies: IngestionPolicies;
  let owner: TestMember;
  const id = '01890000-0000-7000-8000-000000000001' as DatasetId;

  beforeAll(async () => {
    db = await createTestDatabase();
    policies = new IngestionPolicies(new PolicyVersionsRepository(db.unitOfWork), new DatasetAccess(db.unitOfWork));
    owner = await createTestMember(db.unitOfWork, 'editor');
    await db.unitOfWork.run(owner.ctx, async (manager, ctx) => {
      await manager.query(
        `INSERT INTO datasets (id, tenant_id, name, name_key, acl, owner_id, embedding_space, embedding)
         VALUES ($1, $2, 'x', 'x', 'only_me', $3, 'space', '{}')`,
        [id, owner.tenantId, owner.accountId],
      );
      await policies.onCreated(ctx, { id });
    });
  });
  afterAll(async () => db.close());

  it('begin with the default as version 1, written by whoever made the dataset', async () => {
    expect(await policies.read(owner.ctx, id)).toEqual({
      version: 1,
      fingerprint: fingerprintOf(DEFAULT_POLICY),
      author_id: owner.accountId,
      created_at: expect.any(String),
      comment: null,
      policy: DEFAULT_POLICY,
    });
    expect(DEFAULT_POLICY.chunking).toMatchObject({ strategy: 'recursive', chunk_size: 512, chunk_overlap: 64 });
  });

  it('come back from the database with the fingerprint that they were written with', async () => {
    const { fingerprint, policy } = await policies.current(owner.ctx, id);
    expect(fingerprintOf(policy)).toBe(fingerprint);
    expect(await policies.version(owner.ctx, id, 1)).toEqual({ version: 1, fingerprint, policy });
  });

  it('are not found for who does not see the dataset', async () => {
    const colleague = await createTestMember(db.unitOfWork, 'admin', owner.tenantId);
    await expect(policies.read(colleague.ctx, id)).rejects.toMatchObject({ code: 'datasets.not_found' });
  });

  it('are not found for a version that never was and for another tenant', async () => {
    await expect(policies.version(owner.ctx, id, 2)).rejects.toMatchObject({
      code: 'ingestion_policy.version_not_found',
    });
    const foreigner = await createTestMember(db.unitOfWork, 'owner');
    await expect(policies.current(foreigner.ctx, id)).rejects.toMatchObject({ code: 'datasets.not_found' });
  });
});
