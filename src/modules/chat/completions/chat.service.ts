import { Injectable } from '@nestjs/common';
import type { ChatModelDescriptor } from '#libs/ai';
import type { SseEvent } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import type { AnswerFacts } from '../turn/answer-event.js';
import { ChatModels } from '../models/chat-models.service.js';
import { ChatStreams, type StreamReader } from '../streams/chat-streams.service.js';
import { ChatTurns, type AskOptions } from '../asking/chat-turns.service.js';
import { toCompletion } from '../turn/completion-views.js';
import type { ChatCompletionRequest } from '../turn/chat-completion-request.dto.js';
import type { ChatCompletion } from '../turn/chat-completion.dto.js';
import { KeptAnswers } from '../asking/kept-answers.service.js';

/** A model that answers. */
export interface AnsweringModel {
  readonly id: string;
  /** `extractive`: it only quotes and writes no text of its own. */
  readonly kind: ChatModelDescriptor['kind'];
}

/** Answers questions from the documents of datasets. */
@Injectable()
export class ChatService {
  constructor(
    private readonly turns: ChatTurns,
    private readonly answers: KeptAnswers,
    private readonly streams: ChatStreams,
    private readonly models: ChatModels,
  ) {}

  /** The model that answers a request with this name, as in `GET /models`. @throws `chat.model_not_found` */
  async findModel(ctx: RequestContext, model?: string): Promise<AnsweringModel> {
    const { model: id, chatModel } = await this.models.resolve(ctx, model === undefined ? {} : { model });
    return { id, kind: chatModel.descriptor.kind };
  }

  /**
   * The whole answer; a question that the documents do not answer gives a refusal, not an error.
   * @throws what `ChatTurns.prepare` and the model throw.
   */
  async complete(
    ctx: RequestContext,
    request: ChatCompletionRequest,
    signal: AbortSignal,
    options: AskOptions = {},
  ): Promise<ChatCompletion> {
    const turn = await this.turns.prepare(ctx, request, signal, options);
    let content = '';
    let facts: AnswerFacts | undefined;
    for await (const event of this.answers.write(ctx, turn, signal)) {
      if (event.kind === 'text') content += event.text;
      else if (event.kind === 'facts') facts = event.facts;
    }
    if (facts === undefined) throw new Error('The answer has no end.');
    return toCompletion(turn, content, facts);
  }

  /** The answer as events; with `lastEventId` the events after that one. Errors are thrown only before the first event. */
  stream(
    ctx: RequestContext,
    request: ChatCompletionRequest,
    lastEventId: string | undefined,
    reader: StreamReader,
  ): Promise<AsyncIterable<SseEvent>> {
    return lastEventId === undefined
      ? this.streams.open(ctx, request, reader)
      : this.streams.resume(ctx, lastEventId, reader);
  }

  /** Whether another process can continue the stream of this request. */
  isResumedElsewhere(request: ChatCompletionRequest): boolean {
    return this.streams.isResumedElsewhere(request);
  }
}
