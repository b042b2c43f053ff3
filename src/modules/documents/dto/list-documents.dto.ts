import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { ListQueryDto } from '#libs/http';
import { DOCUMENT_STATUSES, type DocumentStatusName } from '../document.entity.js';

export const DOCUMENT_ORDERS = ['created_at', '-created_at', 'name', '-name', 'updated_at', '-updated_at'] as const;
export type DocumentOrder = (typeof DOCUMENT_ORDERS)[number];

/** Filters of the document list. */
export class ListDocumentsQuery extends ListQueryDto {
  /** Only documents of this dataset. */
  @IsOptional()
  @IsUUID()
  dataset_id?: string;

  /** Only files of this archive. */
  @IsOptional()
  @IsUUID()
  archive_id?: string;

  /** Only documents in this state. */
  @IsOptional()
  @IsIn(DOCUMENT_STATUSES)
  status?: DocumentStatusName;

  /** Only documents whose name or path contains this, without regard to case. */
  @ApiPropertyOptional({ type: String, maxLength: 256, pattern: '^[^\\u0000]*$' })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  q?: string;

  /** Only documents that carry this tag. */
  @ApiPropertyOptional({ type: String, maxLength: 128, pattern: '^[^\\u0000]*$' })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  tag?: string;

  /** Order of the rows; a minus sign means descending. */
  @ApiPropertyOptional({ enum: DOCUMENT_ORDERS, default: '-created_at' })
  @IsOptional()
  @IsIn(DOCUMENT_ORDERS)
  order_by: DocumentOrder = '-created_at';
}
