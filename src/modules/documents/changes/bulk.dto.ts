import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject, IsUUID, ValidateNested } from 'class-validator';
import type { JsonObject } from '#libs/common';
import { Answer, AsSent, Choice, IfPresent, Instant, Integer, Text } from '#libs/http';
import { DOCUMENT_STATUSES, type DocumentStatusName } from '../record/document.entity.js';

export const MAX_BULK_IDS = 500;
const MAX_VERSION = 2_147_483_647;

const IDS = {
  type: 'array',
  items: { type: 'string', format: 'uuid' },
  minItems: 1,
  maxItems: MAX_BULK_IDS,
} as const;

const AreDocumentIds = (): PropertyDecorator => (target, key) => {
  IsArray()(target, key);
  ArrayMinSize(1)(target, key);
  ArrayMaxSize(MAX_BULK_IDS)(target, key);
  IsUUID(undefined, { each: true })(target, key);
};

/** Documents by their ids. */
export class DocumentIds {
  /** Identifiers of 1 to 500 documents; a repeated one counts once. */
  @ApiProperty(IDS)
  @AreDocumentIds()
  document_ids!: string[];
}

/** Documents that were ingested under an older policy. */
export class PolicyVersionWhere {
  /** Only documents that were ingested under a policy version below this one. */
  @Integer({ optional: true, min: 1, max: MAX_VERSION })
  policy_version_lt?: number;
}

/** Conditions on documents; all of them must hold, and there must be at least one. */
export class DocumentWhere extends PolicyVersionWhere {
  /** Only documents with this status. */
  @Choice(DOCUMENT_STATUSES, { optional: true })
  status?: DocumentStatusName;

  /** Only documents that carry this tag. */
  @Text({ optional: true, min: 1, max: 128 })
  tag?: string;

  /** Only documents uploaded before this time. */
  @Instant({ optional: true })
  created_before?: string;

  /** Only documents whose metadata contain all of these keys with exactly these values. */
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    minProperties: 1,
    example: { department: 'sales' },
  })
  @AsSent()
  @IfPresent()
  @IsObject()
  metadata?: JsonObject;
}

/** A whole dataset. */
export class DocumentsOfDataset {
  /** Identifier of the dataset. */
  @ApiProperty({ type: String, format: 'uuid' })
  dataset_id!: string;
}

/** Documents of a dataset by the policy that they were ingested under. */
export class DocumentsByPolicyVersion extends DocumentsOfDataset {
  /** Conditions on the documents; if left out, all completed documents of the dataset. */
  @ApiPropertyOptional({ type: PolicyVersionWhere })
  where?: PolicyVersionWhere;
}

/** Documents of a dataset by conditions. */
export class DocumentsByCondition extends DocumentsOfDataset {
  /** Conditions on the documents; at least one. */
  @ApiProperty({ type: DocumentWhere, minProperties: 1 })
  where!: DocumentWhere;
}

/** Common fields of batch requests: either `document_ids` or `dataset_id`. */
export class BatchRetryRequest {
  @IfPresent()
  @AreDocumentIds()
  document_ids?: string[];

  @IfPresent()
  @IsUUID()
  dataset_id?: string;
}

export class BatchReingestRequest extends BatchRetryRequest {
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => PolicyVersionWhere)
  where?: PolicyVersionWhere;
}

export class BatchDeleteRequest extends BatchRetryRequest {
  @IfPresent()
  @IsObject()
  @ValidateNested()
  @Type(() => DocumentWhere)
  where?: DocumentWhere;
}

/** A document for which the operation was not possible. */
export class BulkRejection {
  /** Identifier of the document. */
  @Answer.Uuid()
  id!: string;

  /** Error code, for example `documents.not_found` (absent or not visible) or `documents.illegal_state`. */
  code!: string;

  /** Explanation in English of why the operation is not possible for this document. */
  detail!: string;
}

/** Outcome for each document, in the order of the request; for a selection by conditions, in the order of the ids. */
export class BulkResult {
  /** Identifiers of the documents on which the operation was done. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' } })
  accepted!: string[];

  /** Documents on which the operation was not done, with the reason. */
  @Answer.NestedList(BulkRejection)
  rejected!: BulkRejection[];
}
