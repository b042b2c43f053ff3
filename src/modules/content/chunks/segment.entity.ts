import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { JsonObject, RevisionId, TenantId } from '#libs/common';
import { DocumentRevisionEntity } from '../../documents/index.js';

/** A stretch of the canonical text of a revision with its blocks; consecutive segments have no gap between them. */
@Entity('document_segments')
export class DocumentSegmentEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentRevisionEntity, { name: 'document_segments_revision_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly revision_id!: RevisionId;

  @PrimaryColumn('bigint')
  readonly text_start!: string;

  @Column('bigint')
  readonly text_end!: string;

  @Column('text')
  readonly body!: string;

  @Column('jsonb')
  readonly blocks!: readonly JsonObject[];
}

/** A segment of a text that is being parsed again and replaces the former text when it is complete. */
@Entity('staged_segments')
export class StagedSegmentEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentRevisionEntity, { name: 'staged_segments_revision_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly revision_id!: RevisionId;

  @PrimaryColumn('bigint')
  readonly text_start!: string;

  @Column('bigint')
  readonly text_end!: string;

  @Column('text')
  readonly body!: string;

  @Column('jsonb')
  readonly blocks!: readonly JsonObject[];
}
