import { Embedder, type EmbeddedTexts, type EmbedderDescriptor } from '#libs/ai';
import type { AccountId, DatasetId } from '#libs/common';
import { AuditLog, type UnitOfWork } from '#libs/database';
import { eventsOver } from '../../../../libs/events/src/testing/events-over.js';
import type { RequestContext } from '#libs/tenancy';
import { tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { MemberDirectory } from '../../accounts/index.js';
import { CategoriesRepository } from '../categories/categories.repository.js';
import { CategoriesService } from '../categories/categories.service.js';
import { DatasetAccess } from '../access/dataset-access.repository.js';
import { DatasetCloneService } from '../catalogue/dataset-clone.service.js';
import { DatasetContents, type ContentCount, type ContentSummary } from '../record/dataset-contents.port.js';
import { DatasetCreationService } from '../catalogue/dataset-creation.service.js';
import { DatasetCreationStep } from '../catalogue/dataset-creation-step.port.js';
import { DatasetDeletionService } from '../deletion/dataset-deletion.service.js';
import { DatasetDeletionsRepository } from '../deletion/dataset-deletions.repository.js';
import { DatasetOwnershipRepository } from '../access/dataset-ownership.repository.js';
import { DatasetUpdateService } from '../catalogue/dataset-update.service.js';
import { DatasetsRepository } from '../catalogue/datasets.repository.js';
import { DatasetsService } from '../catalogue/datasets.service.js';
import type { DatasetEmbedding } from '../record/dataset.entity.js';
import { WantedEmbeddings } from '../catalogue/wanted-embeddings.port.js';
import { PartialMembers } from '../access/partial-members.service.js';
import { TenantDatasetsRepository } from '../catalogue/tenant-datasets.repository.js';
import { TenantDatasetsService } from '../catalogue/tenant-datasets.service.js';

/** Contents that the test sets; remembers which datasets were hidden. */
export class FakeContents extends DatasetContents {
  count: ContentCount = { documents: 0, chunks: 0, blobs: 0 };
  readonly summaries = new Map<DatasetId, ContentSummary>();
  readonly sizes = new Map<DatasetId, number>();
  readonly hidden: DatasetId[] = [];

  override async countContents(): Promise<ContentCount> {
    return this.count;
  }

  override async hide(_ctx: RequestContext, datasetId: DatasetId): Promise<void> {
    this.hidden.push(datasetId);
  }

  override async summarize(_ctx: RequestContext, ids: readonly DatasetId[]): Promise<Map<DatasetId, ContentSummary>> {
    return new Map([...this.summaries].filter(([id]) => ids.includes(id)));
  }

  override async sumBytes(): Promise<Map<DatasetId, number>> {
    return new Map(this.sizes);
  }
}

/** A directory in which every account is a member, except those that the test names. */
export class FakeMemberDirectory extends MemberDirectory {
  readonly strangers = new Set<AccountId>();

  constructor() {
    super(null as never);
  }

  override async areMembers(_ctx: RequestContext, accountIds: readonly AccountId[]): Promise<AccountId[]> {
    return accountIds.filter((id) => this.strangers.has(id));
  }
}

/** No dataset is to have another model than it has. */
export class NoWantedEmbeddings extends WantedEmbeddings {
  override async differing(): Promise<ReadonlyMap<DatasetId, DatasetEmbedding>> {
    return new Map();
  }
}

/** Remembers which datasets were announced. */
export class RecordingStep extends DatasetCreationStep {
  readonly created: DatasetId[] = [];

  override async complete(_ctx: RequestContext, dataset: { readonly id: DatasetId }): Promise<void> {
    this.created.push(dataset.id);
  }
}

const DESCRIPTOR: EmbedderDescriptor = {
  provider: 'builtin',
  model: 'test-model',
  dimensions: 8,
  space: 'test-space',
  kind: 'hashed',
  maxBatchSize: 1,
  maxInputTokens: 8,
};

/** An embedder that is only described. */
class DescribedEmbedder extends Embedder {
  override readonly descriptor = DESCRIPTOR;

  override async embed(): Promise<EmbeddedTexts> {
    throw new Error('This embedder embeds nothing.');
  }
}

/** The services of the module over a database, with test doubles for the ports of other modules. */
export function createDatasetServices(
  unitOfWork: UnitOfWork,
  step: DatasetCreationStep = new RecordingStep(),
  wanted: WantedEmbeddings = new NoWantedEmbeddings(),
) {
  const contents = new FakeContents();
  const directory = new FakeMemberDirectory();
  const audit = new AuditLog(unitOfWork);
  const repository = new DatasetsRepository(unitOfWork);
  const members = new PartialMembers(directory);
  const datasets = new DatasetsService(repository, contents, wanted);
  const embedder = new DescribedEmbedder();
  const deletions = new DatasetDeletionsRepository(unitOfWork, tasksOver(unitOfWork));
  const creation = new DatasetCreationService(unitOfWork, repository, datasets, members, embedder, step, audit);
  return {
    contents,
    directory,
    step,
    datasets,
    tenantDatasets: new TenantDatasetsService(new TenantDatasetsRepository(unitOfWork), contents),
    access: new DatasetAccess(unitOfWork),
    creation,
    clones: new DatasetCloneService(unitOfWork, repository, members, creation),
    updates: new DatasetUpdateService(unitOfWork, repository, datasets, members, audit),
    deletions: new DatasetDeletionService(unitOfWork, deletions, contents, audit, eventsOver(unitOfWork)),
    ownership: new DatasetOwnershipRepository(unitOfWork, audit),
    categories: new CategoriesService(unitOfWork, new CategoriesRepository(unitOfWork), audit),
  };
}

export type DatasetServices = ReturnType<typeof createDatasetServices>;

/** The context of an API key of the account in `ctx`, with all permissions of the account, limited to `datasetIds`. */
export function keyContextOf(ctx: RequestContext, datasetIds: readonly DatasetId[] | null): RequestContext {
  if (ctx.principal.kind !== 'account') throw new TypeError('A key belongs to an account.');
  const { accountId, role, permissions } = ctx.principal;
  const keyId = '00000000-0000-7000-8000-000000000001' as never;
  return { ...ctx, principal: { kind: 'api_key', keyId, accountId, role, permissions, datasetIds } };
}
