import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, type IngestionPolicies, type IngestionPolicy } from '../../ingestion-policy/index.js';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { DatasetAccess } from '../../datasets/index.js';
import { DocumentChangesRepository } from './document-changes.repository.js';
import { DocumentMovesRepository } from '../record/document-moves.repository.js';
import { DocumentUpdatesService } from './document-updates.service.js';
import type { UpdateDocumentRequest } from './update-document.dto.js';
import { SelectedDocuments } from './selected-documents.repository.js';
import { DocumentLab, type DocumentInState } from '../testing/document-lab.js';
import { StoreIntents } from '../intents/store-intents.repository.js';
import { eventsOver } from '../../../../libs/events/src/testing/events-over.js';
import { tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';

let policy: IngestionPolicy = DEFAULT_POLICY;
let db: TestDatabase;
let updates: DocumentUpdatesService;
let lab: DocumentLab;
let member: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  const access = new DatasetAccess(db.unitOfWork);
  updates = new DocumentUpdatesService(
    new DocumentChangesRepository(db.unitOfWork, new StoreIntents(db.unitOfWork, tasksOver(db.unitOfWork))),
    new DocumentMovesRepository(db.unitOfWork, access),
    new SelectedDocuments(db.unitOfWork, access),
    { current: () => Promise.resolve({ version: 1, policy }) } as unknown as IngestionPolicies,
    { quarantine: () => Promise.resolve() },
    eventsOver(db.unitOfWork),
    db.unitOfWork,
  );
  lab = new DocumentLab(db.unitOfWork);
});
afterAll(() => db.close());
beforeEach(async () => {
  policy = DEFAULT_POLICY;
  member = await createTestMember(db.unitOfWork, 'editor');
  dataset = await lab.addDataset(member);
});

const put = (document: Partial<DocumentInState> = {}): Promise<DocumentId> =>
  lab.put(member, dataset, { status: 'completed', ...document });
const intents = (id: string): Promise<unknown[]> =>
  lab.systemRows(`SELECT payload FROM store_intents WHERE kind = 'update_metadata' AND subject = $1`, [id]);
const contentSeq = async (): Promise<string> =>
  (await lab.rows<{ content_seq: string }>(member, `SELECT content_seq FROM datasets WHERE id = $1`, [dataset]))[0]!
    .content_seq;

describe('a change of one document', () => {
  it('counts as a visible change of the dataset, and is recorded for the vector store', async () => {
    const id = await put({ metadata: { a: 1, b: 2 }, tags: ['x'] });
    const detail = await updates.update(member.ctx, id, { name: ' new name ', metadata: { b: null, c: 3 } });
    expect(detail).toMatchObject({ name: 'new name', metadata: { a: 1, c: 3 }, tags: ['x'], status: 'completed' });
    const row = await lab.row(member, id);
    expect(row).toMatchObject({ metadata_seq: '1', stored_metadata_seq: '0' });
    expect(await contentSeq()).toBe('1');
    expect((row as unknown as { visibility_seq: string }).visibility_seq).toBe('1');
    expect(await intents(id)).toEqual([{ payload: { documentId: id, datasetId: dataset } }]);
  });

  it('that changes nothing is not recorded', async () => {
    const id = await put({ metadata: { a: 1 }, tags: ['x'] });
    const before = await lab.row(member, id);
    const detail = await updates.update(member.ctx, id, { metadata: { a: 1 }, tags: ['x', ' x '], name: 'note.txt' });
    expect(detail.id).toBe(id);
    expect(await lab.row(member, id)).toEqual(before);
    expect(await contentSeq()).toBe('0');
    expect(await intents(id)).toEqual([]);
  });

  it.each(['pending', 'processing', 'failed', 'cancelled', 'quarantined'] as const)(
    'is possible while the document is %s, and does not change its status',
    async (status) => {
      const id = await put({ status });
      expect(await updates.update(member.ctx, id, { tags: ['n'] })).toMatchObject({ status, tags: ['n'] });
    },
  );

  it('is refused when its metadata would be too large, with a pointer', async () => {
    const id = await put({ metadata: { text: 'x'.repeat(60_000) } });
    await expect(updates.update(member.ctx, id, { metadata: { more: 'y'.repeat(6_000) } })).rejects.toMatchObject({
      code: 'http.validation_failed',
      errors: [expect.objectContaining({ pointer: '/metadata' })],
    });
    expect((await lab.row(member, id)).metadata_seq).toBe('0');
  });

  it('is 404 for a document that is absent, deleted or in a dataset that the caller does not see, and for an invalid id', async () => {
    const owner = await createTestMember(db.unitOfWork, 'owner', member.tenantId);
    const hidden = await lab.put(owner, await lab.addDataset(owner, { acl: 'only_me' }), { status: 'completed' });
    const deleted = await put();
    await lab.rows(member, `UPDATE documents SET deleted_at = now() WHERE id = $1 RETURNING id`, [deleted]);
    for (const id of [newId(), 'no-id', hidden, deleted]) {
      await expect(updates.update(member.ctx, id, { name: 'x' })).rejects.toMatchObject({
        code: 'documents.not_found',
      });
    }
    expect((await lab.row(owner, hidden)).name).toBe('note.txt');
  });

  it('is not lost when many are made at once', async () => {
    const id = await put();
    const keys = Array.from({ length: 8 }, (_, n) => `k${n}`);
    await Promise.all(keys.map((key) => updates.update(member.ctx, id, { metadata: { [key]: 1 } })));
    const row = await lab.row(member, id);
    expect(Object.keys(row.metadata).toSorted()).toEqual(keys);
    expect(row.metadata_seq).toBe('8');
  });
});

