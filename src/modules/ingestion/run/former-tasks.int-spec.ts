import { Readable } from 'node:stream';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newId, NOWHERE_TENANT, type DatasetId, type DocumentId, type RevisionId, type TenantId } from '#libs/common';
import { listMigrations } from '#libs/database';
import { objectKey, ObjectStorage } from '#libs/object-storage';
import { contextOf, createFormerDatabase } from '#libs/testing';
import { DEFAULT_POLICY } from '../../ingestion-policy/index.js';
import { IngestionLab } from '../testing/ingestion-lab.js';

const FORMER = listMigrations().slice(0, listMigrations().indexOf('PresentButEmpty0009000000000009') + 1);
const TEXT = 'The pump is serviced every 500 hours.';
const PATIENCE = { timeout: 60_000, interval: 100 };
const tenant = newId<TenantId>();
const account = newId<never>();
const dataset = newId<DatasetId>();
const deletedDataset = newId<DatasetId>();
const receipts = { purge: newId(), deletion: newId() };
const tasks = { purge: newId(), deletion: newId(), reindex: newId(), reconciled: newId(), move: newId() };
const documents = Array.from({ length: 3 }, () => ({ id: newId<DocumentId>(), revision: newId<RevisionId>() }));
const files = {
  unowned: objectKey(tenant, newId<DocumentId>(), newId<RevisionId>()),
  young: objectKey(tenant, newId<DocumentId>(), newId<RevisionId>()),
};
const gone = { id: newId<DocumentId>(), revision: newId<RevisionId>() };

/** State that a service of that version leaves when it is killed. */
async function leaveWork(client: Client): Promise<void> {
  const run = (sql: string, values: readonly unknown[]): Promise<unknown> => client.query(sql, [...values]);
  await run(`SELECT set_config('app.tenant_id', $1, false)`, [tenant]);
  await run(`INSERT INTO tenants (id, name) VALUES ($1, 'Former')`, [tenant]);
  for (const [id, deleted] of [
    [dataset, null],
    [deletedDataset, new Date()],
  ]) {
    await run(
      `INSERT INTO datasets (id, tenant_id, name, name_key, acl, owner_id, embedding_space, embedding, deleted_at)
       VALUES ($1::uuid, $2, $1::text, $1::text, 'all_team_members', $3, 'builtin-hashing-v1-384', '{}', $4)`,
      [id, tenant, account, deleted],
    );
  }
  await run(
    `INSERT INTO policy_versions (tenant_id, dataset_id, version, fingerprint, policy) VALUES ($1, $2, 1, 'v1', $3)`,
    [tenant, dataset, JSON.stringify(DEFAULT_POLICY)],
  );
  for (const document of [...documents, gone]) await leaveDocument(run, document, document === gone);
  // One of the three waits, one has the lease of a dead worker, and one waits for its time.
  await run(
    `UPDATE ingestion_tasks SET lease_owner = 'dead/1', fencing_token = nextval('fencing_tokens'), tries = 1,
    lease_expires_at = now() - interval '1 minute' WHERE document_id = $1`,
    [documents[1]!.id],
  );
  await run(`UPDATE ingestion_tasks SET not_before = now() + interval '1 second', tries = 2 WHERE document_id = $1`, [
    documents[2]!.id,
  ]);
  for (const [kind, receipt, of] of [
    ['purge', receipts.purge, dataset],
    ['delete', receipts.deletion, deletedDataset],
  ]) {
    await run(
      `INSERT INTO dataset_deletions (id, tenant_id, dataset_id, kind, status, documents, chunks, blobs)
       VALUES ($1, $2, $3, $4, 'running', 1, 0, 1)`,
      [receipt, tenant, of, kind],
    );
  }
  const add = (id: string, of: TenantId, kind: string, payload: object, status: string, progress: object) =>
    run(
      `INSERT INTO maintenance_tasks (id, tenant_id, kind, payload, status, progress) VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, of, kind, payload, status, progress],
    );
  await add(tasks.purge, tenant, 'purge_dataset', { datasetId: dataset, purgeId: receipts.purge }, 'running', {});
  const deletion = { datasetId: deletedDataset, deletionId: receipts.deletion };
  await add(tasks.deletion, tenant, 'delete_dataset', deletion, 'pending', {});
  await add(tasks.reindex, NOWHERE_TENANT, 'reindex', {}, 'running', { datasets: 1, documents: 7 });
  await add(tasks.move, NOWHERE_TENANT, 'reindex', { finish: true }, 'pending', {});
  await add(tasks.reconciled, NOWHERE_TENANT, 'reconcile', {}, 'completed', { mended: {}, seen: {} });
  await leaveIntents(run);
  for (const taskId of Object.values(tasks)) {
    await run(`INSERT INTO outbox (id, queue, payload) VALUES ($1, 'maintenance', $2)`, [newId(), { taskId }]);
  }
}

/** Recorded intents: three that are due, and the removal of a file that may still get a document. */
async function leaveIntents(run: (sql: string, values: readonly unknown[]) => Promise<unknown>): Promise<void> {
  const generation = { documentId: gone.id, datasetId: dataset, generation: '7' };
  for (const [kind, subject, payload, dueInSeconds] of [
    ['update_metadata', gone.id, { documentId: gone.id, datasetId: dataset }, -60],
    ['remove_generation', `${gone.id}:7`, generation, -60],
    ['remove_blob', files.unowned, { blobKey: files.unowned }, -60],
    ['remove_blob', files.young, { blobKey: files.young }, 3_600],
  ] as const) {
    await run(
      `INSERT INTO store_intents (id, tenant_id, kind, subject, payload, due_at)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
      [newId(), tenant, kind, subject, payload, dueInSeconds],
    );
  }
}

