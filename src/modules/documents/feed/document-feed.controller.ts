import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LongAnswers, SSE_EVENT_SCHEMA, SseWriter, prefersJson } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DocumentFeedService } from './document-feed.service.js';
import { DocumentFeedEvents, ListDocumentEventsQuery } from './document-feed.dto.js';
import { placeBehind } from './feed-position.js';

const EVENTS = {
  description: 'The events as a stream; with `Accept: application/json`, the present ones as a list.',
  content: {
    'text/event-stream': { schema: SSE_EVENT_SCHEMA },
    'application/json': { schema: { $ref: '#/components/schemas/DocumentFeedEvents' } },
  },
};
const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  required: false,
  description:
    'Id of the last event that the client has received; the stream continues after it. Ids are valid for an hour.',
};

@ApiTags('Documents')
@ApiExtraModels(DocumentFeedEvents)
@Controller('datasets/:id/documents')
export class DocumentFeedController {
  constructor(
    private readonly feed: DocumentFeedService,
    private readonly answers: LongAnswers,
  ) {}

  /**
   * Follow the documents of a dataset.
   * @remarks Sends server-sent events: first `documents.ready`, then `document.changed` with the document as lists show it, and
   * `document.deleted`, about a second after each change (later in very large datasets). `documents.reset` means that more has changed than
   * is reported; read the list again. With `Last-Event-ID` or `after` the stream continues after that event without loss; a change may be
   * reported twice. Open the stream first, then read the list, so that nothing is missed in between. A comment is sent every 15 seconds.
   * The stream ends with an event `error` when a permission is lost, the access token expires or the service stops; open it again with
   * `Last-Event-ID`. For polling, `Accept: application/json` with `after` returns the same events as a list.
   */
  @Get('events')
  @Permit('documents:read')
  @ApiHeader(LAST_EVENT_ID)
  @ApiOperation({ operationId: 'followDocuments' })
  @ApiOkResponse(EVENTS)
  async events(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() { after }: ListDocumentEventsQuery,
    @Headers() headers: Readonly<Record<string, string | undefined>>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DocumentFeedEvents | void> {
    const place =
      after === undefined
        ? // An empty header is what a reader sends that has no event yet.
          placeBehind(headers['last-event-id'] || undefined, 'Last-Event-ID', Date.now())
        : placeBehind(after, 'after', Date.now());
    if (prefersJson(headers['accept'])) return this.feed.list(ctx, id, place);
    const dataset = await this.feed.require(ctx, id);
    const answer = await this.answers.openStream(request, reply, (now) => this.feed.require(now, id));
    answer.endWithToken();
    const writer = new SseWriter(reply, answer, { isResumable: true, isEndless: true });
    // A HEAD request gets no body, so nothing is awaited.
    if (request.method === 'HEAD') return writer.end();
    try {
      for await (const event of this.feed.follow(dataset, place, answer, writer.signal)) await writer.write(event);
    } catch (error) {
      // A reader who has left gets no error.
      if (!writer.signal.aborted) writer.fail(error);
    } finally {
      writer.end();
    }
  }
}
