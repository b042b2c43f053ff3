import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DocumentId, TenantId } from '#libs/common';
import { DocumentEntity } from '../../documents/index.js';

/** The vector of a text of a document. It is removed with the document. */
@Entity('embedding_cache')
@Index('embedding_cache_text', ['tenant_id', 'space', 'text_hash'])
@Index('embedding_cache_used', ['tenant_id', 'used_at'])
export class EmbeddingCacheEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'embedding_cache_document_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly document_id!: DocumentId;

  @PrimaryColumn('text')
  readonly space!: string;

  /** SHA-256. */
  @PrimaryColumn('bytea')
  readonly text_hash!: Buffer;

  /** The vector, encoded by `vectorBytes`. */
  @Column('bytea')
  readonly vector!: Buffer;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly used_at!: Date;
}
