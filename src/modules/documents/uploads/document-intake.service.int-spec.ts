import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatasetId, DocumentId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { AttemptEnded } from '../record/attempt.js';
import { createDocumentServices, DocumentLab } from '../testing/document-lab.js';
import { IntakeLab, type HandedFile } from '../testing/intake-lab.js';

let db: TestDatabase;
let intakeLab: IntakeLab;
let lab: DocumentLab;
let services: ReturnType<typeof createDocumentServices>;
let member: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  intakeLab = new IntakeLab(db.unitOfWork);
  lab = new DocumentLab(db.unitOfWork);
  services = createDocumentServices(db.unitOfWork);
});
afterAll(() => db.close());
beforeEach(async () => {
  member = await createTestMember(db.unitOfWork, 'editor');
  dataset = await lab.addDataset(member);
  await intakeLab.writePolicy(member, dataset, 1);
});

const FILE: HandedFile = { name: 'a.txt', content: 'alpha' };
const intentsOf = (kind: string): Promise<string[]> =>
  lab
    .systemRows<{ subject: string }>(`SELECT subject FROM store_intents WHERE kind = $1 AND tenant_id = $2`, [
      kind,
      member.tenantId,
    ])
    .then((rows) => rows.map(({ subject }) => subject));
const revisionsOf = (id: string): Promise<{ revision: number; name: string; sha256: string }[]> =>
  lab.rows(member, `SELECT revision, name, sha256 FROM document_revisions WHERE document_id = $1 ORDER BY revision`, [
    id,
  ]);
/** As an attempt that has completed would leave the latest revision. */
const show = (id: string): Promise<unknown> =>
  lab.rows(
    member,
    `UPDATE documents SET status = 'completed', current_stage = 'completed', progress = 100, visible_generation = 5, chunk_count = 1,
       visible_revision = revision, visible_revision_id = revision_id, ingested_policy_version = policy_version, completed_at = now()
     WHERE id = $1 RETURNING id`,
    [id],
  );

describe('a Markdown file with front matter', () => {
  const content =
    '---\nowner: platform team\nlast_reviewed: 2025-03-14\ncontact: jo@example.org\ntags: [gateway]\n---\n\n# Install\n';
  const GUIDE: HandedFile = { name: 'guide.md', content, mediaType: 'text/markdown' };

  it('gives a new document the fields that its sender leaves out', async () => {
    const { document } = await intakeLab.take(member, dataset, GUIDE, { metadata: { owner: 'sales', year: 2026 } });
    expect(document).toMatchObject({
      metadata: { owner: 'sales', year: 2026, last_reviewed: '2025-03-14', contact: 'jo@example.org' },
      tags: ['gateway'],
    });
    const again = await intakeLab.take(member, dataset, GUIDE, { tags: ['mine'], onDuplicate: 'keep_both' });
    expect(again.document).toMatchObject({ metadata: { owner: 'platform team' }, tags: ['mine'] });
    const revised = await intakeLab.take(
      member,
      dataset,
      { ...GUIDE, content: content.replace('platform', 'edge') },
      {
        onDuplicate: 'new_revision',
      },
    );
    expect(revised.document.metadata).toMatchObject({ owner: 'platform team' });
  });

  it('gives no field that the policy masks, quarantines or rejects', async () => {
    const rule = (action: 'mask' | 'quarantine' | 'reject') => ({
      detectors: [{ entity_type: 'email' as const, action, min_score: 0.5 }],
    });
    for (const action of ['mask', 'quarantine', 'reject'] as const) {
      const other = await lab.addDataset(member);
      await intakeLab.writePolicy(member, other, 1, rule(action));
      const { document } = await intakeLab.take(member, other, GUIDE);
      expect(JSON.stringify(document.metadata), action).not.toContain('jo@example.org');
      expect(Object.keys(document.metadata).length > 0, action).toBe(action === 'mask');
    }
  });
});

