import { ApiProperty } from '@nestjs/swagger';

export const PURGE_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type PurgeStatus = (typeof PURGE_STATUSES)[number];

const COUNT = { type: 'integer', minimum: 0 } as const;

/** A clean-up of what was deleted from a dataset: how much there was when it was asked for, and how far it is. */
export class DatasetPurge {
  /** The purge. */
  @ApiProperty({ format: 'uuid' })
  purge_id!: string;

  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** `completed`: nothing of it is left in the database, the vector store and the file storage. */
  @ApiProperty({ enum: PURGE_STATUSES })
  status!: PurgeStatus;

  /** Deleted documents to be cleaned. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Their chunks, of all generations that are left. */
  @ApiProperty(COUNT)
  chunks!: number;

  /** Their stored files, one for each revision. */
  @ApiProperty(COUNT)
  blobs!: number;

  /** When it was asked for: what was deleted until then is cleaned. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** When it was done. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at!: string | null;
}
