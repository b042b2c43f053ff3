import { Injectable } from '@nestjs/common';
import { OnDomainEvent, type DomainEvent } from '#libs/events';
import type { RequestContext } from '#libs/tenancy';
import { DATASET_DELETED, type DatasetDeleted } from '../../datasets/index.js';
import { DATASET_PURGED, type DatasetPurged } from '../../documents/index.js';
import { WordFiles } from './word-files.service.js';

/** Removes the files of words of datasets from which something was removed for good; a later round writes them without it. */
@Injectable()
export class DroppedWords {
  constructor(private readonly files: WordFiles) {}

  @OnDomainEvent(DATASET_PURGED, { subscriber: 'words_of_purged' })
  async afterPurge(ctx: RequestContext, { payload }: DomainEvent<DatasetPurged>): Promise<void> {
    await this.files.remove({ tenantId: ctx.tenantId, datasetId: payload.dataset_id });
  }

  @OnDomainEvent(DATASET_DELETED, { subscriber: 'words_of_deleted' })
  async afterDeletion(ctx: RequestContext, { payload }: DomainEvent<DatasetDeleted>): Promise<void> {
    await this.files.remove({ tenantId: ctx.tenantId, datasetId: payload.dataset_id });
  }
}
