import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSpace } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DescribeMove, OneOfBodies } from './document-operations.openapi.js';
import { DocumentOperationsService } from './document-operations.service.js';
import {
  BatchDeleteRequest,
  BatchReingestRequest,
  BatchRetryRequest,
  BulkResult,
  DocumentIds,
  DocumentsByCondition,
  DocumentsByPolicyVersion,
  DocumentsOfDataset,
} from './bulk.dto.js';
import { DocumentStatus } from '../record/document.dto.js';

const ILLEGAL = { description: 'The state of the document does not allow it (`documents.illegal_state`).' };
const DOCUMENT = '01934b7f-0d11-7c44-8b7a-5f1e9c0a2d33';
const DATASET = '01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10';
const BY_IDS = { summary: 'Certain documents', value: { document_ids: [DOCUMENT] } };
const EACH =
  'Ids that are unknown or not visible, and documents in another state, are rejected one by one; the rest goes on.';

/** What callers do with documents that are there: stop, repeat, remove. */
@ApiTags('Documents')
@Controller('documents')
export class DocumentOperationsController {
  constructor(private readonly operations: DocumentOperationsService) {}

  @Post(':document_id/cancel')
  @HttpCode(200)
  @Permit('documents:write')
  @DescribeMove(
    'cancelDocument',
    'Cancel a document.',
    'Stops its ingestion: the work really ends, and nothing of it becomes searchable. A document that is being ingested again goes back to `completed` on its earlier generation; a new revision of its file is dropped, while name, metadata and tags that came with it stay.',
  )
  @ApiConflictResponse(ILLEGAL)
  cancel(@Ctx() ctx: RequestContext, @Param('document_id') documentId: string): Promise<DocumentStatus> {
    return this.operations.cancel(ctx, documentId);
  }

  @Post(':document_id/retry')
  @NeedsSpace()
  @HttpCode(202)
  @Permit('documents:write')
  @DescribeMove(
    'retryDocument',
    'Retry a document.',
    'Begins another attempt on a document that failed, under the same policy version. Results of the stages before the failure are used again.',
  )
  @ApiConflictResponse(ILLEGAL)
  retry(@Ctx() ctx: RequestContext, @Param('document_id') documentId: string): Promise<DocumentStatus> {
    return this.operations.retry(ctx, documentId);
  }

  /**
   * Delete a document.
   * @remarks It leaves search and lists at once, in whatever state it is.
   */
  @Delete(':document_id')
  @HttpCode(204)
  @Permit('documents:write')
  @ApiOperation({ operationId: 'deleteDocument' })
  async delete(@Ctx() ctx: RequestContext, @Param('document_id') documentId: string): Promise<void> {
    await this.operations.delete(ctx, documentId);
  }

  @Post('batch/reingest')
  @NeedsSpace()
  @HttpCode(202)
  @Permit('documents:write', { outsider: 'not_found' })
  @DescribeMove(
    'reingestDocuments',
    'Ingest documents again.',
    `Under the present policy of their dataset. The old chunks stay searchable until the new ones replace them in one step. ${EACH} With \`dataset_id\` only completed documents are meant, with \`where\` those of older policy versions.`,
  )
  @OneOfBodies([DocumentIds, DocumentsByPolicyVersion], {
    ids: BY_IDS,
    older: { summary: 'What older policies made', value: { dataset_id: DATASET, where: { policy_version_lt: 3 } } },
  })
  reingestMany(@Ctx() ctx: RequestContext, @Body() request: BatchReingestRequest): Promise<BulkResult> {
    return this.operations.reingestMany(ctx, request);
  }

  @Post('batch/retry')
  @NeedsSpace()
  @HttpCode(202)
  @Permit('documents:write', { outsider: 'not_found' })
  @DescribeMove(
    'retryDocuments',
    'Retry documents.',
    `Begins another attempt on each. ${EACH} With \`dataset_id\` all failed documents of the dataset are meant.`,
  )
  @OneOfBodies([DocumentIds, DocumentsOfDataset], {
    ids: BY_IDS,
    failed: { summary: 'All that failed', value: { dataset_id: DATASET } },
  })
  retryMany(@Ctx() ctx: RequestContext, @Body() request: BatchRetryRequest): Promise<BulkResult> {
    return this.operations.retryMany(ctx, request);
  }

  @Post('batch/cancel')
  @HttpCode(200)
  @Permit('documents:write', { outsider: 'not_found' })
  @DescribeMove(
    'cancelDocuments',
    'Cancel documents.',
    `Stops the ingestion of each, as \`POST /documents/{document_id}/cancel\` does. ${EACH}`,
  )
  cancelMany(@Ctx() ctx: RequestContext, @Body() request: DocumentIds): Promise<BulkResult> {
    return this.operations.cancelMany(ctx, request);
  }

  @Post('batch/delete')
  @HttpCode(200)
  @Permit('documents:write', { outsider: 'not_found' })
  @DescribeMove(
    'deleteDocuments',
    'Delete documents.',
    `They leave search and lists before this answers. ${EACH} \`where\` needs at least one condition; all of its conditions must hold. Of a large selection, what was deleted before an error stays deleted: send it again.`,
  )
  @OneOfBodies([DocumentIds, DocumentsByCondition], {
    ids: BY_IDS,
    conditions: {
      summary: 'By conditions',
      value: { dataset_id: DATASET, where: { tag: 'draft', created_before: '2026-01-01T00:00:00.000Z' } },
    },
  })
  deleteMany(@Ctx() ctx: RequestContext, @Body() request: BatchDeleteRequest): Promise<BulkResult> {
    return this.operations.deleteMany(ctx, request);
  }
}
