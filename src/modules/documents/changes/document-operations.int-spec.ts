import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { createDocumentServices, DocumentLab, type DocumentInState } from '../testing/document-lab.js';

let db: TestDatabase;
let services: ReturnType<typeof createDocumentServices>;
let lab: DocumentLab;
let member: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  services = createDocumentServices(db.unitOfWork);
  lab = new DocumentLab(db.unitOfWork);
});
afterAll(() => db.close());
beforeEach(async () => {
  member = await createTestMember(db.unitOfWork, 'editor');
  dataset = await lab.addDataset(member, { policyVersion: 3 });
});

const put = (document: DocumentInState): Promise<DocumentId> => lab.put(member, dataset, document);
const statusOf = async (id: DocumentId): Promise<string> => (await lab.row(member, id)).status;

describe('one document', () => {
  it('is returned with its status after the move', async () => {
    const id = await put({ status: 'failed' });
    expect(await services.operations.retry(member.ctx, id)).toMatchObject({
      id,
      status: 'pending',
      waiting_reason: 'queued',
      attempt: 2,
      processing_progress: 0,
      error: null,
      error_message: null,
    });
    expect(await services.operations.cancel(member.ctx, id)).toMatchObject({
      status: 'cancelled',
      waiting_reason: null,
    });
  });

  it('is refused with its status and the operations that this status allows', async () => {
    const id = await put({ status: 'completed' });
    await expect(services.operations.cancel(member.ctx, id)).rejects.toMatchObject({
      code: 'documents.illegal_state',
      status: 409,
      message:
        'The document is completed, and only a pending or processing one can be cancelled. ' +
        'A completed document can be reingested, given a new revision, quarantined or deleted.',
    });
  });

  it.each(['no-id', newId()])('that does not exist is not found: %s', async (id) => {
    for (const move of ['cancel', 'retry', 'delete'] as const) {
      await expect(services.operations[move](member.ctx, id)).rejects.toMatchObject({ code: 'documents.not_found' });
    }
  });
});

describe('documents by ids', () => {
  it('are handled one by one: those for which the operation is impossible are rejected with the reason', async () => {
    const [done, failed] = [await put({ status: 'completed' }), await put({ status: 'failed' })];
    const owner = await createTestMember(db.unitOfWork, 'owner', member.tenantId);
    const hidden = await lab.put(owner, await lab.addDataset(owner, { acl: 'only_me' }), { status: 'completed' });
    const result = await services.operations.reingestMany(member.ctx, { document_ids: [failed, done, hidden, done] });
    expect(result).toEqual({
      accepted: [done],
      rejected: [
        { id: failed, code: 'documents.illegal_state', detail: expect.stringContaining('is failed') },
        { id: hidden, code: 'documents.not_found', detail: expect.any(String) },
      ],
    });
  });

  it('are all named in the audit log when they are deleted', async () => {
    const ids = [await put({ status: 'completed' }), await put({ status: 'cancelled' })];
    await services.operations.deleteMany(member.ctx, { document_ids: ids });
    const entries = await lab.rows(member, `SELECT event, subject, details FROM audit_log ORDER BY seq`);
    expect(entries).toEqual([
      { event: 'document.deleted', subject: `dataset:${dataset}`, details: { document_ids: ids } },
    ]);
  });
});

