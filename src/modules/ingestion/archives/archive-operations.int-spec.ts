import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatasetId, DocumentId } from '#libs/common';
import { ObjectStorage } from '#libs/object-storage';
import { createTestMember } from '#libs/testing';
import { makeZip } from '../../../../libs/parsing/src/testing/make-zip.js';
import { DocumentsService, DocumentTextService, DocumentTransitions } from '../../documents/index.js';
import { QuarantineService } from '../../governance/index.js';
import { DEFAULT_POLICY, type IngestionPolicy } from '../../ingestion-policy/index.js';
import { allAre, archiveFile, ArchiveLab } from '../testing/archive-lab.js';
import { IngestionLab } from '../testing/ingestion-lab.js';

let lab: IngestionLab;
let archives: ArchiveLab;
let dataset: DatasetId;
let moves: DocumentTransitions;
let quarantines: QuarantineService;
beforeAll(async () => {
  lab = await IngestionLab.open();
  archives = new ArchiveLab(lab, () => dataset);
  moves = lab.get(DocumentTransitions);
  quarantines = lab.get(QuarantineService);
});
afterAll(() => lab.close());
beforeEach(async () => {
  dataset = await lab.addDataset();
});

describe('an operation on an archive', () => {
  it('deletes it with its files, which are no longer found', async () => {
    const id = await archives.ingest();
    const { accepted, along } = await moves.delete(lab.owner.ctx, [id]);
    expect([accepted.length, along.length]).toEqual([1, 3]);
    expect(await archives.statesOf(id)).toEqual({});
    expect(await archives.countVisible()).toBe(0);
  });

  it('quarantines and releases all files, but does not release files that were quarantined before', async () => {
    const id = await archives.ingest();
    const before = await archives.partId(id, 'c.txt');
    await quarantines.quarantine(lab.owner.ctx, { document_ids: [before], reason: 'of its own' });
    expect(await archives.status(id)).toMatchObject({ status: 'completed', searchable: true });
    await quarantines.quarantine(lab.owner.ctx, { document_ids: [id], reason: 'all of it' });
    expect(await archives.statesOf(id)).toEqual(allAre('quarantined'));
    expect(await archives.status(id)).toMatchObject({ searchable: false });
    expect(await archives.countVisible()).toBe(0);
    await quarantines.release(lab.owner.ctx, [id]);
    expect(await archives.statesOf(id)).toMatchObject({
      archive: 'processing',
      'a.txt': 'pending',
      'c.txt': 'quarantined',
    });
    expect(
      (await lab.query(`SELECT 1 FROM quarantines WHERE released_at IS NULL AND document_id = $1`, [before])).length,
    ).toBe(1);
    await lab.work();
    expect(await archives.statesOf(id)).toEqual({ ...allAre('completed'), 'c.txt': 'quarantined' });
  });

  it('cancels the first ingestion with all files, also completed ones', async () => {
    const id = await archives.ingest();
    await lab.query(`UPDATE documents SET status = 'processing', ingested_policy_version = NULL WHERE id = $1`, [id]);
    const open = await archives.partId(id, 'c.txt');
    await lab.query(
      `UPDATE documents SET status = 'pending', visible_generation = NULL, chunk_count = 0 WHERE id = $1`,
      [open],
    );
    await moves.cancel(lab.owner.ctx, [id]);
    expect(await archives.statesOf(id)).toEqual(allAre('cancelled'));
    expect(await archives.countVisible()).toBe(0);
    expect(await archives.status(id)).toMatchObject({ searchable: false });
  });

  it('cancels a later ingestion and returns to the previous state', async () => {
    const id = await archives.ingest();
    await moves.reingest(lab.owner.ctx, [id]);
    expect(await archives.statesOf(id)).toEqual({ ...allAre('pending'), archive: 'processing' });
    await moves.cancel(lab.owner.ctx, [id]);
    expect(await archives.statesOf(id)).toEqual(allAre('completed'));
    expect(await archives.countVisible()).toBe(3);
  });

  it('reingests its files under the present policy', async () => {
    const id = await archives.ingest();
    await lab.changePolicy(dataset, DEFAULT_POLICY);
    const { accepted } = await moves.reingest(lab.owner.ctx, [id]);
    expect(accepted).toMatchObject([{ id, status: 'processing', policy_version: 2 }]);
    await lab.work();
    const rows = await lab.query(`SELECT DISTINCT ingested_policy_version AS v FROM documents WHERE dataset_id = $1`, [
      dataset,
    ]);
    expect(rows).toEqual([{ v: 2 }]);
  });

  it('is refused when there is nothing to do, and changes no file', async () => {
    const id = await archives.ingest();
    for (const move of ['cancel', 'retry'] as const) {
      const { accepted, rejected, along } = await moves[move](lab.owner.ctx, [id]);
      expect([accepted, along]).toEqual([[], []]);
      expect(rejected).toMatchObject([{ id, error: { code: 'documents.illegal_state' } }]);
    }
  });

  it('is not visible to another tenant', async () => {
    const id = await archives.ingest();
    const foreigner = await createTestMember(lab.db.unitOfWork, 'owner');
    const { rejected, along } = await moves.delete(foreigner.ctx, [id]);
    expect([rejected.length, along.length]).toEqual([1, 0]);
    expect(await archives.statesOf(id)).toEqual(allAre('completed'));
  });
});

