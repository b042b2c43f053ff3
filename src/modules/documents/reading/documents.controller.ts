import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ListQueryDto, RateLimit } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DocumentRevisionsService } from './document-revisions.service.js';
import { DocumentsService } from './documents.service.js';
import { DocumentDetail, DocumentPage, DocumentStatus, DocumentTimelineResponse } from '../record/document.dto.js';
import { DocumentRevisionPage } from './document-revisions.dto.js';
import { DocumentFacets, DocumentFilters, ListDocumentsQuery } from '../record/list-documents.dto.js';

@ApiTags('Documents')
@Controller('documents')
export class DocumentsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly documentRevisions: DocumentRevisionsService,
  ) {}

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

  /**
   * List the revisions of a document.
   * @remarks The uploaded files of the document that are kept, the newest first: the latest revision, the shown one (that of text, chunks, file and
   * searches), and until the next upload the one before it. Numbers of removed revisions are not given again. Everyone who sees the document sees this
   * list, also while it is quarantined. Text, chunks and file of the shown revision alone can be read.
   */
  @Get(':document_id/revisions')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'listDocumentRevisions' })
  revisions(
    @Ctx() ctx: RequestContext,
    @Param('document_id') documentId: string,
    @Query() query: ListQueryDto,
  ): Promise<DocumentRevisionPage> {
    return this.documentRevisions.list(ctx, documentId, query.skip, query.limit);
  }
}
