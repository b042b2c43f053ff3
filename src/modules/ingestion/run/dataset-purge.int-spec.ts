import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import { BackupSession, BackupUnderWay, declaredStatements, FileRemovals, rowsOf } from '#libs/database';
import { createObjectStorage, objectKey, type ObjectStorage } from '#libs/object-storage';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  planNodes,
  rowsLookedAt,
  type PlanNode,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { indexRef, VectorStore, VectorStoreModule } from '#libs/vector-store';
import { until } from '#testing/until';
import { inTurns, runningTask, tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { DatasetPurgeRun, DatasetSpaces, FileRemoval, StoreIntents } from '../../documents/index.js';
import {
  createPurges,
  idempotencyOver,
  DeletedDocuments,
  purgesOver,
  type PurgeReceipt,
} from '../../documents/testing/purge-services.js';
import { RetrievalLibrary } from '../../retrieval/testing/retrieval-library.js';
import type { RetrievalModels } from '../../retrieval/testing/retrieval-services.js';

describe('the purge of a dataset', () => {
  let directory: string;
  let app: INestApplicationContext;
  let db: TestDatabase;
  let storage: ObjectStorage;
  let store: VectorStore;
  let models: RetrievalModels;
  let library: RetrievalLibrary;
  let purges: ReturnType<typeof createPurges>;
  let purge: DatasetPurgeRun;
  let owner: TestMember;
  let dataset: DatasetId;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'purge-'));
    const vectors = VectorStoreModule.forRoot({ kind: 'embedded', directory: join(directory, 'vectors') });
    app = await NestFactory.createApplicationContext(vectors, { logger: false });
    store = app.get(VectorStore);
    storage = await createObjectStorage({ kind: 'filesystem', directory: join(directory, 'files') });
    models = await createModels(BUILTIN_MODELS);
    db = await createTestDatabase();
    library = new RetrievalLibrary(db.unitOfWork, store, models.embedder);
    purges = createPurges(db.unitOfWork);
    purge = purgeOver(store, storage);
  });
  afterAll(async () => {
    await app.close();
    await db.close();
    await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    owner = await createTestMember(db.unitOfWork, 'editor');
    dataset = await library.addDataset(owner);
  });

  const purgeOver = (vectors: VectorStore, files: ObjectStorage): DatasetPurgeRun =>
    new DatasetPurgeRun(
      purgesOver(db.unitOfWork),
      new DeletedDocuments(
        db.unitOfWork,
        new StoreIntents(db.unitOfWork, tasksOver(db.unitOfWork)),
        idempotencyOver(db.unitOfWork),
      ),
      new DatasetSpaces(db.unitOfWork),
      vectors,
      new FileRemoval(files, new FileRemovals(db.database)),
      models.embedder,
    );
  const query = <Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
    library.run(owner, (manager) => rowsOf<Row>(manager, sql, parameters));
  /** A document of two generations and one stored file. */
  const add = async (text = 'The pump is serviced.'): Promise<DocumentId> => {
    const id = await library.addDocument(owner, dataset, { texts: [text] });
    await library.showTexts(owner, id, [text, `${text} Twice.`]);
    const key = objectKey(owner.tenantId, id, newId());
    await storage.put(key, Readable.from([Buffer.from(text)]), { maxBytes: 1_000 });
    await query(`UPDATE document_revisions SET blob_key = $2 WHERE document_id = $1 RETURNING id`, [id, key]);
    return id;
  };
  const remove = (id: DocumentId, more = ''): Promise<void> => library.change(owner, id, `deleted_at = now()${more}`);
  const run = async (receipt: PurgeReceipt, executor = purge): Promise<void> => {
    await executor.run(runningTask(owner.ctx, { datasetId: dataset, purgeId: receipt.purge_id }));
  };
  const vectorsOf = async (ids: readonly DocumentId[]): Promise<number> => {
    const index = indexRef(owner.ctx, dataset, models.embedder.descriptor.space);
    let count = 0;
    for await (const row of store.listIds(index, { documentIds: ids })) count += row.chunkId === '' ? 0 : 1;
    return count;
  };
  const filesOf = async (): Promise<number> => {
    let count = 0;
    for await (const file of storage.list(`${owner.tenantId}/`)) count += file.sizeBytes > 0 ? 1 : 0;
    return count;
  };
  const rowsLeft = async (id: DocumentId): Promise<number> => {
    const [row] = await query<{ n: number }>(
      `SELECT ((SELECT count(*) FROM documents WHERE id = $1) + (SELECT count(*) FROM document_revisions WHERE document_id = $1)
         + (SELECT count(*) FROM chunk_sets WHERE document_id = $1) + (SELECT count(*) FROM chunks WHERE document_id = $1)
         + (SELECT count(*) FROM document_events WHERE document_id = $1))::int AS n`,
      [id],
    );
    return row!.n;
  };

  it('removes everything of deleted documents and nothing of the others, as its receipt says', async () => {
    const [gone, kept] = [await add(), await add('The valve opens.')];
    await remove(gone);
    const receipt = await purges.purge(owner.ctx, dataset);
    expect(receipt).toMatchObject({
      dataset_id: dataset,
      status: 'pending',
      documents: 1,
      chunks: 3,
      blobs: 1,
      completed_at: null,
    });
    expect(await vectorsOf([gone])).toBe(3);
    await run(receipt);
    expect(await rowsLeft(gone)).toBe(0);
    expect([await vectorsOf([gone]), await vectorsOf([kept]), await filesOf()]).toEqual([0, 3, 1]);
    expect(await rowsLeft(kept)).toBeGreaterThan(0);
    const done = await purges.read(owner.ctx, dataset, receipt.purge_id);
    expect(done).toMatchObject({ status: 'completed', documents: 1, completed_at: expect.stringMatching(/Z$/) });
    await run(receipt);
    const told = await db.unitOfWork.runAsSystem((manager) =>
      rowsOf(manager, `SELECT type, subject, payload FROM domain_events WHERE subject = $1`, [dataset]),
    );
    const payload = { dataset_id: dataset, purge_id: receipt.purge_id, documents: 1, chunks: 3, blobs: 1 };
    expect(told).toEqual([{ type: 'dataset.purged', subject: dataset, payload }]);
  });

  it('removes its documents from stored answers to repeated requests, and no effect is repeated', async () => {
    const [gone, kept] = [await add(), await add('The valve opens.')];
    const idempotency = idempotencyOver(db.unitOfWork);
    let effects = 0;
    const send = (key: string, status: number, body: unknown): Promise<{ body: unknown }> =>
      idempotency.run(owner.ctx, { key, route: 'POST /of-documents', bodyHash: key }, async () => {
        effects += 1;
        return await Promise.resolve({ status, headers: {}, body });
      });
    const requests = [
      ['one', 201, { id: gone, name: 'Secret plan.txt' }],
      ['several', 201, { results: [{ document: { id: gone, name: 'Secret plan.txt' } }, { document: { id: kept } }] }],
      ['kept', 201, { id: kept, name: 'Valves.txt' }],
      ['ids', 200, { accepted: [gone], rejected: [] }],
    ] as const;
    const sendAll = (): Promise<readonly unknown[]> =>
      Promise.all(
        requests.map(([key, status, body]) =>
          send(key, status, body).then(
            (answer) => answer.body,
            (error: unknown) => error,
          ),
        ),
      );
    const bodies = requests.map(([, , body]) => body);
    expect(await sendAll()).toEqual(bodies);
    await remove(gone);
    expect(await sendAll()).toEqual(bodies);
    await run(await purges.purge(owner.ctx, dataset));
    const notFound = { body: null, problem: { code: 'documents.not_found' } };
    const rows = await query<{ response: unknown }>(`SELECT response FROM idempotency_keys ORDER BY key`);
    expect(JSON.stringify(rows)).not.toContain('Secret plan');
    expect(rows.map(({ response }) => response)).toMatchObject([
      { body: bodies[3] },
      { body: bodies[2] },
      notFound,
      notFound,
    ]);
    expect((await sendAll()).slice(2)).toEqual(bodies.slice(2));
    expect(effects).toBe(4);
  });

  it('removes stored answers about documents whose rows an earlier version removed without them', async () => {
    const [before, gone] = [await add(), await add('The valve opens.')];
    const key = newId();
    const send = (): Promise<{ body: unknown }> =>
      idempotencyOver(db.unitOfWork).run(owner.ctx, { key, route: 'POST /of-documents', bodyHash: key }, async () =>
        Promise.resolve({ status: 201, headers: {}, body: { id: before, name: 'Secret plan.txt' } }),
      );
    await send();
    await remove(gone);
    await query(`DELETE FROM documents WHERE id = '${before}'`);
    await run(await purges.purge(owner.ctx, dataset));
    expect(await send()).toMatchObject({ status: 404, body: null });
  });

  it('reads only those stored answers that mention its documents', async () => {
    const gone = await add();
    await db.unitOfWork.run(owner.ctx, async (manager) => {
      await manager.query(
        `INSERT INTO idempotency_keys (tenant_id, principal, route, key, body_hash, owner, response, expires_at)
         SELECT $1, 'account:' || $2, 'POST /of-documents', n::text, '', '', jsonb_build_object('status', 201, 'headers', '{}'::jsonb,
           'body', jsonb_build_object('name', repeat('x', 500)),
           'documents', jsonb_build_array(CASE WHEN n <= 2 THEN $3::uuid ELSE gen_random_uuid() END)), now() + interval '1 day'
         FROM generate_series(1, 20000) n`,
        [owner.ctx.tenantId, owner.accountId, gone],
      );
    });
    await db.database.source.query('ANALYZE idempotency_keys, idempotency_documents');
    const { sql } = declaredStatements().find((each) => each.sql.includes('UPDATE idempotency_keys'))!;
    const plan = await db.unitOfWork.run(owner.ctx, (manager) =>
      rowsOf<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
        manager,
        `EXPLAIN (ANALYZE, FORMAT JSON) ${sql.replace('$1', `'{${gone}}'`).replace('$2', `'{"body": null}'`)}`,
      ),
    );
    const nodes = planNodes(plan[0]!['QUERY PLAN'][0].Plan);
    expect(nodes[0]).toMatchObject({ 'Actual Rows': 2 });
    expect(rowsLookedAt(nodes)).toBeLessThan(50);
    expect(
      await query(`SELECT count(*)::int AS told FROM idempotency_documents WHERE document_id = '${gone}'`),
    ).toEqual([{ told: 0 }]);
  });

  it('lets other tenants run after each batch, and reports the sum of all turns', async () => {
    for (const id of [await add(), await add('The valve opens.')]) await remove(id);
    const { purge_id: purgeId } = await purges.purge(owner.ctx, dataset);
    const { turns, result } = await inTurns(purge, runningTask(owner.ctx, { datasetId: dataset, purgeId }));
    expect([turns, result]).toEqual([2, { removed: 2 }]);
    expect(await purges.read(owner.ctx, dataset, purgeId)).toMatchObject({ status: 'completed' });
  });

  it('keeps files and rows while a backup runs, and removes them when it is started again', async () => {
    const gone = await add();
    await remove(gone);
    const before = await filesOf();
    const receipt = await purges.purge(owner.ctx, dataset);
    const backup = await BackupSession.begin({ url: db.url, rolePrefix: 'kb' });
    await expect(run(receipt)).rejects.toBeInstanceOf(BackupUnderWay);
    expect([await filesOf(), await rowsLeft(gone)]).toEqual([before, expect.any(Number)]);
    expect(await rowsLeft(gone)).toBeGreaterThan(0);
    await backup.end();
    await run(receipt);
    expect([await filesOf(), await rowsLeft(gone)]).toEqual([before - 1, 0]);
  });

  it('is enqueued and audited together with its receipt', async () => {
    const receipt = await purges.purge(owner.ctx, dataset);
    const tasks = await db.unitOfWork.runAsSystem((manager) =>
      rowsOf<{ id: string }>(
        manager,
        `SELECT id FROM tasks WHERE kind = 'dataset_purge' AND payload ->> 'purgeId' = $1`,
        [receipt.purge_id],
      ),
    );
    expect(tasks).toHaveLength(1);
    const [entry] = await query<{ details: { purge_id: string } }>(
      `SELECT details FROM audit_log WHERE event = 'dataset.purged' AND subject = $1`,
      [`dataset:${dataset}`],
    );
    expect(entry?.details.purge_id).toBe(receipt.purge_id);
  });

  it('leaves documents that are deleted after the request to the next purge', async () => {
    const [first, later] = [await add(), await add()];
    await remove(first);
    const receipt = await purges.purge(owner.ctx, dataset);
    const asked = Date.now();
    await until(() => Date.now() > asked, { everyMs: 1 });
    await remove(later);
    await run(receipt);
    expect([await rowsLeft(first), (await rowsLeft(later)) > 0]).toEqual([0, true]);
    const next = await purges.purge(owner.ctx, dataset);
    expect(next).toMatchObject({ documents: 1 });
    await run(next);
    expect(await rowsLeft(later)).toBe(0);
  });

  it.each(['vectors', 'files'] as const)(
    'can be started again after the removal of %s failed in the middle',
    async (part) => {
      const ids: DocumentId[] = [];
      for (let n = 0; n < 4; n += 1) ids.push(await add());
      for (const id of ids) await remove(id);
      const receipt = await purges.purge(owner.ctx, dataset);
      let calls = 0;
      const failing = <T extends object>(target: T, method: string, after: number): T =>
        new Proxy(target, {
          get: (inner, name) => {
            const value = Reflect.get(inner, name) as unknown;
            if (typeof value !== 'function') return value;
            return (...call: unknown[]) => {
              if (name === method && (calls += 1) > after) throw new Error('killed');
              return (value as (...c: unknown[]) => unknown).apply(inner, call);
            };
          },
        });
      const broken =
        part === 'vectors'
          ? purgeOver(failing(store, 'remove', 0), storage)
          : purgeOver(store, failing(storage, 'delete', 2));
      await expect(run(receipt, broken)).rejects.toThrow('killed');
      expect(await purges.read(owner.ctx, dataset, receipt.purge_id)).toMatchObject({ status: 'running' });
      await run(receipt);
      for (const id of ids) expect(await rowsLeft(id)).toBe(0);
      expect([await vectorsOf(ids), await filesOf()]).toEqual([0, 0]);
      expect(await purges.read(owner.ctx, dataset, receipt.purge_id)).toMatchObject({
        status: 'completed',
        documents: 4,
      });
    },
  );

  it('twice at once has the same result, each with its receipt', async () => {
    const ids: DocumentId[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await add());
    for (const id of ids) await remove(id);
    const receipts = [await purges.purge(owner.ctx, dataset), await purges.purge(owner.ctx, dataset)];
    expect(receipts.map(({ documents }) => documents)).toEqual([5, 5]);
    expect(new Set(receipts.map(({ purge_id: id }) => id)).size).toBe(2);
    await Promise.all(receipts.map((receipt) => run(receipt)));
    for (const { purge_id: id } of receipts) {
      expect(await purges.read(owner.ctx, dataset, id)).toMatchObject({ status: 'completed' });
    }
    expect([await vectorsOf(ids), await filesOf()]).toEqual([0, 0]);
  });

  it('records for removal what a worker may still write of a deleted document', async () => {
    const id = await add();
    await remove(id, `, status = 'processing', fencing_token = 4711`);
    await run(await purges.purge(owner.ctx, dataset));
    const intents = await db.unitOfWork.runAsSystem((manager) =>
      rowsOf(
        manager,
        `SELECT payload, due_at > now() + interval '1 minute' AS waits FROM store_intents WHERE subject = $1`,
        [`${id}:4711`],
      ),
    );
    expect(intents).toEqual([{ payload: { documentId: id, datasetId: dataset, generation: '4711' }, waits: true }]);
  });

  it('is visible only to callers who see the dataset, and only under its own dataset', async () => {
    const receipt = await purges.purge(owner.ctx, dataset);
    const stranger = await createTestMember(db.unitOfWork, 'owner');
    await expect(purges.purge(stranger.ctx, dataset)).rejects.toMatchObject({ code: 'datasets.not_found' });
    await expect(purges.read(stranger.ctx, dataset, receipt.purge_id)).rejects.toMatchObject({
      code: 'datasets.not_found',
    });
    const other = await library.addDataset(owner);
    for (const [where, id] of [
      [other, receipt.purge_id],
      [dataset, newId()],
      [dataset, 'no-id'],
    ] as const) {
      await expect(purges.read(owner.ctx, where, id)).rejects.toMatchObject({ code: 'documents.purge_not_found' });
    }
  });
});