describe('a file whose content is new to the dataset', () => {
  it('becomes a document with its revision, its task and its file', async () => {
    const { document, status, isKept, file } = await intakeLab.take(member, dataset, FILE, {
      metadata: { year: 2026 },
      tags: ['x'],
    });
    expect({ status, isKept }).toEqual({ status: 201, isKept: true });
    expect(document).toMatchObject({
      id: file.documentId,
      name: 'a.txt',
      status: 'pending',
      revision: 1,
      attempt: 1,
      metadata: { year: 2026 },
      tags: ['x'],
      created_by: member.accountId,
    });
    const [revision] = await lab.rows<Record<string, unknown>>(
      member,
      `SELECT name, media_type, declared_media_type, created_by, blob_key FROM document_revisions WHERE document_id = $1`,
      [document.id],
    );
    expect(revision).toEqual({
      name: 'a.txt',
      media_type: 'text/plain',
      declared_media_type: null,
      created_by: member.accountId,
      blob_key: file.blobKey,
    });
    const [task] = await lab.systemRows(
      `SELECT *, (payload ->> 'attempt')::int AS attempt, group_id AS dataset_id FROM tasks WHERE id = $1`,
      [document.id],
    );
    expect(task).toMatchObject({ dataset_id: dataset, size_bytes: '5', attempt: 1, priority: 0, tries: 0 });
    expect(await intentsOf('remove_blob')).toEqual([]);
  });
});

describe('a file whose content the dataset already has', () => {
  it('is refused, returns the existing document, or becomes another one, as `on_duplicate` says', async () => {
    const first = await intakeLab.take(member, dataset, FILE);
    const again = { name: 'b.txt', content: 'alpha' };
    await expect(intakeLab.take(member, dataset, again)).rejects.toMatchObject({
      code: 'documents.duplicate',
      message: expect.stringContaining(first.document.id),
    });
    const skipped = await intakeLab.take(member, dataset, again, { onDuplicate: 'skip' });
    expect(skipped).toMatchObject({ status: 200, isKept: false, document: { id: first.document.id, name: 'a.txt' } });
    const kept = await intakeLab.take(member, dataset, again, { onDuplicate: 'keep_both' });
    expect(kept).toMatchObject({ status: 201, isKept: true });
    expect(kept.document.id).not.toBe(first.document.id);
  });

  it.each(['cancelled', 'failed', 'deleted'])('is not compared with a %s document', async (state) => {
    const { document } = await intakeLab.take(member, dataset, FILE);
    const change = state === 'deleted' ? 'deleted_at = now()' : `status = '${state}'`;
    await lab.rows(member, `UPDATE documents SET ${change} WHERE id = $1 RETURNING id`, [document.id]);
    expect((await intakeLab.take(member, dataset, FILE)).status).toBe(201);
  });

  it('is not compared with documents of other datasets', async () => {
    await intakeLab.take(member, dataset, FILE);
    const other = await lab.addDataset(member);
    await intakeLab.writePolicy(member, other, 1);
    expect((await intakeLab.take(member, other, FILE)).status).toBe(201);
  });

  it('is found among the files of the same form too', async () => {
    await expect(intakeLab.takeAll(member, dataset, [FILE, { ...FILE, name: 'b.txt' }])).rejects.toMatchObject({
      code: 'documents.duplicate',
    });
    const [first, second] = await intakeLab.takeAll(member, dataset, [FILE, { ...FILE, name: 'b.txt' }], {
      onDuplicate: 'skip',
    });
    expect(second).toMatchObject({ isKept: false, document: { id: first!.document.id } });
  });

  it('becomes one document when it is uploaded twice at the same time', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => intakeLab.take(member, dataset, FILE)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await lab.rows(member, `SELECT 1 FROM documents WHERE dataset_id = $1`, [dataset])).toHaveLength(1);
  });
});

