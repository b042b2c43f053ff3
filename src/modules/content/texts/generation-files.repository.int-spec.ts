import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatasetId, DocumentId } from '#libs/common';
import { FileRemovals } from '#libs/database';
import { createObjectStorage, parseObjectKey, type ObjectKey, type ObjectStorage } from '#libs/object-storage';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { GenerationFiles } from './generation-files.repository.js';
import { createDocumentServices, DocumentLab } from '../../documents/testing/document-lab.js';

const BYTES = new TextEncoder().encode('rows');
const NOBODY: ReadonlySet<DocumentId> = new Set();

let db: TestDatabase;
let lab: DocumentLab;
let storage: ObjectStorage;
let folder: string;
let owner: TestMember;
let dataset: DatasetId;
let isBackup: boolean;

beforeAll(async () => {
  db = await createTestDatabase();
  lab = new DocumentLab(db.unitOfWork);
  owner = await createTestMember(db.unitOfWork, 'editor');
  dataset = await lab.addDataset(owner);
  folder = await mkdtemp(join(tmpdir(), 'generation-files-'));
  storage = await createObjectStorage({ kind: 'filesystem', directory: folder });
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  isBackup = false;
});

function filesOver(store: ObjectStorage = storage): GenerationFiles {
  const real = new FileRemovals(db.database);
  const removals = { tryRun: async (work: () => Promise<void>) => (isBackup ? false : real.tryRun(work)) };
  const { lifecycle } = createDocumentServices(db.unitOfWork);
  return new GenerationFiles(db.unitOfWork, lifecycle, store, removals as FileRemovals);
}

/** A document with a running attempt. */
async function begun() {
  const id = await lab.put(owner, dataset, { status: 'processing' });
  return lab.attemptOf(owner, id);
}

const rowsOf = (id: DocumentId) =>
  lab.rows<{ key: string; size_bytes: string | null; sha256: string | null }>(
    owner,
    `SELECT key, size_bytes, sha256 FROM generation_files WHERE document_id = $1`,
    [id],
  );
const isThere = async (key: ObjectKey): Promise<boolean> => (await storage.stat(key)) !== null;

describe('files of generations', () => {
  it('are written with their row, can be written twice, and are removed only with their generation', async () => {
    const [files, attempt] = [filesOver(), await begun()];
    const { key, sizeBytes, sha256 } = await files.put(owner.ctx, attempt, { name: 'tables.1.parquet', bytes: BYTES });
    await files.put(owner.ctx, attempt, { name: 'tables.1.parquet', bytes: BYTES });
    expect(await rowsOf(attempt.documentId)).toEqual([{ key, size_bytes: String(sizeBytes), sha256 }]);
    const other = await begun();
    const kept = await files.put(owner.ctx, other, { name: 'tables.1.parquet', bytes: BYTES });
    const generation = { documentId: attempt.documentId, generation: attempt.token };
    expect(await files.remove(owner.ctx, [{ ...generation, generation: '0' }], NOBODY)).toBe(true);
    expect(await isThere(key)).toBe(true);
    expect(await files.remove(owner.ctx, [generation], NOBODY)).toBe(true);
    expect([await isThere(key), await isThere(kept.key)]).toEqual([false, true]);
    expect(await rowsOf(attempt.documentId)).toEqual([]);
    expect(await files.remove(owner.ctx, [generation], NOBODY)).toBe(true);
  });

  it('have a row even if writing them fails, so that the removal looks for them', async () => {
    const attempt = await begun();
    const broken = Object.create(storage, {
      put: { value: () => Promise.reject(new Error('disk full')) },
    }) as ObjectStorage;
    const written = filesOver(broken).put(owner.ctx, attempt, { name: 'tables.1.parquet', bytes: BYTES });
    await expect(written).rejects.toThrow('disk full');
    expect(await rowsOf(attempt.documentId)).toMatchObject([{ size_bytes: null, sha256: null }]);
    const generation = { documentId: attempt.documentId, generation: attempt.token };
    expect(await filesOver().remove(owner.ctx, [generation], NOBODY)).toBe(true);
    expect(await rowsOf(attempt.documentId)).toEqual([]);
  });

  it('are not written for an attempt that has ended', async () => {
    const attempt = await begun();
    const former = { ...attempt, token: '1' };
    const written = filesOver().put(owner.ctx, former, { name: 'tables.1.parquet', bytes: BYTES });
    await expect(written).rejects.toMatchObject({ name: 'AttemptEnded' });
    expect(await rowsOf(attempt.documentId)).toEqual([]);
    expect(await isThere(parseObjectKey(`${owner.tenantId}/${attempt.documentId}/g1.tables.1.parquet`))).toBe(false);
  });

  it('stay while a backup keeps files', async () => {
    const [files, attempt] = [filesOver(), await begun()];
    const { key } = await files.put(owner.ctx, attempt, { name: 'tables.1.parquet', bytes: BYTES });
    isBackup = true;
    const generation = { documentId: attempt.documentId, generation: attempt.token };
    expect(await files.remove(owner.ctx, [generation], NOBODY)).toBe(false);
    expect(await isThere(key)).toBe(true);
    expect(await rowsOf(attempt.documentId)).toHaveLength(1);
  });

  it('without a row are removed with a removed document, only those of the given generation', async () => {
    const attempt = await begun();
    const at = (name: string): ObjectKey => parseObjectKey(`${owner.tenantId}/${attempt.documentId}/${name}`);
    const [late, other] = [at(`g${attempt.token}.tables.1.parquet`), at(`g${attempt.token}0.tables.1.parquet`)];
    for (const key of [late, other]) await storage.put(key, BYTES, { maxBytes: BYTES.length });
    const generation = { documentId: attempt.documentId, generation: attempt.token };
    expect(await filesOver().remove(owner.ctx, [generation], NOBODY)).toBe(true);
    expect(await isThere(late)).toBe(true);
    expect(await filesOver().remove(owner.ctx, [generation], new Set([attempt.documentId]))).toBe(true);
    expect([await isThere(late), await isThere(other)]).toEqual([false, true]);
  });
});
