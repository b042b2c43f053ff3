import { Body, Controller, Headers, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IgnoresUnknownParameters, LongAnswers, RateLimit, sendEvents, WithoutIdempotency } from '#libs/http';
import { Permit } from '#libs/tenancy';
import { DescribeChatCompletion } from '../turn/chat-completion.openapi.js';
import { ChatService } from './chat.service.js';
import { ChatCompletionRequest } from '../turn/chat-completion-request.dto.js';

@ApiTags('Chat')
@IgnoresUnknownParameters()
@Controller('chat')
export class ChatController {
  constructor(
    private readonly chat: ChatService,
    private readonly answers: LongAnswers,
  ) {}

  /** Answer a question from documents. */
  @Post('completions')
  @HttpCode(200)
  @Permit('chat:complete', { outsider: 'not_found' })
  @RateLimit('chat')
  @WithoutIdempotency()
  @DescribeChatCompletion()
  async complete(
    @Body() body: ChatCompletionRequest,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Headers('Last-Event-ID') lastEventId?: string,
  ): Promise<void> {
    const isStream = body.stream === true;
    const answer = isStream ? await this.answers.openStream(request, reply) : this.answers.watchOver(request, reply);
    try {
      if (isStream) {
        const events = await this.chat.stream(answer.ctx, body, lastEventId, answer);
        await sendEvents(reply, answer, events, { isResumable: this.chat.isResumedElsewhere(body) });
      } else {
        const completion = await this.chat.complete(answer.ctx, body, answer.signal);
        await answer.confirm();
        await reply.status(200).send(completion);
      }
    } catch (error) {
      if (!reply.sent) answer.lost.throwIfAborted();
      if (!answer.signal.aborted) throw error;
      // No one is there to answer.
      if (!reply.sent) reply.hijack();
    }
  }
}
