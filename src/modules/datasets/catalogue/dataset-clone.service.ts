import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetCreationService } from './dataset-creation.service.js';
import { datasetErrors } from '../datasets.errors.js';
import { cloneOf } from '../record/dataset-settings.js';
import { DatasetsRepository } from './datasets.repository.js';
import type { VersionedDataset } from './datasets.service.js';
import type { CloneDatasetRequest } from '../record/write-dataset.dto.js';
import { PartialMembers } from '../access/partial-members.service.js';

/** Creates datasets with the configuration of another one. */
@Injectable()
export class DatasetCloneService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly datasets: DatasetsRepository,
    private readonly members: PartialMembers,
    private readonly creation: DatasetCreationService,
  ) {}

  /**
   * Creates a dataset of the caller's account with the settings, categories and present ingestion policy of another dataset, without
   * documents. Its vectors come from the installation's present embedder, as in any new dataset.
   * @throws `datasets.not_found`, `datasets.name_taken`, `datasets.key_restricted`
   */
  async clone(ctx: RequestContext, id: string, request: CloneDatasetRequest): Promise<VersionedDataset> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      // Locked, so that neither its policy nor its categories change between the statements.
      const source = isUuid(id) ? await this.datasets.lockVisible(inner, id) : undefined;
      if (source === undefined) throw datasetErrors.not_found({ id });
      const members = await this.members.remaining(inner, source.partial_member_list);
      return this.creation.create(inner, cloneOf(source, request, members), { id: source.id });
    });
  }
}
