import { Injectable } from '@nestjs/common';
import {
  DOCUMENT_COMPLETED,
  DOCUMENT_COMPLETED_WITH_WARNINGS,
  DOCUMENT_DELETED,
  OnDomainEvent,
  type DocumentCompleted,
  type DocumentCompletedWithWarnings,
  type DocumentDeleted,
  type DomainEvent,
  type RequestContext,
} from 'knowledge-base-service/extension';
import { CountsRepository } from './counts.repository.js';

const subscriber = 'acme-notes-counts';

/** Counts the completed documents of each dataset. */
@Injectable()
export class CountsSubscriber {
  constructor(private readonly counts: CountsRepository) {}

  @OnDomainEvent(DOCUMENT_COMPLETED, { subscriber })
  async onCompleted(ctx: RequestContext, { seq, payload }: DomainEvent<DocumentCompleted>): Promise<void> {
    await this.note(ctx, seq, payload, true);
  }

  @OnDomainEvent(DOCUMENT_COMPLETED_WITH_WARNINGS, { subscriber })
  async onCompletedWithWarnings(ctx: RequestContext, { seq, payload }: DomainEvent<DocumentCompletedWithWarnings>): Promise<void> {
    await this.note(ctx, seq, payload, true);
  }

  @OnDomainEvent(DOCUMENT_DELETED, { subscriber })
  async onDeleted(ctx: RequestContext, { seq, payload }: DomainEvent<DocumentDeleted>): Promise<void> {
    await this.note(ctx, seq, payload, false);
  }

  private async note(
    ctx: RequestContext,
    seq: string,
    { document_id: documentId, dataset_id: datasetId }: { document_id: string; dataset_id: string },
    present: boolean,
  ): Promise<void> {
    await this.counts.noteChange(ctx, { documentId, datasetId, seq, present });
  }
}
