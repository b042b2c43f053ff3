import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { DocumentFeedRepository, MOST_CHANGES, ReportedChanges, type FeedRead } from './document-feed.repository.js';
import { DocumentFeeds } from './document-feeds.service.js';
import type { FeedBatch } from './feed-reader.js';
import { DocumentLab } from '../testing/document-lab.js';

let db: TestDatabase;
let lab: DocumentLab;
let repository: DocumentFeedRepository;
let owner: TestMember;
let stranger: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  lab = new DocumentLab(db.unitOfWork);
  repository = new DocumentFeedRepository(db.unitOfWork);
  [owner, stranger] = [
    await createTestMember(db.unitOfWork, 'editor'),
    await createTestMember(db.unitOfWork, 'editor'),
  ];
});
beforeEach(async () => {
  dataset = await lab.addDataset(owner);
});
afterAll(() => db.close());

const put = (): Promise<DocumentId> => lab.put(owner, dataset, { status: 'processing' });
const set = (id: DocumentId, assignment: string): Promise<unknown> =>
  lab.rows(owner, `UPDATE documents SET ${assignment} WHERE id = $1`, [id]);
const here = async (): Promise<string> => (await repository.look(owner.ctx, dataset, null)).position;
/** The place that changes are told from, with what was there before noted as told: while a transaction of any database is open, it is told again. */
async function startOf(told: ReportedChanges): Promise<string> {
  const from = await here();
  await repository.look(owner.ctx, dataset, from, told);
  return from;
}
const idsOf = ({ changes }: Pick<FeedRead, 'changes'>): string[] =>
  changes.map(({ id, row }) => (row === null ? `${id} deleted` : id));

describe('a read of the changes of a dataset', () => {
  it('reports documents that were created, changed in any column or deleted since, in order, and none of other datasets', async () => {
    const old = await put();
    const [kept, gone] = [await put(), await put()];
    const told = new ReportedChanges();
    const from = await startOf(told);
    expect(idsOf(await repository.look(owner.ctx, dataset, from, told))).toEqual([]);
    await lab.put(owner, await lab.addDataset(owner), { status: 'pending' });
    await set(kept, `progress = 70, updated_at = now()`);
    await set(gone, `deleted_at = now(), updated_at = now()`);
    const added = await put();
    await lab.rows(owner, `UPDATE documents SET updated_at = now() WHERE id = $1`, [added]);
    const look = await repository.look(owner.ctx, dataset, from, told);
    expect(idsOf(look)).toEqual([kept, `${gone} deleted`, added]);
    expect(look.changes[0]!.row).toMatchObject({ id: kept, progress: 70 });
    expect(look.isReset).toBe(false);
    // Without a change of `updated_at`.
    await set(old, `progress = 71`);
    expect(idsOf(await repository.look(owner.ctx, dataset, look.position, told))).toEqual([old]);
  });

  it('shows another tenant nothing', async () => {
    const from = await here();
    await put();
    expect(idsOf(await repository.look(stranger.ctx, dataset, from))).toEqual([]);
  });

  it('reports a change once whose transaction began before the position and ended after it', async () => {
    const [slow, quick] = [await put(), await put()];
    const told = new ReportedChanges();
    let from = await startOf(told);
    await db.unitOfWork.run(owner.ctx, async (manager) => {
      await manager.query(`UPDATE documents SET progress = 80 WHERE id = $1`, [slow]);
      await set(quick, `progress = 90`);
      for (const expected of [[quick], [], []]) {
        const look = await repository.look(owner.ctx, dataset, from, told);
        expect(idsOf(look)).toEqual(expected);
        from = look.position;
      }
    });
    const look = await repository.look(owner.ctx, dataset, from, told);
    expect(idsOf(look)).toEqual([slow]);
    expect(idsOf(await repository.look(owner.ctx, dataset, look.position, told))).toEqual([]);
  });

  it('says that it is incomplete: with too many changes, after a purge, and for a position of another database', async () => {
    const told = new ReportedChanges();
    const id = await put();
    const from = await here();
    await lab.rows(
      owner,
      `INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, size_bytes, sha256, status, current_stage, policy_version, revision_id, created_by)
       SELECT gen_random_uuid(), tenant_id, dataset_id, 'n', media_type, 1, 's' || n, 'pending', 'parsing', 1, gen_random_uuid(), created_by
       FROM documents, generate_series(1, $2) n WHERE id = $1`,
      [id, MOST_CHANGES + 1],
    );
    const many = await repository.look(owner.ctx, dataset, from, told);
    expect([many.isReset, many.changes]).toEqual([true, []]);
    expect((await repository.look(owner.ctx, dataset, many.position, told)).isReset).toBe(false);

    await lab.rows(
      owner,
      `INSERT INTO dataset_deletions (id, tenant_id, dataset_id, kind, status, documents, chunks, blobs)
       VALUES ($1, $2, $3, 'purge', 'pending', 0, 0, 0)`,
      [newId(), owner.tenantId, dataset],
    );
    const purged = await repository.look(owner.ctx, dataset, many.position, told);
    expect(purged.isReset).toBe(true);
    expect((await repository.look(owner.ctx, dataset, many.position, told)).isReset).toBe(false);
    expect((await repository.look(owner.ctx, dataset, String(2n ** 62n))).isReset).toBe(true);
  });
});

describe('feeds', () => {
  const leaving: AbortController[] = [];
  let feeds: DocumentFeeds;

  beforeEach(() => {
    feeds = new DocumentFeeds(repository);
  });

  async function follow(from: string | null = null): Promise<AsyncGenerator<FeedBatch, void, undefined>> {
    const left = new AbortController();
    leaving.push(left);
    return feeds.follow(owner.ctx, dataset, from, left.signal);
  }
  const leave = (): void => leaving.splice(0).forEach((left) => left.abort());
  const next = async (feed: AsyncGenerator<FeedBatch, void, undefined>): Promise<string[]> =>
    idsOf((await feed.next()).value!);

  it('read once for all readers of a dataset, and give readers that return what they have missed', async () => {
    const first = await here();
    const missed = await put();
    const looks = vi.spyOn(repository, 'look');
    const readers = await Promise.all([follow(), follow(), follow(first)]);
    expect(await Promise.all(readers.map(next))).toEqual([[], [], [missed]]);
    const [began, change] = [looks.mock.calls.length, await put()];
    const told = await Promise.all(readers.map(next));
    expect(new Set(told.flat())).toContain(change);
    for (const ids of told) expect(ids).toContain(change);
    expect(looks.mock.calls.length - began).toBeLessThan(readers.length);
    leave();
    expect(await Promise.all(readers.map(async (reader) => (await reader.next()).done))).toEqual([true, true, true]);
    looks.mockRestore();
  });

  it('end with the last reader, and begin again with the next one', async () => {
    const [one] = [await follow()];
    await next(one);
    leave();
    expect((await one.next()).done).toBe(true);
    const looks = vi.spyOn(repository, 'look');
    await put();
    const again = await follow();
    expect(await next(again)).toEqual([]);
    expect(looks.mock.calls.length).toBeGreaterThanOrEqual(2);
    leave();
    await again.next();
    looks.mockRestore();
  });

  it('pass on to their readers that the database cannot be read', async () => {
    const reader = await follow();
    await next(reader);
    const looks = vi.spyOn(repository, 'look').mockRejectedValue(new Error('away'));
    await expect(reader.next()).rejects.toThrow('away');
    looks.mockRestore();
    const later = await follow();
    expect(await next(later)).toEqual([]);
    leave();
    await later.next();
  });
});
