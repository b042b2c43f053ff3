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

const ILLEGAL = { description: 'The status of the document does not allow the operation (`documents.illegal_state`).' };
const DOCUMENT = '01934b7f-0d11-7c44-8b7a-5f1e9c0a2d33';
const DATASET = '01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10';
const BY_IDS = { summary: 'Certain documents', value: { document_ids: [DOCUMENT] } };
const EACH =
  'Unknown or invisible ids, and documents in another status, are listed in `rejected`; the other documents are processed.';

/** Cancels, retries, reingests and deletes documents. */
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
    'Stops the ingestion; nothing of it becomes searchable. A document that was being ingested again returns to `completed` with its earlier generation. A new revision is dropped; the name, metadata and tags uploaded with it stay.',
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
    'Begins another attempt on a document that failed, under the same policy version. Results of the stages before the failure are reused.',
  )
  @ApiConflictResponse(ILLEGAL)
  retry(@Ctx() ctx: RequestContext, @Param('document_id') documentId: string): Promise<DocumentStatus> {
    return this.operations.retry(ctx, documentId);
  }

  /**
   * Delete a document.
   * @remarks Removes the document from searches and lists at once, whatever its status.
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
    `Ingests the documents under the present policy of their dataset. The old chunks stay searchable until the new ones replace them in one step. ${EACH} \`dataset_id\` selects the completed documents of the dataset; \`where\` limits them to those of older policy versions.`,
  )
  @OneOfBodies([DocumentIds, DocumentsByPolicyVersion], {
    ids: BY_IDS,
    older: {
      summary: 'Documents of older policy versions',
      value: { dataset_id: DATASET, where: { policy_version_lt: 3 } },
    },
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
    `Begins another attempt for each document. ${EACH} \`dataset_id\` selects all failed documents of the dataset.`,
  )
  @OneOfBodies([DocumentIds, DocumentsOfDataset], {
    ids: BY_IDS,
    failed: { summary: 'All failed documents', value: { dataset_id: DATASET } },
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
    `Stops the ingestion of each document, as \`POST /documents/{document_id}/cancel\` does. ${EACH}`,
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
    `Removes the documents from searches and lists before the response is sent. ${EACH} \`where\` needs at least one condition; all conditions must hold. If an error interrupts a large selection, what was deleted before it stays deleted; send the request again.`,
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
