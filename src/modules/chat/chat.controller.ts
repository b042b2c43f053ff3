import { Body, Controller, Headers, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DescribeChatCompletion } from './chat-completion.openapi.js';
import { readerOf, sendEvents } from './chat-reply.js';
import { ChatService } from './chat.service.js';
import { ChatCompletionRequest } from './dto/chat-completion-request.dto.js';

@ApiTags('Chat')
@Controller('chat')
export class ChatController {
  constructor(private readonly chat: ChatService) {}

  /** Answer a question from documents. */
  @Post('completions')
  @HttpCode(200)
  @Permit('chat:complete', { outsider: 'not_found' })
  @RateLimit('chat')
  @WithoutIdempotency()
  @DescribeChatCompletion()
  async complete(
    @Ctx() ctx: RequestContext,
    @Body() body: ChatCompletionRequest,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Headers('Last-Event-ID') lastEventId?: string,
  ): Promise<void> {
    const reader = readerOf(request, reply);
    try {
      if (body.stream === true) {
        const events = await this.chat.stream(ctx, body, lastEventId, reader);
        await sendEvents(reply, events, { isResumable: this.chat.isResumedElsewhere(body) });
      } else await reply.status(200).send(await this.chat.complete(ctx, body, reader.signal));
    } catch (error) {
      if (!reader.signal.aborted) throw error;
      // Nobody is there to answer.
      if (!reply.sent) reply.hijack();
    }
  }
}
