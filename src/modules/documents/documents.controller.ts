import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DocumentsService } from './documents.service.js';
import { DocumentDetail, DocumentPage, DocumentStatus, DocumentTimelineResponse } from './dto/document.dto.js';
import { ListDocumentsQuery } from './dto/list-documents.dto.js';
import { UploadFormDto } from './dto/upload.dto.js';
import { UploadService } from './upload.service.js';

const LOCATION = {
  Location: {
    description: 'Path of the document.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
} as const;

@ApiTags('Documents')
@Controller('documents')
export class DocumentsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly uploads: UploadService,
  ) {}

  /**
   * Upload a document.
   * @remarks When this answers 201, the file is stored and its ingestion is promised; poll its status until it is terminal.
   * `Idempotency-Key` compares the fields and the content of the file.
   */
  @Post('upload')
  @Permit('documents:write')
  @RateLimit('upload')
  @WithoutIdempotency({ handledByRoute: true })
  @ApiOperation({ operationId: 'uploadDocument' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: UploadFormDto })
  @ApiCreatedResponse({ type: DocumentDetail, description: 'The new document.', headers: LOCATION })
  @ApiOkResponse({
    type: DocumentDetail,
    description: 'The document that was already there (`on_duplicate` is `skip`).',
    headers: LOCATION,
  })
  @ApiConflictResponse({
    description: 'The dataset holds a document with the same content (`on_duplicate` is `reject`).',
  })
  async upload(
    @Ctx() ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DocumentDetail> {
    const { document, status, replayed } = await this.uploads.upload(ctx, request);
    void reply.status(status).header('Location', `/api/v1/documents/${document.id}`);
    if (replayed) void reply.header('Idempotency-Replayed', 'true');
    return document;
  }

  /**
   * List documents.
   * @remarks Documents of the datasets that the caller sees. For a batch of uploads poll this with `dataset_id` and `status=processing`.
   */
  @Get('/')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'listDocuments' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListDocumentsQuery): Promise<DocumentPage> {
    return this.documents.list(ctx, query);
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
   * Delete a document.
   * @remarks It leaves search and lists at once.
   */
  @Delete(':document_id')
  @Permit('documents:write')
  @ApiOperation({ operationId: 'deleteDocument' })
  @HttpCode(204)
  async delete(@Ctx() ctx: RequestContext, @Param('document_id') documentId: string): Promise<void> {
    await this.documents.delete(ctx, documentId);
  }
}
