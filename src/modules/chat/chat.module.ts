import { Module } from '@nestjs/common';
import { Settings } from '#libs/config';
import { AnswerMarkup } from './markup/answer-markup.js';
import { DatasetsModule } from '../datasets/index.js';
import { DocumentsModule } from '../documents/index.js';
import { RetrievalModule } from '../retrieval/index.js';
import { TablesModule } from '../tables/index.js';
import { AnswerWriter } from './writing/answer-writer.service.js';
import { ChatModels } from './models/chat-models.service.js';
import { ChatStreams } from './streams/chat-streams.service.js';
import { ChatTurns } from './asking/chat-turns.service.js';
import { ChatController } from './completions/chat.controller.js';
import { ChatService } from './completions/chat.service.js';
import { CitationVerifier } from './answer/citation-verifier.service.js';
import { ConversationHistory } from './conversations/conversation-history.service.js';
import { ConversationTurnsRepository } from './conversations/conversation-turns.repository.js';
import { ConversationsController } from './conversations/conversations.controller.js';
import { ConversationsRepository } from './conversations/conversations.repository.js';
import { ConversationsService } from './conversations/conversations.service.js';
import { VisibleAnswers } from './conversations/visible-answers.service.js';
import { SharedAnswersController } from './conversations/shared-answers.controller.js';
import { SharedAnswersRepository } from './conversations/shared-answers.repository.js';
import { SharedAnswersService } from './conversations/shared-answers.service.js';
import { ShownSourcesRepository } from './conversations/shown-sources.repository.js';
import { JsonAnswers } from './answer/json-answers.service.js';
import { KeptAnswers } from './asking/kept-answers.service.js';
import { ModelsController } from './models/models.controller.js';
import { NextSteps } from './turn/next-steps.service.js';
import { FeedbackController } from './questions/feedback.controller.js';
import { AskedQuestionsRepository } from './questions/asked-questions.repository.js';
import { QuestionOutcomesRepository } from './questions/question-outcomes.repository.js';
import { QuestionsController } from './questions/questions.controller.js';
import { QuestionsService } from './questions/questions.service.js';
import { RefusalWriter } from './answer/refused-answer.service.js';
import { SharedStreams } from './streams/shared-streams.service.js';
import { StreamBuffer } from './streams/stream-buffer.service.js';
import { StreamTestController } from './streams/stream-test.controller.js';
import { SupportMeasure } from './answer/support-measure.service.js';
import { ShownDocumentsRepository } from './turn/shown-documents.repository.js';
import { TableAnswerWriter } from './tables/table-answer-writer.service.js';
import { TalkAnswers } from './talk/talk-answers.service.js';
import { FixedAnswers } from './writing/fixed-answers.service.js';
import { TalkWriter } from './talk/talk-writer.service.js';

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
    VisibleAnswers,
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
    FixedAnswers,
  ],
  exports: [ChatService],
})
export class ChatModule {}
