import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LongAnswers, sendEvents, SSE_EVENT_SCHEMA, type SseEvent } from '#libs/http';
import { Permit } from '#libs/tenancy';
import { delay } from '#libs/common';

const STREAM_TEST_EVENTS = 10;
const STREAM_TEST_PAUSE_MS = 500;

const EXAMPLE = `id: test.0\ndata: {"number":1,"of":${STREAM_TEST_EVENTS},"elapsed_ms":0,"sent_at":"2026-01-01T00:00:00.000Z"}\n\n`;

@ApiTags('Chat')
@Controller('chat')
export class StreamTestController {
  constructor(private readonly answers: LongAnswers) {}

  /** Check that streams arrive as they are sent. */
  @Get('stream-test')
  @Permit('chat:complete', { outsider: 'empty' })
  @ApiOperation({
    operationId: 'testStream',
    description: `Ten events, one every ${STREAM_TEST_PAUSE_MS} milliseconds, sent in the same way as a chat. They must arrive one by one: behind a proxy that
buffers events, readers see nothing of a chat before its end. No model is called.`,
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

/** Ten events with a pause between them and the time in each; fewer when the reader leaves. */
async function* streamTestEvents(
  signal: AbortSignal,
  pauseMs: number = STREAM_TEST_PAUSE_MS,
): AsyncGenerator<SseEvent, void, undefined> {
  const began = performance.now();
  for (let index = 0; index < STREAM_TEST_EVENTS && !signal.aborted; index += 1) {
    const elapsed_ms = Math.round(performance.now() - began);
    const sent_at = new Date().toISOString();
    yield {
      id: `test.${index}`,
      data: JSON.stringify({ number: index + 1, of: STREAM_TEST_EVENTS, elapsed_ms, sent_at }),
    };
    // The reader that leaves in between is noticed by the loop.
    if (index + 1 < STREAM_TEST_EVENTS) await delay(pauseMs, signal).catch(() => undefined);
  }
}
