import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { DocumentId, TenantId } from '#libs/common';
import { DocumentEntity } from '../../documents/index.js';

/** A stored file that belongs to one generation of a document and is removed with it. */
@Entity('generation_files')
@Unique('generation_files_key', ['key'])
@Index('generation_files_document', ['document_id', 'generation'])
export class GenerationFileEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('text')
  readonly key!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'generation_files_document_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly document_id!: DocumentId;

  @Column('bigint')
  readonly generation!: string;

  /** Null until the file has been written. */
  @Column('bigint', { nullable: true })
  readonly size_bytes!: string | null;

  @Column('text', { nullable: true })
  readonly sha256!: string | null;
}