describe('an archive whose files are changed one by one', () => {
  it('follows them: when no file is searchable, it is not searchable', async () => {
    const id = await archives.ingest([archiveFile('only.txt', 'One file.')]);
    const [part] = [await archives.partId(id, 'only.txt')];
    await quarantines.quarantine(lab.owner.ctx, { document_ids: [part], reason: 'one' });
    expect(await archives.status(id)).toMatchObject({ status: 'completed', searchable: false });
    await quarantines.release(lab.owner.ctx, [part]);
    expect(await archives.status(id)).toMatchObject({ status: 'processing', searchable: true });
    await lab.work();
    await moves.delete(lab.owner.ctx, [part]);
    expect(await archives.status(id)).toMatchObject({ status: 'completed', searchable: false });
  });
});

describe('the bytes of an archive', () => {
  const content = async (id: DocumentId, permissions?: readonly string[]): Promise<number> => {
    const { principal } = lab.owner.ctx;
    const ctx =
      permissions === undefined
        ? lab.owner.ctx
        : { ...lab.owner.ctx, principal: { ...principal, permissions: new Set(permissions) } };
    const { stream } = await lab.get(DocumentTextService).content(ctx as typeof lab.owner.ctx, id);
    return (await text(stream)).length;
  };
  const govern = (governance: Partial<IngestionPolicy['governance']>) =>
    lab.changePolicy(dataset, { ...DEFAULT_POLICY, governance: { ...DEFAULT_POLICY.governance, ...governance } });

  it('can be downloaded while none of its files is withheld', async () => {
    const id = await archives.ingest();
    expect(await content(id, ['documents:read'])).toBeGreaterThan(100);
    const part = await archives.partId(id, 'a.txt');
    await quarantines.quarantine(lab.owner.ctx, { document_ids: [part], reason: 'one' });
    await expect(content(id, ['documents:read'])).rejects.toMatchObject({
      status: 403,
      code: 'documents.content_guarded',
    });
    await quarantines.release(lab.owner.ctx, [part]);
    await lab.work();
    expect(await content(id, ['documents:read'])).toBeGreaterThan(100);
    await moves.delete(lab.owner.ctx, [part]);
    await expect(content(id)).rejects.toMatchObject({ status: 403, code: 'documents.archive_file_deleted' });
    expect(await content(await archives.partId(id, 'c.txt'))).toBe('Cables are new.'.length);
  });

  it.each([
    ['mask', 'documents.content_guarded'],
    ['reject', 'documents.content_guarded'],
    ['quarantine', 'documents.content_guarded'],
  ] as const)('are withheld if the action of the policy for a file is %s', async (action, code) => {
    await govern({ detectors: [{ entity_type: 'email', action, min_score: 0.1 }] });
    const id = await archives.upload([
      archiveFile('a.txt', 'Write to jane.doe@example.org today.'),
      archiveFile('b.txt', 'Nothing here.'),
    ]);
    await lab.query(`UPDATE documents SET policy_version = 2 WHERE id = $1`, [id]);
    await lab.work();
    await expect(content(id, ['documents:read'])).rejects.toMatchObject({ status: 403, code });
    const [guard] = await lab.query<{ content_guard: string | null }>(
      `SELECT content_guard FROM document_revisions WHERE document_id = $1`,
      [id],
    );
    expect(guard!.content_guard).toBe(action === 'reject' ? 'rejected' : null);
    const removals = await lab.system(
      `SELECT 1 FROM store_intents WHERE kind = 'remove_blob' AND subject LIKE '%' || $1 || '%'`,
      [id],
    );
    expect(removals.length > 0).toBe(action === 'reject');
  });
});

