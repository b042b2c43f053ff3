import { Injectable } from '@nestjs/common';
import { DATASET_DELETED, type DatasetDeleted } from '../../datasets/index.js';
import { OnDomainEvent, type DomainEvent } from '#libs/events';
import type { RequestContext } from '#libs/tenancy';
import { QuestionOutcomesRepository } from '../questions/question-outcomes.repository.js';
import { ConversationTurnsRepository } from './conversation-turns.repository.js';

/** Removes the questions and answers of a deleted dataset: they are no longer shown to any caller, and they contain words of its documents. */
@Injectable()
export class DeletedDatasets {
  constructor(
    private readonly turns: ConversationTurnsRepository,
    private readonly questions: QuestionOutcomesRepository,
  ) {}

  @OnDomainEvent(DATASET_DELETED, { subscriber: 'conversations' })
  async forget(ctx: RequestContext, { payload }: DomainEvent<DatasetDeleted>): Promise<void> {
    await this.turns.removeOfDataset(ctx, payload.dataset_id);
    await this.questions.removeOfDataset(ctx, payload.dataset_id);
  }
}
