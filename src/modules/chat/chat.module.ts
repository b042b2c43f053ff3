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
import { JsonAnswers } from './json-answers.js';
import { ModelsController } from './models.controller.js';
import { NextSteps } from './next-steps.js';
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
  controllers: [ChatController, StreamTestController, ModelsController],
  providers: [
    {
      provide: AnswerMarkup,
      useFactory: ({ values }: Settings) =>
        new AnswerMarkup({ hosts: values.chatLinkHosts, publicUrl: values.publicUrl }),
      inject: [Settings],
    },
    AnswerWriter,
    ChatModels,
    ChatService,
    ChatStreams,
    ChatTurns,
    CitationVerifier,
    JsonAnswers,
    NextSteps,
    RefusalWriter,
    SharedStreams,
    ShownDocumentsRepository,
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
