import { ApiProperty } from '@nestjs/swagger';

export const PURGE_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type PurgeStatus = (typeof PURGE_STATUSES)[number];

const COUNT = { type: 'integer', minimum: 0 } as const;

/** A clean-up of what was deleted from a dataset: how much there was when it was asked for, and how far it is. */
export class DatasetPurge {
  /** Identifier of the purge. */
  @ApiProperty({ format: 'uuid' })
  purge_id!: string;

  /** Identifier of the dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Status of the purge; `completed`: nothing of the deleted documents is left in the database, the vector store and the object storage. */
  @ApiProperty({ enum: PURGE_STATUSES })
  status!: PurgeStatus;

  /** Number of deleted documents to purge. */
  @ApiProperty(COUNT)
  documents!: number;

  /** Number of chunks of these documents, of all remaining generations. */
  @ApiProperty(COUNT)
  chunks!: number;

  /** Number of stored files of these documents, one for each revision. */
  @ApiProperty(COUNT)
  blobs!: number;

  /** Time of the request; the purge covers what was deleted until then. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** Time at which the purge was completed; null: not completed. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at!: string | null;
}
