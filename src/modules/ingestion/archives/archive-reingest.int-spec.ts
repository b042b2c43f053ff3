import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatasetId, DocumentId } from '#libs/common';
import { DocumentTransitions } from '../../documents/index.js';
import { QuarantineService } from '../../governance/index.js';
import { DEFAULT_POLICY, type IngestionPolicy } from '../../ingestion-policy/index.js';
import { allAre, ARCHIVE_FILES, archiveFile, ArchiveLab } from '../testing/archive-lab.js';
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
    const id = await archives.ingest();
    await lab.changePolicy(dataset, whole);
    const { accepted } = await moves.reingest(lab.owner.ctx, [id]);
    expect(accepted).toMatchObject([{ id, status: 'pending', policy_version: 2 }]);
    expect(await archives.statesOf(id)).toEqual({ ...allAre('completed'), archive: 'pending' });
    expect([await archives.countVisible(), (await archives.status(id)).searchable]).toEqual([3, true]);
    await lab.work();
    expect(await archives.statesOf(id)).toEqual({ archive: 'completed' });
    expect(await textOf(id)).toMatch(/Axles.*Bolts.*Cables/s);
    expect([await archives.countVisible(), (await archives.status(id)).searchable]).toEqual([1, true]);
    await lab.changePolicy(dataset, DEFAULT_POLICY);
    await moves.reingest(lab.owner.ctx, [id]);
    await lab.work();
    expect(await archives.statesOf(id)).toEqual(allAre('completed'));
    expect([await archives.countVisible(), await textOf(id)]).toEqual([3, '']);
  });

  it('leaves it split when it is cancelled or fails', async () => {
    const id = await archives.ingest();
    await lab.changePolicy(dataset, whole);
    await moves.reingest(lab.owner.ctx, [id]);
    await moves.cancel(lab.owner.ctx, [id]);
    expect(await archives.statesOf(id)).toEqual(allAre('completed'));
    expect(await archives.status(id)).toMatchObject({ status: 'completed', processing_progress: 100 });
    await lab.changePolicy(dataset, { ...whole, limits: { ...whole.limits, max_text_characters: 5 } });
    await moves.reingest(lab.owner.ctx, [id]);
    await lab.work();
    expect(await archives.statesOf(id)).toEqual({ ...allAre('completed'), archive: 'failed' });
    expect([await archives.countVisible(), (await archives.status(id)).searchable]).toEqual([3, true]);
  });

  it.each<[string, (part: DocumentId) => Promise<unknown>]>([
    ['deleted', (part) => moves.delete(lab.owner.ctx, [part])],
    ['in quarantine', (part) => quarantines.quarantine(lab.owner.ctx, { document_ids: [part], reason: 'one' })],
  ])('brings back no file that was %s before or during the reingest', async (_what, takeAway) => {
    const [before, meanwhile] = [
      await archives.ingest(),
      await archives.ingest([...ARCHIVE_FILES, archiveFile('d.txt', 'Doors are shut.')]),
    ];
    await takeAway(await archives.partId(before, 'a.txt'));
    await lab.changePolicy(dataset, whole);
    await moves.reingest(lab.owner.ctx, [before, meanwhile]);
    await takeAway(await archives.partId(meanwhile, 'a.txt'));
    await lab.work();
    for (const id of [before, meanwhile]) {
      expect(await textOf(id)).toBe('');
      expect(await archives.statesOf(id)).toMatchObject({ archive: 'completed', 'b/b.txt': 'completed' });
      expect((await archives.status(id)).warnings).toMatchObject([{ code: 'ARCHIVE_STAYS_SPLIT' }]);
    }
    await lab.changePolicy(dataset, DEFAULT_POLICY);
    await moves.reingest(lab.owner.ctx, [before]);
    await lab.work();
    expect((await archives.status(before)).warnings).toEqual([]);
  });

  it('ingests failed files again under the present policy, and the warning names them with their reasons', async () => {
    const { governance } = DEFAULT_POLICY;
    await lab.changePolicy(dataset, {
      ...DEFAULT_POLICY,
      governance: { ...governance, allowed_types: ['application/zip', 'text/plain'] },
    });
    const id = await archives.upload([
      archiveFile('a.txt', 'Axles.'),
      archiveFile('b.md', '# Bolts'),
      archiveFile('c.md', '# Cables'),
    ]);
    await lab.query(`UPDATE documents SET policy_version = 2 WHERE id = $1`, [id]);
    await lab.work();
    const [warning] = (await archives.status(id)).warnings;
    expect(warning).toMatchObject({ code: 'ARCHIVE_PARTS_FAILED' });
    expect(warning!.detail).toMatch(
      /^2 of 3 files of the archive have failed: b\.md \(TYPE_NOT_ALLOWED: .+\); c\.md \(TYPE_NOT_ALLOWED: .+\)\. /,
    );
    await lab.changePolicy(dataset, DEFAULT_POLICY);
    const { along } = await moves.reingest(lab.owner.ctx, [id]);
    expect(along).toHaveLength(3);
    await lab.work();
    expect(await archives.statesOf(id)).toEqual({
      archive: 'completed',
      'a.txt': 'completed',
      'b.md': 'completed',
      'c.md': 'completed',
    });
    expect((await archives.status(id)).warnings).toEqual([]);
  });
});
