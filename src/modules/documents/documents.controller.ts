import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RateLimit } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DocumentsService } from './documents.service.js';
import { DocumentDetail, DocumentPage, DocumentStatus, DocumentTimelineResponse } from './dto/document.dto.js';
import { DocumentFacets, DocumentFilters, ListDocumentsQuery } from './dto/list-documents.dto.js';

@ApiTags('Documents')
@Controller('documents')
export class DocumentsController {
  constructor(private readonly documents: DocumentsService) {}

  /**
   * List documents.
   * @remarks Documents of the datasets that the caller sees. For a batch of uploads poll this with `dataset_id` and `status=processing`;
   * long lists are read with `after`.
   */
  @Get('/')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'listDocuments' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListDocumentsQuery): Promise<DocumentPage> {
    return this.documents.list(ctx, query);
  }

  /**
   * Count documents by their properties.
   * @remarks For the filters of a list: the number of documents of each state, media type, tag, failure, warning and so on, of those that
   * meet the other conditions given. Each value is one that the filter of the same name of `GET /documents/` takes.
   */
  @Get('facets')
  @Permit('documents:read')
  @RateLimit('default', 2)
  @ApiOperation({ operationId: 'getDocumentFacets' })
  facets(@Ctx() ctx: RequestContext, @Query() query: DocumentFilters): Promise<DocumentFacets> {
    return this.documents.facets(ctx, query);
  }

  /**
   * Read the status of a document.
   * @remarks Light view for polling: begin at 2 seconds, back off to 5, stop at a terminal state.
   */
  @Get(':document_id/status')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'getDocumentStatus' })
  status(@Ctx() ctx: RequestContext, @Param('document_id') documentId: string): Promise<DocumentStatus> {
    return this.documents.status(ctx, documentId);
  }

  /**
   * Read a document.
   * @remarks Everything about a document but its content.
   */
  @Get(':document_id')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'getDocument' })
  detail(@Ctx() ctx: RequestContext, @Param('document_id') documentId: string): Promise<DocumentDetail> {
    return this.documents.detail(ctx, documentId);
  }

  /**
   * Read the timeline of a document.
   * @remarks Processing events, oldest first.
   */
  @Get(':document_id/timeline')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'getDocumentTimeline' })
  timeline(@Ctx() ctx: RequestContext, @Param('document_id') documentId: string): Promise<DocumentTimelineResponse> {
    return this.documents.timeline(ctx, documentId);
  }
}
