import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AnswerHeaders, RateLimit } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { ViewGraphQuery } from '../reading/kg-reading.dto.js';
import { SERVED_POLICY } from './graph-page.js';
import { KgViewService } from './kg-view.service.js';

@ApiTags('Knowledge graph')
@Controller('kg/:id/view')
export class KgViewController {
  constructor(private readonly views: KgViewService) {}

  /**
   * Draw a knowledge graph.
   * @remarks One page of HTML that draws what `GET /kg/{id}/graph` returns, with search, a choice of entity types and the evidence of each entity.
   * The page needs no network and can be opened from disk; the same graph gives the same picture. For callers with `documents:read` it contains
   * the names of documents and quoted passages.
   */
  @Get()
  @RateLimit('default', 3)
  @Permit('datasets:read')
  @AnswerHeaders('Content-Disposition')
  @ApiOperation({ operationId: 'viewKnowledgeGraph' })
  @ApiOkResponse({ description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } })
  async view(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: ViewGraphQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const pieces = await this.views.draw(ctx, id, query);
    void reply.header('Content-Security-Policy', SERVED_POLICY);
    const options = { type: 'text/html; charset=utf-8', disposition: 'inline; filename="graph.html"' };
    return new StreamableFile(Readable.from(pieces, { objectMode: false }), options);
  }
}
