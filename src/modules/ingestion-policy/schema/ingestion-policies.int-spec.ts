import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatasetId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { DEFAULT_POLICY } from './ingestion-policy.entity.js';
import { fingerprintOf } from '../rules/policy-fingerprint.js';
import { createPolicyServices, type PolicyServices } from '../testing/policy-services.js';

describe('ingestion policies', () => {
  let db: TestDatabase;
  let services: PolicyServices;
  let owner: TestMember;
  let id: DatasetId;

  beforeAll(async () => {
    db = await createTestDatabase();
    services = createPolicyServices(db.unitOfWork);
    owner = await createTestMember(db.unitOfWork, 'editor');
    id = (await services.creation.create(owner.ctx, { name: 'Handbooks' })).record.id as DatasetId;
  });
  afterAll(async () => db.close());

  it('begin with the default as version 1, with the creator of the dataset as its author', async () => {
    expect(await services.history.current(owner.ctx, id)).toEqual({
      version: 1,
      fingerprint: fingerprintOf(DEFAULT_POLICY),
      author_id: owner.accountId,
      created_at: expect.any(String),
      comment: null,
      policy: DEFAULT_POLICY,
      wanted_embedding: null,
      warnings: [],
    });
    expect(DEFAULT_POLICY.chunking).toMatchObject({ strategy: 'section', chunk_size: 512, chunk_overlap: 64 });
  });

  it('are read from the database with the same fingerprint', async () => {
    const { fingerprint, policy } = await services.policies.current(owner.ctx, id);
    expect(fingerprintOf(policy)).toBe(fingerprint);
    expect(await services.policies.version(owner.ctx, id, 1)).toEqual({ version: 1, fingerprint, policy });
  });

  it('are 404 for a caller who does not see the dataset', async () => {
    const colleague = await createTestMember(db.unitOfWork, 'admin', owner.tenantId);
    await expect(services.history.current(colleague.ctx, id)).rejects.toMatchObject({ code: 'datasets.not_found' });
  });

  it('are 404 for a version that never existed and for another tenant', async () => {
    await expect(services.policies.version(owner.ctx, id, 2)).rejects.toMatchObject({
      code: 'ingestion_policy.version_not_found',
    });
    const foreigner = await createTestMember(db.unitOfWork, 'owner');
    await expect(services.policies.current(foreigner.ctx, id)).rejects.toMatchObject({ code: 'datasets.not_found' });
  });

  it('that were stored before some fields existed get their defaults and keep their fingerprint', async () => {
    const old = (await services.creation.create(owner.ctx, { name: 'Old' })).record.id as DatasetId;
    const { embedding: _embedding, retrieval_defaults: _defaults, ...known } = DEFAULT_POLICY;
    const stored = { ...known, limits: {}, governance: { detectors: [], allowed_types: null, max_bytes: 7 } };
    await db.unitOfWork.run(owner.ctx, (manager) =>
      manager.query(`UPDATE policy_versions SET policy = $2, fingerprint = 'as-it-was' WHERE dataset_id = $1`, [
        old,
        JSON.stringify(stored),
      ]),
    );
    const governance = { ...DEFAULT_POLICY.governance, max_bytes: 7 };
    expect(await services.policies.current(owner.ctx, old)).toEqual({
      version: 1,
      fingerprint: 'as-it-was',
      policy: { ...DEFAULT_POLICY, governance },
    });
    const { version } = await services.changes.rollBack(owner.ctx, old, 1, {});
    expect(await services.history.current(owner.ctx, old)).toMatchObject({
      version,
      policy: { ...DEFAULT_POLICY, governance },
    });
  });

  it('of a clone begin with a copy of the policy in force as version 1', async () => {
    await services.changes.replace(owner.ctx, id, { chunking: { chunk_size: 100 } }, { comment: 'smaller' });
    const { policy } = await services.policies.current(owner.ctx, id);
    const clone = await services.creation.create(owner.ctx, { name: 'Clone' }, { id });
    expect(await services.history.current(owner.ctx, clone.record.id)).toMatchObject({
      version: 1,
      comment: 'Cloned from version 2 of another dataset.',
      fingerprint: fingerprintOf(policy),
      policy,
    });
  });
});
