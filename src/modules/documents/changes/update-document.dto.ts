import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsDefined,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import type { JsonObject } from '#libs/common';
import { AsSent, IfPresent } from '#libs/http';
import { MAX_NAME_LENGTH, MAX_TAG_LENGTH, MAX_TAGS } from '../record/document-facts.js';
import { IsDocumentName } from '../record/document-name.js';
import { BatchDeleteRequest, DocumentIds, DocumentsOfDataset, DocumentWhere } from './bulk.dto.js';

const TAGS = {
  type: 'array',
  items: { type: 'string', maxLength: MAX_TAG_LENGTH, pattern: '^[^\\u0000]*$' },
  maxItems: MAX_TAGS,
} as const;

const AreTags = (): PropertyDecorator => (target, key) => {
  IsArray()(target, key);
  ArrayMaxSize(MAX_TAGS)(target, key);
  IsString({ each: true })(target, key);
  MaxLength(MAX_TAG_LENGTH, { each: true })(target, key);
};

const METADATA = { type: 'object', additionalProperties: true, nullable: true } as const;

/** A change of metadata and tags (JSON Merge Patch, RFC 7396); fields that are left out stay unchanged. */
class ChangedFacts {
  /**
   * Merged into the present metadata at every level. Null as the value of a key removes the key; null for the whole field removes all
   * metadata. The resulting metadata may have at most 64 KiB as JSON.
   */
  @ApiPropertyOptional(METADATA)
  @AsSent()
  @IsOptional()
  @IsObject()
  metadata?: JsonObject | null;

  /** Replaces the tags; null removes all. White space around a tag is removed, and repeated tags count once. */
  @ApiPropertyOptional({ ...TAGS, nullable: true })
  @IsOptional()
  @AreTags()
  tags?: string[] | null;
}

/** A change of a document. */
export class UpdateDocumentRequest extends ChangedFacts {
  /** New name; white space around it is removed. Several documents may have the same name. */
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: MAX_NAME_LENGTH,
    pattern:
      '^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$',
  })
  @IfPresent()
  @IsDocumentName()
  name?: string;
}

/**
 * A change that is applied to each of several documents; at least one field. `tags` is applied first, then `add_tags`, then `remove_tags`.
 */
export class DocumentPatch extends ChangedFacts {
  /** Tags to add, where the document does not have them. */
  @ApiPropertyOptional(TAGS)
  @IfPresent()
  @AreTags()
  add_tags?: string[];

  /** Tags to remove, where the document has them. */
  @ApiPropertyOptional(TAGS)
  @IfPresent()
  @AreTags()
  remove_tags?: string[];
}

const PATCH = { type: DocumentPatch, description: 'The changes; at least one field.', minProperties: 1 } as const;

/** Certain documents, and what to change in them. */
export class UpdateDocumentsByIds extends DocumentIds {
  @ApiProperty(PATCH)
  patch!: DocumentPatch;
}

/** Documents of a dataset, all or those that meet conditions, and what to change in them. */
@ApiExtraModels(DocumentWhere)
export class UpdateDocumentsOfDataset extends DocumentsOfDataset {
  /** Conditions on the documents; if left out, all documents of the dataset. */
  @ApiPropertyOptional({ allOf: [{ $ref: getSchemaPath(DocumentWhere) }] })
  where?: DocumentWhere;

  @ApiProperty(PATCH)
  patch!: DocumentPatch;
}

/** The body as it is checked: the documents by ids or by a dataset. */
export class BatchUpdateRequest extends BatchDeleteRequest {
  @IsDefined()
  @IsObject()
  @ValidateNested()
  @Type(() => DocumentPatch)
  patch!: DocumentPatch;
}