describe('a new revision', () => {
  const options = { onDuplicate: 'new_revision' } as const;

  it('is a new document when neither content nor name is known', async () => {
    const { document, status } = await intakeLab.take(member, dataset, FILE, options);
    expect({ status, revision: document.revision }).toEqual({ status: 201, revision: 1 });
  });

  it('replaces the file of the newest document with its name, which still shows the former revision', async () => {
    const { document: older } = await intakeLab.take(member, dataset, { name: 'a.txt', content: 'older' });
    const { document: newest } = await intakeLab.take(
      member,
      dataset,
      { name: 'a.txt', content: 'first' },
      { onDuplicate: 'keep_both', metadata: { kept: true }, tags: ['kept'] },
    );
    await show(newest.id);
    const taken = await intakeLab.take(member, dataset, { name: 'a.txt', content: 'second' }, options);
    expect(taken).toMatchObject({ status: 201, isKept: true });
    expect(taken.document).toMatchObject({
      id: newest.id,
      status: 'pending',
      current_stage: 'parsing',
      processing_progress: 0,
      revision: 2,
      attempt: 2,
      searchable: true,
      size_bytes: 6,
      metadata: { kept: true },
      tags: ['kept'],
    });
    expect(await lab.row(member, newest.id as DocumentId)).toMatchObject({
      visible_revision: 1,
      visible_generation: '5',
      ingested_policy_version: 1,
    });
    expect((await lab.row(member, older.id as DocumentId)).revision).toBe(1);
    expect((await revisionsOf(newest.id)).map(({ revision }) => revision)).toEqual([1, 2]);
    expect((await lab.events(member, newest.id as DocumentId)).at(-1)).toEqual({
      event: 'queued',
      details: { attempt: 2, revision: 2 },
    });
    const [task] = await lab.systemRows(
      `SELECT *, (payload ->> 'attempt')::int AS attempt, group_id AS dataset_id FROM tasks WHERE id = $1`,
      [newest.id],
    );
    expect(task).toMatchObject({ attempt: 2, size_bytes: '6', lease_owner: null });
  });

  it('prefers the document of the same content to one of the same name, and gives it its name', async () => {
    const { document: same } = await intakeLab.take(member, dataset, { name: 'x.txt', content: 'same' });
    await intakeLab.take(member, dataset, { name: 'a.txt', content: 'other' });
    const { document } = await intakeLab.take(member, dataset, { name: 'a.txt', content: 'same' }, options);
    expect(document).toMatchObject({ id: same.id, name: 'a.txt', revision: 2 });
  });

  it('gets the metadata and tags that are sent', async () => {
    const { document } = await intakeLab.take(member, dataset, FILE, { metadata: { a: 1 }, tags: ['a'] });
    const taken = await intakeLab.take(
      member,
      dataset,
      { ...FILE, content: 'beta' },
      { ...options, metadata: {}, tags: ['b'] },
    );
    expect(taken.document).toMatchObject({ id: document.id, metadata: {}, tags: ['b'] });
    const row = await lab.row(member, document.id as DocumentId);
    expect(row.metadata_seq).not.toBe(row.stored_metadata_seq);
    expect(await intentsOf('update_metadata')).toEqual([document.id]);
  });

  it('ends the attempt on the former revision, whose next write fails', async () => {
    const { document } = await intakeLab.take(member, dataset, FILE);
    const id = document.id as DocumentId;
    const token = await lab.nextToken();
    const [begun] = await services.lifecycle.begin(member.ctx, [{ documentId: id, token }]);
    await intakeLab.take(member, dataset, { ...FILE, content: 'beta' }, options);
    const write = services.lifecycle.guarded(member.ctx, begun!.attempt, async () => 'written');
    await expect(write).rejects.toBeInstanceOf(AttemptEnded);
    expect((await lab.row(member, id)).status).toBe('pending');
  });

  it('makes filters read the database as soon as an attempt may write other metadata beside the shown metadata', async () => {
    const { document } = await intakeLab.take(member, dataset, FILE);
    const id = document.id as DocumentId;
    await services.lifecycle.begin(member.ctx, [{ documentId: id, token: await lab.nextToken() }]);
    expect((await lab.row(member, id)).stored_metadata_seq).toBe('0');
    await show(id);
    await intakeLab.take(member, dataset, { ...FILE, content: 'beta' }, options);
    await services.lifecycle.begin(member.ctx, [{ documentId: id, token: await lab.nextToken() }]);
    expect(await lab.row(member, id)).toMatchObject({ metadata_seq: '0', stored_metadata_seq: '-1' });
  });

  it.each(['failed', 'cancelled'])('revives a %s document of the same name', async (state) => {
    const { document } = await intakeLab.take(member, dataset, FILE);
    await lab.rows(member, `UPDATE documents SET status = '${state}' WHERE id = $1 RETURNING id`, [document.id]);
    const taken = await intakeLab.take(member, dataset, { ...FILE, content: 'mended' }, options);
    expect(taken.document).toMatchObject({ id: document.id, status: 'pending', revision: 2, error: null });
  });

  it('is refused while the document is quarantined, and says so', async () => {
    const { document } = await intakeLab.take(member, dataset, FILE);
    await services.transitions.quarantine(member.ctx, [document.id], 'suspicious');
    await expect(intakeLab.take(member, dataset, { ...FILE, content: 'beta' }, options)).rejects.toMatchObject({
      code: 'documents.illegal_state',
      status: 409,
      message: expect.stringContaining('quarantined'),
    });
    expect(await revisionsOf(document.id)).toHaveLength(1);
  });

  it('keeps the shown and the latest revision, and records the files of the others for removal', async () => {
    const first = await intakeLab.take(member, dataset, FILE);
    const id = first.document.id;
    await show(id);
    const second = await intakeLab.take(member, dataset, { ...FILE, content: 'second' }, options);
    const third = await intakeLab.take(member, dataset, { ...FILE, content: 'third' }, options);
    expect((await revisionsOf(id)).map(({ sha256 }) => sha256)).toEqual([first.file.sha256, third.file.sha256]);
    expect(third.document.revision).toBe(3);
    expect(await intentsOf('remove_blob')).toEqual([second.file.blobKey]);
    await show(id);
    await intakeLab.take(member, dataset, { ...FILE, content: 'fourth' }, options);
    expect((await revisionsOf(id)).map(({ revision }) => revision)).toEqual([3, 4]);
    expect((await intentsOf('remove_blob')).toSorted()).toEqual([first.file.blobKey, second.file.blobKey].toSorted());
  });

  it('is dropped by a cancel, and the next one gets another number', async () => {
    const { document } = await intakeLab.take(member, dataset, FILE);
    await show(document.id);
    await intakeLab.take(member, dataset, { ...FILE, content: 'second' }, options);
    const { accepted } = await services.transitions.cancel(member.ctx, [document.id]);
    expect(accepted[0]).toMatchObject({ status: 'completed', revision: 1 });
    const next = await intakeLab.take(member, dataset, { ...FILE, content: 'third' }, options);
    expect(next.document).toMatchObject({ id: document.id, revision: 2, attempt: 3 });
  });

  it('gets a number of its own when several senders upload to one document at once', async () => {
    const { document } = await intakeLab.take(member, dataset, FILE);
    const contents = ['b', 'c', 'd', 'e'];
    const taken = await Promise.all(
      contents.map((content) => intakeLab.take(member, dataset, { ...FILE, content }, options)),
    );
    expect(new Set(taken.map((one) => one.document.id))).toEqual(new Set([document.id]));
    expect(taken.map((one) => one.document.revision).toSorted()).toEqual([2, 3, 4, 5]);
  });
});

