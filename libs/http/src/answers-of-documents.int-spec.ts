import { afterAll, beforeAll, expect, it } from 'vitest';
import { CatalogueError, newId, type DatasetId, type DocumentId, type RevisionId, type TenantId } from '#libs/common';
import { listMigrations, rowsOf } from '#libs/database';
import { createFormerDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { IdempotencyService } from './idempotency.service.js';

const FORMER = listMigrations().slice(0, listMigrations().indexOf('AnswersOfDocuments9000000000092'));
const tenants = [newId<TenantId>(), newId<TenantId>()] as const;
const [named, described, other] = [newId<DocumentId>(), newId<DocumentId>(), newId<DocumentId>()];
/** Answers as former versions kept them, by their keys. */
const KEPT = {
  named: { status: 201, body: { id: named, name: 'Plan' }, documents: [named] },
  described: {
    status: 201,
    body: { results: [{ document: { id: described, name: 'Plan' } }], accepted: 1, rejected: 0 },
  },
  template: { status: 201, body: { id: newId(), name: 'Manuals', metadata: { template_of: described } } },
  problem: { status: 409, body: null, problem: { detail: `Document ${described} is completed.` } },
  bulk: { status: 200, body: { accepted: [described], rejected: [] } },
  other: { status: 201, body: { id: other, name: 'Another' } },
  dataset: { status: 201, body: { id: newId(), name: 'Manuals' } },
};

let db: TestDatabase;
let member: TestMember;
beforeAll(async () => {
  db = await createFormerDatabase(FORMER, async (client) => {
    for (const tenant of tenants) {
      await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [tenant]);
      await client.query(`INSERT INTO tenants (id, name) VALUES ($1::uuid, $1::text)`, [tenant]);
    }
    const dataset = newId<DatasetId>();
    await client.query(
      `INSERT INTO datasets (id, tenant_id, name, name_key, acl, owner_id, embedding_space, embedding)
       VALUES ($1, $2, 'Former', 'former', 'all_team_members', $3, 'space', '{}')`,
      [dataset, tenants[1], newId()],
    );
    for (const id of [named, described, other]) {
      await client.query(
        `INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, size_bytes, sha256, status, current_stage, policy_version,
           revision_id, created_by) VALUES ($1, $2, $3, 'plan.md', 'text/markdown', 1, 'x', 'pending', 'parsing', 1, $4, $5)`,
        [id, tenants[1], dataset, newId<RevisionId>(), newId()],
      );
    }
    for (const [key, response] of Object.entries(KEPT)) {
      await client.query(
        `INSERT INTO idempotency_keys (tenant_id, principal, route, key, body_hash, owner, response, expires_at)
         VALUES ($1, 'account:x', 'POST /things', $2, 'x', 'x', $3, now() + interval '1 day')`,
        [tenants[1], key, JSON.stringify(response)],
      );
    }
  });
  member = await createTestMember(db.unitOfWork, 'editor', tenants[1]);
});
afterAll(() => db.close());

it('answers that a former version kept are found by the documents that they describe', async () => {
  const idempotency = new IdempotencyService(db.unitOfWork);
  const gone = new CatalogueError({ code: 'documents.not_found', title: 'Gone', status: 404 }, 'It is gone.', {}, {});
  expect(await idempotency.forgetDocuments(member.ctx, [named, described], gone)).toBe(3);
  const rows = await db.unitOfWork.run(member.ctx, (manager) =>
    rowsOf<{ key: string }>(
      manager,
      `SELECT key FROM idempotency_keys WHERE response ->> 'status' <> '404' ORDER BY key`,
    ),
  );
  expect(rows.map(({ key }) => key)).toEqual(['bulk', 'dataset', 'other', 'template']);
  expect(await idempotency.forgetDocuments(member.ctx, [named, described], gone)).toBe(0);
});
