import { Module } from '@nestjs/common';
import { QuestionOutcomesRepository } from '../questions/question-outcomes.repository.js';
import { ConversationTurnsRepository } from './conversation-turns.repository.js';
import { ConversationsRepository } from './conversations.repository.js';
import { ExpiredConversations } from './expired-conversations.js';
import { ForgottenDatasets } from './forgotten-datasets.js';

/** What a process that works does for conversations. */
@Module({
  providers: [
    ConversationsRepository,
    ConversationTurnsRepository,
    QuestionOutcomesRepository,
    ExpiredConversations,
    ForgottenDatasets,
  ],
})
export class ConversationsWorkModule {}
