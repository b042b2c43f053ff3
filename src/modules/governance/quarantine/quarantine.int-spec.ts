import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, type ApiKeyId, type DatasetId, type DocumentId } from '#libs/common';
import { contextOf, createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { TenantDirectory } from '../../accounts/index.js';
import { createMemberDirectory } from '../../accounts/testing/member-directory.js';
import { createDocumentServices, DocumentLab } from '../../documents/testing/document-lab.js';
import type { ListQuarantineQuery } from './quarantine.dto.js';
import { FindingsRepository } from '../findings/findings.repository.js';
import { QuarantineService } from './quarantine.service.js';
import { QuarantinesRepository } from './quarantines.repository.js';
import { ReleaseRule } from './release-rule.service.js';

const WHY = { reason: 'Holds personal data', note: 'Found by the data office' };

let db: TestDatabase;
let quarantine: QuarantineService;
let lab: DocumentLab;
let officer: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  const { transitions, access, audit } = createDocumentServices(db.unitOfWork);
  const repository = new QuarantinesRepository(db.unitOfWork, access);
  quarantine = new QuarantineService(
    transitions,
    repository,
    new FindingsRepository(db.unitOfWork, access),
    new ReleaseRule(new TenantDirectory(db.unitOfWork), repository, createMemberDirectory(db.unitOfWork)),
    audit,
    db.unitOfWork,
  );
  lab = new DocumentLab(db.unitOfWork);
});
afterAll(() => db.close());
beforeEach(async () => {
  officer = await createTestMember(db.unitOfWork, 'admin');
  dataset = await lab.addDataset(officer);
});

const put = (): Promise<DocumentId> => lab.put(officer, dataset, { status: 'completed' });
const query = (change: Partial<ListQuarantineQuery> = {}): ListQuarantineQuery => ({
  skip: 0,
  limit: 20,
  order_by: '-quarantined_at',
  ...change,
});

