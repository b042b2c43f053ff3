import { Module } from '@nestjs/common';
import { DatasetsModule } from '../../datasets/index.js';
import { DocumentsModule } from '../../documents/index.js';
import { QuestionOutcomesRepository } from '../questions/question-outcomes.repository.js';
import { ChangedAnswers } from './changed-answers.service.js';
import { ConversationTurnsRepository } from './conversation-turns.repository.js';
import { ConversationsRepository } from './conversations.repository.js';
import { ExpiredConversations } from './expired-conversations.task.js';
import { DeletedDatasets } from './deleted-datasets.service.js';
import { VisibleAnswers } from './visible-answers.service.js';
import { ShownSourcesRepository } from './shown-sources.repository.js';

/** The background work for conversations, for workers. */
@Module({
  imports: [DatasetsModule, DocumentsModule],
  providers: [
    ChangedAnswers,
    ConversationsRepository,
    ConversationTurnsRepository,
    QuestionOutcomesRepository,
    ExpiredConversations,
    DeletedDatasets,
    VisibleAnswers,
    ShownSourcesRepository,
  ],
})
export class ConversationsWorkModule {}
