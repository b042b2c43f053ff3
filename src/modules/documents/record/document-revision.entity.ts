import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { AccountId, DocumentId, JsonObject, RevisionId, TenantId } from '#libs/common';
import { DocumentEntity } from './document.entity.js';

/** Why the original needs `governance:read`. */
export type ContentGuard = 'unread' | 'masked' | 'rejected' | 'purged';

/** A revision of a document: one stored file, and the text that was read from it. */
@Check('document_revisions_content_guard_check', "content_guard IN ('unread', 'masked', 'rejected', 'purged')")
@Entity('document_revisions')
@Index('document_revisions_bytes', ['tenant_id', 'document_id', 'size_bytes'])
@Unique('document_revisions_document_id_revision_key', ['document_id', 'revision'])
export class DocumentRevisionEntity {
  @PrimaryColumn('uuid')
  readonly id!: RevisionId;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'document_revisions_document_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly document_id!: DocumentId;

  @Column('integer')
  readonly revision!: number;

  @Column('text')
  readonly blob_key!: string;

  @Column('bigint')
  readonly size_bytes!: string;

  @Column('text')
  readonly sha256!: string;

  @Column('text', { nullable: true })
  readonly text_fingerprint!: string | null;

  @Column('bigint', { nullable: true })
  readonly text_length!: string | null;

  @Column('jsonb', { nullable: true })
  readonly parsed!: JsonObject | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('text', { nullable: true })
  readonly name!: string | null;

  @Column('text', { nullable: true })
  readonly media_type!: string | null;

  @Column('text', { nullable: true })
  readonly declared_media_type!: string | null;

  @Column('uuid', { nullable: true })
  readonly created_by!: AccountId | null;

  @Column('jsonb', { nullable: true })
  readonly staged_text!: JsonObject | null;

  /**
   * Why the original file needs `governance:read`; null: it does not. `unread`: its text has not been inspected yet. `purged`: it was
   * removed because a file of the archive was purged.
   */
  @Column('text', { nullable: true })
  readonly content_guard!: ContentGuard | null;
}