describe('the quarantine', () => {
  it('lists documents with account, reason and time, the latest first', async () => {
    const [first, second] = [await put(), await put()];
    await quarantine.quarantine(officer.ctx, { document_ids: [first], ...WHY });
    await quarantine.quarantine(officer.ctx, { document_ids: [second], reason: 'Wrong dataset', note: null });
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
          until: null,
          overdue: false,
          findings: [],
          release_asked_by: null,
          release_asked_at: null,
        },
        expect.objectContaining({ document_id: first, ...WHY }),
      ],
      counts: { open: 2, overdue: 0, release_asked: 0 },
      total: 2,
      skip: 0,
      limit: 20,
    });
    const page = await quarantine.list(officer.ctx, query({ order_by: 'quarantined_at', skip: 1, limit: 1 }));
    expect(page).toMatchObject({ items: [{ document_id: second }], total: 2 });
  });

  it('does not contain released or deleted documents', async () => {
    const [released, deleted] = [await put(), await put()];
    await quarantine.quarantine(officer.ctx, { document_ids: [released, deleted], ...WHY });
    await quarantine.release(officer.ctx, [released]);
    await lab.rows(officer, `UPDATE documents SET deleted_at = now() WHERE id = $1`, [deleted]);
    expect(await quarantine.list(officer.ctx, query())).toMatchObject({ items: [], total: 0 });
    const [row] = await lab.rows<{ released_by: string }>(
      officer,
      `SELECT released_by FROM quarantines WHERE document_id = $1 AND released_at IS NOT NULL`,
      [released],
    );
    expect(row).toEqual({ released_by: officer.accountId });
  });

  it('accepts a released document again', async () => {
    const id = await put();
    for (let round = 0; round < 2; round += 1) {
      expect((await quarantine.quarantine(officer.ctx, { document_ids: [id], ...WHY })).accepted).toEqual([id]);
      expect((await quarantine.release(officer.ctx, [id])).accepted).toEqual([id]);
    }
  });

  it('rejects documents that cannot be quarantined or released, one by one', async () => {
    const [good, done] = [await put(), await put()];
    const cancelled = await lab.put(officer, dataset, { status: 'cancelled' });
    const unknown = newId();
    const result = await quarantine.quarantine(officer.ctx, { document_ids: [cancelled, good, unknown], ...WHY });
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

  it('shows only documents of visible datasets', async () => {
    const owner = await createTestMember(db.unitOfWork, 'owner', officer.tenantId);
    const hidden = await lab.addDataset(owner, { acl: 'only_me' });
    const id = await lab.put(owner, hidden, { status: 'completed' });
    expect((await quarantine.quarantine(officer.ctx, { document_ids: [id], ...WHY })).rejected).toMatchObject([
      { code: 'documents.not_found' },
    ]);
    await quarantine.quarantine(owner.ctx, { document_ids: [id], ...WHY });
    expect((await quarantine.list(owner.ctx, query({ dataset_id: hidden }))).total).toBe(1);
    await expect(quarantine.list(officer.ctx, query({ dataset_id: hidden }))).rejects.toMatchObject({
      status: 404,
      code: 'datasets.not_found',
    });
    expect((await quarantine.list(officer.ctx, query())).total).toBe(0);
    const foreigner = await createTestMember(db.unitOfWork, 'owner');
    expect((await quarantine.list(foreigner.ctx, query())).total).toBe(0);
    expect((await quarantine.release(foreigner.ctx, [id])).accepted).toEqual([]);
  });

  it('can be filtered by name, reason, account and whether it is overdue', async () => {
    const colleague = await createTestMember(db.unitOfWork, 'admin', officer.tenantId);
    const [old, young] = [await put(), await put()];
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await quarantine.quarantine(officer.ctx, { document_ids: [old], ...WHY, until });
    await quarantine.quarantine(colleague.ctx, { document_ids: [young], reason: 'Wrong dataset', until });
    await lab.rows(officer, `UPDATE quarantines SET until = now() WHERE document_id = $1`, [old]);
    const found = async (change: Partial<ListQuarantineQuery>): Promise<string[]> => {
      const { items, total, counts } = await quarantine.list(officer.ctx, query(change));
      expect(items).toHaveLength(total);
      if (Object.keys(change).length < 1) expect(counts).toEqual({ open: 2, overdue: 1, release_asked: 0 });
      return items.map(({ document_id: id }) => id);
    };
    expect(await found({})).toEqual([young, old]);
    expect(await found({ overdue: true })).toEqual([old]);
    expect(await found({ overdue: false })).toEqual([young]);
    expect(await found({ reason: 'PERSONAL' })).toEqual([old]);
    expect(await found({ q: 'NOTE' })).toEqual([young, old]);
    expect(await found({ q: 'nothing' })).toEqual([]);
    expect(await found({ quarantined_by: colleague.accountId })).toEqual([young]);
    const [row] = await lab.rows<{ status: string }>(officer, `SELECT status FROM documents WHERE id = $1`, [old]);
    expect(row).toEqual({ status: 'quarantined' });
    const past = { document_ids: [young], reason: 'Late', until: '2020-01-01T00:00:00Z' };
    await expect(quarantine.quarantine(officer.ctx, past)).rejects.toMatchObject({ code: 'http.validation_failed' });
  });

  describe('whose release needs two accounts', () => {
    let colleague: TestMember;
    let id: DocumentId;
    beforeEach(async () => {
      colleague = await createTestMember(db.unitOfWork, 'admin', officer.tenantId);
      await db.unitOfWork.runAsSystem((manager) =>
        manager.query('UPDATE tenants SET release_needs_two = true WHERE id = $1', [officer.tenantId]),
      );
      id = await put();
      await quarantine.quarantine(officer.ctx, { document_ids: [id], ...WHY });
    });
    const awaiting = { accepted: [], awaiting: [] as string[], rejected: [] };

    it('is requested by one account and granted by another', async () => {
      expect(await quarantine.release(officer.ctx, [id])).toEqual({ ...awaiting, awaiting: [id] });
      expect(await quarantine.release(officer.ctx, [id.toUpperCase()])).toEqual({ ...awaiting, awaiting: [id] });
      const { items, counts } = await quarantine.list(officer.ctx, query({ release_asked: true }));
      expect(items).toMatchObject([{ document_id: id, release_asked_by: officer.accountId }]);
      expect(counts).toEqual({ open: 1, overdue: 0, release_asked: 1 });
      expect(await quarantine.release(colleague.ctx, [id])).toEqual({ ...awaiting, accepted: [id] });
      const events = await lab.rows<{ event: string }>(
        officer,
        `SELECT event FROM audit_log WHERE event LIKE 'document.release%' ORDER BY seq`,
      );
      expect(events.map(({ event }) => event)).toEqual(['document.release_asked', 'document.released']);
    });

    it('counts an API key as its account', async () => {
      await quarantine.release(officer.ctx, [id]);
      const { accountId } = officer;
      const permissions = new Set(['governance:write'] as const);
      const key = {
        kind: 'api_key',
        keyId: newId<ApiKeyId>(),
        accountId,
        role: 'admin',
        permissions,
        datasetIds: null,
      } as const;
      expect(await quarantine.release({ ...officer.ctx, principal: key }, [id])).toEqual({
        ...awaiting,
        awaiting: [id],
      });
    });

    it('ignores the request of an account that has lost the right to release', async () => {
      await quarantine.release(colleague.ctx, [id]);
      await db.unitOfWork.runAsSystem((manager) =>
        manager.query(`UPDATE memberships SET role = 'editor' WHERE account_id = $1`, [colleague.accountId]),
      );
      expect(await quarantine.release(officer.ctx, [id])).toEqual({ ...awaiting, awaiting: [id] });
    });

    it('must be requested again after another quarantine, and once if two calls come together', async () => {
      const results = await Promise.all([officer, colleague].map(({ ctx }) => quarantine.release(ctx, [id])));
      expect(results.map(({ accepted }) => accepted.length).sort()).toEqual([0, 1]);
      await quarantine.quarantine(officer.ctx, { document_ids: [id], ...WHY });
      expect((await quarantine.release(colleague.ctx, [id])).awaiting).toEqual([id]);
    });

    it('is not requested for documents that the caller does not see or that are not quarantined', async () => {
      const [done, unknown] = [await put(), newId()];
      const foreigner = await createTestMember(db.unitOfWork, 'owner');
      expect(await quarantine.release(foreigner.ctx, [id])).toMatchObject({ ...awaiting, rejected: [{ id }] });
      expect(await quarantine.release(officer.ctx, [done, unknown, id])).toMatchObject({
        accepted: [],
        awaiting: [id],
        rejected: [
          { id: done, code: 'documents.illegal_state' },
          { id: unknown, code: 'documents.not_found' },
        ],
      });
    });
  });

  it('is in the audit log, one entry for each dataset', async () => {
    const other = await lab.addDataset(officer);
    const ids = [await put(), await lab.put(officer, other, { status: 'failed' }), await put()];
    await quarantine.quarantine(officer.ctx, { document_ids: ids, ...WHY });
    await quarantine.release(officer.ctx, [ids[0]!]);
    const entries = await lab.rows(officer, `SELECT event, actor, subject, details FROM audit_log ORDER BY seq`);
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

  it('and its list agree after simultaneous quarantines and releases', async () => {
    const ids = [await put(), await put(), await put()];
    const again = contextOf(officer.accountId, officer.tenantId, 'admin');
    await Promise.all([
      quarantine.quarantine(officer.ctx, { document_ids: ids, ...WHY }),
      quarantine.quarantine(again, { document_ids: ids.toReversed(), ...WHY }),
      quarantine.release(officer.ctx, ids),
      quarantine.quarantine(again, { document_ids: ids, ...WHY }),
    ]);
    const listed = (await quarantine.list(officer.ctx, query())).items.map((item) => item.document_id);
    const rows = await Promise.all(ids.map((id) => lab.row(officer, id)));
    expect(listed.toSorted()).toEqual(
      rows
        .filter(({ status }) => status === 'quarantined')
        .map(({ id }) => id)
        .toSorted(),
    );
  });
});
