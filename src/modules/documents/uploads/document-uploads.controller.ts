import { Controller, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NeedsSpace, RateLimit, TakesForm, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { BatchUploadResult } from './batch-upload.dto.js';
import { DocumentDetail } from '../record/document.dto.js';
import { BatchUploadFormDto, UploadFormDto } from './upload.dto.js';
import { UploadService } from './upload.service.js';

const LOCATION = {
  Location: {
    description: 'Path of the document.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
} as const;

/** Uploads of documents. */
@ApiTags('Documents')
@Controller('documents')
export class DocumentUploadsController {
  constructor(private readonly uploads: UploadService) {}

  /**
   * Upload a document.
   * @remarks On 201 the file is stored and its ingestion is scheduled; poll the status until it is terminal. A media type that cannot be
   * read, or that the dataset's ingestion policy does not allow, is refused with 415. A file that is empty or encrypted, or whose content
   * contradicts its name, is accepted and ends as `failed`. `path` keeps the folder of the file. The name may be sent in UTF-8, as
   * `filename*` (RFC 8187), or in latin1. `Idempotency-Key` compares the fields and the content of the file.
   */
  @Post('upload')
  @NeedsSpace()
  @Permit('documents:write')
  @RateLimit('upload')
  @WithoutIdempotency({ handledByRoute: true })
  @ApiOperation({ operationId: 'uploadDocument' })
  @TakesForm()
  @ApiBody({ type: UploadFormDto })
  @ApiCreatedResponse({
    type: DocumentDetail,
    description: 'The new document, or the document that got the file as a new revision.',
    headers: LOCATION,
  })
  @ApiOkResponse({
    type: DocumentDetail,
    description: 'The existing document with the same content (`on_duplicate` is `skip`).',
    headers: LOCATION,
  })
  @ApiConflictResponse({
    description:
      'The dataset holds a document with the same content (`on_duplicate` is `reject`), or the document that would get a revision is quarantined.',
  })
  async upload(
    @Ctx() ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DocumentDetail> {
    const { body, status, replayed } = await this.uploads.upload(ctx, request);
    void reply.status(status).header('Location', `/api/v1/documents/${body.id}`);
    if (replayed) void reply.header('Idempotency-Replayed', 'true');
    return body;
  }

  /**
   * Upload several documents.
   * @remarks Takes 1 to 20 files in the field `files`; the other fields apply to each file. An error of one file is reported in its result
   * and does not affect the others. An error of the whole form (too many files, an unknown dataset, wrong metadata) refuses the request,
   * and nothing is stored. If two files have the same content, the second one is the duplicate. `Idempotency-Key` compares the fields and
   * the content of the files.
   */
  @Post('batch/upload')
  @NeedsSpace()
  @Permit('documents:write')
  @RateLimit('upload')
  @WithoutIdempotency({ handledByRoute: true })
  @ApiOperation({ operationId: 'uploadDocuments' })
  @TakesForm()
  @ApiBody({ type: BatchUploadFormDto })
  @ApiCreatedResponse({ type: BatchUploadResult, description: 'The result for each file.' })
  async uploadMany(
    @Ctx() ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BatchUploadResult> {
    const { body, status, replayed } = await this.uploads.uploadMany(ctx, request);
    void reply.status(status);
    if (replayed) void reply.header('Idempotency-Replayed', 'true');
    return body;
  }
}
