import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { ChunkId, ChunkSetId, DocumentId, RevisionId, TenantId } from '#libs/common';
import { DocumentEntity, DocumentRevisionEntity } from '../../documents/index.js';

/** The chunks that one pipeline makes of one revision. */
@Entity('chunk_sets')
@Index('chunk_sets_document', ['document_id'])
@Unique('chunk_sets_revision_id_fingerprint_key', ['revision_id', 'fingerprint'])
export class ChunkSetEntity {
  @PrimaryColumn('uuid')
  readonly id!: ChunkSetId;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'chunk_sets_document_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly document_id!: DocumentId;

  @ForeignKey(() => DocumentRevisionEntity, { name: 'chunk_sets_revision_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly revision_id!: RevisionId;

  @Column('text')
  readonly fingerprint!: string;

  @Column('boolean', { default: false })
  readonly complete!: boolean;

  @Column('integer', { default: 0 })
  readonly chunk_count!: number;

  @Column('bigint', { default: 0 })
  readonly token_count!: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}

/** A part of the summary of the terms of a chunk set. */
@Entity('chunk_set_terms')
export class ChunkSetTermsEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => ChunkSetEntity, { name: 'chunk_set_terms_chunk_set_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly chunk_set_id!: ChunkSetId;

  @PrimaryColumn('integer')
  readonly part!: number;

  @Column('bytea')
  readonly summary!: Buffer;
}

/** A chunk; it never changes under its id. `page_end` is also null for a chunk that has a page but was made before this column existed. */
@Entity('chunks')
@Unique('chunks_chunk_set_id_ordinal_key', ['chunk_set_id', 'ordinal'])
export class ChunkEntity {
  @PrimaryColumn('uuid')
  readonly id!: ChunkId;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('uuid')
  readonly document_id!: DocumentId;

  @ForeignKey(() => ChunkSetEntity, { name: 'chunks_chunk_set_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly chunk_set_id!: ChunkSetId;

  @Column('integer')
  readonly ordinal!: number;

  @Column('bigint')
  readonly text_start!: string;

  @Column('bigint')
  readonly text_end!: string;

  @Column('text')
  readonly body!: string;

  @Column('integer')
  readonly token_count!: number;

  @Column('text', { array: true, default: [] })
  readonly heading_path!: readonly string[];

  @Column('integer', { nullable: true })
  readonly page!: number | null;

  @Column('text', { nullable: true })
  readonly sheet!: string | null;

  @Column('integer', { nullable: true })
  readonly row_number!: number | null;

  @Column('bytea')
  readonly terms!: Buffer;

  @Column('bigint', { nullable: true })
  readonly parent_start!: string | null;

  @Column('bigint', { nullable: true })
  readonly parent_end!: string | null;

  @Column('text', { nullable: true })
  readonly kind!: string | null;

  @Column('integer', { nullable: true })
  readonly page_end!: number | null;

  /** Line that a chat model wrote about the chunk's place in the document; not part of the text. */
  @Column('text', { nullable: true })
  readonly context!: string | null;
}

/** The vector of a chunk in an embedding space, encoded by `vectorBytes`. */
@Entity('chunk_vectors')
export class ChunkVectorEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => ChunkEntity, { name: 'chunk_vectors_chunk_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly chunk_id!: ChunkId;

  @PrimaryColumn('text')
  readonly space!: string;

  @Column('bytea')
  readonly vector!: Buffer;
}
