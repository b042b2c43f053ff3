import { Controller, Get, HttpStatus, Param, Query, Req, Res, StreamableFile } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiGoneResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ListQueryDto } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DocumentTextService } from './document-text.service.js';
import { DocumentsService } from './documents.service.js';
import { DocumentChunkPage } from '../record/document.dto.js';
import { TextQuery } from './text-query.dto.js';

const NOT_YET = { description: 'The document has no text yet.' };
const DISPOSITION = {
  'Content-Disposition': { description: 'The name of the file.', required: true, schema: { type: 'string' } },
  'Accept-Ranges': { description: 'Ranges of bytes can be requested.', required: true, schema: { type: 'string' } },
} as const;
const FILE = { schema: { type: 'string', format: 'binary' } } as const;

/** Chunks, text and file of a document. */
@ApiTags('Documents')
@Controller('documents')
export class DocumentContentController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly texts: DocumentTextService,
  ) {}

  /**
   * List the chunks of a document.
   * @remarks The chunks that a search can return, in the order of the text.
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
  @ApiOkResponse({ description: 'The text.', content: { 'text/plain': { schema: { type: 'string' } } } })
  @ApiConflictResponse(NOT_YET)
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
   * @remarks The original file with its name in `Content-Disposition`. Needs `governance:read`, also for the account that uploaded it,
   * where the policy hid something of the file or refused it, or where the policy has detectors and the text was not inspected yet. The
   * file of a document that the policy rejected is gone after 24 hours (`documents.content_removed`). An archive whose files are documents
   * is withheld while one of them is withheld or in quarantine, and once one was deleted (`documents.archive_file_deleted`). Once one was
   * purged, the bytes of the archive are removed (`documents.archive_content_removed`). With `Range: bytes=0-1023` only these bytes are
   * sent (206); a request with several ranges, another unit or `If-Range` (there are no entity tags) gets the whole file.
   */
  @Get(':document_id/content')
  @Permit('documents:read')
  @ApiOperation({ operationId: 'getDocumentContent' })
  @ApiProduces('application/octet-stream', '*/*')
  @ApiOkResponse({
    description: 'The file, with its detected media type.',
    headers: DISPOSITION,
    // Generators of clients leave out an answer that has no media type but a range.
    content: { 'application/octet-stream': FILE, '*/*': FILE },
  })
  @ApiHeader({ name: 'Range', required: false, description: 'One range of bytes, such as `bytes=0-1023`.' })
  @ApiResponse({
    status: HttpStatus.PARTIAL_CONTENT,
    description: 'The requested bytes; `Content-Range` gives their positions and the size of the file.',
    headers: { ...DISPOSITION, 'Content-Range': { description: '`bytes 0-1023/4096`', schema: { type: 'string' } } },
    content: { 'application/octet-stream': FILE, '*/*': FILE },
  })
  @ApiGoneResponse({ description: 'The file was removed: it was rejected, or a file of the archive was purged.' })
  @ApiResponse({
    status: HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
    description: 'The file has no such bytes.',
    headers: { 'Content-Range': { description: '`bytes */4096`', schema: { type: 'string' } } },
  })
  async content(
    @Ctx() ctx: RequestContext,
    @Param('document_id') documentId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { stream, mediaType, disposition, sizeBytes, part } = await this.texts.content(
      ctx,
      documentId,
      rangeAskedFor(request),
    );
    void reply
      .header('Accept-Ranges', 'bytes')
      .header('X-Content-Type-Options', 'nosniff')
      .header('Content-Security-Policy', "default-src 'none'; sandbox");
    if (part !== undefined) {
      void reply
        .status(HttpStatus.PARTIAL_CONTENT)
        .header('Content-Range', `bytes ${part.start}-${part.end}/${sizeBytes}`);
    }
    return new StreamableFile(stream, {
      type: mediaType,
      disposition,
      length: part === undefined ? sizeBytes : part.end - part.start + 1,
    });
  }
}

/** `Range` is heeded only for GET, and not beside `If-Range`: answers have no entity tag that it could be compared with. */
function rangeAskedFor({ method, headers }: FastifyRequest): string | undefined {
  return method === 'GET' && headers['if-range'] === undefined ? headers.range : undefined;
}
