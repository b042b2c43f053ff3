import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatasetId, DocumentId } from '#libs/common';
import { ObjectStorage } from '#libs/object-storage';
import { createTestMember } from '#libs/testing';
import { makeZip, type ZipMember } from '../../../../libs/parsing/src/testing/make-zip.js';
import { DocumentsService, DocumentTextService, DocumentTransitions } from '../../documents/index.js';
import { QuarantineService } from '../../governance/index.js';
import { DEFAULT_POLICY, type IngestionPolicy } from '../../ingestion-policy/index.js';
import { IngestionLab } from '../testing/ingestion-lab.js';

let lab: IngestionLab;
let dataset: DatasetId;
let moves: DocumentTransitions;
let quarantines: QuarantineService;
beforeAll(async () => {
  lab = await IngestionLab.open();
  moves = lab.get(DocumentTransitions);
  quarantines = lab.get(QuarantineService);
});
afterAll(() => lab.close());
beforeEach(async () => {
  dataset = await lab.addDataset();
});

const file = (name: string, content: string): ZipMember => ({ name, data: Buffer.from(content) });
const FILES = [
  file('a.txt', 'Axles are greased.'),
  file('b/b.txt', 'Bolts are tightened.'),
  file('c.txt', 'Cables are new.'),
];
const upload = async (files = FILES): Promise<DocumentId> =>
  (await lab.upload(dataset, [{ name: 'set.zip', content: makeZip(files), mediaType: 'application/zip' }]))[0]!;
async function ingested(files = FILES): Promise<DocumentId> {
  const id = await upload(files);
  await lab.work();
  return id;
}
const statesOf = async (id: DocumentId): Promise<Record<string, string>> => {
  const rows = await lab.query<{ path: string; status: string }>(
    `SELECT coalesce(path, 'archive') AS path, status FROM documents WHERE (archive_id = $1 OR id = $1) AND deleted_at IS NULL ORDER BY 1`,
    [id],
  );
  return Object.fromEntries(rows.map((row) => [row.path, row.status]));
};
const all = (state: string) => ({ archive: state, 'a.txt': state, 'b/b.txt': state, 'c.txt': state });
const partId = async (id: DocumentId, path: string): Promise<DocumentId> =>
  (await lab.query<{ id: DocumentId }>(`SELECT id FROM documents WHERE archive_id = $1 AND path = $2`, [id, path]))[0]!
    .id;
const status = (id: DocumentId) => lab.get(DocumentsService).status(lab.owner.ctx, id);
const visible = async (): Promise<number> =>
  (
    await lab.query(
      `SELECT 1 FROM documents WHERE dataset_id = $1 AND visible_generation IS NOT NULL AND quarantined_at IS NULL AND deleted_at IS NULL`,
      [dataset],
    )
  ).length;

describe('an operation on an archive', () => {
  it('deletes it with its files, which are no longer found', async () => {
    const id = await ingested();
    const { accepted, along } = await moves.delete(lab.owner.ctx, [id]);
    expect([accepted.length, along.length]).toEqual([1, 3]);
    expect(await statesOf(id)).toEqual({});
    expect(await visible()).toBe(0);
  });

  it('quarantines and releases all files, but does not release files that were quarantined before', async () => {
    const id = await ingested();
    const before = await partId(id, 'c.txt');
    await quarantines.quarantine(lab.owner.ctx, { document_ids: [before], reason: 'of its own' });
    expect(await status(id)).toMatchObject({ status: 'completed', searchable: true });
    await quarantines.quarantine(lab.owner.ctx, { document_ids: [id], reason: 'all of it' });
    expect(await statesOf(id)).toEqual(all('quarantined'));
    expect(await status(id)).toMatchObject({ searchable: false });
    expect(await visible()).toBe(0);
    await quarantines.release(lab.owner.ctx, [id]);
    expect(await statesOf(id)).toMatchObject({ archive: 'processing', 'a.txt': 'pending', 'c.txt': 'quarantined' });
    expect(
      (await lab.query(`SELECT 1 FROM quarantines WHERE released_at IS NULL AND document_id = $1`, [before])).length,
    ).toBe(1);
    await lab.work();
    expect(await statesOf(id)).toEqual({ ...all('completed'), 'c.txt': 'quarantined' });
  });

  it('cancels the first ingestion with all files, also completed ones', async () => {
    const id = await ingested();
    await lab.query(`UPDATE documents SET status = 'processing', ingested_policy_version = NULL WHERE id = $1`, [id]);
    const open = await partId(id, 'c.txt');
    await lab.query(
      `UPDATE documents SET status = 'pending', visible_generation = NULL, chunk_count = 0 WHERE id = $1`,
      [open],
    );
    await moves.cancel(lab.owner.ctx, [id]);
    expect(await statesOf(id)).toEqual(all('cancelled'));
    expect(await visible()).toBe(0);
    expect(await status(id)).toMatchObject({ searchable: false });
  });

  it('cancels a later ingestion and returns to the previous state', async () => {
    const id = await ingested();
    await moves.reingest(lab.owner.ctx, [id]);
    expect(await statesOf(id)).toEqual({ ...all('pending'), archive: 'processing' });
    await moves.cancel(lab.owner.ctx, [id]);
    expect(await statesOf(id)).toEqual(all('completed'));
    expect(await visible()).toBe(3);
  });

  it('reingests its files under the present policy', async () => {
    const id = await ingested();
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
    const id = await ingested();
    for (const move of ['cancel', 'retry'] as const) {
      const { accepted, rejected, along } = await moves[move](lab.owner.ctx, [id]);
      expect([accepted, along]).toEqual([[], []]);
      expect(rejected).toMatchObject([{ id, error: { code: 'documents.illegal_state' } }]);
    }
  });

  it('is not visible to another tenant', async () => {
    const id = await ingested();
    const foreigner = await createTestMember(lab.db.unitOfWork, 'owner');
    const { rejected, along } = await moves.delete(foreigner.ctx, [id]);
    expect([rejected.length, along.length]).toEqual([1, 0]);
    expect(await statesOf(id)).toEqual(all('completed'));
  });
});

