import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import type { DatasetId, DocumentId, JsonObject } from '#libs/common';
import { openDatabase, rowsOf } from '#libs/database';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { MemoryVectorStore } from '../../retrieval/testing/memory-vector-store.js';
import { RetrievalLibrary } from '../../retrieval/testing/retrieval-library.js';

/** The migration after which filters see empty lists and objects. */
const MIGRATION = 'PresentButEmpty0009000000000009';

describe('documents of a version whose store did not know empty lists and objects', () => {
  let db: TestDatabase;
  let owner: TestMember;
  let dataset: DatasetId;
  let library: RetrievalLibrary;

  beforeAll(async () => {
    db = await createTestDatabase();
    const { embedder } = await createModels(BUILTIN_MODELS);
    library = new RetrievalLibrary(db.unitOfWork, new MemoryVectorStore(), embedder);
    owner = await createTestMember(db.unitOfWork, 'editor');
    dataset = await library.addDataset(owner);
  });
  afterAll(async () => db.close());

  const add = async (metadata: JsonObject): Promise<DocumentId> => {
    const id = await library.addDocument(owner, dataset, { texts: ['The pump is serviced.'] });
    await library.change(owner, id, `metadata = '${JSON.stringify(metadata)}'`);
    return id;
  };

  it('are written to the store again, and no others', async () => {
    const told = [
      await add({ a: [] }),
      await add({ a: {} }),
      await add({ a: { b: 1 } }),
      await add({ a: [{ b: [] }] }),
    ];
    await add({ a: 1, b: ['x'], c: 'd' });
    await add({});
    await db.unitOfWork.runAsSystem((manager) => manager.query(`DELETE FROM store_intents`));
    const again = { url: db.url, migrationUrl: db.url, rolePrefix: 'kb', poolSize: 2 };
    await forgetMigration(db.url);
    await (await openDatabase({ ...again, onPoolError: () => undefined })).close();
    const intents = await db.unitOfWork.runAsSystem((manager) =>
      rowsOf<{ subject: string; payload: unknown }>(
        manager,
        `SELECT subject, payload FROM store_intents ORDER BY subject`,
      ),
    );
    expect(intents).toEqual(
      told.toSorted().map((id) => ({ subject: id, payload: { documentId: id, datasetId: dataset } })),
    );
    const unsynced = await db.unitOfWork.run(owner.ctx, (manager) =>
      rowsOf<{ id: string }>(manager, `SELECT id FROM documents WHERE metadata_seq <> stored_metadata_seq ORDER BY id`),
    );
    expect(unsynced.map(({ id }) => id)).toEqual(told.toSorted());
  });
});

async function forgetMigration(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('DELETE FROM schema_migrations WHERE name = $1', [MIGRATION]);
  } finally {
    await client.end();
  }
}
