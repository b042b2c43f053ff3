import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import { rowsOf } from '#libs/database';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { DocumentLab } from '../testing/document-lab.js';
import { idempotencyOver } from '../testing/purge-services.js';

let db: TestDatabase;
let owner: TestMember;
beforeAll(async () => {
  db = await createTestDatabase();
  owner = await createTestMember(db.unitOfWork, 'owner');
});
afterAll(() => db.close());

const change = (sql: string, dataset: DatasetId): Promise<unknown> =>
  db.unitOfWork.run(owner.ctx, (manager) => rowsOf(manager, sql, [dataset]));

it('a repeated bulk operation gets the same answer before, during and after the removal of its dataset', async () => {
  const lab = new DocumentLab(db.unitOfWork);
  const editor = await createTestMember(db.unitOfWork, 'editor', owner.tenantId);
  const dataset = await lab.addDataset(owner);
  await change(`UPDATE datasets SET acl = 'all_team_members' WHERE id = $1 RETURNING id`, dataset);
  const document = await lab.put(owner, dataset, { status: 'completed' });
  const first = { status: 202, headers: {}, body: { accepted: [document], rejected: [] } };
  let effects = 0;
  const ask = async (member: TestMember, documentIds: readonly DocumentId[] = [document]): Promise<unknown> => {
    const request = { key: 'k', route: 'POST /documents/batch/reingest', bodyHash: 'same', documentIds };
    const answer = await idempotencyOver(db.unitOfWork).run(member.ctx, request, async () => {
      effects += 1;
      return await Promise.resolve(first);
    });
    return { ...answer, replayed: undefined };
  };
  const answers = [await ask(owner), await ask(owner), await ask(editor)];
  await change(`UPDATE datasets SET deleted_at = now() WHERE id = $1 RETURNING id`, dataset);
  answers.push(await ask(owner), await ask(editor));
  await change(`UPDATE datasets SET acl = 'only_me' WHERE id = $1 RETURNING id`, dataset);
  await expect(ask(editor)).rejects.toMatchObject({ code: 'documents.not_found' });
  await change(`DELETE FROM documents WHERE dataset_id = $1 RETURNING id`, dataset);
  answers.push(await ask(owner), await ask(editor));
  expect(answers).toEqual(answers.map(() => ({ ...first, replayed: undefined })));
  expect(effects).toBe(2);
  expect(await ask(owner, [newId<DocumentId>()])).toMatchObject(first);
});
