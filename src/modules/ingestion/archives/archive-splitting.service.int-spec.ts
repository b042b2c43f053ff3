import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, type DatasetId, type DocumentId, type RevisionId } from '#libs/common';
import { objectKey, ObjectStorage } from '#libs/object-storage';
import { makeZip, type ZipMember } from '../../../../libs/parsing/src/testing/make-zip.js';
import { DocumentRevisionsRepository, DocumentsService, DocumentTransitions } from '../../documents/index.js';
import { DEFAULT_POLICY, type IngestionPolicy } from '../../ingestion-policy/index.js';
import { IngestionLab } from '../testing/ingestion-lab.js';
import { ReconcilerRepository } from '../../indexing/index.js';

interface Part {
  readonly id: DocumentId;
  readonly path: string;
  readonly name: string;
  readonly status: string;
  readonly error: { readonly code: string } | null;
  readonly tags: string[];
  readonly revision: number;
  readonly archive_id: string;
}

let lab: IngestionLab;
let dataset: DatasetId;
beforeAll(async () => {
  lab = await IngestionLab.open();
});
afterAll(() => lab.close());
beforeEach(async () => {
  dataset = await lab.addDataset();
});

const file = (name: string, text: string): ZipMember => ({ name, data: Buffer.from(text) });
const upload = async (content: Buffer, name = 'handbook.zip'): Promise<DocumentId> =>
  (await lab.upload(dataset, [{ name, content, mediaType: 'application/zip' }]))[0]!;
const partsOf = (id: DocumentId): Promise<Part[]> =>
  lab.query<Part>(
    `SELECT id, path, name, status, error, tags, revision, archive_id FROM documents WHERE archive_id = $1 AND deleted_at IS NULL
     ORDER BY path`,
    [id],
  );
/** Adds a revision like an upload with `on_duplicate=new_revision`. */
async function revise(
  id: DocumentId,
  content: Buffer,
  mediaType = 'application/zip',
  name = 'handbook.zip',
): Promise<void> {
  const revisionId = newId<RevisionId>();
  const blobKey = objectKey(lab.owner.tenantId, id, revisionId);
  const stored = await lab.get(ObjectStorage).put(blobKey, content, { maxBytes: content.length });
  const next = {
    ...stored,
    revisionId,
    blobKey,
    name,
    mediaType,
    declaredMediaType: null,
    createdBy: lab.owner.accountId,
  };
  const same = { documentId: id, path: null, sameNameId: null, metadata: undefined, tags: undefined };
  await lab.db.unitOfWork.run(lab.owner.ctx, (_manager, inner) =>
    lab.get(DocumentRevisionsRepository).revise(inner, { ...next, ...same, policyVersion: 1, contentSeq: '1' }),
  );
}
const status = (id: DocumentId) => lab.get(DocumentsService).status(lab.owner.ctx, id);
const change = (policy: Partial<IngestionPolicy>) => lab.changePolicy(dataset, { ...DEFAULT_POLICY, ...policy });
const TWO = [
  file('guides/pump.txt', 'The pump is serviced in May.'),
  file('README.md', '# Valves\n\nValves close by hand.'),
];

