import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DocumentId, TenantId } from '#libs/common';
import { DocumentEntity } from '../../documents/index.js';

/** A line that a chat model wrote about a chunk. It is removed when its document is deleted or quarantined. */
@Entity('chunk_lines')
@Index('chunk_lines_used', ['tenant_id', 'used_at'])
export class ChunkLineEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'chunk_lines_document_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly document_id!: DocumentId;

  /** Model, version of the prompt and requested length. */
  @PrimaryColumn('text')
  readonly writer!: string;

  /** SHA-256 of the whole input of the model: the chunk with its title, headings, neighbours and the beginning of the document. */
  @PrimaryColumn('bytea')
  readonly text_hash!: Buffer;

  @Column('text')
  readonly line!: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly used_at!: Date;
}