describe('files of an archive', () => {
  it('have the metadata and tags of the archive, masked like those of any document, and are not replaced by other uploads', async () => {
    const id = await archives.upload();
    await lab.query(`UPDATE documents SET tags = '{manual}', metadata = '{"site": "north"}' WHERE id = $1`, [id]);
    await lab.work();
    const rows = await lab.query(`SELECT tags, metadata FROM documents WHERE archive_id = $1`, [id]);
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ tags: ['manual'], metadata: { site: 'north' } })));
  });

  it('have their own blobs, which count for the tenant', async () => {
    const id = await archives.ingest();
    const blobs = await lab.query<{ blob_key: string }>(
      `SELECT r.blob_key FROM document_revisions r JOIN documents d ON d.id = r.document_id WHERE d.archive_id = $1`,
      [id],
    );
    expect(new Set(blobs.map((row) => row.blob_key)).size).toBe(3);
    for (const { blob_key: key } of blobs) expect(await lab.get(ObjectStorage).stat(key as never)).not.toBeNull();
  });

  it('have paths that are masked as the policy says', async () => {
    await lab.changePolicy(dataset, {
      ...DEFAULT_POLICY,
      governance: {
        ...DEFAULT_POLICY.governance,
        detectors: [{ entity_type: 'email', action: 'mask', min_score: 0.1 }],
      },
    });
    const id = await archives.upload([
      archiveFile('jane.doe@example.org/plan of max@example.org.txt', 'Ask jane.doe@example.org.'),
    ]);
    await lab.query(`UPDATE documents SET policy_version = 2 WHERE id = $1`, [id]);
    await lab.work();
    const rows = await lab.query(`SELECT path, name, status, warnings FROM documents WHERE archive_id = $1`, [id]);
    expect(rows).toMatchObject([{ status: 'completed' }]);
    expect(JSON.stringify(rows)).not.toMatch(/example\.org|jane|max@/);
    const guards = await lab.query(`SELECT content_guard FROM document_revisions WHERE document_id = $1`, [id]);
    expect(guards).toEqual([{ content_guard: 'masked' }]);
  });
});

describe('an archive whose name the policy quarantines', () => {
  it('is quarantined before it is read, and is split when it is released', async () => {
    await lab.changePolicy(dataset, {
      ...DEFAULT_POLICY,
      governance: {
        ...DEFAULT_POLICY.governance,
        detectors: [{ entity_type: 'email', action: 'quarantine', min_score: 0.1 }],
      },
    });
    const id = await archives.upload();
    await lab.query(`UPDATE documents SET policy_version = 2, name = 'jane.doe@example.org.zip' WHERE id = $1`, [id]);
    await lab.work();
    expect(await archives.statesOf(id)).toEqual({ archive: 'quarantined' });
    await quarantines.release(lab.owner.ctx, [id]);
    await lab.work();
    expect(await archives.statesOf(id)).toEqual(allAre('completed'));
  });
});

describe('an archive that exceeds the storage of its tenant', () => {
  it('fails as a whole with the reason, and can be retried', async () => {
    const small = await IngestionLab.open({ settings: { TENANT_STORAGE_BYTES: '3000' } });
    try {
      const into = await small.addDataset();
      const content = makeZip([archiveFile('a.txt', 'a'.repeat(2000)), archiveFile('b.txt', 'b'.repeat(2000))]);
      const [id] = await small.upload(into, [{ name: 'full.zip', content, mediaType: 'application/zip' }]);
      await small.work();
      expect(await small.get(DocumentsService).status(small.owner.ctx, id!)).toMatchObject({
        status: 'failed',
        error: { code: 'TENANT_STORAGE_EXCEEDED', retryable: true },
      });
      expect(await small.query(`SELECT 1 FROM documents WHERE archive_id = $1`, [id])).toEqual([]);
    } finally {
      await small.close();
    }
  });
});
