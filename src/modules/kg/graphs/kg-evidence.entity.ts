import type { GraphEntityType } from '../../ingestion-policy/index.js';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ChunkId, DocumentId, TenantId } from '#libs/common';
import { DocumentEntity } from '../../documents/index.js';

/** States that a document's generation is completely extracted, and by which extractor; written last. */
@Entity('kg_extractions')
export class KgExtractionEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'kg_extractions_document_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly document_id!: DocumentId;

  @PrimaryColumn('bigint')
  readonly generation!: string;

  @Column('text')
  readonly extractor!: string;

  @Column('text', { array: true })
  readonly entity_types!: readonly GraphEntityType[];

  /** Number of passages for which a chat model gave no usable answer. */
  @Column('integer', { default: 0 })
  readonly skipped!: number;
}

/** A place of a document that names an entity; `char_start` and `char_end` in UTF-16 code units of the canonical text. */
@Entity('kg_mentions')
@Index('kg_mentions_entity', ['tenant_id', 'entity_key', 'document_id', 'generation', 'chunk_id'])
@Index('kg_mentions_form', ['tenant_id', 'form'])
@Index('kg_mentions_chunk', ['chunk_id'])
export class KgMentionEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'kg_mentions_document_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly document_id!: DocumentId;

  @PrimaryColumn('bigint')
  readonly generation!: string;

  @PrimaryColumn('integer')
  readonly position!: number;

  @Column('text')
  readonly entity_key!: string;

  @Column('text')
  readonly label!: string;

  @Column('text')
  readonly form!: string;

  @Column('text')
  readonly entity_type!: GraphEntityType;

  @Column('uuid')
  readonly chunk_id!: ChunkId;

  @Column('bigint')
  readonly char_start!: string;

  @Column('bigint')
  readonly char_end!: string;

  @Column('bigint')
  readonly sentence_start!: string;
}

/** A sentence of a document that states a relation between two entities. */
@Entity('kg_relations')
export class KgRelationEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'kg_relations_document_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly document_id!: DocumentId;

  @PrimaryColumn('bigint')
  readonly generation!: string;

  @PrimaryColumn('integer')
  readonly position!: number;

  @Column('text')
  readonly source_key!: string;

  @Column('text')
  readonly target_key!: string;

  @Column('text')
  readonly relation!: string;

  @Column('uuid')
  readonly chunk_id!: ChunkId;

  @Column('bigint')
  readonly char_start!: string;

  @Column('bigint')
  readonly char_end!: string;
}
