import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res, StreamableFile } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ListQueryDto, RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DocumentTextService } from './document-text.service.js';
import { DocumentsService } from './documents.service.js';
import {
  DocumentChunkPage,
  DocumentDetail,
  DocumentPage,
  DocumentStatus,
  DocumentTimelineResponse,
} from './dto/document.dto.js';
import { ListDocumentsQuery } from './dto/list-documents.dto.js';
import { TextQuery } from './dto/text-query.dto.js';
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
    private readonly texts: DocumentTextService,
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
   * List the chunks of a document.
   * @remarks The fragments that a search can return, in the order of the text.
   */
  @Get(':document_id/chunks')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'listDocumentChunks' })
  chunks(
    @Ctx() ctx: RequestContext,
    @Param('document_id') documentId: string,
    @Query() query: ListQueryDto,
  ): Promise<DocumentChunkPage> {
    return this.documents.chunks(ctx, documentId, query.skip, query.limit);
  }

  /**
   * Read the text of a document.
   * @remarks The canonical text, to which all offsets refer (UTF-16 code units), or the part of it from `start` to `end`.
   */
  @Get(':document_id/text')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'getDocumentText' })
  @ApiProduces('text/plain')
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  async text(
    @Ctx() ctx: RequestContext,
    @Param('document_id') documentId: string,
    @Query() query: TextQuery,
  ): Promise<StreamableFile> {
    const stream = await this.texts.text(ctx, documentId, query.start, query.end);
    return new StreamableFile(stream, { type: 'text/plain; charset=utf-8' });
  }

  /**
   * Download the file of a document.
   * @remarks The original file with its name in `Content-Disposition`.
   */
  @Get(':document_id/content')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'getDocumentContent' })
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({ content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } })
  async content(
    @Ctx() ctx: RequestContext,
    @Param('document_id') documentId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { stream, mediaType, disposition, sizeBytes } = await this.texts.content(ctx, documentId);
    void reply
      .header('X-Content-Type-Options', 'nosniff')
      .header('Content-Security-Policy', "default-src 'none'; sandbox");
    return new StreamableFile(stream, {
      type: mediaType,
      disposition,
      ...(sizeBytes === undefined ? {} : { length: sizeBytes }),
    });
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
