import { Injectable } from '@nestjs/common';
import { DATASET_DELETED, type DatasetDeleted } from '../../datasets/index.js';
import { OnDomainEvent, type DomainEvent } from '#libs/events';
import type { RequestContext } from '#libs/tenancy';
import { CaseSetsRepository } from '../records/case-sets.repository.js';
import { EvaluationJobsRepository } from '../records/evaluation-jobs.repository.js';

/** Removes case sets and evaluations of a deleted dataset: they are no longer visible, and they contain words of its documents. */
@Injectable()
export class DeletedDatasets {
  constructor(
    private readonly sets: CaseSetsRepository,
    private readonly jobs: EvaluationJobsRepository,
  ) {}

  @OnDomainEvent(DATASET_DELETED, { subscriber: 'evaluations' })
  async forget(ctx: RequestContext, { payload }: DomainEvent<DatasetDeleted>): Promise<void> {
    await this.sets.removeOfDataset(ctx, payload.dataset_id);
    await this.jobs.removeOfDataset(ctx, payload.dataset_id);
  }
}
