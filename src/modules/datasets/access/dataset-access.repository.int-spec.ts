import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, type DatasetId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import type { RequestContext } from '#libs/tenancy';
import type { ListDatasetsQuery } from '../catalogue/list-datasets.dto.js';
import { createDatasetServices, keyContextOf, type DatasetServices } from '../testing/dataset-services.js';

const ALL: ListDatasetsQuery = { skip: 0, limit: 100, order_by: 'name' };

describe('who sees a dataset', () => {
  let db: TestDatabase;
  let services: DatasetServices;
  let owner: TestMember;
  let partner: TestMember;
  let other: TestMember;
  let admin: TestMember;
  let foreigner: TestMember;
  let mine: DatasetId;
  let team: DatasetId;
  let shared: DatasetId;

  beforeAll(async () => {
    db = await createTestDatabase();
    services = createDatasetServices(db.unitOfWork);
    owner = await createTestMember(db.unitOfWork, 'editor');
    partner = await createTestMember(db.unitOfWork, 'viewer', owner.tenantId);
    other = await createTestMember(db.unitOfWork, 'editor', owner.tenantId);
    admin = await createTestMember(db.unitOfWork, 'admin', owner.tenantId);
    foreigner = await createTestMember(db.unitOfWork, 'owner');
    const create = async (request: Parameters<DatasetServices['creation']['create']>[1]): Promise<DatasetId> =>
      (await services.creation.create(owner.ctx, request)).record.id as DatasetId;
    mine = await create({ name: 'a mine' });
    team = await create({ name: 'b team', acl: 'all_team_members' });
    shared = await create({ name: 'c shared', acl: 'partial_members', partial_member_list: [partner.accountId] });
  });

  afterAll(async () => db.close());

  const listed = async (ctx: RequestContext): Promise<string[]> =>
    (await services.datasets.list(ctx, ALL)).items.map((dataset) => dataset.id);

  it('is decided by `acl`: everyone in the tenant, the listed members, or only the owner', async () => {
    expect(await listed(owner.ctx)).toEqual([mine, team, shared]);
    expect(await listed(partner.ctx)).toEqual([team, shared]);
    expect(await listed(other.ctx)).toEqual([team]);
    expect(await listed(admin.ctx)).toEqual([team]);
    expect(await listed(foreigner.ctx)).toEqual([]);
  });

  it('is the same for the total of a list as for its rows', async () => {
    expect((await services.datasets.list(other.ctx, { ...ALL, limit: 1, skip: 5 })).total).toBe(1);
  });

  it('is decided for an API key by its account and its own list', async () => {
    expect(await listed(keyContextOf(owner.ctx, null))).toEqual([mine, team, shared]);
    expect(await listed(keyContextOf(owner.ctx, [mine, newId<DatasetId>()]))).toEqual([mine]);
    expect(await listed(keyContextOf(other.ctx, [mine, team]))).toEqual([team]);
    expect(await listed(keyContextOf(other.ctx, []))).toEqual([]);
  });

  it('includes the system for all datasets of the tenant and no others', async () => {
    const system: RequestContext = { ...owner.ctx, principal: { kind: 'system', permissions: new Set() } };
    expect(await listed(system)).toEqual([mine, team, shared]);
    expect(await listed({ ...system, tenantId: foreigner.tenantId })).toEqual([]);
  });

  it('is not revealed: a dataset that is absent, invisible or of another tenant gets the same answer', async () => {
    const absent = newId();
    const notFound = (id: string) => ({ code: 'datasets.not_found', status: 404, facts: { id } });
    await expect(services.datasets.get(other.ctx, absent)).rejects.toMatchObject(notFound(absent));
    await expect(services.datasets.get(other.ctx, mine)).rejects.toMatchObject(notFound(mine));
    await expect(services.datasets.get(foreigner.ctx, team)).rejects.toMatchObject(notFound(team));
    await expect(services.access.requireVisible(other.ctx, 'no-uuid')).rejects.toMatchObject(notFound('no-uuid'));
  });

  it('is returned to other modules in the order of the ids, each once', async () => {
    const found = await services.access.requireAllVisible(owner.ctx, [shared, mine.toUpperCase(), shared, team]);
    expect(found.map((dataset) => dataset.id)).toEqual([shared, mine, team]);
    expect(found[1]).toEqual({
      id: mine,
      name: 'a mine',
      ownerId: owner.accountId,
      acl: 'only_me',
      embeddingSpace: 'test-space',
      isCalibrated: false,
      furtherSpaces: [],
      policyVersion: 1,
      onSameName: 'keep_both',
      contentSeq: '0',
    });
  });

  it('names the first dataset that is not found', async () => {
    await expect(services.access.requireAllVisible(partner.ctx, [team, mine, 'nonsense'])).rejects.toMatchObject({
      code: 'datasets.not_found',
      message: expect.stringContaining(mine),
    });
  });

  it('is available as an SQL condition with placeholders from a given number on', async () => {
    const key = keyContextOf(partner.ctx, [shared]);
    const visible = services.access.visibilityCondition(key, 's', 3);
    const rows = await db.unitOfWork.run<{ id: string }[]>(key, (manager) =>
      manager.query(`SELECT s.id, $1::int, $2::int FROM datasets s WHERE ${visible.sql}`, [
        1,
        2,
        ...visible.parameters,
      ]),
    );
    expect(rows.map((found) => found.id)).toEqual([shared]);
  });

  it('changes with the owner', async () => {
    const leaver = await createTestMember(db.unitOfWork, 'editor', owner.tenantId);
    const heir = await createTestMember(db.unitOfWork, 'editor', owner.tenantId);
    const { record } = await services.creation.create(leaver.ctx, { name: 'd inherited' });
    expect(await services.ownership.countOwned(admin.ctx, leaver.accountId)).toBe(1);
    await services.ownership.transfer(admin.ctx, leaver.accountId, heir.accountId);
    expect(await services.ownership.countOwned(admin.ctx, leaver.accountId)).toBe(0);
    expect((await services.datasets.get(heir.ctx, record.id)).record.owner_id).toBe(heir.accountId);
    await expect(services.datasets.get(leaver.ctx, record.id)).rejects.toMatchObject({ code: 'datasets.not_found' });
  });
});
