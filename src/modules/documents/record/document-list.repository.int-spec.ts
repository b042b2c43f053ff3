import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, createTestMember, type TestDatabase } from '#libs/testing';
import { DatasetAccess } from '../../datasets/index.js';
import { DocumentLab } from '../testing/document-lab.js';
import { cursorAt, placeOf } from './list-cursor.js';
import { behind, conditionOf, LISTED_DOCUMENTS, orderOf } from './document-list.repository.js';
import { DocumentsRepository } from './documents.repository.js';

/** `$2` copies of one document, each under an id, a name and a sum of its own. */
const COPY = `INSERT INTO documents SELECT r.* FROM documents d
  CROSS JOIN generate_series(1, $2::int) AS n
  CROSS JOIN LATERAL jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'path', NULL,
    'name', n || '.txt', 'sha256', encode(sha256(n::text::bytea), 'hex'))) AS r
  WHERE d.id = $1`;

const NAMES = ['Report 10.pdf', 'zebra.txt', 'Ärzte.txt', 'report 2.pdf', 'Azur.txt', 'Report 1.pdf', 'Report 9a.pdf'];
const IN_ORDER = [
  'Ärzte.txt',
  'Azur.txt',
  'Report 1.pdf',
  'report 2.pdf',
  'Report 9a.pdf',
  'Report 10.pdf',
  'zebra.txt',
];

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

it('documents are found by the checksums of their files through the index, under row-level security', async () => {
  const lab = new DocumentLab(db.unitOfWork);
  const member = await createTestMember(db.unitOfWork, 'editor');
  const datasetId = await lab.addDataset(member);
  const documentId = await lab.put(member, datasetId, { status: 'completed' });
  await db.unitOfWork.run(member.ctx, (manager) => manager.query(COPY, [documentId, 2_000]));
  await db.database.source.query('ANALYZE documents');
  const { sql, parameters } = conditionOf({ datasetId, sha256: ['a'.repeat(64), 'b'.repeat(64)] });
  const plan = await db.unitOfWork.run(member.ctx, async (manager) => {
    const rows = await manager.query<readonly object[]>(`EXPLAIN SELECT d.id ${LISTED_DOCUMENTS} WHERE ${sql}`, [
      ...parameters,
    ]);
    return JSON.stringify(rows);
  });
  expect(plan).toMatch(/documents_sha on documents d/);
  expect(plan).toMatch(/Index Cond: [^"]*sha256 = ANY/);
});

it('numbers within names are ordered by their value, page after page, in both directions', async () => {
  const lab = new DocumentLab(db.unitOfWork);
  const member = await createTestMember(db.unitOfWork, 'editor');
  const datasetId = await lab.addDataset(member);
  for (const name of NAMES) {
    const id = await lab.put(member, datasetId, { status: 'completed' });
    await db.unitOfWork.run(member.ctx, (manager) =>
      manager.query('UPDATE documents SET name = $2 WHERE id = $1', [id, name]),
    );
  }
  const documents = new DocumentsRepository(db.unitOfWork, new DatasetAccess(db.unitOfWork));
  for (const [order, names] of [
    ['name', IN_ORDER],
    ['-name', IN_ORDER.toReversed()],
  ] as const) {
    const listed: string[] = [];
    for (let cursor: string | undefined, page = 0; page < 4; page++) {
      const after = cursor === undefined ? undefined : placeOf(cursor, order);
      const place = { orderBy: order, skip: 0, limit: 2, ...(after === undefined ? {} : { after }) };
      const { rows } = await documents.listVisible(member.ctx, { datasetId }, place);
      const shown = rows.slice(0, 2);
      listed.push(...shown.map(({ name }) => name));
      cursor = cursorAt(order, shown.at(-1)!);
    }
    expect(listed).toEqual(names);
  }
});

it('a page of 10,000 names is read through the index, under row-level security, wherever it begins', async () => {
  const lab = new DocumentLab(db.unitOfWork);
  const member = await createTestMember(db.unitOfWork, 'editor');
  const datasetId = await lab.addDataset(member);
  const documentId = await lab.put(member, datasetId, { status: 'completed' });
  await db.unitOfWork.run(member.ctx, (manager) => manager.query(COPY, [documentId, 10_000]));
  await db.database.source.query('ANALYZE documents');
  const { sql, parameters } = conditionOf({ datasetId });
  for (const order of ['name', '-name'] as const) {
    const place = behind(order, { value: '5000.txt', id: documentId }, parameters.length + 1);
    const plan = await db.unitOfWork.run(member.ctx, async (manager) => {
      const rows = await manager.query<readonly object[]>(
        `EXPLAIN SELECT d.* ${LISTED_DOCUMENTS} WHERE ${sql} AND ${place.sql} ORDER BY ${orderOf(order)} LIMIT 51`,
        [...parameters, ...place.parameters],
      );
      return JSON.stringify(rows);
    });
    expect(plan).toMatch(/documents_named on documents d/);
    expect(plan).toMatch(/Index Cond: [^"]*ROW\(\(name\)::text, id\)/);
    expect(plan).not.toMatch(/Sort/);
  }
});
