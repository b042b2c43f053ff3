import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DocumentId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { DocumentCounts } from './document-counts.repository.js';
import { DocumentLab } from '../testing/document-lab.js';

let db: TestDatabase;
let lab: DocumentLab;
let counts: DocumentCounts;
let members: TestMember[];

beforeAll(async () => {
  db = await createTestDatabase();
  lab = new DocumentLab(db.unitOfWork);
  counts = new DocumentCounts(db.unitOfWork);
  members = await Promise.all(['owner', 'editor'].map(() => createTestMember(db.unitOfWork, 'editor')));
});
afterAll(() => db.close());

const read = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await counts.read()).flatMap(({ status, documents }) => (documents === 0 ? [] : [[status, documents]])),
  );

const set = (id: DocumentId, assignment: string): Promise<unknown> =>
  Promise.all(members.map((member) => lab.rows(member, `UPDATE documents SET ${assignment} WHERE id = $1`, [id])));

describe('the counts of documents', () => {
  it('follow creations, changes and deletions in every tenant, before and after the rows are summed up', async () => {
    const ids: DocumentId[] = [];
    for (const member of members) {
      const dataset = await lab.addDataset(member);
      for (const status of ['completed', 'completed', 'failed'] as const)
        ids.push(await lab.put(member, dataset, { status }));
    }
    expect(await read()).toEqual({ completed: 4, failed: 2 });
    expect(await counts.fold()).toBe(6);
    expect(await read()).toEqual({ completed: 4, failed: 2 });
    await set(ids[0]!, `status = 'quarantined', quarantined_at = now()`);
    await set(ids[1]!, 'deleted_at = now()');
    await set(ids[3]!, `name = 'other', deleted_at = now()`);
    await set(ids[3]!, 'deleted_at = NULL');
    await set(ids[4]!, `status = status, progress = 1`);
    expect(await read()).toEqual({ completed: 2, failed: 2, quarantined: 1 });
    await Promise.all(
      members.map((member) => lab.rows(member, `DELETE FROM documents WHERE id = ANY ($1)`, [[ids[1], ids[2]]])),
    );
    expect(await read()).toEqual({ completed: 2, failed: 1, quarantined: 1 });
    await Promise.all([counts.fold(), counts.fold(), counts.fold()]);
    expect(await read()).toEqual({ completed: 2, failed: 1, quarantined: 1 });
  });

  it('do not contain a transaction that was rolled back', async () => {
    const dataset = await lab.addDataset(members[0]!);
    const before = await read();
    const failing = db.unitOfWork.run(members[0]!.ctx, async () => {
      await lab.put(members[0]!, dataset, { status: 'pending' });
      throw new Error('given up');
    });
    await expect(failing).rejects.toThrow('given up');
    expect(await read()).toMatchObject(before);
  });

  it('are read in one statement, however many tenants there are', async () => {
    for (let n = 0; n < 20; n += 1) {
      const member = await createTestMember(db.unitOfWork, 'editor');
      await lab.put(member, await lab.addDataset(member), { status: 'cancelled' });
    }
    const asked = vi.spyOn(db.unitOfWork, 'runOneAsSystem');
    const inTenants = vi.spyOn(db.unitOfWork, 'run');
    expect(await read()).toMatchObject({ cancelled: 20 });
    expect([asked.mock.calls.length, inTenants.mock.calls.length]).toEqual([1, 0]);
  });
});
