import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChunkId, DatasetId, DocumentId, TenantId } from '#libs/common';
import { indexRef, type IndexedChunk } from '#libs/vector-store';
import { crashDocument } from './support/crash-documents.js';
import { CrashRun } from './support/crash-run.js';
import { checkingContext, withDatabase, withVectorStore } from './support/stored-state.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOREIGN_GENERATION = '999999999';

interface DocumentRow {
  readonly id: DocumentId;
  readonly tenant_id: TenantId;
  readonly dataset_id: DatasetId;
  readonly embedding_space: string;
  readonly blob_key: string;
  readonly chunk_id: ChunkId;
  readonly dimensions: number;
}

interface Report {
  readonly mended: Record<string, number>;
  readonly seen: Record<string, number>;
}

const DOCUMENTS = `
  SELECT d.id, d.tenant_id, d.dataset_id, s.embedding_space, r.blob_key, (s.embedding ->> 'dimensions')::int AS dimensions,
    (SELECT c.id FROM chunks c WHERE c.chunk_set_id = d.visible_chunk_set_id ORDER BY c.ordinal LIMIT 1) AS chunk_id
  FROM documents d JOIN datasets s ON s.id = d.dataset_id JOIN document_revisions r ON r.id = d.revision_id
  WHERE d.id = ANY($1::uuid[])`;
const LOSE_TASK = `UPDATE documents SET status = 'pending', updated_at = now() - interval '1 hour' WHERE id = $1`;

describe('npm run reconcile', () => {
  let run: CrashRun;
  beforeAll(async () => {
    run = await CrashRun.begin();
  });
  afterAll(() => run?.service.dispose());

  async function reconcile(): Promise<Report> {
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: run.service.dataDir };
    const command = ['dist/src/cli/maintenance.js', 'reconcile'];
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: ROOT, env });
    const last = stdout.trim().split('\n').at(-1)!;
    expect(last).toMatch(/^completed /);
    return JSON.parse(last.slice('completed '.length)) as Report;
  }

  async function readRows(ids: readonly string[]): Promise<DocumentRow[]> {
    return withDatabase(run.service.dataDir, async (client) => {
      const { rows } = await client.query<DocumentRow>(DOCUMENTS, [ids]);
      return ids.map((id) => rows.find((row) => row.id === id)!);
    });
  }

  it('finds nothing where nothing is wrong', async () => {
    await run.upload(['one', 'two', 'three', 'four'].map((name) => crashDocument(name, 30_000)));
    expect(await run.untilDone()).toEqual([]);
    const { mended, seen } = await reconcile();
    expect([...Object.values(mended), ...Object.values(seen)].filter((count) => count !== 0)).toEqual([]);
  });

  it('makes again what is missing, tells what no one explains, and removes nothing of it', async () => {
    const { dataDir } = run.service;
    const ids = [...run.acknowledged.keys()];
    await run.service.stop();
    const [withoutVectors, withForeign, withoutFile, withoutTask] = await readRows(ids);
    await withDatabase(dataDir, (client) => client.query(LOSE_TASK, [withoutTask!.id]));
    await withVectorStore(dataDir, async (store) => {
      const { tenant_id: tenantId, dataset_id: datasetId, embedding_space: space } = withoutVectors!;
      const index = indexRef(checkingContext(tenantId), datasetId, space);
      await store.remove(index, { documentIds: [withoutVectors!.id] });
      await store.write(index, [foreignRow(withForeign!)]);
    });
    const [tenant] = withoutFile!.blob_key.split('/');
    const stray = join(dataDir, 'files', tenant!, 'nobody', 'knows');
    await mkdir(dirname(stray), { recursive: true });
    await writeFile(stray, 'a file without a row');
    const file = join(dataDir, 'files', withoutFile!.blob_key);
    const kept = await readFile(file);
    await rm(file);

    await run.service.start();
    const report = await reconcile();
    expect(report.mended).toMatchObject({ lost_tasks: 1, missing_vectors: expect.any(Number) });
    expect(report.mended['missing_vectors']).toBeGreaterThan(1);
    expect(report.seen).toMatchObject({ foreign_vectors: 1, foreign_files: 1, missing_files: 1 });
    expect(await readFile(stray, 'utf8')).toBe('a file without a row');
    expect((await reconcile()).mended).toMatchObject({ missing_vectors: 0 });
    await writeFile(file, kept);
    run.expectCompletions(withoutTask!.id, 2);
    expect(await run.checkAll()).toEqual([]);
  });
});

function foreignRow({ id, chunk_id: chunkId, dimensions }: DocumentRow): IndexedChunk {
  return {
    chunkId,
    documentId: id,
    ordinal: 0,
    generation: FOREIGN_GENERATION,
    terms: { words: ['foreign'], grams: [], title: [] },
    vector: new Float32Array(dimensions),
    metadata: {
      documentId: id,
      documentName: 'foreign',
      mediaType: 'text/plain',
      language: null,
      createdAt: new Date(0).toISOString(),
      tags: [],
      metadata: {},
    },
  };
}