describe('the policy of the dataset', () => {
  it('refuses types and sizes that it does not allow, and the error names the file', async () => {
    await lab.rows(member, `UPDATE datasets SET policy_version = 2 WHERE id = $1 RETURNING id`, [dataset]);
    await intakeLab.writePolicy(member, dataset, 2, {
      allowed_types: ['application/pdf', 'text/markdown'],
      max_bytes: 4,
    });
    await expect(intakeLab.take(member, dataset, { ...FILE, content: 'abcd' })).rejects.toMatchObject({
      code: 'documents.type_not_allowed',
      status: 415,
      message: expect.stringContaining('application/pdf, text/markdown'),
    });
    await expect(intakeLab.take(member, dataset, { ...FILE, mediaType: 'text/markdown' })).rejects.toMatchObject({
      code: 'documents.too_large_for_policy',
      status: 413,
      message: expect.stringContaining('governance.max_bytes'),
    });
    const taken = await intakeLab.take(member, dataset, { ...FILE, content: 'abcd', mediaType: 'text/markdown' });
    expect(taken.document.policy_version).toBe(2);
    expect((await intakeLab.take(member, dataset, { name: 'empty.txt', content: '' })).status).toBe(201);
  });

  it.each(['image/png', 'video/mp4', 'application/x-msdownload', 'application/octet-stream'])(
    'cannot allow a type that no parser reads: %s',
    async (mediaType) => {
      await expect(intakeLab.take(member, dataset, { ...FILE, mediaType })).rejects.toMatchObject({
        code: 'documents.type_not_supported',
        status: 415,
        message: expect.stringMatching(new RegExp(`${mediaType}.*PDF`)),
      });
    },
  );

  it.each(['application/msword', 'application/vnd.ms-powerpoint', 'application/zip', 'application/x-cfb'])(
    'leaves %s to the parser',
    async (mediaType) => {
      expect((await intakeLab.take(member, dataset, { ...FILE, mediaType })).status).toBe(201);
    },
  );
});
