import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { DocumentId, JsonObject, TenantId } from '#libs/common';
import { DocumentEntity, type DocumentEventName, type IngestionStage } from './document.entity.js';

/** An event of a document's timeline. Events are only appended. */
@Entity('document_events')
@Index('document_events_created', ['created_at'])
export class DocumentEventEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'document_events_document_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly document_id!: DocumentId;

  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  readonly seq!: string;

  @Column('text')
  readonly event!: DocumentEventName;

  @Column('text', { nullable: true })
  readonly stage!: IngestionStage | null;

  @Column('jsonb', { default: {} })
  readonly details!: JsonObject;

  @Column('timestamp with time zone', { precision: 3, default: () => 'clock_timestamp()' })
  readonly created_at!: Date;
}
