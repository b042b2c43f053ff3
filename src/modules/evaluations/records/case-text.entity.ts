import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DocumentId, TenantId } from '#libs/common';
import { DocumentEntity } from '../../documents/index.js';
import { EvaluationJobEntity } from './evaluation-job.entity.js';
import { CaseSetEntity } from './case-set.entity.js';
import type { EvaluationCase } from '../cases/evaluation-case.js';

/** A case that was made of a document, in a version of a set or in an evaluation. It goes with the document, and when that is put into quarantine. */
@Entity('evaluation_case_texts')
@Check('evaluation_case_texts_check', 'num_nonnulls(case_set_id, job_id) = 1')
@Check('evaluation_case_texts_evidence_check', "evidence IN ('unknown', 'standing', 'gone')")
@Index('evaluation_case_texts_of_set', { synchronize: false })
@Index('evaluation_case_texts_of_job', { synchronize: false })
@Index('evaluation_case_texts_document', ['document_id'])
export class CaseTextEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => CaseSetEntity, { name: 'evaluation_case_texts_case_set_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  readonly case_set_id!: string | null;

  @Column('integer', { nullable: true })
  readonly version!: number | null;

  @ForeignKey(() => EvaluationJobEntity, { name: 'evaluation_case_texts_job_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  readonly job_id!: string | null;

  @Column('integer')
  readonly ordinal!: number;

  @ForeignKey(() => DocumentEntity, { name: 'evaluation_case_texts_document_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly document_id!: DocumentId;

  @Column('boolean')
  readonly approved!: boolean;

  @Column('jsonb')
  readonly content!: EvaluationCase;

  /** The chunks in which the evidence was looked for last; null before the first look. */
  @Column('uuid', { nullable: true })
  readonly checked_chunk_set_id!: string | null;

  /** Whether a text of `relevant` is in the document; `gone`: it stood there. `unknown`: it has none, or none that ever stood there. */
  @Column('text', { default: 'unknown' })
  readonly evidence!: 'unknown' | 'standing' | 'gone';
}
