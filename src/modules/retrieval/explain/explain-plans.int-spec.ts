import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatasetId } from '#libs/common';
import { declaredStatements } from '#libs/database';
import {
  createTestDatabase,
  createTestMember,
  planNodes,
  rowsLookedAt,
  type PlanNode,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { DatasetAccess } from '../../datasets/index.js';
import { DocumentLab } from '../../documents/testing/document-lab.js';
import './explain.repository.js';

/** Documents with one chunk and one stretch of text each. */
const DOCUMENTS = 2_000;

let db: TestDatabase;
let lab: DocumentLab;
let owner: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  lab = new DocumentLab(db.unitOfWork);
  owner = await createTestMember(db.unitOfWork, 'editor');
  dataset = await lab.addDataset(owner);
  // One transaction: nothing gathers statistics of what is not committed, and nothing has since.
  await db.unitOfWork.run(owner.ctx, async (manager) => {
    const made = `SELECT n, gen_random_uuid() AS document, gen_random_uuid() AS revision, gen_random_uuid() AS set
      FROM generate_series(1, ${DOCUMENTS}) n`;
    await manager.query(`CREATE TEMPORARY TABLE made ON COMMIT DROP AS ${made}`);
    await manager.query(
      `INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, size_bytes, sha256, status, current_stage, progress,
         policy_version, revision, revision_id, visible_generation, visible_chunk_set_id, chunk_count, tags, metadata, created_by)
       SELECT document, $1, $2, 'note.txt', 'text/plain', 9, 'sha', 'completed', 'completed', 100, 1, 1, revision, 7, set, 1, '{}', '{}', $3
       FROM made`,
      [owner.tenantId, dataset, owner.accountId],
    );
    await manager.query(
      `INSERT INTO document_revisions (id, tenant_id, document_id, revision, blob_key, size_bytes, sha256)
       SELECT revision, $1, document, 1, 'blob-' || n, 9, 'sha' FROM made`,
      [owner.tenantId],
    );
    await manager.query(
      `INSERT INTO document_segments (tenant_id, revision_id, text_start, text_end, body, blocks)
       SELECT $1, revision, 0, 9, 'note ' || n, '[]' FROM made`,
      [owner.tenantId],
    );
    await manager.query(
      `INSERT INTO chunk_sets (id, tenant_id, document_id, revision_id, fingerprint)
       SELECT set, $1, document, revision, 'one' FROM made`,
      [owner.tenantId],
    );
    await manager.query(
      `INSERT INTO chunks (id, tenant_id, document_id, chunk_set_id, ordinal, text_start, text_end, body, token_count, terms)
       SELECT gen_random_uuid(), $1, document, set, 0, 0, 9, 'note ' || n, 2, '' FROM made`,
      [owner.tenantId],
    );
  });
});
afterAll(() => db.close());

/** The plan of the statement that holds the part, as an account asks it, with its parameters written into it. */
async function planOf(part: string, values: readonly string[]): Promise<PlanNode[]> {
  const visible = new DatasetAccess(db.unitOfWork).visibilityCondition(owner.ctx, 's', values.length + 1);
  const { sql } = declaredStatements().find((each) => each.sql.includes(part) && each.sql.includes(visible.sql))!;
  const all = [...values, ...visible.parameters.map((value) => `'${String(value)}'`)];
  const text = all.reduceRight((before, value, index) => before.replaceAll(`$${index + 1}`, value), sql);
  const [row] = await lab.rows<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
    owner,
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
  );
  return planNodes(row!['QUERY PLAN'][0].Plan);
}

describe('texts that are looked for in fresh documents', () => {
  it.each([
    ['chunks', 'AND c.body ~ ALL', [`'{}'`, 'NULL', 'NULL', `'{zzz}'`, '200']],
    ['a few chunks', 'AND c.body ~ ALL', [`'{}'`, 'NULL', 'NULL', `'{note 7}'`, '200']],
    ['documents', 'AS body', [`'{}'`, `'zzz'`, '200', 'NULL']],
  ])('%s are read once each, although the planner knows nothing of them', async (_, part, [, ...rest]) => {
    expect(rowsLookedAt(await planOf(part, [`'{${dataset}}'`, ...rest]))).toBeLessThan(12 * DOCUMENTS);
  });
});
