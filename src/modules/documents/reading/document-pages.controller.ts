import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiGoneResponse,
  ApiOperation,
  ApiParam,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { callerSignal, RateLimit } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { PageBoxes, PageBoxesQuery } from './page-boxes.dto.js';
import { PageBoxesService } from './page-boxes.service.js';

/** Pages of the file of a document. */
@ApiTags('Documents')
@Controller('documents')
export class DocumentPagesController {
  constructor(private readonly pageBoxes: PageBoxesService) {}

  /**
   * Find a text on a page of a PDF.
   * @remarks Returns the rectangles that a stretch of the canonical text covers on a page, for highlighting. Offsets and page are those of
   * a citation, a chunk or a search result (`char_start`, `char_end`, `page`). The rectangles are exact also where the page repeats the
   * text, is rotated, or has columns, tables, ligatures or hyphenated words. For a stretch that spans several pages, send one request for
   * each page. Text and file are of the revision that searches show. Needs `governance:read` where the policy hid something of the
   * document, as `GET /documents/{document_id}/content` does.
   */
  @Get(':document_id/pages/:page/boxes')
  @Permit('documents:read')
  @RateLimit('default', 2)
  @ApiOperation({ operationId: 'getDocumentPageBoxes' })
  @ApiParam({
    name: 'page',
    description: 'Number of the page in the file, from 1.',
    schema: { type: 'integer', minimum: 1 },
  })
  @ApiConflictResponse({
    description:
      'The document is no PDF (`documents.no_pdf`), has no text yet (`documents.text_not_ready`), or the file does not tell where on the page the stretch is (`documents.without_place`): it comes from a comment, a form field, or OCR without rectangles.',
  })
  @ApiGoneResponse({ description: 'The file was removed, because the ingestion policy rejected it.' })
  @ApiUnprocessableEntityResponse({
    description:
      'The stretch lies outside of the text (`documents.outside_text`) or on another page (`documents.not_on_page`, which names it), or the page cannot be read (`documents.page_unreadable`).',
  })
  @ApiServiceUnavailableResponse({ description: 'The page could not be read now (`documents.page_not_read`).' })
  boxes(
    @Ctx() ctx: RequestContext,
    @Param('document_id') documentId: string,
    @Param('page') page: string,
    @Query() query: PageBoxesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageBoxes> {
    return this.pageBoxes.find(ctx, documentId, page, query, callerSignal(reply));
  }
}
