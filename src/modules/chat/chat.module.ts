import { Module } from '@nestjs/common';
import { Settings } from '#libs/config';
import { AnswerMarkup } from '#libs/markup';
import { DatasetsModule } from '../datasets/index.js';
import { DocumentsModule } from '../documents/index.js';
import { RetrievalModule } from '../retrieval/index.js';
import { TablesModule } from '../tables/index.js';
import { AnswerWriter } from './answer-writer.js';
import { ChatModels } from './chat-models.js';
import { ChatStreams } from './chat-streams.js';
import { ChatTurns } from './chat-turns.js';
import { ChatController } from './chat.controller.js';
import { ChatService } from './chat.service.js';
import { CitationVerifier } from './citation-verifier.js';
import { ConversationHistory } from './conversations/conversation-history.js';
import { ConversationTurnsRepository } from './conversations/conversation-turns.repository.js';
import { ConversationsController } from './conversations/conversations.controller.js';
import { ConversationsRepository } from './conversations/conversations.repository.js';
import { ConversationsService } from './conversations/conversations.service.js';
import { SeenAnswers } from './conversations/seen-answers.js';
import { SharedAnswersController } from './conversations/shared-answers.controller.js';
import { SharedAnswersRepository } from './conversations/shared-answers.repository.js';
import { SharedAnswersService } from './conversations/shared-answers.service.js';
import { ShownSourcesRepository } from './conversations/shown-sources.repository.js';
import { JsonAnswers } from './json-answers.js';
import { KeptAnswers } from './kept-answers.js';
import { ModelsController } from './models.controller.js';
import { NextSteps } from './next-steps.js';
import { FeedbackController } from './questions/feedback.controller.js';
import { AskedQuestionsRepository } from './questions/asked-questions.repository.js';
import { QuestionOutcomesRepository } from './questions/question-outcomes.repository.js';
import { QuestionsController } from './questions/questions.controller.js';
import { QuestionsService } from './questions/questions.service.js';
import { RefusalWriter } from './refused-answer.js';
import { SharedStreams } from './shared-streams.js';
import { StreamBuffer } from './stream-buffer.js';
import { StreamTestController } from './stream-test.controller.js';
import { SupportMeasure } from './support-measure.js';
import { ShownDocumentsRepository } from './shown-documents.repository.js';
import { TableAnswerWriter } from './table-answer-writer.js';
import { TalkAnswers } from './talk/talk-answers.js';
import { ToldAnswers } from './told-answers.js';
import { TalkWriter } from './talk/talk-writer.js';

/** Cited answers from documents, in OpenAI's shape. */
@Module({
  imports: [DatasetsModule, DocumentsModule, RetrievalModule, TablesModule],
  controllers: [
    ChatController,
    ConversationsController,
    FeedbackController,
    QuestionsController,
    SharedAnswersController,
    StreamTestController,
    ModelsController,
  ],
  providers: [
    {
      provide: AnswerMarkup,
      useFactory: ({ values }: Settings) =>
        new AnswerMarkup({ hosts: values.chatLinkHosts, publicUrl: values.publicUrl }),
      inject: [Settings],
    },
    AnswerWriter,
    AskedQuestionsRepository,
    ChatModels,
    ChatService,
    ChatStreams,
    ChatTurns,
    CitationVerifier,
    ConversationHistory,
    ConversationsRepository,
    ConversationsService,
    ConversationTurnsRepository,
    JsonAnswers,
    KeptAnswers,
    NextSteps,
    QuestionOutcomesRepository,
    QuestionsService,
    RefusalWriter,
    SeenAnswers,
    SharedAnswersRepository,
    SharedAnswersService,
    SharedStreams,
    ShownDocumentsRepository,
    ShownSourcesRepository,
    StreamBuffer,
    SupportMeasure,
    TableAnswerWriter,
    TalkAnswers,
    TalkWriter,
    ToldAnswers,
  ],
  exports: [ChatService],
})
export class ChatModule {}
