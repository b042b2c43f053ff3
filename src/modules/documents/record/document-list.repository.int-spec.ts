import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, createTestMember, type TestDatabase } from '#libs/testing';
import { conditionOf, LISTED_DOCUMENTS } from './document-list.repository.js';
import { DocumentShelf } from '../testing/document-shelf.js';

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

it('documents are found by the sums of their files through the index, below row-level security', async () => {
  const shelf = new DocumentShelf(db.unitOfWork);
  const member = await createTestMember(db.unitOfWork, 'editor');
  const datasetId = await shelf.addDataset(member);
  await shelf.put(member, datasetId, { status: 'completed' });
  const { sql, parameters } = conditionOf({ datasetId, sha256: ['a'.repeat(64), 'b'.repeat(64)] });
  const plan = await db.unitOfWork.run(member.ctx, async (manager) => {
    // So few rows are read faster in one go.
    await manager.query('SET LOCAL enable_seqscan = off');
    const rows = await manager.query<readonly object[]>(`EXPLAIN SELECT d.id ${LISTED_DOCUMENTS} WHERE ${sql}`, [
      ...parameters,
    ]);
    return JSON.stringify(rows);
  });
  expect(plan).toMatch(/documents_sha on documents d/);
  expect(plan).toMatch(/Index Cond: [^"]*sha256 = ANY/);
});
