import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatasetId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { DEFAULT_POLICY, SILENT_POLICY } from './ingestion-policy.entity.js';
import { VERSIONS_KEPT } from '../policy/policy-changes.service.js';
import { createPolicyServices, type PolicyServices } from '../testing/policy-services.js';

describe('changes of an ingestion policy', () => {
  let db: TestDatabase;
  let services: PolicyServices;
  let owner: TestMember;
  let id: DatasetId;
  let made = 0;

  beforeAll(async () => {
    db = await createTestDatabase();
    services = createPolicyServices(db.unitOfWork);
    owner = await createTestMember(db.unitOfWork, 'editor');
  });
  beforeEach(async () => {
    const { record } = await services.creation.create(owner.ctx, { name: `Dataset ${++made}` });
    id = record.id as DatasetId;
    services.usage.documents.clear();
  });
  afterAll(async () => db.close());

  const put = (chunkSize: number, options = {}) =>
    services.changes.replace(owner.ctx, id, { chunking: { chunk_size: chunkSize } }, options);

  /** The physical rows, by version, with whether they were removed from the list. */
  const storedVersions = async (): Promise<Map<number, boolean>> => {
    const rows: { version: number; gone: boolean }[] = await db.unitOfWork.run(owner.ctx, (manager) =>
      manager.query(`SELECT version, cleaned_up_at IS NOT NULL AS gone FROM policy_versions WHERE dataset_id = $1`, [
        id,
      ]),
    );
    return new Map(rows.map(({ version, gone }) => [version, gone]));
  };

  it('append a version, which the dataset then uses, with a new entity tag', async () => {
    const before = await services.datasets.get(owner.ctx, id);
    expect(await put(256, { comment: '  for short answers ' })).toMatchObject({
      version: 2,
      author_id: owner.accountId,
      comment: 'for short answers',
      policy: { ...SILENT_POLICY, chunking: { ...DEFAULT_POLICY.chunking, chunk_size: 256 } },
    });
    const after = await services.datasets.get(owner.ctx, id);
    expect(after.record.ingestion_policy_version).toBe(2);
    expect(after.version).toBe(before.version + 1);
    expect(await services.history.version(owner.ctx, id, '1')).toMatchObject({ version: 1, policy: DEFAULT_POLICY });
  });

  it('append a version even when nothing differs', async () => {
    const { fingerprint } = await put(256);
    expect(await put(256)).toMatchObject({ version: 3, fingerprint });
  });

  it('made at the same moment are all kept, one after another', async () => {
    const sizes = [100, 200, 300, 400, 500, 600];
    const versions = await Promise.all(sizes.map((size) => put(size)));
    expect(versions.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7]);
    const { items, total } = await services.history.list(owner.ctx, id, { skip: 0, limit: 100 });
    expect(total).toBe(7);
    expect(items.map(({ version }) => version)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  it('for an older version are refused, and only one of two at once succeeds', async () => {
    await put(256);
    await expect(put(300, { ifMatch: '"1"' })).rejects.toMatchObject({ status: 412 });
    const both = await Promise.allSettled([put(300, { ifMatch: '"2"' }), put(400, { ifMatch: '"2"' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await services.history.current(owner.ctx, id)).version).toBe(3);
  });

  it('that are invalid change nothing', async () => {
    await expect(put(1)).rejects.toMatchObject({ status: 400, errors: [{ pointer: '/chunking/chunk_size' }] });
    expect((await services.history.current(owner.ctx, id)).version).toBe(1);
  });

  it('are recorded', async () => {
    await put(256);
    const rows: { details: object }[] = await db.unitOfWork.run(owner.ctx, (manager) =>
      manager.query(`SELECT details FROM audit_log WHERE event = 'policy.version_created' AND subject = $1`, [
        `dataset:${id}`,
      ]),
    );
    expect(rows).toEqual([{ details: { version: 2, fingerprint: expect.any(String), source_version: null } }]);
  });

  it('keep the newest 50 versions: older ones are 410, others 404', async () => {
    for (let version = 2; version <= VERSIONS_KEPT + 2; version += 1) await put(64 + version);
    const { items, total } = await services.history.list(owner.ctx, id, { skip: 0, limit: 100 });
    expect(total).toBe(VERSIONS_KEPT);
    expect(items.at(-1)?.version).toBe(3);
    const cleanedUp = { status: 410, code: 'ingestion_policy.version_cleaned_up', facts: { oldest: 3 } };
    for (const gone of ['1', '2']) {
      await expect(services.history.version(owner.ctx, id, gone)).rejects.toMatchObject(cleanedUp);
      await expect(services.changes.rollBack(owner.ctx, id, Number(gone), {})).rejects.toMatchObject(cleanedUp);
      await expect(services.history.diff(owner.ctx, id, Number(gone), 10)).rejects.toMatchObject(cleanedUp);
    }
    const never = { status: 404, code: 'ingestion_policy.version_not_found' };
    for (const absent of ['0', '53', '-1', 'x', '1.5', '99999999999'])
      await expect(services.history.version(owner.ctx, id, absent)).rejects.toMatchObject(never);
    await expect(services.changes.rollBack(owner.ctx, id, 53, {})).rejects.toMatchObject(never);
  });

  it('delete an old version only when no document refers to it', async () => {
    services.usage.documents.set(1, 4);
    for (let version = 2; version <= VERSIONS_KEPT + 2; version += 1) await put(64 + version);
    const unlisted = await storedVersions();
    expect([1, 2, 3].map((version) => unlisted.get(version))).toEqual([true, true, false]);
    await db.unitOfWork.run(owner.ctx, (manager) =>
      manager.query(`UPDATE policy_versions SET cleaned_up_at = now() - interval '2 hours' WHERE version < 3`),
    );
    await put(512);
    const stored = await storedVersions();
    expect(stored.has(2)).toBe(false);
    expect(stored.get(1)).toBe(true);
    expect(await services.policies.version(owner.ctx, id, 1)).toMatchObject({ version: 1, policy: DEFAULT_POLICY });
    for (const gone of ['1', '2'])
      await expect(services.history.version(owner.ctx, id, gone)).rejects.toMatchObject({ status: 410 });
  });

  it('roll back by a copy that names its source', async () => {
    await put(256);
    const back = await services.changes.rollBack(owner.ctx, id, 1, { comment: 'too small' });
    expect(back).toMatchObject({ version: 3, comment: 'too small', policy: DEFAULT_POLICY });
    const { items } = await services.history.list(owner.ctx, id, { skip: 0, limit: 1 });
    expect(items).toMatchObject([{ version: 3, source_version: 1, comment: 'too small' }]);
    expect(await services.history.diff(owner.ctx, id, 1, 3)).toEqual({ from: 1, to: 3, items: [], total: 0 });
    expect(await services.history.diff(owner.ctx, id)).toMatchObject({
      from: 2,
      to: 3,
      items: [
        { pointer: '/parsing/archive', op: 'changed', from: 'whole', to: 'split' },
        { pointer: '/chunking/chunk_size', op: 'changed', from: 256, to: 512 },
      ],
    });
    expect(await services.policies.versionsInForce(owner.ctx, id)).toEqual([1, 3]);
  });

  it('are equal with fit_model false and without it, and different with it', async () => {
    const { chunking } = DEFAULT_POLICY;
    await services.changes.replace(owner.ctx, id, { chunking: { ...chunking, fit_model: false } }, {});
    expect(await services.policies.versionsInForce(owner.ctx, id)).toEqual([1, 2]);
    await services.changes.replace(owner.ctx, id, { chunking: { ...chunking, fit_model: true } }, {});
    expect(await services.policies.versionsInForce(owner.ctx, id)).toEqual([3]);
    expect((await services.history.diff(owner.ctx, id, 1, 3)).items).toEqual([
      { pointer: '/parsing/archive', op: 'changed', from: 'split', to: 'whole' },
      { pointer: '/chunking/fit_model', op: 'added', from: null, to: true },
    ]);
  });

  it('list the number of documents on each version', async () => {
    await put(256);
    services.usage.documents.set(1, 3);
    const { items } = await services.history.list(owner.ctx, id, { skip: 0, limit: 10 });
    expect(items.map((item) => [item.version, item.documents_on_version])).toEqual([
      [2, 0],
      [1, 3],
    ]);
  });

  it('are impossible for a caller who does not see the dataset', async () => {
    const colleague = await createTestMember(db.unitOfWork, 'admin', owner.tenantId);
    const notFound = { code: 'datasets.not_found' };
    await expect(services.changes.replace(colleague.ctx, id, {}, {})).rejects.toMatchObject(notFound);
    await expect(services.changes.rollBack(colleague.ctx, id, 1, {})).rejects.toMatchObject(notFound);
    await expect(services.changes.replace(owner.ctx, 'no-id', {}, {})).rejects.toMatchObject(notFound);
  });
});
