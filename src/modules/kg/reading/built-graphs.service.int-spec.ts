import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatasetId, DocumentId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { KgLab, toldDocuments } from '../testing/kg-lab.js';
import type { SelectedPart } from './kg-reading.service.js';

const TOLD = toldDocuments().slice(0, 4);
const WHOLE = { depth: 1, limit: 500 };

let db: TestDatabase;
let lab: KgLab;
let owner: TestMember;
let dataset: DatasetId;
let ids: DocumentId[];

beforeAll(async () => {
  db = await createTestDatabase();
  lab = new KgLab(db.unitOfWork);
});
afterAll(() => db.close());
beforeEach(async () => {
  owner = await createTestMember(db.unitOfWork, 'editor');
  dataset = await lab.documentLab.addDataset(owner);
  ids = [];
  for (const document of TOLD) ids.push(await lab.put(owner, dataset, document));
  await lab.build(owner, dataset);
});

const select = (limit = WHOLE.limit): Promise<SelectedPart> =>
  lab.reading.select(owner.ctx, dataset, { ...WHOLE, limit });
const documentsOf = ({ nodes }: SelectedPart): Set<string> =>
  new Set(nodes.flatMap(({ evidence }) => evidence.map(({ document_id: id }) => id)));
const set = (id: DocumentId, assignments: string) =>
  lab.documentLab.rows(owner, `UPDATE documents SET ${assignments} WHERE id = $1`, [id]);

describe('a built graph', () => {
  it('is kept while its evidence is the same', async () => {
    const first = await select();
    expect((await select()).of).toBe(first.of);
    expect((await select(1)).nodes).toHaveLength(1);
    expect((await select()).of).toBe(first.of);
  });

  it('is built once for all requests at the same time', async () => {
    const parts = await Promise.all(Array.from({ length: 6 }, () => select()));
    expect(new Set(parts.map(({ of }) => of)).size).toBe(1);
  });

  it.each(['quarantined_at', 'deleted_at'])('is no longer given once %s is set for a document', async (column) => {
    const before = await select();
    expect(documentsOf(before)).toContain(ids[0]);
    await set(ids[0]!, `${column} = now()`);
    const after = await select();
    expect(documentsOf(after)).not.toContain(ids[0]);
    expect(after.nodes.length).toBeLessThan(before.nodes.length);
  });

  it('is no longer given once a document is extracted again, even from the same text', async () => {
    const first = await select();
    await set(ids[0]!, `name = 'Another name.txt'`);
    await lab.renames.renew(owner.ctx, { payload: { document_id: ids[0]! } } as never);
    expect((await select()).of).not.toBe(first.of);
  });

  it('is not there for another tenant', async () => {
    await select();
    const stranger = await createTestMember(db.unitOfWork, 'editor');
    await expect(lab.reading.select(stranger.ctx, dataset, WHOLE)).rejects.toThrow();
  });
});
