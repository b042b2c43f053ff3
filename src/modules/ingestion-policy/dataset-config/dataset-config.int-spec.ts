import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '#libs/tenancy';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import type { DatasetConfigImportRequest } from './dataset-config-import.dto.js';
import { CONFIG_FORMAT, CONFIG_VERSION } from './dataset-config.dto.js';
import { createPolicyServices, type PolicyServices } from '../testing/policy-services.js';

const HEAD = { format: CONFIG_FORMAT, version: CONFIG_VERSION } as const;

describe('the configuration of a dataset', () => {
  let db: TestDatabase;
  let services: PolicyServices;
  let owner: TestMember;
  let source: string;

  beforeAll(async () => {
    db = await createTestDatabase();
    services = createPolicyServices(db.unitOfWork);
    owner = await createTestMember(db.unitOfWork, 'editor');
    const shelf = await services.categories.create(owner.ctx, { name: 'Shelf' });
    const board = await services.categories.create(owner.ctx, { name: 'Board', parent_id: shelf.id });
    source = await makeDataset('Source', {
      description: 'What it is for',
      instructions: 'Answer in full sentences.',
      acl: 'all_team_members',
      metadata: { owner: { team: 'search' }, nothing: null },
      category_ids: [shelf.id, board.id],
    });
    await services.changes.replace(owner.ctx, source, { chunking: { strategy: 'sentence', chunk_size: 128 } }, {});
  });
  afterAll(async () => db.close());

  const makeDataset = async (name: string, more: object = {}): Promise<string> =>
    (await services.creation.create(owner.ctx, { name, ...more })).record.id;

  const importInto = (
    id: string,
    document: Partial<DatasetConfigImportRequest>,
    ifMatch?: string,
    ctx: RequestContext = owner.ctx,
  ) => services.imports.run(ctx, id, { ...HEAD, ...document }, ifMatch);

  it('is the same after an export from one dataset and an import into another', async () => {
    const exported = await services.exports.run(owner.ctx, source);
    expect(exported).toMatchObject({
      ...HEAD,
      source: { dataset_id: source, name: 'Source' },
      dataset: {
        instructions: 'Answer in full sentences.',
        acl: 'all_team_members',
        categories: expect.arrayContaining([['Shelf'], ['Shelf', 'Board']]),
      },
      ingestion_policy: { chunking: { strategy: 'sentence', chunk_size: 128 } },
    });
    const target = await makeDataset('Target', { metadata: { old: 1 } });
    const { result, version } = await services.imports.run(owner.ctx, target, exported, undefined);
    expect(result).toMatchObject({ ingestion_policy_version: 2, warnings: [], dataset: { name: 'Target' } });
    expect(await services.datasets.get(owner.ctx, target)).toMatchObject({ version, record: result.dataset });
    const again = await services.exports.run(owner.ctx, target);
    expect({ ...again, source: exported.source }).toEqual(exported);
  });

  it('keeps settings that the document does not contain', async () => {
    const target = await makeDataset('Half', { description: 'stays', metadata: { a: 1 } });
    const { result } = await importInto(target, { dataset: { metadata: { b: 2 } } });
    expect(result).toMatchObject({
      ingestion_policy_version: null,
      dataset: { description: 'stays', metadata: { b: 2 }, ingestion_policy_version: 1 },
    });
  });

  it('warns of categories that the tenant does not have', async () => {
    const target = await makeDataset('Uncategorised');
    const categories = [['shelf'], ['Shelf', 'Nowhere'], ['Board']];
    const { result } = await importInto(target, { dataset: { categories } });
    expect(result.dataset.category_ids).toHaveLength(1);
    expect(result.warnings).toMatchObject([
      { pointer: '/dataset/categories/1', code: 'CATEGORY_UNKNOWN' },
      { pointer: '/dataset/categories/2', code: 'CATEGORY_UNKNOWN' },
    ]);
  });

  it('is refused as a whole when a part of it is wrong', async () => {
    const target = await makeDataset('Untouched');
    const before = await services.datasets.get(owner.ctx, target);
    const badPolicy = importInto(target, {
      dataset: { description: 'new' },
      ingestion_policy: { chunking: { chunk_size: 1 }, x: 1 },
    });
    await expect(badPolicy).rejects.toMatchObject({
      status: 422,
      errors: [{ pointer: '/ingestion_policy/x' }, { pointer: '/ingestion_policy/chunking/chunk_size' }],
    });
    const taken = importInto(target, { dataset: { name: 'source', description: 'new' }, ingestion_policy: {} });
    await expect(taken).rejects.toMatchObject({ status: 409, code: 'datasets.name_taken' });
    const embedding = { provider: 'builtin', model: 'another', dimensions: 9 };
    await expect(importInto(target, { ingestion_policy: {}, embedding })).rejects.toMatchObject({
      status: 422,
      errors: [{ pointer: '/embedding/model' }, { pointer: '/embedding/dimensions' }],
    });
    const unknown = { embedding: { model: 'nobody' } };
    await expect(importInto(target, { ingestion_policy: unknown })).rejects.toMatchObject({
      status: 422,
      errors: [{ pointer: '/ingestion_policy/embedding/model' }],
    });
    await expect(importInto(target, { ingestion_policy: {} }, '"99"')).rejects.toMatchObject({ status: 412 });
    expect(await services.datasets.get(owner.ctx, target)).toEqual(before);
  });

  it('accepts the embedding model that its policy names', async () => {
    const target = await makeDataset('Moved');
    const embedding = { provider: 'builtin', model: 'other', dimensions: 3 };
    const ingestion_policy = { embedding: { model: 'other' } };
    const { result } = await importInto(target, { ingestion_policy, embedding });
    expect(result).toMatchObject({ ingestion_policy_version: 2, dataset: { wanted_embedding: embedding } });
    await expect(importInto(target, { ingestion_policy: {}, embedding })).rejects.toMatchObject({ status: 422 });
  });

  it('renames the dataset if it contains a name, and compares the entity tag of the dataset', async () => {
    const target = await makeDataset('Before');
    const { version } = await services.datasets.get(owner.ctx, target);
    const { result } = await importInto(target, { dataset: { name: 'After' }, ingestion_policy: {} }, `"${version}"`);
    expect(result.dataset).toMatchObject({ name: 'After', ingestion_policy_version: 2 });
  });

  it('needs the right to change policies if it contains one, and the right to change access if that differs', async () => {
    const colleague = await createTestMember(db.unitOfWork, 'editor', owner.tenantId);
    await expect(importInto(source, { dataset: { acl: 'only_me' } }, undefined, colleague.ctx)).rejects.toMatchObject({
      code: 'datasets.acl_forbidden',
    });
    const permissions = new Set(colleague.ctx.principal.permissions);
    permissions.delete('policies:write');
    const limited = { ...colleague.ctx, principal: { ...colleague.ctx.principal, permissions } };
    await expect(importInto(source, { ingestion_policy: {} }, undefined, limited)).rejects.toMatchObject({
      status: 403,
      code: 'auth.permission_missing',
    });
    expect(await importInto(source, { dataset: { description: 'fine' } }, undefined, limited)).toHaveProperty(
      'version',
    );
  });

  it('can hide the dataset from an administrator who imports it', async () => {
    const administrator = await createTestMember(db.unitOfWork, 'admin', owner.tenantId);
    const target = await makeDataset('To be hidden', { acl: 'all_team_members' });
    const document = { dataset: { acl: 'only_me' as const }, ingestion_policy: {} };
    const { result } = await importInto(target, document, undefined, administrator.ctx);
    expect(result).toMatchObject({ dataset: { acl: 'only_me' }, ingestion_policy_version: 2 });
  });

  it('is 404 for a caller who does not see the dataset', async () => {
    const foreigner = await createTestMember(db.unitOfWork, 'owner');
    const notFound = { code: 'datasets.not_found' };
    await expect(services.exports.run(foreigner.ctx, source)).rejects.toMatchObject(notFound);
    await expect(importInto(source, {}, undefined, foreigner.ctx)).rejects.toMatchObject(notFound);
  });
});
