import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DocumentId, TenantId } from '#libs/common';
import { DocumentEntity } from '../../documents/index.js';
import type { PassageAnswer } from './passage-answer.js';

/**
 * What a chat model read from a passage of a document. The row is removed with the document, also when the document is deleted or put into
 * quarantine.
 */
@Entity('kg_chunk_answers')
@Index('kg_chunk_answers_chunk', ['tenant_id', 'extractor', 'chunk_hash'])
@Index('kg_chunk_answers_used', ['tenant_id', 'used_at'])
export class KgChunkAnswerEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'kg_chunk_answers_document_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly document_id!: DocumentId;

  /** Model, version of the prompt and kinds of entities. */
  @PrimaryColumn('text')
  readonly extractor!: string;

  /** SHA-256 of the headings and the text that the model was shown. */
  @PrimaryColumn('bytea')
  readonly chunk_hash!: Buffer;

  @Column('jsonb')
  readonly answer!: PassageAnswer;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly answered_at!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly used_at!: Date;
}
