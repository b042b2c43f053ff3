import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import { newId, type AccountId, type DatasetId } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import { authErrors, type RequestContext } from '#libs/tenancy';
import { recordedEmbedding } from '../record/dataset.entity.js';
import { DatasetCreationStep, type CreatedDataset } from './dataset-creation-step.port.js';
import { datasetErrors } from '../datasets.errors.js';
import { DatasetsRepository } from './datasets.repository.js';
import { DatasetsService, type VersionedDataset } from './datasets.service.js';
import { newSettings } from '../record/dataset-settings.js';
import type { CreateDatasetRequest } from '../record/write-dataset.dto.js';
import { toIdSet } from '../record/id-set.js';
import { PartialMembers } from '../access/partial-members.service.js';

/** Creates datasets with the embedding space that the installation's embedder has at that time. */
@Injectable()
export class DatasetCreationService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly datasets: DatasetsRepository,
    private readonly reader: DatasetsService,
    private readonly members: PartialMembers,
    private readonly embedder: Embedder,
    private readonly step: DatasetCreationStep,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Creates a dataset that the caller's account owns, with the ingestion policy of `clonedFrom` if one is given. @throws
   * `datasets.name_taken`, `datasets.category_not_found`, 422
   */
  async create(
    ctx: RequestContext,
    request: CreateDatasetRequest,
    clonedFrom?: CreatedDataset['clonedFrom'],
  ): Promise<VersionedDataset> {
    const ownerId = ownerOf(ctx);
    const { descriptor } = this.embedder;
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const partialMemberList = await this.members.require(inner, request.partial_member_list ?? []);
      const id = newId<DatasetId>();
      await this.datasets.insert(inner, {
        id,
        ownerId,
        ...newSettings(request, partialMemberList),
        embeddingSpace: descriptor.space,
        embedding: recordedEmbedding(descriptor),
      });
      await this.datasets.replaceCategories(inner, id, toIdSet(request.category_ids ?? []));
      await this.step.complete(inner, clonedFrom === undefined ? { id } : { id, clonedFrom });
      const row = await this.datasets.requireWritten(inner, id);
      await this.audit.append(inner, {
        event: 'dataset.created',
        subject: `dataset:${id}`,
        details: {
          acl: row.acl,
          partial_member_list: row.partial_member_list,
          ...(clonedFrom === undefined ? {} : { cloned_from: clonedFrom.id }),
        },
      });
      return this.reader.describe(inner, row);
    });
  }
}

function ownerOf(ctx: RequestContext): AccountId {
  const { principal } = ctx;
  if (principal.kind === 'system') throw authErrors.account_required({});
  if (principal.kind === 'api_key' && principal.datasetIds !== null) throw datasetErrors.key_restricted({});
  return principal.accountId;
}
