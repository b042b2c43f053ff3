import { Body, Controller, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { OneOfBodies } from './document-operations.openapi.js';
import { DocumentUpdatesService } from './document-updates.service.js';
import { BulkResult } from './bulk.dto.js';
import { DocumentDetail } from '../record/document.dto.js';
import {
  BatchUpdateRequest,
  UpdateDocumentRequest,
  UpdateDocumentsByIds,
  UpdateDocumentsOfDataset,
} from './update-document.dto.js';

const DOCUMENT = '01934b7f-0d11-7c44-8b7a-5f1e9c0a2d33';
const DATASET = '01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10';

/** Changes of names, metadata and tags. */
@ApiTags('Documents')
@Controller('documents')
export class DocumentUpdatesController {
  constructor(private readonly updates: DocumentUpdatesService) {}

  /**
   * Change a document.
   * @remarks JSON Merge Patch (RFC 7396) of `name`, `metadata` and `tags`. Search filters use the new values at once, without another
   * embedding; a new name counts in the ranking after the next ingestion. An empty patch changes nothing. The rules of the ingestion policy
   * (`governance.detectors`) apply to the new values: `mask` hides what they find, `quarantine` makes the change and quarantines the
   * document, `reject` answers 422 with the rule and the place of the finding.
   */
  @Patch(':document_id')
  @Permit('documents:write')
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiOperation({ operationId: 'updateDocument' })
  update(
    @Ctx() ctx: RequestContext,
    @Param('document_id') documentId: string,
    @Body() request: UpdateDocumentRequest,
  ): Promise<DocumentDetail> {
    return this.updates.update(ctx, documentId, request);
  }

  @Post('batch/update')
  @HttpCode(200)
  @Permit('documents:write', { outsider: 'not_found' })
  @ApiOperation({
    operationId: 'updateDocuments',
    summary: 'Change documents.',
    description:
      'Makes the same change to metadata and tags of each document. Search filters use the new values at once. Unknown or invisible ids, and documents that would have too much metadata, too many tags or values that the ingestion policy rejects (`http.validation_failed`), are listed in `rejected`; the other documents are changed. `dataset_id` alone selects all documents of the dataset. If an error interrupts a large selection, what was changed before it stays changed; send the request again.',
  })
  @OneOfBodies([UpdateDocumentsByIds, UpdateDocumentsOfDataset], {
    ids: {
      summary: 'Certain documents',
      value: { document_ids: [DOCUMENT], patch: { metadata: { department: 'sales', draft: null } } },
    },
    conditions: {
      summary: 'By conditions',
      value: { dataset_id: DATASET, where: { tag: 'draft' }, patch: { add_tags: ['final'], remove_tags: ['draft'] } },
    },
  })
  updateMany(@Ctx() ctx: RequestContext, @Body() request: BatchUpdateRequest): Promise<BulkResult> {
    return this.updates.updateMany(ctx, request);
  }
}