describe('a change of many documents', () => {
  it('is applied to each document of a list of ids; one that cannot be changed is rejected alone', async () => {
    const full = await put({ tags: Array.from({ length: 50 }, (_, n) => `t${n}`) });
    const [one, two] = [await put({ tags: ['old'] }), await put({ status: 'failed' })];
    const absent = newId();
    const result = await updates.updateMany(member.ctx, {
      document_ids: [two, full, absent, one, one.toUpperCase()],
      patch: { metadata: { done: true }, add_tags: ['new'], remove_tags: ['old'] },
    });
    expect(result).toEqual({
      accepted: [two, one],
      rejected: [
        { id: full, code: 'http.validation_failed', detail: expect.stringContaining('50 tags') },
        { id: absent, code: 'documents.not_found', detail: expect.any(String) },
      ],
    });
    expect(await lab.row(member, one)).toMatchObject({ metadata: { done: true }, tags: ['new'] });
    expect((await lab.row(member, full)).metadata).toEqual({});
    expect(await contentSeq()).toBe('1');
  });

  it('is applied by conditions to more documents than one batch holds', async () => {
    await lab.rows(
      member,
      `INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, size_bytes, sha256, status, current_stage, policy_version,
         revision_id, tags, created_by)
       SELECT gen_random_uuid(), $1, $2, 'n' || n, 'text/plain', 1, 'x', 'completed', 'completed', 1, gen_random_uuid(),
         CASE WHEN n <= 601 THEN ARRAY['draft'] ELSE '{}' END, $3 FROM generate_series(1, 700) AS n RETURNING id`,
      [member.tenantId, dataset, member.accountId],
    );
    const where = { tag: 'draft' };
    const result = await updates.updateMany(member.ctx, {
      dataset_id: dataset,
      where,
      patch: { tags: ['final'], metadata: null },
    });
    expect(result.accepted).toHaveLength(601);
    expect(result.rejected).toEqual([]);
    const [counts] = await lab.rows<{ final: number; marked: number }>(
      member,
      `SELECT count(*) FILTER (WHERE tags = ARRAY['final'])::int AS final,
         count(*) FILTER (WHERE metadata_seq = 1)::int AS marked FROM documents WHERE dataset_id = $1`,
      [dataset],
    );
    expect(counts).toEqual({ final: 601, marked: 601 });
    expect(
      (await updates.updateMany(member.ctx, { dataset_id: dataset, where, patch: { tags: [] } })).accepted,
    ).toEqual([]);
  });

  it('needs at least one field to change', async () => {
    const request = { document_ids: [newId()], patch: {} };
    await expect(updates.updateMany(member.ctx, request)).rejects.toMatchObject({
      code: 'http.validation_failed',
      errors: [expect.objectContaining({ pointer: '/patch' })],
    });
  });

  it('does not deadlock with another one over the same documents in reverse order', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => put()));
    const other = await lab.addDataset(member);
    const more = await Promise.all(Array.from({ length: 6 }, () => lab.put(member, other, { status: 'completed' })));
    const all = [...ids, ...more];
    const rounds = Array.from({ length: 8 }, (_, n) =>
      updates.updateMany(member.ctx, {
        document_ids: n % 2 === 0 ? all : all.toReversed(),
        patch: { add_tags: [`t${n}`] },
      }),
    );
    for (const { accepted } of await Promise.all(rounds)) expect(accepted).toHaveLength(12);
    expect((await lab.row(member, ids[0]!)).tags).toHaveLength(8);
  });

  it('masks names, metadata and tags as the policy says', async () => {
    const detectors = [{ entity_type: 'email', action: 'mask' as const, min_score: 0.5 }];
    policy = { ...DEFAULT_POLICY, governance: { ...DEFAULT_POLICY.governance, detectors } };
    const id = await put();
    const mail = 'anna@example.org';
    const patch = { name: `${mail}.txt`, metadata: { author: mail }, tags: [mail] };
    const { name, metadata, tags } = await updates.update(member.ctx, id, patch);
    const mask = '█'.repeat(mail.length);
    expect({ name, metadata, tags }).toEqual({ name: `${mask}.txt`, metadata: { author: mask }, tags: [mask] });
  });

  it.each([
    ['/name', { name: 'anna@example.org.txt' }],
    ['/metadata/a~1b', { metadata: { 'a/b': { inner: ['anna@example.org'] } } }],
    ['/metadata', { metadata: { 'anna@example.org': 1 } }],
    ['/tags', { tags: ['anna@example.org'] }],
  ] as [string, UpdateDocumentRequest][])(
    'is refused where %s contains content that the policy rejects, and the problem names the rule',
    async (pointer, patch) => {
      const detectors = [{ entity_type: 'email', action: 'reject' as const, min_score: 0.5 }];
      const id = await put({ tags: ['bob@example.org'] });
      policy = { ...DEFAULT_POLICY, governance: { ...DEFAULT_POLICY.governance, detectors } };
      const refusal: unknown = await updates.update(member.ctx, id, patch).catch((error: unknown) => error);
      expect(refusal).toMatchObject({
        status: 422,
        code: 'http.validation_failed',
        errors: [{ pointer, code: 'rejected_by_policy', detail: expect.stringContaining('entity_type email') }],
      });
      expect(JSON.stringify(refusal)).not.toContain('anna');
      expect((await lab.row(member, id)).metadata_seq).toBe('0');
      // Values from before the rule do not prevent other changes.
      expect(await updates.update(member.ctx, id, { name: 'plain' })).toMatchObject({ name: 'plain' });
    },
  );
});