describe('documents of a dataset', () => {
  it('reingest selects completed ones whose shown chunks are of older policy versions', async () => {
    const old = await put({ status: 'completed', policyVersion: 1 });
    const shownOld = await put({ status: 'completed', policyVersion: 3, ingestedPolicyVersion: 2 });
    const present = await put({ status: 'completed', policyVersion: 3 });
    const failed = await put({ status: 'failed', policyVersion: 1 });
    const result = await services.operations.reingestMany(member.ctx, {
      dataset_id: dataset,
      where: { policy_version_lt: 3 },
    });
    expect(result).toEqual({ accepted: [old, shownOld].toSorted(), rejected: [] });
    expect(await statusOf(present)).toBe('completed');
    expect(await statusOf(failed)).toBe('failed');
    expect(await services.operations.reingestMany(member.ctx, { dataset_id: dataset })).toEqual({
      accepted: [present],
      rejected: [],
    });
  });

  it('retry selects all failed ones', async () => {
    const failed = [await put({ status: 'failed' }), await put({ status: 'failed' })];
    await put({ status: 'completed' });
    const result = await services.operations.retryMany(member.ctx, { dataset_id: dataset.toUpperCase() });
    expect(result).toEqual({ accepted: failed.toSorted(), rejected: [] });
  });

  it.each([
    ['a state', { status: 'failed' as const }],
    ['a tag', { tag: 'draft' }],
    ['a tag in another composition', { tag: 'cafe\u0301' }],
    ['a policy version', { policy_version_lt: 2 }],
    ['a time', { created_before: '2020-01-01T00:00:00+02:00' }],
    ['metadata', { metadata: { department: 'sales', year: 2019 } }],
    ['nested metadata', { metadata: { of: { a: [1, 2] } } }],
    ['all at once', { status: 'failed' as const, tag: 'draft', metadata: { department: 'sales' } }],
  ])('are deleted when they match a condition on %s, and no others', async (_name, where) => {
    const wanted = await put({
      status: 'failed',
      policyVersion: 1,
      tags: ['other', 'draft', 'caf\u00e9'],
      metadata: { department: 'sales', year: 2019, of: { a: [1, 2] } },
      createdAt: '2019-12-31T21:59:59.999Z',
    });
    const spared = await put({
      status: 'completed',
      policyVersion: 2,
      tags: ['drafts'],
      metadata: { department: 'sales', year: '2019', of: { a: [2, 1] } },
      createdAt: '2019-12-31T22:00:00.000Z',
    });
    const elsewhere = await lab.put(member, await lab.addDataset(member), { status: 'failed', tags: ['draft'] });
    expect(await services.operations.deleteMany(member.ctx, { dataset_id: dataset, where })).toEqual({
      accepted: [wanted],
      rejected: [],
    });
    for (const id of [spared, elsewhere]) expect((await lab.row(member, id)).deleted_at).toBeNull();
  });

  it('can be more than one batch holds: each is handled once, in one request', async () => {
    const template = await put({ status: 'failed', tags: ['many'] });
    await lab.rows(
      member,
      `WITH made AS (
         INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, size_bytes, sha256, status, current_stage, policy_version,
           revision_id, tags, created_by, created_at)
         SELECT gen_random_uuid(), tenant_id, dataset_id, name, media_type, size_bytes, sha256, 'failed', current_stage,
           policy_version, gen_random_uuid(), tags, created_by, created_at
         FROM documents, generate_series(1, 1200) WHERE documents.id = $1 RETURNING 1) SELECT 1`,
      [template],
    );
    const retried = await services.operations.retryMany(member.ctx, { dataset_id: dataset });
    expect(new Set(retried.accepted).size).toBe(1201);
    expect(retried.rejected).toEqual([]);
    const tasks = await lab.systemRows(`SELECT 1 FROM tasks WHERE group_id = $1 AND payload = '{"attempt": 2}'`, [
      dataset,
    ]);
    expect(tasks).toHaveLength(1201);
    const deleted = await services.operations.deleteMany(member.ctx, { dataset_id: dataset, where: { tag: 'many' } });
    expect(deleted.accepted).toEqual(retried.accepted);
  });

  it('of another account are not found', async () => {
    const foreigner = await createTestMember(db.unitOfWork, 'owner');
    const { operations } = services;
    const notFound = { code: 'datasets.not_found' };
    const where = { tag: 'x' };
    await expect(operations.reingestMany(foreigner.ctx, { dataset_id: dataset })).rejects.toMatchObject(notFound);
    await expect(operations.retryMany(foreigner.ctx, { dataset_id: dataset })).rejects.toMatchObject(notFound);
    await expect(operations.deleteMany(foreigner.ctx, { dataset_id: dataset, where })).rejects.toMatchObject(notFound);
  });
});

describe('a body', () => {
  const pointers = async (request: Promise<unknown>): Promise<string[]> =>
    request.then(
      () => [],
      (error: unknown) => {
        const { status, errors = [] } = error as { status?: number; errors?: readonly { readonly pointer: string }[] };
        return status === 422 ? errors.map(({ pointer }) => pointer) : ['another error'];
      },
    );

  it('must select documents in exactly one way', async () => {
    const { operations } = services;
    const id = newId();
    expect(await pointers(operations.retryMany(member.ctx, {}))).toEqual(['/document_ids', '/dataset_id']);
    expect(await pointers(operations.retryMany(member.ctx, { document_ids: [id], dataset_id: dataset }))).toEqual([
      '/document_ids',
      '/dataset_id',
    ]);
    expect(await pointers(operations.reingestMany(member.ctx, { document_ids: [id], where: {} }))).toEqual(['/where']);
    expect(await pointers(operations.reingestMany(member.ctx, { where: {} }))).toEqual([
      '/document_ids',
      '/dataset_id',
    ]);
  });

  it('that would delete a whole dataset is refused', async () => {
    const { operations } = services;
    const id = await put({ status: 'completed' });
    expect(await pointers(operations.deleteMany(member.ctx, { dataset_id: dataset }))).toEqual(['/where']);
    expect(await pointers(operations.deleteMany(member.ctx, { dataset_id: dataset, where: {} }))).toEqual(['/where']);
    expect(await pointers(operations.deleteMany(member.ctx, { dataset_id: dataset, where: { metadata: {} } }))).toEqual(
      ['/where/metadata'],
    );
    expect((await lab.row(member, id)).deleted_at).toBeNull();
  });
});
