import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatasetId } from '#libs/common';
import type { TransactionContext } from '#libs/database';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { DatasetCreationStep, type CreatedDataset } from './dataset-creation-step.port.js';
import { createDatasetServices, keyContextOf, type DatasetServices } from '../testing/dataset-services.js';

/** Remembers the announced datasets. */
class Announced extends DatasetCreationStep {
  readonly datasets: CreatedDataset[] = [];

  override async complete(_ctx: TransactionContext, dataset: CreatedDataset): Promise<void> {
    this.datasets.push(dataset);
  }
}

describe('a clone', () => {
  const step = new Announced();
  let db: TestDatabase;
  let services: DatasetServices;
  let owner: TestMember;
  let colleague: TestMember;
  let source: string;
  let categoryId: string;

  beforeAll(async () => {
    db = await createTestDatabase();
    services = createDatasetServices(db.unitOfWork, step);
    owner = await createTestMember(db.unitOfWork, 'editor');
    colleague = await createTestMember(db.unitOfWork, 'editor', owner.tenantId);
    categoryId = (await services.categories.create(owner.ctx, { name: 'Shelf' })).id;
    const { record } = await services.creation.create(owner.ctx, {
      name: 'Source',
      description: 'What it is for',
      acl: 'partial_members',
      partial_member_list: [colleague.accountId],
      category_ids: [categoryId],
      metadata: { team: 'search' },
    });
    source = record.id;
  });
  afterAll(async () => db.close());

  it('has the settings, categories and members of its source, belongs to its creator, and has no documents', async () => {
    const { record, version } = await services.clones.clone(colleague.ctx, source, { name: ' A copy ' });
    expect(record).toMatchObject({
      name: 'A copy',
      description: 'What it is for',
      acl: 'partial_members',
      partial_member_list: [colleague.accountId],
      owner_id: colleague.accountId,
      category_ids: [categoryId],
      metadata: { team: 'search' },
      ingestion_policy_version: 1,
      document_counts: { total: 0 },
    });
    expect(version).toBe(1);
    expect(step.datasets.at(-1)).toEqual({ id: record.id, clonedFrom: { id: source } });
  });

  it('may have another description, or none', async () => {
    const other = await services.clones.clone(owner.ctx, source, { name: 'Other', description: 'Something else' });
    expect(other.record.description).toBe('Something else');
    const none = await services.clones.clone(owner.ctx, source, { name: 'None', description: null });
    expect(none.record.description).toBeNull();
  });

  it('leaves out members who have left the tenant', async () => {
    services.directory.strangers.add(colleague.accountId);
    const { record } = await services.clones.clone(owner.ctx, source, { name: 'Alone' });
    expect(record.partial_member_list).toEqual([]);
    services.directory.strangers.clear();
  });

  it('needs a name that is not in use', async () => {
    await expect(services.clones.clone(owner.ctx, source, { name: 'SOURCE' })).rejects.toMatchObject({
      code: 'datasets.name_taken',
    });
  });

  it('is possible only for a visible dataset, and not with an API key that is limited to certain datasets', async () => {
    const stranger = await createTestMember(db.unitOfWork, 'admin', owner.tenantId);
    const notFound = { code: 'datasets.not_found' };
    await expect(services.clones.clone(stranger.ctx, source, { name: 'x' })).rejects.toMatchObject(notFound);
    await expect(services.clones.clone(owner.ctx, 'no-id', { name: 'x' })).rejects.toMatchObject(notFound);
    const key = keyContextOf(owner.ctx, [source as DatasetId]);
    await expect(services.clones.clone(key, source, { name: 'x' })).rejects.toMatchObject({
      code: 'datasets.key_restricted',
    });
  });
});