describe('a split archive', () => {
  it('becomes one document for each file, with its path, and is completed when all of them are', async () => {
    const id = await upload(makeZip(TWO));
    await lab.work();
    expect(await partsOf(id)).toMatchObject([
      { path: 'README.md', name: 'README.md', status: 'completed', archive_id: id },
      { path: 'guides/pump.txt', name: 'pump.txt', status: 'completed', archive_id: id },
    ]);
    expect(await status(id)).toMatchObject({
      status: 'completed',
      current_stage: 'completed',
      processing_progress: 100,
      searchable: true,
      warnings: [],
    });
    expect((await lab.timeline(id)).map(({ event }) => event)).toEqual([
      'created',
      'queued',
      'stage_started',
      'stage_completed',
      'completed',
    ]);
    const [row] = await lab.query(`SELECT chunk_count, visible_generation FROM documents WHERE id = $1`, [id]);
    expect(row).toEqual({ chunk_count: 0, visible_generation: null });
    expect(Object.keys(await lab.stored(dataset)).some((key) => key.startsWith(id))).toBe(false);
  });

  it('is processing with the share of ended files as its progress until the last one has ended', async () => {
    const id = await upload(makeZip([...TWO, file('b.txt', 'Bolts.'), file('c.txt', 'Cables.')]));
    await lab.work();
    const parts = await partsOf(id);
    await lab.reingest([parts[0]!.id, parts[1]!.id]);
    expect(await status(id)).toMatchObject({
      status: 'processing',
      processing_progress: 50,
      searchable: true,
      attempt: 2,
    });
    await lab.get(DocumentTransitions).cancel(lab.owner.ctx, [parts[0]!.id]);
    expect(await status(id)).toMatchObject({ status: 'processing', processing_progress: 75 });
    await lab.work();
    expect(await status(id)).toMatchObject({ status: 'completed', processing_progress: 100 });
  });

  it('treats inner archives as folders, decodes names in other code pages and leaves out files without bytes', async () => {
    const inner = makeZip([file('c.txt', 'The inner file.'), file('__MACOSX/._c.txt', 'noise')]);
    const id = await upload(
      makeZip([
        { name: 'inner.zip', data: inner },
        {
          name: 'x',
          nameBytes: Buffer.from([0x81, 0x62, 0x65, 0x72, 0x2e, 0x74, 0x78, 0x74]),
          data: Buffer.from('Über.'),
        },
        { ...file('secret.txt', 'no'), flags: 1 },
        file('../../etc/passwd.txt', 'A file outside.'),
        file('same.txt', 'One.'),
        file('same.txt', 'Two.'),
        file('empty/', ''),
      ]),
    );
    await lab.work();
    expect((await partsOf(id)).map(({ path }) => path)).toEqual([
      'etc/passwd.txt',
      'inner.zip/c.txt',
      'same (2).txt',
      'same.txt',
      'über.txt',
    ]);
    const { warnings } = await status(id);
    expect(warnings).toEqual([
      {
        code: 'ATTACHMENT_SKIPPED',
        detail: '1 of 6 files inside were left out: secret.txt (protected by a password).',
      },
    ]);
  });

  it('is completed with a warning if files failed, and a retry of the archive retries them', async () => {
    const id = await upload(makeZip([...TWO, file('broken.pdf', '%PDF-1.7 nothing')]));
    await lab.work();
    const shown = await status(id);
    expect(shown).toMatchObject({ status: 'completed', searchable: true });
    expect(shown.warnings).toMatchObject([{ code: 'ARCHIVE_PARTS_FAILED' }]);
    expect(shown.warnings[0]!.detail).toContain(
      '1 of 3 files of the archive have failed: broken.pdf (MALFORMED: The PDF is damaged',
    );
    const { accepted, along } = await lab.get(DocumentTransitions).retry(lab.owner.ctx, [id]);
    expect(accepted).toMatchObject([{ id, status: 'processing' }]);
    expect(along).toMatchObject([{ path: 'broken.pdf', status: 'pending' }]);
    await lab.work();
    expect((await status(id)).status).toBe('completed');
  });

  it('fails as a whole when its unpacked size is too large, and no file is kept', async () => {
    const id = await upload(makeZip([...TWO, { name: 'bomb.txt', data: Buffer.alloc(40 * 1024 * 1024) }]));
    await lab.work();
    expect(await status(id)).toMatchObject({ status: 'failed', error: { code: 'ARCHIVE_LIMIT', stage: 'parsing' } });
    expect(await partsOf(id)).toEqual([]);
    // Files stored before the limit was reached are removed at once.
    const later = await lab.system(
      `SELECT 1 FROM store_intents WHERE kind = 'remove_blob' AND due_at > now() + interval '1 minute'`,
    );
    expect(later).toEqual([]);
  });

  it.each([
    ['ENCRYPTED', makeZip([{ ...file('a.txt', 'x'), flags: 1 }])],
    ['UNSUPPORTED_TYPE', makeZip([file('folder/', '')])],
    ['MALFORMED', makeZip(TWO).subarray(0, 60)],
  ])('fails with %s', async (code, content) => {
    const id = await upload(content);
    await lab.work();
    expect(await status(id)).toMatchObject({ status: 'failed', error: { code } });
  });

  it('is one text under a policy that says so or does not say anything', async () => {
    const { archive: _archive, ...silent } = DEFAULT_POLICY.parsing;
    await change({ parsing: silent });
    const id = await upload(makeZip(TWO));
    await lab.query(`UPDATE documents SET policy_version = 2 WHERE id = $1`, [id]);
    await lab.work();
    expect(await partsOf(id)).toEqual([]);
    expect((await status(id)).searchable).toBe(true);
    await lab.changePolicy(dataset, DEFAULT_POLICY);
    await lab.reingest([id]);
    await lab.work();
    expect((await partsOf(id)).map(({ status: one }) => one)).toEqual(['completed', 'completed']);
    expect(await lab.query(`SELECT 1 FROM chunk_sets WHERE document_id = $1`, [id])).toEqual([]);
  });

  it('fails files that the policy does not allow, and a retry does not ingest them', async () => {
    await change({ governance: { ...DEFAULT_POLICY.governance, allowed_types: ['application/zip', 'text/plain'] } });
    const id = await upload(makeZip(TWO));
    await lab.query(`UPDATE documents SET policy_version = 2 WHERE id = $1`, [id]);
    await lab.work();
    const refused = { path: 'README.md', status: 'failed', error: { code: 'TYPE_NOT_ALLOWED' } };
    expect((await partsOf(id))[0]).toMatchObject(refused);
    await lab.get(DocumentTransitions).retry(lab.owner.ctx, [id]);
    await lab.work();
    expect((await partsOf(id))[0]).toMatchObject(refused);
  });

  it('is not treated as a document without a task while it waits for its files', async () => {
    const id = await upload(makeZip(TWO));
    await lab.work();
    await lab.reingest([(await partsOf(id))[0]!.id]);
    await lab.query(`UPDATE documents SET updated_at = now() - interval '1 day' WHERE id = $1`, [id]);
    const open = await lab.get(ReconcilerRepository).listOpen(lab.owner.ctx, '', 200);
    expect(open.map((one) => one.id)).not.toContain(id);
    await lab.work();
  });
});

