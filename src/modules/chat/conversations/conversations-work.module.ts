import { Module } from '@nestjs/common';
import { DatasetsModule } from '../../datasets/index.js';
import { DocumentsModule } from '../../documents/index.js';
import { QuestionOutcomesRepository } from '../questions/question-outcomes.repository.js';
import { ChangedAnswers } from './changed-answers.service.js';
import { ConversationTurnsRepository } from './conversation-turns.repository.js';
import { ConversationsRepository } from './conversations.repository.js';
import { ExpiredConversations } from './expired-conversations.js';
import { ForgottenDatasets } from './forgotten-datasets.service.js';
import { SeenAnswers } from './seen-answers.service.js';
import { ShownSourcesRepository } from './shown-sources.repository.js';

/** What a process that works does for conversations. */
@Module({
  imports: [DatasetsModule, DocumentsModule],
  providers: [
    ChangedAnswers,
    ConversationsRepository,
    ConversationTurnsRepository,
    QuestionOutcomesRepository,
    ExpiredConversations,
    ForgottenDatasets,
    SeenAnswers,
    ShownSourcesRepository,
  ],
})
export class ConversationsWorkModule {}
