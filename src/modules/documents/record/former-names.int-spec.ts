import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId, type DatasetId, type DocumentId, type RevisionId, type TenantId } from '#libs/common';
import { listMigrations } from '#libs/database';
import { createFormerDatabase, createTestMember, type TestDatabase } from '#libs/testing';
import { DocumentLab } from '../testing/document-lab.js';
import { IntakeLab } from '../testing/intake-lab.js';

const FORMER = listMigrations().slice(0, listMigrations().indexOf('DocumentPaths9000000000082'));
const tenants = [newId<TenantId>(), newId<TenantId>()];
const dataset = newId<DatasetId>();
const document = newId<DocumentId>();

/** A document of a version that knew no paths, in the second of two tenants. */
async function leaveDocument(client: Client): Promise<void> {
  for (const tenant of tenants) {
    await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [tenant]);
    await client.query(`INSERT INTO tenants (id, name) VALUES ($1::uuid, $1::text)`, [tenant]);
  }
  await client.query(
    `INSERT INTO datasets (id, tenant_id, name, name_key, acl, owner_id, embedding_space, embedding)
     VALUES ($1, $2, 'Former', 'former', 'all_team_members', $3, 'space', '{}')`,
    [dataset, tenants[1], newId()],
  );
  await client.query(
    `INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, size_bytes, sha256, status, current_stage, policy_version,
       revision_id, created_by) VALUES ($1, $2, $3, 'handbook.md', 'text/markdown', 1, 'x', 'pending', 'parsing', 1, $4, $5)`,
    [document, tenants[1], dataset, newId<RevisionId>(), newId()],
  );
}

let db: TestDatabase;
beforeAll(async () => {
  db = await createFormerDatabase(FORMER, leaveDocument);
});
afterAll(() => db.close());

it('a document from before paths existed is matched by its name, and its dataset keeps both', async () => {
  const member = await createTestMember(db.unitOfWork, 'editor', tenants[1]);
  const intakeLab = new IntakeLab(db.unitOfWork);
  await intakeLab.writePolicy(member, dataset, 1);
  const { document: later } = await intakeLab.take(member, dataset, { name: 'handbook.md', content: 'second' });
  expect(later).toMatchObject({ revision: 1, path: null, warnings: [{ code: 'SAME_NAME', document_id: document }] });
  const row = await new DocumentLab(db.unitOfWork).row(member, document);
  expect(row).toMatchObject({ path: null, same_name_id: null, name_hash: expect.stringMatching(/^-?\d+$/) });
});
