import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LongAnswers, sendEvents, SSE_EVENT_SCHEMA } from '#libs/http';
import { Permit } from '#libs/tenancy';
import { STREAM_TEST_EVENTS, STREAM_TEST_PAUSE_MS, streamTestEvents } from './stream-test.js';

const EXAMPLE = `id: test.0\ndata: {"number":1,"of":${STREAM_TEST_EVENTS},"elapsed_ms":0,"sent_at":"2026-01-01T00:00:00.000Z"}\n\n`;

@ApiTags('Chat')
@Controller('chat')
export class StreamTestController {
  constructor(private readonly answers: LongAnswers) {}

  /** Try whether streams arrive as they are sent. */
  @Get('stream-test')
  @Permit('chat:complete', { outsider: 'empty' })
  @ApiOperation({
    operationId: 'testStream',
    description: `Ten events, one every ${STREAM_TEST_PAUSE_MS} milliseconds, sent in the same way as a chat. They must arrive one by one: behind a proxy that
buffers them, readers see nothing of a chat before its end. No model is called.`,
  })
  @ApiOkResponse({
    description: 'Ten events with the time at which each was sent.',
    content: { 'text/event-stream': { schema: SSE_EVENT_SCHEMA, example: EXAMPLE } },
  })
  async test(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const answer = await this.answers.openStream(request, reply);
    await sendEvents(reply, answer, streamTestEvents(answer.signal));
  }
}