async function leaveDocument(
  run: (sql: string, values: readonly unknown[]) => Promise<unknown>,
  { id, revision }: (typeof documents)[number],
  isDeleted: boolean,
): Promise<void> {
  await run(
    `INSERT INTO documents (id, tenant_id, dataset_id, name, media_type, size_bytes, sha256, status, current_stage, policy_version,
       revision_id, created_by, deleted_at)
     VALUES ($1::uuid, $2, $3, 'pump.txt', 'text/plain', $4, $1::text, 'pending', 'parsing', 1, $5, $6, $7)`,
    [id, tenant, dataset, TEXT.length, revision, account, isDeleted ? new Date(Date.now() - 1_000) : null],
  );
  await run(
    `INSERT INTO document_revisions (id, tenant_id, document_id, revision, blob_key, size_bytes, sha256)
     VALUES ($1, $2, $3::uuid, 1, $4, $5, $3::text)`,
    [revision, tenant, id, objectKey(tenant, id, revision), TEXT.length],
  );
  if (isDeleted) return;
  await run(
    `INSERT INTO ingestion_tasks (document_id, tenant_id, dataset_id, size_bytes, attempt, request_id) VALUES ($1, $2, $3, $4, 1, 'r')`,
    [id, tenant, dataset, TEXT.length],
  );
  await run(`INSERT INTO outbox (id, queue, payload) VALUES ($1, 'ingestion', $2)`, [newId(), { documentId: id }]);
}

let lab: IngestionLab;

beforeAll(async () => {
  lab = await IngestionLab.open({ database: () => createFormerDatabase(FORMER, leaveWork) });
  const keys = [...documents, gone].map(({ id, revision }) => objectKey(tenant, id, revision));
  for (const key of [...keys, files.unowned, files.young]) {
    await lab.get(ObjectStorage).put(key, Readable.from([TEXT]), { maxBytes: TEXT.length });
  }
});
afterAll(() => lab.close());

it('work enqueued by an earlier version is carried out: documents, a purge, a deletion, a reindex, a move, intents', async () => {
  const member = { accountId: account, tenantId: tenant, ctx: contextOf(account, tenant, 'owner') };
  const before = await lab.system<{ kind: string; status: string }>(
    `SELECT kind, status FROM tasks ORDER BY kind, status`,
  );
  expect(before.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    'dataset_deletion open',
    'dataset_purge open',
    'file_removal open',
    'generation_removal open',
    'ingestion open',
    'ingestion open',
    'ingestion open',
    'metadata_sync open',
    'reconciliation completed',
    'reindex open',
    'store_move open',
  ]);
  await lab.start();
  await vi.waitFor(async () => {
    const open = `SELECT kind, subject, error FROM tasks WHERE status = 'open' AND (not_before IS NULL OR not_before < now() + interval '50 minutes')`;
    expect(await lab.system(open)).toEqual([]);
    expect(await lab.system(`SELECT subject FROM store_intents`)).toEqual([{ subject: files.young }]);
  }, PATIENCE);
  const shown = await lab.query<{ id: string; status: string }>(
    `SELECT id, status FROM documents ORDER BY id`,
    [],
    member,
  );
  expect(shown).toEqual(documents.map(({ id }) => ({ id, status: 'completed' })));
  const done = await lab.query<{ id: string; status: string }>(
    `SELECT id, status FROM dataset_deletions ORDER BY kind DESC`,
    [],
    member,
  );
  expect(done.map(({ status }) => status)).toEqual(['completed', 'completed']);
  const ended = await lab.system<{ id: string }>(`SELECT id FROM tasks WHERE status = 'completed' ORDER BY id`);
  expect(ended.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.values(tasks)));
  const storage = lab.get(ObjectStorage);
  expect(await storage.stat(files.unowned)).toBeNull();
  expect(await storage.stat(files.young)).not.toBeNull();
  const waiting = await lab.system(`SELECT kind, subject FROM tasks WHERE status = 'open'`);
  expect(waiting).toEqual([{ kind: 'file_removal', subject: tenant }]);
});
