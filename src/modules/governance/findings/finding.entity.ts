import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DocumentId, RevisionId, TenantId } from '#libs/common';
import type { EntityType, Severity } from '#libs/detectors';
import { DocumentEntity } from '../../documents/index.js';
import type { DetectorAction } from '../../ingestion-policy/index.js';
import { RescanEntity } from './rescan.entity.js';

/** Part of a document that contains a finding. Offsets count from the beginning of that part. */
export const FINDING_PLACES = ['text', 'name', 'title', 'metadata', 'tags'] as const;
export type FindingPlace = (typeof FINDING_PLACES)[number];

/** The place of sensitive content and the action; never the content. */
@Entity('governance_findings')
@Index('governance_findings_document', ['document_id', 'revision_id', 'rescan_id'])
@Index('governance_findings_rescan', { synchronize: false })
@Check('governance_findings_place_check', "place IN ('text', 'name', 'title', 'metadata', 'tags')")
@Check('governance_findings_action_check', "action IN ('allow', 'mask', 'quarantine', 'reject')")
export class FindingEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'governance_findings_document_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly document_id!: DocumentId;

  @Column('uuid')
  readonly revision_id!: RevisionId;

  @Column('integer')
  readonly revision!: number;

  /** Number of the attempt that made the finding; null for a rescan. */
  @Column('bigint', { nullable: true })
  readonly generation!: string | null;

  @ForeignKey(() => RescanEntity, { name: 'governance_findings_rescan_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  readonly rescan_id!: string | null;

  @Column('text')
  readonly place!: FindingPlace;

  @Column('text')
  readonly entity_type!: EntityType;

  @Column('text')
  readonly rule!: string;

  @Column('bigint')
  readonly span_start!: string;

  @Column('bigint')
  readonly span_end!: string;

  @Column('integer', { nullable: true })
  readonly page!: number | null;

  @Column('real')
  readonly score!: number;

  @Column('text')
  readonly severity!: Severity;

  @Column('text')
  readonly action!: DetectorAction;

  /** Time at which the document was released in spite of the finding, which then no longer quarantines this revision. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly accepted_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}
