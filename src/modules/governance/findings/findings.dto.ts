import { IsOptional, IsUUID } from 'class-validator';
import { ENTITY_TYPES, SEVERITIES, type EntityType, type Severity } from '#libs/detectors';
import { Answer, Choice, ListQueryDto, PageOf } from '#libs/http';
import { DETECTOR_ACTIONS, type DetectorAction } from '../../ingestion-policy/index.js';
import { FINDING_PLACES, type FindingPlace } from './finding.entity.js';

export const FINDING_ORDERS = ['created_at', '-created_at'] as const;
export type FindingOrder = (typeof FINDING_ORDERS)[number];

/** Filters and order of findings. */
export class ListFindingsQuery extends ListQueryDto {
  /** Only findings in documents of this dataset. */
  @IsOptional()
  @IsUUID()
  dataset_id?: string;

  /** Only findings in this document. */
  @IsOptional()
  @IsUUID()
  document_id?: string;

  /** Only findings of this kind of content. */
  @Choice(ENTITY_TYPES, { name: 'EntityType', query: true })
  entity_type?: EntityType;

  /** Only findings of this severity. */
  @Choice(SEVERITIES, { query: true })
  severity?: Severity;

  /** Only findings with this action. */
  @Choice(DETECTOR_ACTIONS, { query: true })
  action?: DetectorAction;

  /** Only findings of this rescan; left out: the findings of ingestion. */
  @IsOptional()
  @IsUUID()
  rescan_id?: string;

  /** Order of the rows; a minus sign means descending. Left out: by document, the newest first, and by position in it. */
  @Choice(FINDING_ORDERS, { query: true })
  order_by?: FindingOrder;
}

/** The place of sensitive content in a document; never the content itself. */
export class GovernanceFinding {
  /** Identifier of the finding. */
  @Answer.Uuid()
  id!: string;

  /** Identifier of the dataset of the document. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Number of the revision that was inspected. */
  @Answer.Integer({ min: 1 })
  revision!: number;

  /** Ingestion attempt that made the finding; null: it was a rescan. */
  @Answer.Text({ nullable: true })
  generation!: string | null;

  /** Identifier of the rescan that made the finding; null: it was an ingestion. */
  @Answer.Uuid({ nullable: true })
  rescan_id!: string | null;

  /** Part of the document that contains the content. */
  @Answer.Choice(FINDING_PLACES)
  place!: FindingPlace;

  /** Kind of content. */
  @Answer.Choice(ENTITY_TYPES, { name: 'EntityType' })
  entity_type!: EntityType;

  /** Rule of the detector that matched. */
  rule!: string;

  /**
   * Offset of the first UTF-16 code unit within the part that `place` names: the canonical text, the name, or one value of the metadata.
   */
  @Answer.Count()
  start!: number;

  /** Offset just after the last code unit. */
  @Answer.Count()
  end!: number;

  /** Page of the document, from 1; null: there are no pages. */
  @Answer.Integer({ nullable: true, min: 1 })
  page!: number | null;

  /** Certainty of the finding, from 0 to 1. */
  @Answer.Share()
  score!: number;

  /** Severity of the finding. */
  @Answer.Choice(SEVERITIES)
  severity!: Severity;

  /** Action of the policy for the finding. */
  @Answer.Choice(DETECTOR_ACTIONS)
  action!: DetectorAction;

  /** Time when the document was released in spite of this finding; null: it was not. */
  @Answer.Instant({ nullable: true })
  accepted_at!: string | null;

  /** Time of the finding. */
  @Answer.Instant()
  created_at!: string;
}

/** A page of findings. */
export class FindingPage extends PageOf(GovernanceFinding, {
  items: 'The findings of this page, by document, place and start.',
  total: 'Total number of findings that match.',
}) {}
