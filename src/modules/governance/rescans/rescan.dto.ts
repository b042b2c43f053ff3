import { Answer, Uuid } from '#libs/http';
import { ENTITY_TYPES, type EntityType } from '#libs/detectors';
import { RESCAN_STATUSES, type RescanStatus } from '../findings/rescan.entity.js';

/** The dataset to rescan. */
export class StartRescanRequest {
  /** Identifier of the dataset whose documents are inspected. */
  @Uuid()
  dataset_id!: string;
}

/** Progress of a rescan. */
export class RescanProgressDto {
  /** Number of documents inspected so far. */
  @Answer.Count()
  done!: number;

  /** Number of documents of the dataset, as last counted; null: the rescan has not begun. */
  @Answer.Count({ nullable: true })
  total!: number | null;
}

/** Number of findings of one kind of content. */
export class RescanFindings {
  /** Kind of content. */
  @Answer.Choice(ENTITY_TYPES, { name: 'EntityType' })
  entity_type!: EntityType;

  /** Number of findings. */
  @Answer.Count()
  findings!: number;

  /** Number of documents with findings. */
  @Answer.Count()
  documents!: number;
}

/** Why a rescan failed. */
export class RescanError {
  /** Error code. */
  @Answer.Text()
  code!: string;

  /** Explanation of the error. */
  @Answer.Text()
  message!: string;
}

/** A rescan: a search for sensitive content in the documents of a dataset. */
export class GovernanceRescan {
  /** Identifier of the rescan. */
  @Answer.Uuid()
  id!: string;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Status of the rescan. `pending`: it waits for a worker. `failed`: `error` says why. */
  @Answer.Choice(RESCAN_STATUSES)
  status!: RescanStatus;

  /** Progress of the rescan, in documents. */
  @Answer.Nested(() => RescanProgressDto)
  progress!: RescanProgressDto;

  /** Numbers of findings so far, by kind of content; never the content itself. */
  @Answer.NestedList(() => RescanFindings)
  findings!: RescanFindings[];

  /** Reason of the failure; null: the rescan has not failed. */
  @Answer.Nested(() => RescanError, { nullable: true })
  error!: RescanError | null;

  /** Identifier of the account that started the rescan; null: the service itself. */
  @Answer.Uuid({ nullable: true })
  requested_by!: string | null;

  /** Time of the request. */
  @Answer.Instant()
  created_at!: string;

  /** Time when a worker began the rescan; null: not yet. */
  @Answer.Instant({ nullable: true })
  started_at!: string | null;

  /** Time when the rescan ended; null: not yet. */
  @Answer.Instant({ nullable: true })
  ended_at!: string | null;
}
