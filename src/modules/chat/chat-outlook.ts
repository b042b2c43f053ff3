import { Global, Injectable, Module } from '@nestjs/common';
import { ChatModel } from '#libs/ai';
import { AnswerOutlook, type Outlook, type RetrievalOutcome } from '../retrieval/index.js';
import { decideAnswer } from './answer-decision.js';
import { fitContext } from './context-budget.js';
import { packContext } from './context-packing.js';
import { chatSearchDefaults } from './chat-search.js';

/** Says what the configured chat model would be given, by the rules of a chat itself. */
@Injectable()
export class ChatOutlook extends AnswerOutlook {
  constructor(private readonly model: ChatModel) {
    super();
  }

  get searchDefaults(): AnswerOutlook['searchDefaults'] {
    return chatSearchDefaults(this.model.descriptor);
  }

  look(query: string, outcome: RetrievalOutcome): Outlook {
    const { descriptor } = this.model;
    if (decideAnswer(descriptor, outcome).refusal !== null) return { isRefused: true, given: new Set() };
    const { room } = fitContext(descriptor, [{ role: 'user', content: query }]);
    return {
      isRefused: false,
      given: new Set(packContext(outcome.results, room).chunks.map(({ chunkId }) => chunkId)),
    };
  }
}

/** Contributes what retrieval asks of chats. */
@Global()
@Module({ providers: [{ provide: AnswerOutlook, useClass: ChatOutlook }], exports: [AnswerOutlook] })
export class ChatOutlookModule {}
