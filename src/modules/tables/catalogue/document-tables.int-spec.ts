import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatasetId, DocumentId } from '#libs/common';
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
import { DocumentLab } from '../../documents/testing/document-lab.js';
import { DocumentTablesRepository } from './document-tables.repository.js';
import { TableNamesRepository } from './table-names.repository.js';

const TABLES = 300;
const PLACE = { sheet: '', nth: 1 };

let db: TestDatabase;
let lab: DocumentLab;
let owner: TestMember;
let tables: DocumentTablesRepository;
let names: TableNamesRepository;

beforeAll(async () => {
  db = await createTestDatabase();
  lab = new DocumentLab(db.unitOfWork);
  owner = await createTestMember(db.unitOfWork, 'editor');
  tables = new DocumentTablesRepository(db.unitOfWork);
  names = new TableNamesRepository(db.unitOfWork);
});
afterAll(() => db.close());

/** A table of what a document of the lab shows, which is generation 7. */
async function addTable(dataset: DatasetId, id: DocumentId, name: string, generation = 7): Promise<void> {
  await lab.rows(
    owner,
    `INSERT INTO document_tables (tenant_id, document_id, generation, ordinal, dataset_id, name, title, row_count, total_rows, combined_name,
       columns, profiles, samples, repaired, fidelity, object_key, size_bytes)
     VALUES ($1, $2, $3, 1, $4, $5, $5, 1, 0, $5, '[]', $6::jsonb, '[]', '[]', 'exact', 'key', 1)`,
    [owner.tenantId, id, generation, dataset, name, JSON.stringify([{ nulls: generation }])],
  );
}

async function addDocument(dataset: DatasetId, name: string): Promise<DocumentId> {
  const id = await lab.put(owner, dataset, { status: 'completed' });
  await addTable(dataset, id, name);
  return id;
}

const namesOf = async (dataset: DatasetId): Promise<string[]> =>
  (await tables.listShown(owner.ctx, dataset)).map(({ name }) => name);

async function planOf(part: string, values: readonly string[]): Promise<PlanNode[]> {
  const { sql } = declaredStatements().find((each) => each.sql.includes(part))!;
  const text = values.reduce((before, value, index) => before.replaceAll(`$${index + 1}`, value), sql);
  const [row] = await lab.rows<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
    owner,
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    [],
  );
  return planNodes(row!['QUERY PLAN'][0].Plan);
}

describe('the tables that are shown', () => {
  it('are those of visible generations of documents that are neither deleted nor quarantined', async () => {
    const dataset = await lab.addDataset(owner);
    const [kept, deleted, quarantined] = [
      await addDocument(dataset, 'b'),
      await addDocument(dataset, 'deleted'),
      await addDocument(dataset, 'quarantined'),
    ];
    await addTable(dataset, kept, 'former', 6);
    await addTable(dataset, await lab.put(owner, dataset, { status: 'processing' }), 'unseen');
    await addDocument(dataset, 'a');
    await addDocument(await lab.addDataset(owner), 'other');
    await lab.rows(owner, `UPDATE documents SET deleted_at = now() WHERE id = $1`, [deleted]);
    await lab.rows(owner, `UPDATE documents SET quarantined_at = now() WHERE id = $1`, [quarantined]);
    expect(await namesOf(dataset)).toEqual(['a', 'b']);
    expect(await tables.listProfiled(owner.ctx, dataset, 1)).toMatchObject([{ name: 'a', profiles: [{ nulls: 7 }] }]);
    const stranger = await createTestMember(db.unitOfWork, 'editor');
    expect(await tables.listShown(stranger.ctx, dataset)).toEqual([]);
  });

  it('are read once each, with any statistics of the planner', async () => {
    const dataset = await lab.addDataset(owner);
    const ids: string[] = [];
    for (let n = 0; n < TABLES; n += 1) ids.push(await addDocument(dataset, `t${n}`));
    expect(await namesOf(dataset)).toHaveLength(TABLES);
    const all = `'{${ids.join()}}'`;
    const list = await planOf('FROM document_tables t WHERE t.dataset_id', [`'${dataset}'`]);
    const showing = await planOf('generation FROM shown_documents d', [all]);
    const details = await planOf('CROSS JOIN LATERAL (\n     SELECT k.document_id', [
      all,
      `'{${ids.map(() => 7).join()}}'`,
      `'{${ids.map(() => 1).join()}}'`,
    ]);
    for (const nodes of [list, showing]) {
      expect(nodes.map((node) => node['Node Type']).filter((type) => /Join|Loop/.test(type))).toEqual([]);
    }
    for (const nodes of [list, showing, details]) expect(rowsLookedAt(nodes)).toBeLessThan(5 * TABLES);
  });
});

describe('names of tables', () => {
  const claim = async (dataset: DatasetId, id: DocumentId, name: string, places = [PLACE]): Promise<string[]> =>
    names.claim(owner.ctx, { id, datasetId: dataset, name }, places);
  const addTo = (dataset: DatasetId): Promise<DocumentId> => lab.put(owner, dataset, { status: 'completed' });

  it('are made of document, sheet and place, and kept over renames', async () => {
    const dataset = await lab.addDataset(owner);
    const id = await addTo(dataset);
    const places = [
      { sheet: 'Q1 2024', nth: 1 },
      { sheet: 'Q1 2024', nth: 2 },
      { sheet: '', nth: 1 },
    ];
    const first = ['sales_q1_2024', 'sales_q1_2024_2', 'sales'];
    expect(await claim(dataset, id, 'Sales.xlsx', places)).toEqual(first);
    expect(await claim(dataset, id, 'Renamed.xlsx', places.toReversed())).toEqual(first.toReversed());
    expect(await claim(dataset, await addTo(dataset), '2024.csv')).toEqual(['c_2024']);
    expect(await claim(dataset, await addTo(dataset), '—.csv')).toEqual(['table']);
  });

  it('are given once in a dataset, also to claims at the same moment, and again once their document is deleted', async () => {
    const dataset = await lab.addDataset(owner);
    const ids = await Promise.all(Array.from({ length: 6 }, () => addTo(dataset)));
    const given = await Promise.all(ids.map((id) => claim(dataset, id, 'Sales.csv')));
    expect(given.flat().toSorted()).toEqual(['sales', 'sales_v2', 'sales_v3', 'sales_v4', 'sales_v5', 'sales_v6']);
    const holder = ids[given.findIndex(([name]) => name === 'sales')]!;
    await lab.rows(owner, `UPDATE documents SET deleted_at = now() WHERE id = $1`, [holder]);
    expect(await claim(dataset, await addTo(dataset), 'Sales.csv')).toEqual(['sales']);
    const elsewhere = await lab.addDataset(owner);
    expect(await claim(elsewhere, await addTo(elsewhere), 'Sales.csv')).toEqual(['sales']);
  });

  it('hold the id of the document where all numbers are taken', async () => {
    const dataset = await lab.addDataset(owner);
    for (let nth = 0; nth <= 20; nth += 1) await claim(dataset, await addTo(dataset), 'Sales.csv');
    const id = await addTo(dataset);
    expect(await claim(dataset, id, 'Sales.csv')).toEqual([`sales_${id.replaceAll('-', '').slice(-12)}`]);
  });
});