describe('the next revision of an archive', () => {
  it('matches its files by path', async () => {
    const id = await upload(makeZip([...TWO, file('old.txt', 'Old.')]));
    await lab.work();
    const before = new Map((await partsOf(id)).map((part) => [part.path, part]));
    await revise(
      id,
      makeZip([TWO[0]!, file('README.md', '# Valves\n\nValves close by themselves.'), file('new.txt', 'New.')]),
    );
    await lab.work();
    const after = new Map((await partsOf(id)).map((part) => [part.path, part]));
    expect([...after.keys()]).toEqual(['README.md', 'guides/pump.txt', 'new.txt']);
    expect(after.get('README.md')).toMatchObject({ id: before.get('README.md')!.id, revision: 2, status: 'completed' });
    expect(after.get('guides/pump.txt')).toMatchObject({ id: before.get('guides/pump.txt')!.id, revision: 1 });
    expect(await status(id)).toMatchObject({ status: 'completed', searchable: true });
    const [gone] = await lab.query(`SELECT deleted_at FROM documents WHERE id = $1`, [before.get('old.txt')!.id]);
    expect(gone).not.toEqual({ deleted_at: null });
  });

  it('removes the files if it is not an archive', async () => {
    const id = await upload(makeZip(TWO));
    await lab.work();
    await revise(id, Buffer.from('The pump is a text now.'), 'text/plain', 'handbook.txt');
    await lab.work();
    expect(await partsOf(id)).toEqual([]);
    const [row] = await lab.query(`SELECT status, chunk_count, split_revision_id FROM documents WHERE id = $1`, [id]);
    expect(row).toEqual({ status: 'completed', chunk_count: 1, split_revision_id: null });
  });
});
