import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatasetId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { createPolicyServices, presentPoliciesOver, type PolicyServices } from '../testing/policy-services.js';

describe('PresentPolicies', () => {
  let db: TestDatabase;
  let services: PolicyServices;
  let owner: TestMember;

  beforeAll(async () => {
    db = await createTestDatabase();
    services = createPolicyServices(db.unitOfWork);
    owner = await createTestMember(db.unitOfWork, 'editor');
  });
  afterAll(async () => db.close());

  const makeDataset = async (name: string): Promise<DatasetId> =>
    (await services.creation.create(owner.ctx, { name })).record.id as DatasetId;
  const put = (id: DatasetId, top_k: number, ctx = owner.ctx): Promise<unknown> =>
    services.changes.replace(ctx, id, { retrieval_defaults: { top_k } }, {});

  it('are those of the given versions, in the order of the datasets', async () => {
    const present = presentPoliciesOver(db.unitOfWork);
    const [one, two] = [await makeDataset('One'), await makeDataset('Two')];
    await put(one, 3);
    for (const _ of ['read', 'known']) {
      expect(
        await present.of(owner.ctx, [
          { id: two, policyVersion: 1 },
          { id: one, policyVersion: 2 },
        ]),
      ).toEqual([
        { embedding: {}, retrieval_defaults: {} },
        { embedding: {}, retrieval_defaults: { top_k: 3 } },
      ]);
    }
    expect(await present.of(owner.ctx, [{ id: one, policyVersion: 1 }])).toMatchObject([{ retrieval_defaults: {} }]);
  });

  it('do not remember a version that was read in a transaction and rolled back', async () => {
    const present = presentPoliciesOver(db.unitOfWork);
    const id = await makeDataset('Undone');
    const at = [{ id, policyVersion: 2 }];
    const undone = db.unitOfWork.run(owner.ctx, async (_manager, inner) => {
      await put(id, 4, inner);
      expect(await present.of(inner, at)).toMatchObject([{ retrieval_defaults: { top_k: 4 } }]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await put(id, 5);
    expect(await present.of(owner.ctx, at)).toMatchObject([{ retrieval_defaults: { top_k: 5 } }]);
  });

  it('name the embedding model that a dataset is to have until it has it', async () => {
    const id = await makeDataset('Elsewhere');
    const other = { provider: 'builtin', model: 'other', dimensions: 3 };
    const answer = await services.changes.replace(owner.ctx, id, { embedding: { model: 'other' } }, {});
    expect(answer.wanted_embedding).toEqual(other);
    expect(await services.history.current(owner.ctx, id)).toEqual(answer);
    expect((await services.datasets.get(owner.ctx, id)).record.wanted_embedding).toEqual(other);
    const sql = `UPDATE datasets SET embedding_space = 'other' WHERE id = $1`;
    await db.unitOfWork.run(owner.ctx, (manager) => manager.query(sql, [id]));
    expect((await services.history.current(owner.ctx, id)).wanted_embedding).toBeNull();
    const page = await services.datasets.list(owner.ctx, {
      order_by: 'name',
      skip: 0,
      limit: 100,
      q: 'Elsewhere',
    } as never);
    expect(page.items.map(({ wanted_embedding }) => wanted_embedding)).toEqual([null]);
  });
});
