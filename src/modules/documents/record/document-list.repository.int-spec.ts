import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, createTestMember, type TestDatabase } from '#libs/testing';
import { conditionOf, LISTED_DOCUMENTS } from './document-list.repository.js';
import { DocumentLab } from '../testing/document-lab.js';

/** Each a copy of one document under an id, a name and a sum of its own. */
const COPY = `INSERT INTO documents SELECT r.* FROM documents d
  CROSS JOIN generate_series(1, 2000) AS n
  CROSS JOIN LATERAL jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'path', NULL,
    'name', n || '.txt', 'sha256', encode(sha256(n::text::bytea), 'hex'))) AS r
  WHERE d.id = $1`;

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

it('documents are found by the sums of their files through the index, below row-level security', async () => {
  const lab = new DocumentLab(db.unitOfWork);
  const member = await createTestMember(db.unitOfWork, 'editor');
  const datasetId = await lab.addDataset(member);
  const documentId = await lab.put(member, datasetId, { status: 'completed' });
  await db.unitOfWork.run(member.ctx, (manager) => manager.query(COPY, [documentId]));
  await db.database.source.query('ANALYZE documents');
  const { sql, parameters } = conditionOf({ datasetId, sha256: ['a'.repeat(64), 'b'.repeat(64)] });
  const plan = await db.unitOfWork.run(member.ctx, async (manager) => {
    const rows = await manager.query<readonly object[]>(`EXPLAIN SELECT d.id ${LISTED_DOCUMENTS} WHERE ${sql}`, [
      ...parameters,
    ]);
    return JSON.stringify(rows);
  });
  expect(plan).toMatch(/documents_sha on documents d/);
  expect(plan).toMatch(/Index Cond: [^"]*sha256 = ANY/);
});
