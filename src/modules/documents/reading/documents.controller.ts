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
   * @remarks Documents of the datasets that the caller sees. To follow a batch of uploads, poll with `dataset_id` and `status=processing`.
   * Read long lists with `after`.
   */
  @Get('/')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'listDocuments' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListDocumentsQuery): Promise<DocumentPage> {
    return this.documents.list(ctx, query);
  }

  /**
   * Count documents by their properties.
   * @remarks Counts the documents that meet the given conditions by status, media type, tag, error code, warning code and so on. Each value
   * can be used in the filter of the same name of `GET /documents/`.
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
   * @remarks A small answer for polling: begin with every 2 seconds, slow down to every 5, and stop at a terminal status.
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
   * @remarks The revisions that are kept, the newest first: the latest one, the shown one (which searches use), and, until the next upload,
   * the one before it. Numbers of removed revisions are not used again. Every caller who may see the document may read this list, also
   * while the document is quarantined. Text, chunks and file can be read of the shown revision only.
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
