import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { ListQueryDto } from '#libs/http';
import { DocumentIds } from '../../documents/index.js';

const MAX_REASON = 500;
const MAX_NOTE = 2000;
const COUNT = { type: 'integer', minimum: 0 } as const;

/** Documents to be quarantined, and why. */
export class QuarantineRequest extends DocumentIds {
  /**
   * Why; it stands in the timeline of each document.
   * @example "Holds personal data"
   */
  @ApiProperty({ type: String, minLength: 1, maxLength: MAX_REASON, pattern: '\\S', example: 'Holds personal data' })
  @IsString()
  @MaxLength(MAX_REASON)
  @Matches(/\S/u, { message: 'reason must hold more than white space' })
  reason!: string;

  /** More about it, for those who may read the quarantine. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_NOTE })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_NOTE)
  note?: string | null;
}

/** Documents to be released. */
export class ReleaseRequest extends DocumentIds {}

export const QUARANTINE_ORDERS = ['quarantined_at', '-quarantined_at', 'document_name', '-document_name'] as const;
export type QuarantineOrder = (typeof QUARANTINE_ORDERS)[number];

/** Filter and order of the quarantine. */
export class ListQuarantineQuery extends ListQueryDto {
  /** Only documents of this dataset. */
  @IsOptional()
  @IsUUID()
  dataset_id?: string;

  /** Order of the rows; a minus sign means descending. */
  @ApiPropertyOptional({ enum: QUARANTINE_ORDERS, default: '-quarantined_at' })
  @IsOptional()
  @IsIn(QUARANTINE_ORDERS)
  order_by: QuarantineOrder = '-quarantined_at';
}

/** A quarantined document. */
export class QuarantinedDocument {
  /** The document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Its name. */
  document_name!: string;

  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Why it was quarantined. */
  reason!: string;

  /** More about it. */
  @ApiProperty({ type: String, nullable: true })
  note!: string | null;

  /** Account that quarantined it; null for the service itself. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  quarantined_by!: string | null;

  /** When. */
  @ApiProperty({ format: 'date-time' })
  quarantined_at!: string;
}

/** A page of the quarantine. */
export class QuarantinePage {
  /** The documents of this page. */
  @ApiProperty({ type: [QuarantinedDocument] })
  items!: QuarantinedDocument[];

  /** How many match in all. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many there are at most. */
  @ApiProperty(COUNT)
  limit!: number;
}
