import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import type { Dataset } from './dataset.dto.js';
import { createDatasetServices, type DatasetServices } from '../testing/dataset-services.js';

describe('changing a dataset', () => {
  let db: TestDatabase;
  let services: DatasetServices;
  let owner: TestMember;
  let editor: TestMember;
  let admin: TestMember;
  let dataset: Dataset;

  beforeAll(async () => {
    db = await createTestDatabase();
    services = createDatasetServices(db.unitOfWork);
  });
  afterAll(async () => db.close());

  beforeEach(async () => {
    owner = await createTestMember(db.unitOfWork, 'editor');
    editor = await createTestMember(db.unitOfWork, 'editor', owner.tenantId);
    admin = await createTestMember(db.unitOfWork, 'admin', owner.tenantId);
    const made = await services.creation.create(owner.ctx, {
      name: 'Manuals',
      description: 'Old ones',
      acl: 'all_team_members',
      metadata: { team: { name: 'docs', size: 3 }, year: 2024 },
    });
    dataset = made.record;
  });

  it('merges the sent fields and keeps the rest', async () => {
    const patch = { metadata: { team: { size: null, city: 'Oslo' }, tags: ['a'] } } as const;
    const { record, version } = await services.updates.update(editor.ctx, dataset.id, patch, undefined);
    expect(version).toBe(2);
    expect(record).toMatchObject({ name: 'Manuals', description: 'Old ones', acl: 'all_team_members' });
    expect(record.metadata).toEqual({ team: { name: 'docs', city: 'Oslo' }, year: 2024, tags: ['a'] });
    const cleared = await services.updates.update(
      owner.ctx,
      dataset.id,
      { description: null, metadata: null },
      undefined,
    );
    expect(cleared.record).toMatchObject({ description: null, metadata: {} });
  });

  it('changes nothing for an empty patch or one with the present values', async () => {
    await expect(services.updates.update(owner.ctx, dataset.id, {}, undefined)).resolves.toEqual({
      record: dataset,
      version: 1,
    });
    const same = { name: ' Manuals', metadata: { year: 2024 }, acl: 'all_team_members' as const, category_ids: [] };
    await expect(services.updates.update(editor.ctx, dataset.id, same, undefined)).resolves.toMatchObject({
      version: 1,
    });
  });

  it('refuses the name of another dataset of the tenant, but accepts its own name in another case', async () => {
    await services.creation.create(editor.ctx, { name: 'Guides' });
    await expect(services.updates.update(owner.ctx, dataset.id, { name: 'GUIDES' }, undefined)).rejects.toMatchObject({
      code: 'datasets.name_taken',
      status: 409,
      message: expect.stringContaining('GUIDES'),
    });
    const renamed = await services.updates.update(owner.ctx, dataset.id, { name: 'MANUALS' }, undefined);
    expect(renamed.record.name).toBe('MANUALS');
  });

  it('refuses a change for another version', async () => {
    await services.updates.update(owner.ctx, dataset.id, { name: 'Second' }, '"1"');
    await expect(services.updates.update(owner.ctx, dataset.id, { name: 'Third' }, '"1"')).rejects.toMatchObject({
      status: 412,
    });
    await expect(services.updates.update(owner.ctx, dataset.id, { name: 'Third' }, '"2"')).resolves.toMatchObject({
      version: 3,
    });
  });

  it('accepts only one of several changes that are based on the same version', async () => {
    const results = await Promise.allSettled(
      ['One', 'Two', 'Three'].map((name) => services.updates.update(owner.ctx, dataset.id, { name }, '"1"')),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('lets only the owner and administrators change who sees it', async () => {
    const patch = { acl: 'only_me' as const };
    const forbidden = { code: 'datasets.acl_forbidden', status: 403 };
    await expect(services.updates.update(editor.ctx, dataset.id, patch, undefined)).rejects.toMatchObject(forbidden);
    const list = { partial_member_list: [editor.accountId] };
    await expect(services.updates.update(editor.ctx, dataset.id, list, undefined)).rejects.toMatchObject(forbidden);
    const { record } = await services.updates.update(admin.ctx, dataset.id, patch, undefined);
    expect(record.acl).toBe('only_me');
    await expect(services.updates.update(admin.ctx, dataset.id, {}, undefined)).rejects.toMatchObject({ status: 404 });
    const events = await db.unitOfWork.run<unknown[]>(owner.ctx, (manager) =>
      manager.query(`SELECT details FROM audit_log WHERE event = 'dataset.acl_changed'`),
    );
    const details = {
      before: { acl: 'all_team_members', partial_member_list: [] },
      after: { acl: 'only_me', partial_member_list: [] },
    };
    expect(events).toEqual([{ details }]);
  });

  it('gives its instructions to chats, if there are any and the caller sees the dataset', async () => {
    const told = (ctx = owner.ctx) =>
      services.access.listInstructions(ctx, [dataset.id.toUpperCase(), dataset.id, newId()]);
    expect(await told()).toEqual([]);
    const { record } = await services.updates.update(owner.ctx, dataset.id, { instructions: 'Be brief.' }, undefined);
    expect(record.instructions).toBe('Be brief.');
    expect(await told()).toEqual([{ name: record.name, instructions: 'Be brief.' }]);
    await services.updates.update(owner.ctx, dataset.id, { acl: 'only_me' }, undefined);
    expect(await told(editor.ctx)).toEqual([]);
    await services.updates.update(owner.ctx, dataset.id, { instructions: null }, undefined);
    expect(await told()).toEqual([]);
  });

  it('is 404 for a caller who does not see it', async () => {
    await services.updates.update(owner.ctx, dataset.id, { acl: 'only_me' }, undefined);
    await expect(services.updates.update(editor.ctx, dataset.id, { name: 'x' }, undefined)).rejects.toMatchObject({
      code: 'datasets.not_found',
    });
  });

  it('refuses metadata that grow too large by merging', async () => {
    await services.updates.update(owner.ctx, dataset.id, { metadata: { a: 'x'.repeat(40_000) } }, undefined);
    await expect(
      services.updates.update(owner.ctx, dataset.id, { metadata: { b: 'x'.repeat(40_000) } }, undefined),
    ).rejects.toMatchObject({ status: 422, errors: [{ pointer: '/metadata' }] });
  });

  it('replaces the categories by a set of existing ones', async () => {
    const { id: first } = await services.categories.create(owner.ctx, { name: 'First' });
    const { id: second } = await services.categories.create(owner.ctx, { name: 'Second' });
    const sent = { category_ids: [second, first.toUpperCase(), second] };
    const { record } = await services.updates.update(owner.ctx, dataset.id, sent, undefined);
    expect(record.category_ids).toEqual([first, second]);
    const absent = newId();
    await expect(
      services.updates.update(owner.ctx, dataset.id, { category_ids: [first, absent] }, undefined),
    ).rejects.toMatchObject({ code: 'datasets.category_not_found', status: 404, facts: { id: absent } });
    await services.updates.update(owner.ctx, dataset.id, { category_ids: [second] }, undefined);
    expect((await services.datasets.get(owner.ctx, dataset.id)).record.category_ids).toEqual([second]);
  });
});
