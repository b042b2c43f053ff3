import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatasetId, DocumentId } from '#libs/common';
import { makeZip, type ZipMember } from '../../../../libs/parsing/src/testing/make-zip.js';
import { DocumentsService, DocumentTransitions } from '../../documents/index.js';
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

describe('a reingest of an archive', () => {
  const whole: IngestionPolicy = { ...DEFAULT_POLICY, parsing: { ...DEFAULT_POLICY.parsing, archive: 'whole' } };
  const textOf = async (id: DocumentId): Promise<string> =>
    (
      await lab.query<{ body: string }>(
        `SELECT c.body FROM chunks c JOIN documents d ON d.visible_chunk_set_id = c.chunk_set_id WHERE d.id = $1`,
        [id],
      )
    )
      .map(({ body }) => body)
      .join(' ');

  it('makes one text of it if the policy says so, and shows the files until the text exists', async () => {
    const id = await ingested();
    await lab.changePolicy(dataset, whole);
    const { accepted } = await moves.reingest(lab.owner.ctx, [id]);
    expect(accepted).toMatchObject([{ id, status: 'pending', policy_version: 2 }]);
    expect(await statesOf(id)).toEqual({ ...all('completed'), archive: 'pending' });
    expect([await visible(), (await status(id)).searchable]).toEqual([3, true]);
    await lab.work();
    expect(await statesOf(id)).toEqual({ archive: 'completed' });
    expect(await textOf(id)).toMatch(/Axles.*Bolts.*Cables/s);
    expect([await visible(), (await status(id)).searchable]).toEqual([1, true]);
    await lab.changePolicy(dataset, DEFAULT_POLICY);
    await moves.reingest(lab.owner.ctx, [id]);
    await lab.work();
    expect(await statesOf(id)).toEqual(all('completed'));
    expect([await visible(), await textOf(id)]).toEqual([3, '']);
  });

  it('leaves it split when it is cancelled or fails', async () => {
    const id = await ingested();
    await lab.changePolicy(dataset, whole);
    await moves.reingest(lab.owner.ctx, [id]);
    await moves.cancel(lab.owner.ctx, [id]);
    expect(await statesOf(id)).toEqual(all('completed'));
    expect(await status(id)).toMatchObject({ status: 'completed', processing_progress: 100 });
    await lab.changePolicy(dataset, { ...whole, limits: { ...whole.limits, max_text_characters: 5 } });
    await moves.reingest(lab.owner.ctx, [id]);
    await lab.work();
    expect(await statesOf(id)).toEqual({ ...all('completed'), archive: 'failed' });
    expect([await visible(), (await status(id)).searchable]).toEqual([3, true]);
  });

  it.each<[string, (part: DocumentId) => Promise<unknown>]>([
    ['deleted', (part) => moves.delete(lab.owner.ctx, [part])],
    ['in quarantine', (part) => quarantines.quarantine(lab.owner.ctx, { document_ids: [part], reason: 'one' })],
  ])('brings back no file that was %s before or during the reingest', async (_what, takeAway) => {
    const [before, meanwhile] = [await ingested(), await ingested([...FILES, file('d.txt', 'Doors are shut.')])];
    await takeAway(await partId(before, 'a.txt'));
    await lab.changePolicy(dataset, whole);
    await moves.reingest(lab.owner.ctx, [before, meanwhile]);
    await takeAway(await partId(meanwhile, 'a.txt'));
    await lab.work();
    for (const id of [before, meanwhile]) {
      expect(await textOf(id)).toBe('');
      expect(await statesOf(id)).toMatchObject({ archive: 'completed', 'b/b.txt': 'completed' });
      expect((await status(id)).warnings).toMatchObject([{ code: 'ARCHIVE_STAYS_SPLIT' }]);
    }
    await lab.changePolicy(dataset, DEFAULT_POLICY);
    await moves.reingest(lab.owner.ctx, [before]);
    await lab.work();
    expect((await status(before)).warnings).toEqual([]);
  });

  it('ingests failed files again under the present policy, and the warning names them with their reasons', async () => {
    const { governance } = DEFAULT_POLICY;
    await lab.changePolicy(dataset, {
      ...DEFAULT_POLICY,
      governance: { ...governance, allowed_types: ['application/zip', 'text/plain'] },
    });
    const id = await upload([file('a.txt', 'Axles.'), file('b.md', '# Bolts'), file('c.md', '# Cables')]);
    await lab.query(`UPDATE documents SET policy_version = 2 WHERE id = $1`, [id]);
    await lab.work();
    const [warning] = (await status(id)).warnings;
    expect(warning).toMatchObject({ code: 'ARCHIVE_PARTS_FAILED' });
    expect(warning!.detail).toMatch(
      /^2 of 3 files of the archive have failed: b\.md \(TYPE_NOT_ALLOWED: .+\); c\.md \(TYPE_NOT_ALLOWED: .+\)\. /,
    );
    await lab.changePolicy(dataset, DEFAULT_POLICY);
    const { along } = await moves.reingest(lab.owner.ctx, [id]);
    expect(along).toHaveLength(3);
    await lab.work();
    expect(await statesOf(id)).toEqual({
      archive: 'completed',
      'a.txt': 'completed',
      'b.md': 'completed',
      'c.md': 'completed',
    });
    expect((await status(id)).warnings).toEqual([]);
  });
});
