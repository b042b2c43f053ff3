import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, DocumentId, TenantId } from '#libs/common';
import { DocumentEntity } from '../../documents/index.js';

/** A quarantine of a document, present or past, with its reason. */
@Entity('quarantines')
@Index('quarantines_listed', { synchronize: false })
@Index('quarantines_open', { synchronize: false })
export class QuarantineEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'quarantines_document_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly document_id!: DocumentId;

  @Column('text')
  readonly reason!: string;

  @Column('text', { nullable: true })
  readonly note!: string | null;

  @Column('uuid', { nullable: true })
  readonly quarantined_by!: AccountId | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly quarantined_at!: Date;

  /** Intended end; the document stays in quarantine all the same. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly until!: Date | null;

  /** Account that requested the release, if a release needs two accounts. */
  @Column('uuid', { nullable: true })
  readonly release_asked_by!: AccountId | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly release_asked_at!: Date | null;

  @Column('uuid', { nullable: true })
  readonly released_by!: AccountId | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly released_at!: Date | null;
}
