import { Answer } from '#libs/http';

export const PURGE_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type PurgeStatus = (typeof PURGE_STATUSES)[number];

/** A purge of the deleted documents of a dataset: the amounts at the time of the request, and the status. */
export class DatasetPurge {
  /** Identifier of the purge. */
  @Answer.Uuid()
  purge_id!: string;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Status of the purge; `completed`: nothing of the deleted documents is left in the database, the vector store and the object storage. */
  @Answer.Choice(PURGE_STATUSES)
  status!: PurgeStatus;

  /** Number of deleted documents to purge. */
  @Answer.Count()
  documents!: number;

  /** Number of chunks of these documents, of all remaining generations. */
  @Answer.Count()
  chunks!: number;

  /** Number of stored files of these documents, one for each revision. */
  @Answer.Count()
  blobs!: number;

  /** Time of the request; the purge covers what was deleted until then. */
  @Answer.Instant()
  created_at!: string;

  /** Time at which the purge was completed; null: not completed. */
  @Answer.Instant({ nullable: true })
  completed_at!: string | null;
}
