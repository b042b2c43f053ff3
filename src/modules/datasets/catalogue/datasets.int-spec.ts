import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId, type DatasetId } from '#libs/common';
import {
  createTestDatabase,
  createTestMember,
  sentStatementsOf,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { until } from '#testing/until';
import type { DatasetOrder, ListDatasetsQuery } from './list-datasets.dto.js';
import { createDatasetServices, keyContextOf, type DatasetServices } from '../testing/dataset-services.js';

const NO_DOCUMENTS = {
  pending: 0,
  processing: 0,
  completed: 0,
  failed: 0,
  quarantined: 0,
  cancelled: 0,
  searchable: 0,
  without_text: 0,
  total: 0,
};

describe('datasets', () => {
  let db: TestDatabase;
  let services: DatasetServices;
  let owner: TestMember;
  let editor: TestMember;
  let admin: TestMember;

  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(async () => db.close());

  beforeEach(async () => {
    services = createDatasetServices(db.unitOfWork);
    owner = await createTestMember(db.unitOfWork, 'editor');
    editor = await createTestMember(db.unitOfWork, 'editor', owner.tenantId);
    admin = await createTestMember(db.unitOfWork, 'admin', owner.tenantId);
  });

  const query = (change: Partial<ListDatasetsQuery>): ListDatasetsQuery => ({
    skip: 0,
    limit: 20,
    order_by: '-created_at',
    ...change,
  });

  const auditEvents = async (): Promise<string[]> => {
    const rows = await db.unitOfWork.run<{ event: string }[]>(owner.ctx, (manager) =>
      manager.query('SELECT event FROM audit_log ORDER BY seq'),
    );
    return rows.map((row) => row.event);
  };

  it('are listed with their total, and summarised, with one statement each', async () => {
    const { record } = await services.creation.create(owner.ctx, { name: 'Held' });
    const summarize = vi.spyOn(services.contents, 'summarize');
    const sent = await sentStatementsOf(async () => {
      expect(await services.datasets.list(owner.ctx, query({}))).toMatchObject({
        total: 1,
        items: [{ id: record.id }],
      });
    });
    // The summary is asked of a double here.
    expect(sent).toEqual([expect.stringMatching(/count.* FROM datasets d .* LIMIT/s)]);
    expect(summarize).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ tenantId: owner.tenantId }), [
      record.id,
    ]);
    expect(await services.datasets.list(owner.ctx, query({ skip: 1 }))).toMatchObject({ total: 1, items: [] });
  });

  describe('all datasets of a tenant', () => {
    const all = { skip: 0, limit: 20, order_by: 'created_at' } as const;

    it('are listed with owner and size, and with the name only if the caller sees the dataset', async () => {
      const hidden = (await services.creation.create(owner.ctx, { name: 'Hidden' })).record;
      const shared = (await services.creation.create(owner.ctx, { name: 'Shared', acl: 'all_team_members' })).record;
      const gone = (await services.creation.create(owner.ctx, { name: 'Gone' })).record;
      await services.deletions.delete(owner.ctx, gone.id);
      const counts = { ...NO_DOCUMENTS, completed: 2, searchable: 1, without_text: 1, total: 2 };
      services.contents.summaries.set(hidden.id as DatasetId, { counts, chunkCount: 7 });
      services.contents.sizes.set(hidden.id as DatasetId, 5_000_000_000);
      const page = await services.tenantDatasets.list(admin.ctx, owner.tenantId, all);
      expect(page).toEqual({
        total: 2,
        skip: 0,
        limit: 20,
        items: [
          {
            id: hidden.id,
            name: null,
            owner_id: owner.accountId,
            acl: 'only_me',
            partial_member_list: [],
            document_counts: counts,
            chunk_count: 7,
            size_bytes: 5_000_000_000,
            created_at: hidden.created_at,
            updated_at: hidden.updated_at,
          },
          expect.objectContaining({ id: shared.id, name: 'Shared', acl: 'all_team_members', size_bytes: 0 }),
        ],
      });
      const own = await services.tenantDatasets.list(owner.ctx, owner.tenantId, {
        ...all,
        order_by: '-created_at',
        limit: 1,
      });
      expect(own.items.map(({ name }) => name)).toEqual(['Shared']);
    });

    it('are limited to the list of an API key that has one', async () => {
      const { record } = await services.creation.create(owner.ctx, { name: 'One' });
      await services.creation.create(owner.ctx, { name: 'Other' });
      const key = keyContextOf(admin.ctx, [record.id as DatasetId]);
      const page = await services.tenantDatasets.list(key, owner.tenantId, all);
      expect(page).toMatchObject({ total: 1, items: [{ id: record.id, name: null }] });
    });

    it('are 404 for a tenant that the caller does not act in', async () => {
      const stranger = await createTestMember(db.unitOfWork, 'owner');
      for (const id of [owner.tenantId, newId(), 'no-id']) {
        const listed = services.tenantDatasets.list(stranger.ctx, id, all);
        await expect(listed).rejects.toMatchObject({ code: 'accounts.tenant_not_found' });
      }
    });
  });

  describe('creation', () => {
    it('fills in defaults and announces the dataset', async () => {
      const { record, version } = await services.creation.create(owner.ctx, { name: ' Manuals ' });
      expect(version).toBe(1);
      expect(record).toEqual({
        id: expect.any(String),
        name: 'Manuals',
        description: null,
        instructions: null,
        on_same_name: 'keep_both',
        acl: 'only_me',
        partial_member_list: [],
        owner_id: owner.accountId,
        tenant_id: owner.tenantId,
        category_ids: [],
        metadata: {},
        ingestion_policy_version: 1,
        embedding: { provider: 'builtin', model: 'test-model', dimensions: 8 },
        wanted_embedding: null,
        document_counts: NO_DOCUMENTS,
        chunk_count: 0,
        effective_permissions: expect.arrayContaining(['datasets:read', 'datasets:write', 'documents:write']),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: record.created_at,
      });
      expect(services.step).toMatchObject({ created: [record.id] });
      expect(await auditEvents()).toEqual(['dataset.created']);
    });

    it('refuses a name that differs from another only in case or composition, with a detail that names it', async () => {
      await services.creation.create(owner.ctx, { name: 'Caf\u00e9' });
      await expect(services.creation.create(editor.ctx, { name: 'CAFE\u0301' })).rejects.toMatchObject({
        code: 'datasets.name_taken',
        status: 409,
        message: expect.stringContaining('CAF\u00c9'),
      });
    });

    it('lets two tenants use the same name', async () => {
      const elsewhere = await createTestMember(db.unitOfWork);
      await services.creation.create(owner.ctx, { name: 'Same' });
      await expect(services.creation.create(elsewhere.ctx, { name: 'Same' })).resolves.toMatchObject({ version: 1 });
    });

    it('leaves the transaction usable after a name conflict', async () => {
      await services.creation.create(owner.ctx, { name: 'Taken' });
      await db.unitOfWork.run(owner.ctx, async (_manager, ctx) => {
        await expect(services.creation.create(ctx, { name: 'taken' })).rejects.toMatchObject({ status: 409 });
        await services.creation.create(ctx, { name: 'Free' });
      });
      expect((await services.datasets.list(owner.ctx, query({ q: 'free' }))).total).toBe(1);
    });

    it('refuses accounts of other tenants in the list of members, with a pointer to each', async () => {
      const stranger = newId<TestMember['accountId']>();
      services.directory.strangers.add(stranger);
      const request = { name: 'x', acl: 'partial_members' as const, partial_member_list: [editor.accountId, stranger] };
      await expect(services.creation.create(owner.ctx, request)).rejects.toMatchObject({
        status: 422,
        errors: [{ pointer: '/partial_member_list/1', code: 'is_member' }],
      });
    });

    it('is refused to an API key that is limited to certain datasets', async () => {
      const key = keyContextOf(owner.ctx, [newId<DatasetId>()]);
      await expect(services.creation.create(key, { name: 'x' })).rejects.toMatchObject({
        code: 'datasets.key_restricted',
      });
    });
  });

  it('show the counts of their documents', async () => {
    const { record } = await services.creation.create(owner.ctx, { name: 'Full' });
    const states = { pending: 1, processing: 2, completed: 3, failed: 4, quarantined: 5, cancelled: 6 };
    const counts = { ...states, searchable: 2, without_text: 1, total: 21 };
    services.contents.summaries.set(record.id as DatasetId, { counts, chunkCount: 7 });
    const [listed] = (await services.datasets.list(owner.ctx, query({}))).items;
    expect(listed).toMatchObject({ document_counts: counts, chunk_count: 7 });
    expect((await services.datasets.get(owner.ctx, record.id)).record).toEqual(listed);
  });

  describe('the list', () => {
    const names = async (change: Partial<ListDatasetsQuery>): Promise<string[]> =>
      (await services.datasets.list(owner.ctx, query(change))).items.map((dataset) => dataset.name);

    it.each<[DatasetOrder, string[]]>([
      ['created_at', ['beta', 'Alpha', 'gamma', 'delta']],
      ['-created_at', ['delta', 'gamma', 'Alpha', 'beta']],
      ['name', ['Alpha', 'beta', 'delta', 'gamma']],
      ['-name', ['gamma', 'delta', 'beta', 'Alpha']],
      ['updated_at', ['beta', 'Alpha', 'gamma', 'delta']],
      ['-updated_at', ['delta', 'gamma', 'Alpha', 'beta']],
    ])('is ordered by %s and pages join without gap or repetition', async (order_by, expected) => {
      // One transaction gives all rows the same time: only the id can order them.
      await db.unitOfWork.run(owner.ctx, async (_manager, ctx) => {
        for (const name of ['beta', 'Alpha', 'gamma', 'delta']) await services.creation.create(ctx, { name });
      });
      expect(await names({ order_by })).toEqual(expected);
      const pages = [await names({ order_by, limit: 3 }), await names({ order_by, skip: 3, limit: 3 })];
      expect(pages.flat()).toEqual(expected);
    });

    it('finds a part of the name without regard to case and treats wildcards as text', async () => {
      for (const name of ['100% Wolle', '100 Ideen', 'under_score', 'back\\slash']) {
        await services.creation.create(owner.ctx, { name });
      }
      expect(await names({ q: 'WOLLE' })).toEqual(['100% Wolle']);
      expect(await names({ q: '100%' })).toEqual(['100% Wolle']);
      expect(await names({ q: '_' })).toEqual(['under_score']);
      expect(await names({ q: '\\' })).toEqual(['back\\slash']);
      expect(await names({ q: "'; --" })).toEqual([]);
    });
  });

  describe('deletion', () => {
    it('returns a receipt, hides the dataset and its documents at once and enqueues the removal of its data', async () => {
      const { record } = await services.creation.create(owner.ctx, { name: 'Old' });
      services.contents.count = { documents: 2, chunks: 30, blobs: 3 };
      const receipt = await services.deletions.delete(owner.ctx, record.id);
      expect(receipt).toEqual({
        deletion_id: expect.any(String),
        dataset_id: record.id,
        status: 'pending',
        documents: 2,
        chunks: 30,
        blobs: 3,
        created_at: expect.any(String),
      });
      expect(services.contents.hidden).toEqual([record.id]);
      await expect(services.datasets.get(owner.ctx, record.id)).rejects.toMatchObject({ status: 404 });
      await expect(services.access.requireVisible(owner.ctx, record.id)).rejects.toMatchObject({ status: 404 });
      const promised = await db.unitOfWork.runAsSystem<unknown[]>((manager) =>
        manager.query(`SELECT kind, status, payload FROM tasks WHERE tenant_id = $1`, [owner.tenantId]),
      );
      const payload = { datasetId: record.id, deletionId: receipt.deletion_id };
      expect(promised).toEqual([{ kind: 'dataset_deletion', status: 'open', payload }]);
      expect(await auditEvents()).toEqual(['dataset.created', 'dataset.deleted']);
    });

    it('frees the name and is not possible twice', async () => {
      const { record } = await services.creation.create(owner.ctx, { name: 'Again' });
      await services.deletions.delete(owner.ctx, record.id);
      await expect(services.deletions.delete(owner.ctx, record.id)).rejects.toMatchObject({ status: 404 });
      await expect(services.creation.create(owner.ctx, { name: 'Again' })).resolves.toMatchObject({ version: 1 });
    });

    it('is forbidden for others who see the dataset and 404 for others who do not', async () => {
      const team = await services.creation.create(owner.ctx, { name: 'Team', acl: 'all_team_members' });
      const mine = await services.creation.create(owner.ctx, { name: 'Mine' });
      await expect(services.deletions.delete(editor.ctx, team.record.id)).rejects.toMatchObject({
        code: 'datasets.delete_forbidden',
        status: 403,
      });
      await expect(services.deletions.delete(editor.ctx, mine.record.id)).rejects.toMatchObject({ status: 404 });
      const elsewhere = await createTestMember(db.unitOfWork, 'owner');
      await expect(services.deletions.delete(elsewhere.ctx, team.record.id)).rejects.toMatchObject({ status: 404 });
      expect(services.contents.hidden).toEqual([]);
    });

    it('is possible for an administrator who does not see the dataset, but not for an API key without that right', async () => {
      const { record } = await services.creation.create(owner.ctx, { name: 'Private' });
      await expect(services.datasets.get(admin.ctx, record.id)).rejects.toMatchObject({ status: 404 });
      const limited = keyContextOf(admin.ctx, [newId<DatasetId>()]);
      await expect(services.deletions.delete(limited, record.id)).rejects.toMatchObject({ status: 404 });
      const withoutScope = { ...keyContextOf(admin.ctx, null) };
      const principal = { ...withoutScope.principal, permissions: new Set(['datasets:write'] as const) };
      await expect(services.deletions.delete({ ...withoutScope, principal }, record.id)).rejects.toMatchObject({
        status: 404,
      });
      await expect(services.deletions.delete(admin.ctx, record.id)).resolves.toMatchObject({ dataset_id: record.id });
    });

    it('waits for transactions that add to the dataset', async () => {
      const { record } = await services.creation.create(owner.ctx, { name: 'Busy' });
      const order: string[] = [];
      let deletion: Promise<unknown> = Promise.resolve();
      await db.unitOfWork.run(owner.ctx, async (manager, ctx) => {
        await services.access.holdVisible(ctx, record.id);
        deletion = services.deletions.delete(owner.ctx, record.id).then(() => order.push('deleted'));
        const blocked = 'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))';
        await until(async () => (await manager.query<unknown[]>(blocked)).length > 0, { what: 'the deletion waits' });
        order.push('added');
      });
      await deletion;
      expect(order).toEqual(['added', 'deleted']);
    });
  });
});