describe('an archive whose files are changed one by one', () => {
  it('follows them: when no file is searchable, it is not searchable', async () => {
    const id = await ingested([file('only.txt', 'One file.')]);
    const [part] = [await partId(id, 'only.txt')];
    await quarantines.quarantine(lab.owner.ctx, { document_ids: [part], reason: 'one' });
    expect(await status(id)).toMatchObject({ status: 'completed', searchable: false });
    await quarantines.release(lab.owner.ctx, [part]);
    expect(await status(id)).toMatchObject({ status: 'processing', searchable: true });
    await lab.work();
    await moves.delete(lab.owner.ctx, [part]);
    expect(await status(id)).toMatchObject({ status: 'completed', searchable: false });
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
    const id = await ingested();
    expect(await content(id, ['documents:read'])).toBeGreaterThan(100);
    const part = await partId(id, 'a.txt');
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
    expect(await content(await partId(id, 'c.txt'))).toBe('Cables are new.'.length);
  });

  it.each([
    ['mask', 'documents.content_guarded'],
    ['reject', 'documents.content_guarded'],
    ['quarantine', 'documents.content_guarded'],
  ] as const)('are withheld if the action of the policy for a file is %s', async (action, code) => {
    await govern({ detectors: [{ entity_type: 'email', action, min_score: 0.1 }] });
    const id = await upload([file('a.txt', 'Write to jane.doe@example.org today.'), file('b.txt', 'Nothing here.')]);
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
    const id = await upload();
    await lab.query(`UPDATE documents SET tags = '{manual}', metadata = '{"site": "north"}' WHERE id = $1`, [id]);
    await lab.work();
    const rows = await lab.query(`SELECT tags, metadata FROM documents WHERE archive_id = $1`, [id]);
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ tags: ['manual'], metadata: { site: 'north' } })));
  });

  it('have their own blobs, which count for the tenant', async () => {
    const id = await ingested();
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
    const id = await upload([file('jane.doe@example.org/plan of max@example.org.txt', 'Ask jane.doe@example.org.')]);
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
    const id = await upload();
    await lab.query(`UPDATE documents SET policy_version = 2, name = 'jane.doe@example.org.zip' WHERE id = $1`, [id]);
    await lab.work();
    expect(await statesOf(id)).toEqual({ archive: 'quarantined' });
    await quarantines.release(lab.owner.ctx, [id]);
    await lab.work();
    expect(await statesOf(id)).toEqual(all('completed'));
  });
});

describe('an archive that exceeds the storage of its tenant', () => {
  it('fails as a whole with the reason, and can be retried', async () => {
    const small = await IngestionLab.open({ settings: { TENANT_STORAGE_BYTES: '3000' } });
    try {
      const into = await small.addDataset();
      const content = makeZip([file('a.txt', 'a'.repeat(2000)), file('b.txt', 'b'.repeat(2000))]);
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
