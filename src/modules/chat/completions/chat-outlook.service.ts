import { Global, Injectable, Module } from '@nestjs/common';
import { ChatModel } from '#libs/ai';
import { catalogueErrorOf, type ChunkId } from '#libs/common';
import { AnswerOutlook, type Outlook, type RetrievalOutcome } from '../../retrieval/index.js';
import { decideAnswer } from '../turn/answer-decision.js';
import { chatSearchDefaults } from '../asking/chat-search.js';
import { isAnswered } from '../writing/quoted-answer.js';
import { missingOf } from '../answer/refused-answer.service.js';
import { decideTurn, type DecidedTurn } from '../writing/turn-decision.js';

/** Predicts, by the rules of a chat, whether the configured chat model would answer from the results of a search. */
@Injectable()
export class ChatOutlook extends AnswerOutlook {
  constructor(private readonly model: ChatModel) {
    super();
  }

  get searchDefaults(): AnswerOutlook['searchDefaults'] {
    return chatSearchDefaults(this.model.descriptor);
  }

  get isQuoting(): boolean {
    return this.model.descriptor.kind === 'extractive';
  }

  async look(query: string, outcome: RetrievalOutcome, signal: AbortSignal): Promise<Outlook> {
    const { descriptor } = this.model;
    const isWriting = descriptor.kind === 'generative';
    const decided = this.decide(query, outcome);
    if (decided === undefined)
      return { refusal: null, measure: decideAnswer(descriptor, outcome).measure, isWriting, given: new Set() };
    const { measure, next, sources } = decided;
    const isGiven = await isAnswered(this.model, decided, { signal });
    const code = next.kind === 'refuse' ? next.code : 'NOT_ANSWERED';
    return {
      refusal: isGiven ? null : { code, missing: missingOf(query, outcome) },
      measure,
      isWriting,
      given: new Set(isGiven ? sources.map(({ chunk_id }) => chunk_id as ChunkId) : []),
    };
  }

  /** Undefined where nothing that was found fits into the context of the model. */
  private decide(query: string, outcome: RetrievalOutcome): DecidedTurn | undefined {
    const messages = [{ role: 'user' as const, content: query }];
    const found = { question: query, query, outcome, lookup: { kind: 'none' as const } };
    try {
      return decideTurn(this.model.descriptor, NO_OPTIONS, messages, found);
    } catch (error) {
      if (catalogueErrorOf(error)?.code === 'chat.fragments_too_long') return undefined;
      throw error;
    }
  }
}

/** The options of a request that names none. */
const NO_OPTIONS = { temperature: undefined, maxTokens: undefined, topP: undefined, seed: undefined };

/** Contributes the outlook of chats to retrieval. */
@Global()
@Module({ providers: [{ provide: AnswerOutlook, useClass: ChatOutlook }], exports: [AnswerOutlook] })
export class ChatOutlookModule {}
