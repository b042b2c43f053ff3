import { Controller, Post, Req, Res } from '@nestjs/common';
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
import { NeedsSpace, RateLimit, WithoutIdempotency } from '#libs/http';
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

/** Files on their way in. */
@ApiTags('Documents')
@Controller('documents')
export class DocumentUploadsController {
  constructor(private readonly uploads: UploadService) {}

  /**
   * Upload a document.
   * @remarks When this answers 201, the file is stored and its ingestion is promised; poll its status until it is terminal. A type
   * that cannot be read, or that the dataset's ingestion policy does not allow, is 415; a file that contradicts its name, is empty or
   * encrypted is taken and ends `failed`. `path` keeps the place of the file in its folder. The name may be sent in UTF-8, as `filename*` (RFC 8187), or in latin1. `Idempotency-Key`
   * compares the fields and the content of the file.
   */
  @Post('upload')
  @NeedsSpace()
  @Permit('documents:write')
  @RateLimit('upload')
  @WithoutIdempotency({ handledByRoute: true })
  @ApiOperation({ operationId: 'uploadDocument' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: UploadFormDto })
  @ApiCreatedResponse({
    type: DocumentDetail,
    description: 'The new document, or the document whose new revision the file is.',
    headers: LOCATION,
  })
  @ApiOkResponse({
    type: DocumentDetail,
    description: 'The document that was already there (`on_duplicate` is `skip`).',
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
   * @remarks 1 to 20 files in the field `files`; the other fields hold for each. What stands against one file is said in its result
   * and leaves the others alone; what stands against the whole form (too many files, an unknown dataset, wrong metadata) refuses all
   * of it, and nothing is stored. Of two files with the same content the second is the duplicate. `Idempotency-Key` compares the
   * fields and the content of the files.
   */
  @Post('batch/upload')
  @NeedsSpace()
  @Permit('documents:write')
  @RateLimit('upload')
  @WithoutIdempotency({ handledByRoute: true })
  @ApiOperation({ operationId: 'uploadDocuments' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: BatchUploadFormDto })
  @ApiCreatedResponse({ type: BatchUploadResult, description: 'What became of each file.' })
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
