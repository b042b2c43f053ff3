import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { MAX_CATEGORY_DEPTH } from './categories.service.js';
import { createDatasetServices, type DatasetServices } from '../testing/dataset-services.js';

describe('categories', () => {
  let db: TestDatabase;
  let services: DatasetServices;
  let member: TestMember;

  beforeAll(async () => {
    db = await createTestDatabase();
    services = createDatasetServices(db.unitOfWork);
  });
  afterAll(async () => db.close());

  beforeEach(async () => {
    member = await createTestMember(db.unitOfWork, 'editor');
  });

  const create = async (name: string, parent_id?: string): Promise<string> =>
    (await services.categories.create(member.ctx, { name, parent_id })).id;

  it('form a tree ordered by name, with counts of the datasets that the caller sees', async () => {
    const books = await create('books');
    const atlas = await create('Atlas');
    const novels = await create('Novels', books);
    const other = await createTestMember(db.unitOfWork, 'viewer', member.tenantId);
    await services.creation.create(member.ctx, { name: 'a', category_ids: [novels, books] });
    await services.creation.create(member.ctx, { name: 'b', category_ids: [novels], acl: 'all_team_members' });
    const gone = await services.creation.create(member.ctx, { name: 'c', category_ids: [novels] });
    await services.deletions.delete(member.ctx, gone.record.id);
    const node = { id: novels, name: 'Novels', parent_id: books, dataset_count: 2, children: [] };
    expect(await services.categories.tree(member.ctx)).toEqual({
      items: [
        { id: atlas, name: 'Atlas', parent_id: null, dataset_count: 0, children: [] },
        { id: books, name: 'books', parent_id: null, dataset_count: 1, children: [node] },
      ],
      total: 3,
    });
    const seen = await services.categories.tree(other.ctx);
    expect(seen.items[1]).toMatchObject({ dataset_count: 0, children: [{ dataset_count: 1 }] });
  });

  it('belong to one tenant', async () => {
    const mine = await create('Mine');
    const elsewhere = await createTestMember(db.unitOfWork, 'owner');
    expect(await services.categories.tree(elsewhere.ctx)).toEqual({ items: [], total: 0 });
    const notFound = { code: 'datasets.category_not_found', status: 404 };
    await expect(services.categories.update(elsewhere.ctx, mine, { name: 'x' })).rejects.toMatchObject(notFound);
    await expect(services.categories.delete(elsewhere.ctx, mine)).rejects.toMatchObject(notFound);
    await expect(services.creation.create(elsewhere.ctx, { name: 'x', category_ids: [mine] })).rejects.toMatchObject(
      notFound,
    );
    await services.creation.create(member.ctx, { name: 'x', category_ids: [mine] });
    const list = { skip: 0, limit: 20, order_by: 'name', category_id: mine } as const;
    expect((await services.datasets.list(member.ctx, list)).total).toBe(1);
    expect((await services.datasets.list(elsewhere.ctx, list)).total).toBe(0);
    expect((await services.datasets.list(member.ctx, { ...list, category_id: newId() })).total).toBe(0);
  });

  it('have a name that is unique among their siblings', async () => {
    const parent = await create('Parent');
    await create('Same', parent);
    const root = await create('Same');
    const taken = { code: 'datasets.category_name_taken', status: 409 };
    await expect(create('SAME', parent)).rejects.toMatchObject(taken);
    await expect(create('same')).rejects.toMatchObject(taken);
    await expect(services.categories.update(member.ctx, root, { parent_id: parent })).rejects.toMatchObject(taken);
    await expect(services.categories.update(member.ctx, root, { name: 'SAME' })).resolves.toMatchObject({
      name: 'SAME',
    });
  });

  it('move with all categories below them, but never below themselves', async () => {
    const top = await create('Top');
    const middle = await create('Middle', top);
    const leaf = await create('Leaf', middle);
    for (const parent_id of [top, middle, leaf]) {
      await expect(services.categories.update(member.ctx, top, { parent_id })).rejects.toMatchObject({
        code: 'datasets.category_cycle',
        status: 422,
      });
    }
    await services.categories.update(member.ctx, middle, { parent_id: null });
    const { items } = await services.categories.tree(member.ctx);
    expect(items).toMatchObject([
      { name: 'Middle', children: [{ name: 'Leaf' }] },
      { name: 'Top', children: [] },
    ]);
  });

  it('never form a cycle when two of them are moved at the same time', async () => {
    const one = await create('One');
    const two = await create('Two');
    const moves = await Promise.allSettled([
      services.categories.update(member.ctx, one, { parent_id: two }),
      services.categories.update(member.ctx, two, { parent_id: one }),
    ]);
    expect(moves.map((move) => move.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('have a limited number of levels, for new ones and for moved ones', async () => {
    const tooDeep = { code: 'datasets.category_too_deep', status: 422 };
    let parent: string | undefined;
    for (let level = 1; level <= MAX_CATEGORY_DEPTH; level += 1) parent = await create(`Level ${level}`, parent);
    await expect(create('One more', parent)).rejects.toMatchObject(tooDeep);
    const pair = await create('Pair');
    await create('Child', pair);
    const { items } = await services.categories.tree(member.ctx);
    let node = items[0];
    while (node?.children[0]?.children[0] !== undefined) node = node.children[0];
    await expect(services.categories.update(member.ctx, pair, { parent_id: node!.id })).rejects.toMatchObject(tooDeep);
  });

  it('need a parent that exists', async () => {
    await expect(create('Orphan', newId())).rejects.toMatchObject({ code: 'datasets.category_not_found' });
  });

  it('can be deleted if they have no children, and their datasets stay', async () => {
    const parent = await create('Parent');
    const child = await create('Child', parent);
    const made = await services.creation.create(member.ctx, { name: 'x', category_ids: [child, parent] });
    await expect(services.categories.delete(member.ctx, parent)).rejects.toMatchObject({
      code: 'datasets.category_has_children',
      status: 409,
    });
    await services.categories.delete(member.ctx, child);
    await expect(services.datasets.get(member.ctx, made.record.id)).resolves.toMatchObject({
      version: 2,
      record: { category_ids: [parent] },
    });
    await expect(services.categories.delete(member.ctx, 'nonsense')).rejects.toMatchObject({ status: 404 });
  });
});
