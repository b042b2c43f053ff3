import { Column, Entity, getMetadataArgsStorage, PrimaryColumn, type Repository } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, type TenantId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { TenantRepository } from './tenant-repository.js';
import type { TransactionContext } from './unit-of-work.js';

@Entity('categories')
class Category {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('text')
  readonly name!: string;

  @Column('text')
  readonly name_key!: string;
}

class Categories extends TenantRepository {
  add(ctx: RequestContext, tenantId: TenantId, name: string): Promise<unknown> {
    return this.withRepository(ctx, Category, (rows) =>
      rows.insert({ id: newId(), tenant_id: tenantId, name, name_key: name }),
    );
  }

  async names(ctx: RequestContext): Promise<string[]> {
    const found = await this.withRepository(ctx, Category, (rows) => rows.find({ order: { name_key: 'ASC' } }));
    return found.map(({ name }) => name);
  }

  rows(ctx: TransactionContext): Repository<Category> {
    return this.repository(ctx, Category);
  }
}

let test: TestDatabase;
let categories: Categories;
let one: TestMember;
let two: TestMember;

beforeAll(async () => {
  test = await createTestDatabase();
  categories = new Categories(test.unitOfWork);
});
afterAll(async () => {
  // Specs of the same worker look at all entities there are.
  for (const known of [getMetadataArgsStorage().tables, getMetadataArgsStorage().columns])
    known.splice(0, known.length, ...(known.filter(({ target }) => target !== Category) as never[]));
  await test.close();
});
beforeEach(async () => {
  [one, two] = [await createTestMember(test.unitOfWork), await createTestMember(test.unitOfWork)];
});

describe('the repository of an entity', () => {
  it('reads and writes the rows of its tenant and no others', async () => {
    await categories.add(one.ctx, one.tenantId, 'alpha');
    await categories.add(two.ctx, two.tenantId, 'beta');
    expect(await categories.names(one.ctx)).toEqual(['alpha']);
    await expect(categories.add(one.ctx, two.tenantId, 'gamma')).rejects.toThrow(/row-level security/);
    const foreign = test.unitOfWork.run(one.ctx, async (_manager, ctx) => {
      const changed = await categories.rows(ctx).update({ tenant_id: two.tenantId }, { name: 'mine' });
      const removed = await categories.rows(ctx).delete({ tenant_id: two.tenantId });
      return [changed.affected, removed.affected];
    });
    expect(await foreign).toEqual([0, 0]);
    expect(await categories.names(two.ctx)).toEqual(['beta']);
  });

  it('writes in the transaction of its context, which takes everything back together', async () => {
    const work = test.unitOfWork.run(one.ctx, async (_manager, ctx) => {
      await categories.add(ctx, one.tenantId, 'first');
      const id = newId();
      await categories.rows(ctx).save({ id, tenant_id: one.tenantId, name: 'second', name_key: 'second' });
      expect(await categories.names(ctx)).toEqual(['first', 'second']);
      throw new Error('stop');
    });
    await expect(work).rejects.toThrow('stop');
    expect(await categories.names(one.ctx)).toEqual([]);
  });

  it('makes a savepoint of a transaction inside of the transaction', async () => {
    await test.unitOfWork.run(one.ctx, async (manager, ctx) => {
      await categories.add(ctx, one.tenantId, 'kept');
      const inside = manager.transaction(async (nested) => {
        await nested.insert(Category, { id: newId(), tenant_id: one.tenantId, name: 'undone', name_key: 'undone' });
        throw new Error('undo');
      });
      await expect(inside).rejects.toThrow('undo');
    });
    expect(await categories.names(one.ctx)).toEqual(['kept']);
  });

  it('is of no use once its transaction has ended', async () => {
    const rows = await test.unitOfWork.run(one.ctx, async (_manager, ctx) => categories.rows(ctx));
    await expect(rows.find()).rejects.toThrow(/already released/i);
    await expect(rows.insert({ id: newId(), tenant_id: one.tenantId, name: 'x', name_key: 'x' })).rejects.toThrow(
      /already released/i,
    );
  });
});
