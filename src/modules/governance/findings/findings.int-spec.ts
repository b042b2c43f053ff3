import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, type DatasetId, type DocumentId, type RevisionId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { DatasetAccess } from '../../datasets/index.js';
import { createDocumentServices, DocumentLab } from '../../documents/testing/document-lab.js';
import { FindingsRepository, type FindingsOwner, type NewFinding } from './findings.repository.js';
import { RescansRepository } from '../rescans/rescans.repository.js';

const EMAIL: NewFinding = {
  place: 'text',
  entityType: 'email',
  rule: 'address',
  start: 10,
  end: 26,
  page: 2,
  score: 0.95,
  severity: 'medium',
  action: 'quarantine',
};
const ALL = { skip: 0, limit: 20 };

let db: TestDatabase;
let findings: FindingsRepository;
let lab: DocumentLab;
let owner: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  const { access } = createDocumentServices(db.unitOfWork);
  findings = new FindingsRepository(db.unitOfWork, access);
  lab = new DocumentLab(db.unitOfWork);
});
afterAll(() => db.close());
beforeEach(async () => {
  owner = await createTestMember(db.unitOfWork, 'admin');
  dataset = await lab.addDataset(owner, { acl: 'only_me' });
});

const put = (): Promise<DocumentId> => lab.put(owner, dataset, { status: 'completed' });

async function ownerOf(documentId: DocumentId, change: Partial<FindingsOwner> = {}): Promise<FindingsOwner> {
  const [row] = await db.unitOfWork.run(owner.ctx, (manager) =>
    manager.query<{ revision_id: RevisionId }[]>('SELECT revision_id FROM documents WHERE id = $1', [documentId]),
  );
  return { documentId, revisionId: row!.revision_id, revision: 1, generation: '7', rescanId: null, ...change };
}

async function record(of: FindingsOwner, found: readonly NewFinding[]): Promise<void> {
  await db.unitOfWork.run(owner.ctx, (_manager, inner) => findings.record(inner, of, found));
}

describe('findings', () => {
  it('are listed with place, certainty and action', async () => {
    const document = await put();
    await record(await ownerOf(document), [EMAIL]);
    const { items, total } = await findings.listVisible(owner.ctx, { dataset_id: dataset, ...ALL });
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({
      document_id: document,
      entity_type: 'email',
      span_start: '10',
      span_end: '26',
      page: 2,
    });
  });

  it('of a later attempt replace earlier ones', async () => {
    const of = await ownerOf(await put());
    await record(of, [EMAIL, { ...EMAIL, start: 40, end: 50 }]);
    await record({ ...of, generation: '8' }, [EMAIL]);
    const { items } = await findings.listVisible(owner.ctx, ALL);
    expect(items.map(({ generation }) => generation)).toEqual(['8']);
  });

  it('stay accepted when the same revision is inspected again', async () => {
    const of = await ownerOf(await put());
    await record(of, [EMAIL]);
    await db.unitOfWork.run(owner.ctx, (_manager, inner) => findings.accept(inner, [of.documentId]));
    await record({ ...of, generation: '9' }, [EMAIL, { ...EMAIL, start: 40, end: 50 }]);
    const { items } = await findings.listVisible(owner.ctx, ALL);
    expect(items.map(({ accepted_at: at }) => at !== null)).toEqual([true, false]);
  });

  it('of a rescan are kept beside those of the ingestion', async () => {
    const of = await ownerOf(await put());
    const runs = new RescansRepository(db.unitOfWork, new DatasetAccess(db.unitOfWork));
    const { id: rescanId } = await db.unitOfWork.run(owner.ctx, (_manager, inner) => runs.insert(inner, dataset));
    await record(of, [EMAIL]);
    await record({ ...of, generation: null, rescanId }, [{ ...EMAIL, action: 'allow' }]);
    const rescanned = await findings.listVisible(owner.ctx, { rescan_id: rescanId, ...ALL });
    expect(rescanned.items.map(({ action }) => action)).toEqual(['allow']);
    expect((await findings.listVisible(owner.ctx, ALL)).total).toBe(1);
  });

  it('in a private dataset of another account and in another tenant are not visible', async () => {
    await record(await ownerOf(await put()), [EMAIL]);
    const stranger = await createTestMember(db.unitOfWork, 'admin');
    expect((await findings.listVisible(stranger.ctx, ALL)).total).toBe(0);
    const colleague = await createTestMember(db.unitOfWork, 'admin', owner.ctx.tenantId);
    expect((await findings.listVisible(colleague.ctx, ALL)).total).toBe(0);
    for (const id of [dataset, newId()])
      await expect(findings.listVisible(colleague.ctx, { dataset_id: id, ...ALL })).rejects.toMatchObject({
        status: 404,
        code: 'datasets.not_found',
      });
  });

  it('of a deleted document are neither listed nor counted', async () => {
    const [kept, gone] = [await put(), await put()];
    for (const document of [kept, gone]) await record(await ownerOf(document), [EMAIL]);
    await lab.rows(owner, 'UPDATE documents SET deleted_at = now() WHERE id = $1', [gone]);
    const { items, total } = await findings.listVisible(owner.ctx, { dataset_id: dataset, ...ALL });
    expect([total, ...items.map(({ document_id: id }) => id)]).toEqual([1, kept]);
  });

  it('can be ordered by time', async () => {
    const of = await ownerOf(await put());
    await record(of, [EMAIL]);
    await record(await ownerOf(await put()), [{ ...EMAIL, start: 90, end: 99 }]);
    const starts = async (order: 'created_at' | '-created_at') =>
      (await findings.listVisible(owner.ctx, { ...ALL, order_by: order })).items.map(({ span_start: at }) => at);
    expect(await starts('-created_at')).toEqual((await starts('created_at')).toReversed());
    expect((await starts('-created_at'))[0]).toBe('90');
  });

  it.each([
    ['entity_type', { entity_type: 'phone' }],
    ['severity', { severity: 'critical' }],
    ['action', { action: 'mask' }],
    ['document_id', { document_id: newId() }],
  ] as const)('are filtered by %s', async (_name, filter) => {
    await record(await ownerOf(await put()), [EMAIL]);
    expect((await findings.listVisible(owner.ctx, { ...filter, ...ALL })).total).toBe(0);
  });
});
