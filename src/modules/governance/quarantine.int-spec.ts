import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import { contextOf, createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { createDocumentServices, DocumentShelf } from '../documents/testing/document-shelf.js';
import type { ListQuarantineQuery } from './dto/quarantine.dto.js';
import { FindingsRepository } from './findings.repository.js';
import { QuarantineService } from './quarantine.service.js';
import { QuarantinesRepository } from './quarantines.repository.js';

const WHY = { reason: 'Holds personal data', note: 'Found by the data office' };

let db: TestDatabase;
let quarantine: QuarantineService;
let shelf: DocumentShelf;
let officer: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  const { transitions, access, audit } = createDocumentServices(db.unitOfWork);
  quarantine = new QuarantineService(
    transitions,
    new QuarantinesRepository(db.unitOfWork, access),
    new FindingsRepository(db.unitOfWork, access),
    audit,
    db.unitOfWork,
  );
  shelf = new DocumentShelf(db.unitOfWork);
});
afterAll(() => db.close());
beforeEach(async () => {
  officer = await createTestMember(db.unitOfWork, 'admin');
  dataset = await shelf.addDataset(officer);
});

const put = (): Promise<DocumentId> => shelf.put(officer, dataset, { status: 'completed' });
const query = (change: Partial<ListQuarantineQuery> = {}): ListQuarantineQuery => ({
  skip: 0,
  limit: 20,
  order_by: '-quarantined_at',
  ...change,
});

describe('the quarantine', () => {
  it('lists who put what into it, why and when, the latest first', async () => {
    const [first, second] = [await put(), await put()];
    await quarantine.quarantine(officer.ctx, [first], WHY);
    await quarantine.quarantine(officer.ctx, [second], { reason: 'Wrong dataset', note: null });
    expect(await quarantine.list(officer.ctx, query())).toEqual({
      items: [
        {
          document_id: second,
          document_name: 'note.txt',
          dataset_id: dataset,
          reason: 'Wrong dataset',
          note: null,
          quarantined_by: officer.accountId,
          quarantined_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
        expect.objectContaining({ document_id: first, ...WHY }),
      ],
      total: 2,
      skip: 0,
      limit: 20,
    });
    const page = await quarantine.list(officer.ctx, query({ order_by: 'quarantined_at', skip: 1, limit: 1 }));
    expect(page).toMatchObject({ items: [{ document_id: second }], total: 2 });
  });

  it('holds nothing that was released or deleted', async () => {
    const [released, deleted] = [await put(), await put()];
    await quarantine.quarantine(officer.ctx, [released, deleted], WHY);
    await quarantine.release(officer.ctx, [released]);
    await shelf.rows(officer, `UPDATE documents SET deleted_at = now() WHERE id = $1`, [deleted]);
    expect(await quarantine.list(officer.ctx, query())).toMatchObject({ items: [], total: 0 });
    const [row] = await shelf.rows<{ released_by: string }>(
      officer,
      `SELECT released_by FROM quarantines WHERE document_id = $1 AND released_at IS NOT NULL`,
      [released],
    );
    expect(row).toEqual({ released_by: officer.accountId });
  });

  it('takes a document again that was released', async () => {
    const id = await put();
    for (let round = 0; round < 2; round += 1) {
      expect((await quarantine.quarantine(officer.ctx, [id], WHY)).accepted).toEqual([id]);
      expect((await quarantine.release(officer.ctx, [id])).accepted).toEqual([id]);
    }
  });

  it('rejects what it cannot take or give back, and takes the rest', async () => {
    const [good, done] = [await put(), await put()];
    const cancelled = await shelf.put(officer, dataset, { status: 'cancelled' });
    const unknown = newId();
    const result = await quarantine.quarantine(officer.ctx, [cancelled, good, unknown], WHY);
    expect(result.accepted).toEqual([good]);
    expect(result.rejected.map(({ id, code }) => [id, code])).toEqual([
      [cancelled, 'documents.illegal_state'],
      [unknown, 'documents.not_found'],
    ]);
    expect(await quarantine.release(officer.ctx, [done, good])).toMatchObject({
      accepted: [good],
      rejected: [{ id: done, detail: expect.stringContaining('is completed') }],
    });
  });

  it('shows only documents of datasets that the caller sees', async () => {
    const owner = await createTestMember(db.unitOfWork, 'owner', officer.tenantId);
    const hidden = await shelf.addDataset(owner, { acl: 'only_me' });
    const id = await shelf.put(owner, hidden, { status: 'completed' });
    expect((await quarantine.quarantine(officer.ctx, [id], WHY)).rejected).toMatchObject([
      { code: 'documents.not_found' },
    ]);
    await quarantine.quarantine(owner.ctx, [id], WHY);
    expect((await quarantine.list(owner.ctx, query({ dataset_id: hidden }))).total).toBe(1);
    expect((await quarantine.list(officer.ctx, query({ dataset_id: hidden }))).total).toBe(0);
    expect((await quarantine.list(officer.ctx, query())).total).toBe(0);
    const foreigner = await createTestMember(db.unitOfWork, 'owner');
    expect((await quarantine.list(foreigner.ctx, query())).total).toBe(0);
    expect((await quarantine.release(foreigner.ctx, [id])).accepted).toEqual([]);
  });

  it('stands in the audit log, one entry for each dataset', async () => {
    const other = await shelf.addDataset(officer);
    const ids = [await put(), await shelf.put(officer, other, { status: 'failed' }), await put()];
    await quarantine.quarantine(officer.ctx, ids, WHY);
    await quarantine.release(officer.ctx, [ids[0]!]);
    const entries = await shelf.rows(officer, `SELECT event, actor, subject, details FROM audit_log ORDER BY seq`);
    const actor = `account:${officer.accountId}`;
    expect(entries).toEqual([
      {
        event: 'document.quarantined',
        actor,
        subject: `dataset:${dataset}`,
        details: { reason: WHY.reason, document_ids: [ids[0], ids[2]] },
      },
      {
        event: 'document.quarantined',
        actor,
        subject: `dataset:${other}`,
        details: { reason: WHY.reason, document_ids: [ids[1]] },
      },
      { event: 'document.released', actor, subject: `dataset:${dataset}`, details: { document_ids: [ids[0]] } },
    ]);
  });

  it('and its list agree after quarantines and releases at once', async () => {
    const ids = [await put(), await put(), await put()];
    const again = contextOf(officer.accountId, officer.tenantId, 'admin');
    await Promise.all([
      quarantine.quarantine(officer.ctx, ids, WHY),
      quarantine.quarantine(again, ids.toReversed(), WHY),
      quarantine.release(officer.ctx, ids),
      quarantine.quarantine(again, ids, WHY),
    ]);
    const listed = (await quarantine.list(officer.ctx, query())).items.map((item) => item.document_id);
    const rows = await Promise.all(ids.map((id) => shelf.row(officer, id)));
    expect(listed.toSorted()).toEqual(
      rows
        .filter(({ status }) => status === 'quarantined')
        .map(({ id }) => id)
        .toSorted(),
    );
  });
});
